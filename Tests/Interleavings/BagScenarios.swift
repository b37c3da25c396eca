// Bags of subscriptions that several threads use at once: each is cancelled once, by whoever empties the bag it is in.

import Weir
import WeirExtras
import WeirVerify

let bagScenarios = [
  Scenario("history/bag", bound: 3) { run in
    let store = CancellableStore()
    let cancelled = Held<[(thread: Int, number: Int)]>([])
    let history = run.history(of: BagModel())
    run.keep(store)
    func put(_ number: Int) {
      history.record(.store(number)) {
        store.store(AnyCancellable { cancelled.value.append((run.threadNumber, number)) })
        return []
      }
    }
    // No thread does this twice.
    func cancelAll() {
      history.record(.cancelAll) {
        store.cancelAll()
        return cancelled.value.filter { $0.thread == run.threadNumber }.map { $0.number }.sorted()
      }
    }
    put(1)
    run.thread("keeper") {
      put(11)
      history.record(.count) { [store.cancellables.count] }
    }
    run.thread("canceller") { cancelAll() }
    run.thread("keeper and canceller") {
      put(21)
      cancelAll()
    }
    run.check { cancelAll() }
  }
]

/// A bag as one thread would see it. It answers with what it has cancelled, or how much it has.
private struct BagModel: SequentialSpecification {
  enum Operation { case store(Int), cancelAll, count }

  private var kept: [Int] = []

  mutating func perform(_ operation: Operation) -> [Int] {
    switch operation {
    case .store(let number): kept.append(number)
    case .cancelAll:
      defer { kept = [] }
      return kept.sorted()
    case .count: return [kept.count]
    }
    return []
  }
}
