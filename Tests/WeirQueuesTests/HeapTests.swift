// Tests of the heap: whatever is added and removed, the least element comes next.

import TestKit
import Testing

@testable import WeirQueues

@Suite struct HeapTests {
  private func drained(_ heap: Heap<Int>) -> [Int] {
    var (heap, elements) = (heap, [Int]())
    while let least = heap.least {
      #expect(heap.popLeast() == least)
      elements.append(least)
    }
    return elements
  }

  @Test func isEmptyAtFirst() {
    var heap = Heap<Int>()
    #expect(heap.count == 0 && heap.least == nil && heap.popLeast() == nil && heap.elements == [])
    heap.keep { _ in true }
    #expect(heap.count == 0)
  }

  @Test(arguments: 0..<40) func elementsComeInOrder(count: Int) {
    var random = SplitMix(seed: UInt64(count))
    // Some are alike.
    let elements = (0..<count).map { _ in Int.random(in: 0..<20, using: &random) }
    var heap = Heap<Int>()
    for element in elements { heap.insert(element) }
    #expect(heap.count == count && heap.elements.sorted() == elements.sorted())
    #expect(drained(heap) == elements.sorted())
  }

  @Test(arguments: 0..<40) func elementsComeInOrderWhileOthersAreAddedAndRemoved(seed: UInt64) {
    var random = SplitMix(seed: seed)
    var (heap, model) = (Heap<Int>(), [Int]())
    for _ in 0..<300 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<6:
        let element = Int.random(in: 0..<50, using: &random)
        heap.insert(element)
        model = (model + [element]).sorted()
      case 6..<9: #expect(heap.popLeast() == (model.isEmpty ? nil : model.removeFirst()))
      default:
        let divisor = Int.random(in: 2..<5, using: &random)
        heap.keep { $0 % divisor != 0 }
        model.removeAll { $0 % divisor == 0 }
      }
      #expect(heap.least == model.first && heap.count == model.count)
    }
    #expect(drained(heap) == model)
  }
}
