// Random programs on two to four threads for each queue, held to what is true in whatever order their steps go.

import TestKit
import Testing

@testable import WeirQueues

@Suite struct QueueThreadProgramTests {
  private let lifetimes = Lifetimes()

  @Test(arguments: QueueKind.allCases) func nothingIsLostOrComesTwice(_ kind: QueueKind) {
    let kinds = QueueKind.allCases
    for seed in programSeedsOfThreads where kinds[Int(seed) % kinds.count] == kind {
      let problem = QueueThreadProgram(kind, seed: seed, lifetimes).problem()
      let live = lifetimes.live
      #expect(problem == nil && live == 0, "seed \(seed)")
      guard problem == nil, live == 0 else { return }
    }
  }
}

/// A queue and what its threads do with it: all of them everything that the kind of queue allows.
private final class QueueThreadProgram: @unchecked Sendable {
  private let seed: UInt64
  private let queue: AnyQueue<LifetimeTracked>
  private let lifetimes: Lifetimes
  private let ledgers: [Shared<QueueLedger>]
  private let hasOneProducer: Bool
  private let hasOneConsumer: Bool
  /// Whether any thread closes the queue at some time.
  private let closes: Bool

  init(_ kind: QueueKind, seed: UInt64, _ lifetimes: Lifetimes) {
    self.seed = seed
    self.lifetimes = lifetimes
    var random = SplitMix(seed: seed)
    queue = kind.make(holding: Int.random(in: 1..<5, using: &random))
    (hasOneProducer, hasOneConsumer) = (QueueKind.oneProducer.contains(kind), QueueKind.oneConsumer.contains(kind))
    ledgers = (0..<(hasOneProducer ? 2 : Int.random(in: 2..<5, using: &random))).map { _ in Shared(QueueLedger()) }
    closes = Bool.random(using: &random)
    // Where the program begins: laps of a ring, and ends of a segment.
    guard Int.random(in: 0..<8, using: &random) == 0 else { return }
    for _ in 0..<Int.random(in: 0..<300, using: &random) {
      _ = queue.enqueue(lifetimes.track())
      _ = queue.dequeue()
    }
  }

  /// Runs the program.
  ///
  /// - Returns: What is wrong.
  func problem() -> String? {
    onThreads(ledgers.count) { [self] thread in
      var random = SplitMix(seed: seed << 2 | UInt64(thread))
      var next = thread << 16
      // The threads of a queue's one consumer and one producer are those of the first and the second number.
      let adds = !hasOneProducer || thread == 1
      let takes = !hasOneConsumer || thread == 0
      for _ in 0..<12 {
        let isToAdd = adds && (!takes || Bool.random(using: &random))
        if closes, Int.random(in: 0..<16, using: &random) == 0 { close(thread, byProducer: adds) }
        if isToAdd { add(&next, &ledgers[thread].value, &random) } else { take(&ledgers[thread].value, &random) }
      }
    }
    return problemOfRest()
  }

  private func close(_ thread: Int, byProducer: Bool) {
    if byProducer { queue.close() } else { queue.closeReceiving!() }
    ledgers[thread].value.close()
  }

  private func add(_ next: inout Int, _ ledger: inout QueueLedger, _ random: inout SplitMix) {
    func element() -> LifetimeTracked {
      next += 1
      return lifetimes.track(next)
    }
    let mayRefuse = closes || queue.capacity != nil
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1:
      let element = element()
      let isTaken = queue.enqueue(element)
      ledger.check(isTaken || mayRefuse, "refused")
      if isTaken { ledger.add([element]) }
    case 2, 3, 4:
      let element = element()
      ledger.add(element, queue.offer(element), mayBeFull: queue.capacity != nil)
    case 5, 6:
      let batch = (0..<Int.random(in: 0..<6, using: &random)).map { _ in element() }
      let count = queue.enqueueAll(batch[...])
      ledger.check(count == batch.count || mayRefuse, "\(count) of \(batch.count) taken")
      ledger.add(batch.prefix(count))
    default:
      let element = element()
      if let overwrite = queue.overwrite { return ledger.add(element, overwrite(element)) }
      ledger.add(element, queue.offer(element), mayBeFull: queue.capacity != nil)
    }
    ledger.check(closes || !queue.isClosed(), "closed")
    if queue.isClosed() { ledger.close() }
  }

  private func take(_ ledger: inout QueueLedger, _ random: inout SplitMix) {
    if queue.isDrained() { ledger.end() }
    var taken: [LifetimeTracked] = []
    let limit = Int.random(in: 0..<6, using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1, 2: taken = queue.dequeue().map { [$0] } ?? []
    case 3, 4:
      let count = queue.dequeueAll(limit, &taken)
      ledger.check(count == taken.count && count <= limit, "\(count) of \(limit) taken, not \(taken.count)")
    case 5, 6:
      let count = queue.drain(limit) { taken.append($0) }
      ledger.check(count == taken.count && count <= limit, "\(count) of \(limit) drained, not \(taken.count)")
    default:
      guard hasOneConsumer else {
        _ = queue.trim()
        return
      }
      // Nobody else takes the element that it has seen.
      guard let first = queue.first() else { return }
      ledger.check(queue.peek { $0.number } == first.number, "another one is first than \(first.number)")
      taken = queue.dequeue().map { [$0] } ?? []
      ledger.check(taken.first === first, "\(taken.map(\.number)) came out instead of \(first.number)")
    }
    ledger.take(taken)
  }

  /// What is wrong when all threads are through, with the rest or with the answers of a queue that is at rest.
  private func problemOfRest() -> String? {
    let count = queue.count
    if queue.isEmpty != (count == 0) { return "isEmpty is wrong" }
    if queue.isFull() != (count == queue.capacity) { return "isFull is wrong" }
    let all = ledgers.map(\.value)
    let isShut = queue.isClosed()
    if all.contains(where: \.isShut), !isShut { return "it is open again" }
    let offered = lifetimes.track(-1)
    if isShut {
      if case .closed(offered) = queue.offer(offered) {} else { return "a closed queue does not give back" }
    }
    var rest: [LifetimeTracked] = []
    if queue.dequeueAll(.max, &rest) != count { return "\(rest.count) instead of \(count) were there" }
    if queue.isDrained() != isShut { return "isDrained is wrong" }
    return QueueLedger.problem(all, rest: rest.map(\.number)) { $0 >> 16 }
  }
}
