// Tests of what a channel keeps its elements in: both kinds do the same, but for the end of the room.

import TestKit
import Testing

@testable import WeirQueues

@Suite struct ChannelQueueTests {
  enum Kind: CaseIterable {
    case bounded, growing

    func make<Element>(_ type: Element.Type = Element.self) -> ChannelQueue<Element> {
      switch self {
      case .bounded: .bounded(MPMCQueue(minimumCapacity: 4))
      case .growing: .growing(GrowingQueue())
      }
    }
  }

  @Test(arguments: Kind.allCases) func isAQueue(_ kind: Kind) {
    let queue = kind.make(Int.self)
    #expect(queue.capacity == (kind == .bounded ? 4 : nil))
    #expect(queue.dequeue() == nil)
    #expect(queue.offer(1) == .taken)
    #expect(queue.enqueue(contentsOf: [2, 3, 4, 5]) == (kind == .bounded ? 3 : 4))
    #expect(queue.isFull == (kind == .bounded))
    #expect(queue.overwrite(with: 6) == (kind == .bounded ? .replaced(1) : .appended))
    #expect(queue.count == (kind == .bounded ? 4 : 6))
    var taken: [Int] = []
    #expect(queue.dequeue(atMost: 2, into: &taken) == 2)
    #expect(taken == (kind == .bounded ? [2, 3] : [1, 2]))
    queue.close()
    #expect(queue.isClosed == true)
    #expect(queue.offer(7) == .closed(7))
    #expect(queue.overwrite(with: 7) == .closed(7))
    #expect(queue.isDrained == false)
    while let number = queue.dequeue() { taken.append(number) }
    #expect(taken.last == 6)
    #expect(queue.isDrained == true)
    #expect(queue.trim() == 0)
  }

  @Test func consumersOfAQueueThatGrowsTakeTurns() {
    let core = ChannelCore<Int>(.growing(GrowingQueue()))
    let seen = (0..<3).map { _ in Shared([Int]()) }
    onThreads(4) { thread in
      guard thread < 3 else {
        for number in 0..<9_000 { _ = core.queue.offer(number) }
        return core.queue.close()
      }
      while !core.queue.isDrained {
        if let number = core.queue.dequeue() { seen[thread].value.append(number) } else { yieldThread() }
      }
    }
    #expect(seen.flatMap(\.value).sorted() == Array(0..<9_000))
    #expect(seen.allSatisfy { $0.value == $0.value.sorted() })
    #expect(core.queue.trim() > 0)
  }
}
