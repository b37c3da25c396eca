// Tests of the loop that takes many elements one by one.

import TestKit
import Testing

@testable import WeirQueues

@Suite struct DrainingTests {
  @Test(arguments: [(-1, []), (0, []), (2, [1, 2]), (3, [1, 2, 3]), (9, [1, 2, 3])])
  func stopsAtTheLimitOrTheEnd(limit: Int, expected: [Int]) {
    var source = [1, 2, 3]
    var taken: [Int] = []
    let count = drained(atMost: limit, { source.isEmpty ? nil : source.removeFirst() }) { taken.append($0) }
    #expect(count == expected.count)
    #expect(taken == expected)
    #expect(source.count == 3 - expected.count)
  }

  @Test func anErrorEndsIt() {
    var source = [1, 2, 3]
    #expect(throws: TestFailure.first) {
      _ = try drained(atMost: 3, { source.removeFirst() }) { (_: Int) in throw TestFailure.first }
    }
    #expect(source == [2, 3])
  }

  /// Every queue takes elements that can't be copied, gives them back, shows them, and ends each once.
  @Test func elementsNeedNotBeCopyable() {
    let ended = Counter()
    func single(_ number: Int) -> Single { Single(number) { ended.add() } }
    do {
      let ring = SPSCRing<Single>(minimumCapacity: 1)
      let linked = SPSCLinkedQueue<Single>()
      let mpsc = MPSCQueue<Single>()
      let mpmc = MPMCQueue<Single>(minimumCapacity: 2)
      var refused = [number(of: ring.offer(single(0)).returned()), number(of: ring.offer(single(2)).returned())]
      #expect(refused == [nil, 2])
      #expect(ended.value == 1)
      var numbers: [Int] = []
      for number in 0..<300 {
        _ = linked.offer(single(number)).isTaken
        _ = mpsc.enqueue(single(number))
      }
      linked.drain(atMost: 299) { numbers.append($0.number) }
      mpsc.drain(atMost: 299) { numbers.append($0.number) }
      #expect(numbers == Array(0..<299) + Array(0..<299))
      #expect(ended.value == 599)
      let seen = [ring.peek { $0.number }, linked.peek { $0.number }, mpsc.peek { $0.number }]
      #expect(seen == [0, 299, 299])
      for number in 1...2 { _ = mpmc.enqueue(single(number)) }
      switch mpmc.overwrite(with: single(3)) {
      case .replaced(let old): numbers = [old.number]
      case .appended: numbers = []
      case .closed: numbers = []
      }
      #expect(numbers == [1])
      mpmc.close()
      refused = [number(of: mpmc.dequeue()), number(of: mpmc.offer(single(4)).returned())]
      #expect(refused == [2, 4])
      #expect(ended.value == 602)
    }
    // One is left in each queue.
    #expect(ended.value == 606)
  }
}
