// What every queue between threads owes: order, full and empty, batches, looks, close, and that elements are freed
// once.

import TestKit
import Testing

@testable import WeirQueues

@Suite struct QueueContractTests {
  private let lifetimes = Lifetimes()

  @Test(arguments: QueueKind.allCases) func isEmptyAndOpenAtFirst(_ kind: QueueKind) {
    let queue = kind.make(Int.self)
    #expect(queue.dequeue() == nil)
    #expect(!queue.isClosed())
    #expect(!queue.isDrained())
  }

  @Test(arguments: QueueKind.allCases, [1, 2, 4, 8]) func refusesWhatItHasNoRoomFor(_ kind: QueueKind, _ size: Int) {
    let queue = kind.make(Int.self, holding: size)
    guard let capacity = queue.capacity else { return }
    #expect((0..<capacity).map { queue.enqueue($0) } == Array(repeating: true, count: capacity))
    #expect(!queue.enqueue(-1))
    #expect(queue.dequeue() == 0)
    #expect(queue.enqueue(capacity))
    #expect(!queue.enqueue(-1))
    #expect((1...capacity).map { _ in queue.dequeue() } == Array(1...capacity))
    #expect(queue.dequeue() == nil)
  }

  /// Fill levels and offsets of all sizes: the ends of rings and the borders of segments meet each other.
  @Test(arguments: QueueKind.allCases, [1, 2, 3, 254, 255, 256, 257, 511])
  func behavesAsAnArrayWould(_ kind: QueueKind, _ size: Int) {
    var random = SplitMix(seed: UInt64(size))
    let queue = kind.make(Int.self, holding: size)
    var model: [Int] = []
    var next = 0
    for _ in 0..<40 {
      for _ in 0..<Int.random(in: 0...size, using: &random) {
        let hasRoom = model.count < queue.capacity ?? .max
        #expect(queue.enqueue(next) == hasRoom)
        if hasRoom { model.append(next) }
        next += 1
      }
      for _ in 0..<Int.random(in: 0...size, using: &random) {
        #expect(queue.dequeue() == (model.isEmpty ? nil : model.removeFirst()))
      }
    }
  }

  @Test(arguments: QueueKind.allCases) func givesOutWhatItHoldsOnceClosed(_ kind: QueueKind) {
    let queue = kind.make(Int.self)
    #expect(queue.enqueue(1))
    #expect(queue.enqueue(2))
    queue.close()
    queue.close()
    #expect(queue.isClosed())
    #expect(!queue.enqueue(3))
    #expect(!queue.isDrained())
    #expect(queue.dequeue() == 1)
    #expect(!queue.isDrained())
    #expect(queue.dequeue() == 2)
    #expect(queue.isDrained())
    #expect(queue.dequeue() == nil)
    #expect(!queue.enqueue(4))
  }

  @Test(arguments: QueueKind.allCases) func handsOverOptionalElements(_ kind: QueueKind) {
    let queue = kind.make(Int?.self)
    #expect(queue.enqueue(nil))
    #expect(queue.enqueue(1))
    #expect(queue.dequeue() == .some(nil))
    #expect(queue.dequeue() == .some(1))
    #expect(queue.dequeue() == .none)
  }

