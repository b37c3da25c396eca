// What every queue between threads owes: order, full and empty, close, and that elements are freed once.

import TestKit
import Testing

@testable import WeirQueues

/// A kind of queue, and how to make one.
enum QueueKind: CaseIterable {
  case spscRing, spscLinked, mpsc, mpmc

  /// A queue that holds as many elements at least; how many it then holds, if it is bounded.
  func make<Element>(_ type: Element.Type = Element.self, holding count: Int = 4) -> AnyQueue<Element> {
    switch self {
    case .spscRing:
      let queue = SPSCRing<Element>(minimumCapacity: count)
      return AnyQueue(
        capacity: queue.capacity, enqueue: { queue.enqueue($0) }, dequeue: { queue.dequeue() },
        close: { queue.close() },
        isClosed: { queue.isClosed }, isDrained: { queue.isDrained })
    case .spscLinked:
      let queue = SPSCLinkedQueue<Element>()
      return AnyQueue(
        capacity: nil, enqueue: { queue.enqueue($0) }, dequeue: { queue.dequeue() }, close: { queue.close() },
        isClosed: { queue.isClosed }, isDrained: { queue.isDrained })
    case .mpsc:
      let queue = MPSCQueue<Element>()
      return AnyQueue(
        capacity: nil, enqueue: { queue.enqueue($0) }, dequeue: { queue.dequeue() }, close: { queue.close() },
        isClosed: { queue.isClosed }, isDrained: { queue.isDrained })
    case .mpmc:
      let queue = MPMCQueue<Element>(minimumCapacity: count)
      return AnyQueue(
        capacity: queue.capacity, enqueue: { queue.enqueue($0) }, dequeue: { queue.dequeue() },
        close: { queue.close() },
        isClosed: { queue.isClosed }, isDrained: { queue.isDrained })
    }
  }
}

struct AnyQueue<Element> {
  let capacity: Int?
  let enqueue: (Element) -> Bool
  let dequeue: () -> Element?
  let close: () -> Void
  let isClosed: () -> Bool
  let isDrained: () -> Bool
}

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
}
