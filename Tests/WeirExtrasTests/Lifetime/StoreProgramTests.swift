// Random programs for what keeps subscriptions, each compared with a dictionary and two lists of numbers.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct StoreProgramTests {
  /// The subscriptions of one program, by number, and which of them were cancelled.
  private final class Made {
    let cancelled = Shared<[Int]>([])
    private var numbers: [ObjectIdentifier: Int] = [:]
    private(set) var count = 0

    func cancellable() -> AnyCancellable {
      let number = count
      let made = AnyCancellable { [cancelled] in cancelled.value.append(number) }
      note(made)
      return made
    }

    /// A stream that tells of its cancellation by the number of the subscription to it, which is to be noted next.
    func stream(of subject: PassthroughSubject<Int, Never>) -> some Publisher<Int, Never> {
      let number = count
      return subject.handleEvents(receiveCancel: { [cancelled] in cancelled.value.append(number) })
    }

    func note(_ made: AnyCancellable) {
      numbers[ObjectIdentifier(made)] = count
      count += 1
    }

    func number(of kept: AnyCancellable) -> Int { numbers[ObjectIdentifier(kept)]! }
  }

  /// What a store is to hold: the numbers of subscriptions, with their keys and streams, and those cancelled.
  private struct Model {
    struct Entry {
      var key: Int?
      var stream: Int?
    }
    var kept: [Int: Entry] = [:]
    var cancelled: [Int] = []

    mutating func cancel(_ numbers: some Sequence<Int>) {
      for number in Array(numbers) where kept.removeValue(forKey: number) != nil { cancelled.append(number) }
    }

    mutating func cancel(key: Int) { cancel(kept.filter { $0.value.key == key }.keys) }

    mutating func keep(_ number: Int, key: Int, replacing: Bool) {
      if kept.values.contains(where: { $0.key == key }) {
        guard replacing else { return cancelled.append(number) }
        cancel(key: key)
      }
      kept[number] = Entry(key: key)
    }

    mutating func end(stream: Int) { kept = kept.filter { $0.value.stream != stream } }
  }

  @Test(arguments: 0..<4) func aManagerIsADictionary(quarter: UInt64) {
    for seed in programSeeds(quarter: quarter) {
      var random = SplitMix(seed: seed)
      let (manager, made) = (SubscriptionManager(), Made())
      var model = Model()
      var subjects = (0..<2).map { _ in PassthroughSubject<Int, Never>() }
      for _ in 0..<16 {
        let (number, key, chosen) = (
          made.count, Int.random(in: 0..<3, using: &random), Int.random(in: 0..<2, using: &random)
        )
        switch Int.random(in: 0..<9, using: &random) {
        case 0:
          manager.store(made.cancellable())
          model.kept[number] = Model.Entry()
        case 1, 2:
          manager.store(made.cancellable(), key: key)
          model.keep(number, key: key, replacing: true)
        case 3:
          manager.store(made.cancellable(), key: Double(key), replacingExisting: false)
          model.keep(number, key: key, replacing: false)
        case 4, 5:
          made.note(manager.sink(made.stream(of: subjects[chosen])) { _ in })
          model.kept[number] = Model.Entry(stream: chosen)
        case 6:
          subjects[chosen].send(completion: .finished)
          subjects[chosen] = PassthroughSubject()
          model.end(stream: chosen)
        case 7:
          manager.cancel(key: key)
          model.cancel(key: key)
        default:
          manager.cancel { made.number(of: $0) % 3 == key }
          model.cancel(model.kept.keys.filter { $0 % 3 == key })
        }
        guard manager.count == model.kept.count, made.cancelled.value.sorted() == model.cancelled.sorted() else {
          Issue.record("seed \(seed)")
          return
        }
      }
      manager.cancelAll()
      #expect(manager.count == 0 && made.cancelled.value.count == model.cancelled.count + model.kept.count)
    }
  }

  @Test(arguments: 0..<4) func aStoreIsASet(quarter: UInt64) {
    for seed in programSeeds(quarter: quarter) {
      var random = SplitMix(seed: seed)
      let (store, made) = (CancellableStore(), Made())
      var model = Model()
      var subjects = (0..<2).map { _ in PassthroughSubject<Int, Never>() }
      for _ in 0..<16 {
        let (number, chosen) = (made.count, Int.random(in: 0..<2, using: &random))
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
          store.store(made.cancellable())
          model.kept[number] = Model.Entry()
        case 1, 2:
          made.cancellable().store(in: &store.cancellables)
          model.kept[number] = Model.Entry()
        case 3, 4:
          made.note(store.sink(made.stream(of: subjects[chosen])) { _ in })
          model.kept[number] = Model.Entry(stream: chosen)
        case 5:
          subjects[chosen].send(completion: .finished)
          subjects[chosen] = PassthroughSubject()
          model.end(stream: chosen)
        case 6:
          store.cancellables = store.cancellables.filter { made.number(of: $0) % 2 == chosen }
          model.cancel(model.kept.keys.filter { $0 % 2 != chosen })
        default:
          if let member = store.cancellables.min(by: { made.number(of: $0) < made.number(of: $1) }) {
            store.cancellables.remove(member)
            model.cancel(model.kept.keys.min().map { [$0] } ?? [])
          }
        }
        let kept = Set(store.cancellables.map { made.number(of: $0) })
        guard kept == Set(model.kept.keys), made.cancelled.value.sorted() == model.cancelled.sorted() else {
          Issue.record("seed \(seed)")
          return
        }
      }
    }
  }

  @Test(arguments: 0..<4) func aDictionaryKeepsOneForEachKey(quarter: UInt64) {
    for seed in programSeeds(quarter: quarter) {
      var random = SplitMix(seed: seed)
      let made = Made()
      var kept: [Int: AnyCancellable] = [:]
      var model = Model()
      for _ in 0..<16 {
        let (key, replaces) = (Int.random(in: 0..<3, using: &random), Bool.random(using: &random))
        var isRight = true
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
          kept[key] = nil
          model.cancel(key: key)
        case 1:
          // Under another key, or once more under the same.
          let other = Int.random(in: 0..<3, using: &random)
          guard let former = kept.removeValue(forKey: key) else { continue }
          isRight = former.store(in: &kept, key: other).isKept
          if key != other { model.cancel(key: other) }
          model.kept[made.number(of: former)]?.key = other
        default:
          let isKept = replaces || kept[key] == nil
          model.keep(made.count, key: key, replacing: replaces)
          isRight = made.cancellable().store(in: &kept, key: key, replacingExisting: replaces).isKept == isKept
        }
        isRight = isRight && Set(kept.values.map { made.number(of: $0) }) == Set(model.kept.keys)
        guard isRight, made.cancelled.value == model.cancelled else {
          Issue.record("seed \(seed)")
          return
        }
      }
    }
  }

  @Test(arguments: 0..<4) func aSetKeepsOneForEachKey(quarter: UInt64) {
    for seed in programSeeds(quarter: quarter) {
      var random = SplitMix(seed: seed)
      let made = Made()
      var kept: Set<AnyCancellable> = []
      var model = Model()
      for _ in 0..<16 {
        let (number, key) = (made.count, Int.random(in: 0..<3, using: &random))
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
          kept = []
          model.cancel(model.kept.keys)
        case 1, 2:
          made.cancellable().store(in: &kept)
          model.kept[number] = Model.Entry()
        case 3, 4:
          // Those that are there under the key stay beside it.
          made.cancellable().store(in: &kept, key: "\(key)", replacingExisting: false)
          model.kept[number] = Model.Entry(key: key)
        default:
          made.cancellable().store(in: &kept, key: "\(key)")
          model.keep(number, key: key, replacing: true)
        }
        guard kept.count == model.kept.count, made.cancelled.value.sorted() == model.cancelled.sorted() else {
          Issue.record("seed \(seed)")
          return
        }
      }
    }
  }

  /// Threads that store, replace and cancel: each subscription is cancelled once, when it is replaced or in the end.
  @Test func threadsCancelEachOnce() {
    for seed in programSeedsOfThreads {
      let manager = SubscriptionManager()
      let store = CancellableStore()
      let counters = (0..<3 * 12).map { _ in Counter() }
      onThreads(3) { thread in
        var random = SplitMix(seed: seed << 2 | UInt64(thread))
        for index in 0..<12 {
          let counter = counters[thread * 12 + index]
          let cancellable = AnyCancellable { counter.add() }
          switch Int.random(in: 0..<6, using: &random) {
          case 0: manager.store(cancellable)
          case 1: manager.store(cancellable, key: index % 2)
          case 2: manager.store(cancellable, key: Double(index % 2), replacingExisting: false)
          case 3: cancellable.store(in: &store.cancellables)
          case 4:
            store.store(cancellable)
            manager.cancel(key: index % 2)
          default:
            store.store(cancellable)
            manager.cancel { _ in Bool.random(using: &random) }
          }
        }
      }
      manager.cancelAll()
      store.cancelAll()
      guard counters.allSatisfy({ $0.value == 1 }), manager.count == 0 else {
        Issue.record("seed \(seed)")
        return
      }
    }
  }
}