  @Test(arguments: QueueKind.allCases) func givesElementsUpAsTheyLeave(_ kind: QueueKind) {
    let queue = kind.make(LifetimeTracked.self, holding: 512)
    for number in 0..<300 { #expect(queue.enqueue(lifetimes.track(number))) }
    for left in (0..<300).reversed() {
      _ = queue.dequeue()
      #expect(lifetimes.live == left)
    }
  }

  @Test(arguments: QueueKind.allCases) func dropsWhatItRefuses(_ kind: QueueKind) {
    let queue = kind.make(LifetimeTracked.self, holding: 1)
    if queue.capacity != nil {
      #expect(queue.enqueue(lifetimes.track(1)))
      #expect(!queue.enqueue(lifetimes.track(2)))
      _ = queue.dequeue()
    }
    queue.close()
    #expect(!queue.enqueue(lifetimes.track(3)))
    #expect(lifetimes.live == 0)
  }

  @Test(arguments: QueueKind.allCases, [0, 1, 254, 255, 256, 257, 700])
  func freesWhatItStillHolds(_ kind: QueueKind, _ left: Int) {
    do {
      let queue = kind.make(LifetimeTracked.self, holding: left + 20)
      for number in 0..<(left + 20) { #expect(queue.enqueue(lifetimes.track(number))) }
      for _ in 0..<20 { _ = queue.dequeue() }
      #expect(lifetimes.live == left)
    }
    #expect(lifetimes.live == 0)
    #expect(lifetimes.made == left + 20)
  }

  @Test(arguments: QueueKind.allCases) func givesBackWhatItRefuses(_ kind: QueueKind) {
    let queue = kind.make(LifetimeTracked.self, holding: 2)
    #expect(queue.offer(lifetimes.track(1)) == .taken)
    #expect(queue.offer(lifetimes.track(2)) == .taken)
    if queue.capacity != nil { #expect(queue.offer(lifetimes.track(3)) == .full(lifetimes.track(3))) }
    queue.close()
    let refused = queue.offer(lifetimes.track(4))
    #expect(!refused.isTaken)
    #expect(refused == .closed(lifetimes.track(4)))
    #expect(refused.returned()?.number == 4)
    #expect([queue.dequeue()?.number, queue.dequeue()?.number, queue.dequeue()?.number] == [1, 2, nil])
  }

  @Test(arguments: QueueKind.allCases, [1, 2, 254, 255, 256, 257, 511, 1030])
  func countsWhatItHolds(_ kind: QueueKind, _ size: Int) {
    let queue = kind.make(Int.self, holding: size)
    #expect(queue.isEmpty)
    for number in 1...size {
      #expect(queue.offer(number) == .taken)
      #expect(queue.count == number)
      #expect(!queue.isEmpty)
      if let capacity = queue.capacity { #expect(queue.isFull() == (number == capacity)) }
    }
    for left in (0..<size).reversed() {
      _ = queue.dequeue()
      #expect(queue.count == left)
    }
    queue.close()
    #expect(queue.count == 0)
    #expect(queue.isEmpty)
  }

  /// The producer may be in the middle of it: what it has added counts, and it learns of the question with the next
  /// element.
  @Test(arguments: QueueKind.oneProducer) func theConsumerCloses(_ kind: QueueKind) {
    let queue = kind.make(Int.self, holding: 1)
    #expect(queue.offer(1) == .taken)
    queue.closeReceiving?()
    queue.closeReceiving?()
    #expect(queue.isClosed())
    #expect(queue.dequeue() == 1)
    #expect(!queue.isDrained())
    #expect(queue.offer(2) == .closed(2))
    #expect(queue.isDrained())
    #expect(queue.enqueueAll([3]) == 0)
  }

  @Test(arguments: QueueKind.oneProducer) func bothSidesClose(_ kind: QueueKind) {
    for isConsumerFirst in [false, true] {
      let queue = kind.make(Int.self, holding: 1)
      if isConsumerFirst { queue.closeReceiving?() }
      queue.close()
      queue.closeReceiving?()
      #expect(queue.isDrained())
      #expect(!queue.enqueue(1))
    }
  }

  /// The element that finds the ring full may be the one that tells the producer.
  @Test func aFullRingIsClosedByItsConsumer() {
    let ring = SPSCRing<Int>(minimumCapacity: 1)
    #expect(ring.offer(1) == .taken)
    ring.closeReceiving()
    #expect(ring.offer(2) == .closed(2))
    #expect(!ring.isDrained)
    #expect(ring.dequeue() == 1)
    #expect(ring.isDrained)
  }

  @Test(arguments: QueueKind.oneConsumer) func looksWithoutTaking(_ kind: QueueKind) {
    let queue = kind.make(LifetimeTracked.self, holding: 600)
    #expect(queue.first() == nil)
    for number in 0..<520 { _ = queue.offer(lifetimes.track(number)) }
    for number in 0..<520 {
      #expect(queue.first()?.number == number)
      #expect(queue.peek { $0.number } == number)
      #expect(queue.count == 520 - number)
      #expect(queue.dequeue()?.number == number)
    }
    #expect(queue.peek { $0.number } == nil)
    #expect(lifetimes.live == 0)
  }

  /// Batches of all lengths across the ends of rings and the borders of segments.
  @Test(arguments: QueueKind.allCases, [1, 3, 253, 254, 255, 256, 600])
  func keepsBatchesInOrder(_ kind: QueueKind, _ size: Int) {
    let queue = kind.make(Int.self, holding: size)
    var (sent, received) = (0, 0)
    for round in 1...8 {
      for _ in 0..<round { if queue.offer(sent).isTaken { sent += 1 } }
      let batch = Array(sent..<sent + size)
      sent += queue.enqueueAll(batch[...])
      var taken: [Int] = []
      _ = queue.dequeueAll(size, &taken)
      #expect(taken == Array(received..<received + taken.count))
      received += taken.count
    }
    var rest: [Int] = []
    #expect(queue.drain(.max) { rest.append($0) } == sent - received)
    #expect(rest == Array(received..<sent))
    #expect(sent >= 8 * size)
  }

  @Test(arguments: QueueKind.allCases) func batchesOfNothingChangeNothing(_ kind: QueueKind) {
    let queue = kind.make(Int.self, holding: 2)
    var taken: [Int] = []
    #expect(queue.enqueueAll([]) == 0)
    #expect(queue.offer(1) == .taken)
    for limit in [0, -1, .min] {
      #expect(queue.dequeueAll(limit, &taken) == 0)
      #expect(queue.drain(limit) { taken.append($0) } == 0)
    }
    #expect(taken.isEmpty)
    #expect(queue.dequeue() == 1)
    #expect(queue.dequeueAll(.max, &taken) == 0)
  }

  @Test(arguments: QueueKind.allCases) func batchesAreRefusedOnceClosed(_ kind: QueueKind) {
    let queue = kind.make(LifetimeTracked.self, holding: 8)
    #expect(queue.enqueueAll([lifetimes.track(1)]) == 1)
    queue.close()
    #expect(queue.enqueueAll([lifetimes.track(2), lifetimes.track(3)]) == 0)
    #expect(lifetimes.live == 1)
    #expect(queue.dequeue()?.number == 1)
    #expect(queue.isDrained())
  }

  @Test(arguments: QueueKind.allCases) func batchesGiveElementsUpOnce(_ kind: QueueKind) {
    do {
      let queue = kind.make(LifetimeTracked.self, holding: 512)
      #expect(queue.enqueueAll((0..<400).map { lifetimes.track($0) }[...]) == 400)
      #expect(lifetimes.live == 400)
      var taken: [LifetimeTracked] = []
      #expect(queue.dequeueAll(300, &taken) == 300)
      #expect(taken.map(\.number) == Array(0..<300))
      taken = []
      #expect(lifetimes.live == 100)
      #expect(queue.drain(10) { _ in } == 10)
      #expect(lifetimes.live == 90)
    }
    #expect(lifetimes.live == 0)
  }

  /// An element is out of the queue before the body has it.
  @Test(arguments: QueueKind.allCases) func aBodyMayUseTheQueueThatIsDrained(_ kind: QueueKind) {
    let queue = kind.make(Int.self, holding: 2)
    #expect(queue.enqueueAll([1, 2]) == 2)
    var seen: [Int?] = []
    let count = queue.drain(4) { number in
      seen += [number, queue.dequeue()]
      if number < 5 { #expect(queue.offer(number + 4) == .taken) }
    }
    #expect(count == 2)
    #expect(seen == [1, 2, 5, nil])
  }

  @Test(arguments: QueueKind.allCases) func whatABodyThrowsLeavesTheRest(_ kind: QueueKind) {
    let queue = kind.make(Int.self, holding: 4)
    #expect(queue.enqueueAll([1, 2, 3]) == 3)
    #expect(throws: TestFailure.second) {
      _ = try queue.throwingDrain { if $0 == 2 { throw TestFailure.second } }
    }
    #expect(queue.dequeue() == 3)
  }
}
