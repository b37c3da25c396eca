// Tests of the queue for one thread: order, growth at every offset, and that each element is freed once.

import TestKit
import Testing

@testable import WeirQueues

@Suite struct RingBufferTests {
  private let lifetimes = Lifetimes()

  /// The macros of expectations copy what they take apart, which a queue can't be.
  private func expect<Element>(
    _ queue: borrowing RingBuffer<Element>, count: Int, capacity: Int? = nil,
    at location: SourceLocation = #_sourceLocation
  ) {
    let actual = (queue.count, queue.capacity, queue.isEmpty)
    #expect(actual.0 == count, sourceLocation: location)
    #expect(actual.1 == capacity ?? actual.1, sourceLocation: location)
    #expect(actual.2 == (count == 0), sourceLocation: location)
  }

  @Test func isEmptyAtFirst() {
    var queue = RingBuffer<Int>()
    expect(queue, count: 0, capacity: 0)
    #expect(queue.popFirst() == nil)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 7, 8, 9, 100]) func keepsTheOrder(_ size: Int) {
    var queue = RingBuffer<Int>()
    for value in 0..<size { queue.append(value) }
    expect(queue, count: size)
    var values: [Int] = []
    while let value = queue.popFirst() { values.append(value) }
    #expect(values == Array(0..<size))
    expect(queue, count: 0)
  }

  @Test(arguments: 0..<8) func growsAtEveryOffset(_ offset: Int) {
    var queue = RingBuffer<Int>()
    for value in 0..<8 { queue.append(value) }
    for value in 0..<offset {
      #expect(queue.popFirst() == value)
      queue.append(8 + value)
    }
    expect(queue, count: 8, capacity: 8)
    for value in 8 + offset..<30 { queue.append(value) }
    expect(queue, count: 30 - offset, capacity: 32)
    for value in offset..<30 { #expect(queue.popFirst() == value) }
    #expect(queue.popFirst() == nil)
  }

  @Test func aSteadyQueueDoesNotGrow() {
    var queue = RingBuffer<Int>()
    for value in 0..<3 { queue.append(value) }
    for value in 0..<1000 {
      #expect(queue.popFirst() == value)
      queue.append(value + 3)
    }
    expect(queue, count: 3, capacity: 4)
  }

  @Test func behavesAsAnArrayWould() {
    var random = SplitMix(seed: 3)
    var queue = RingBuffer<Int>()
    var model: [Int] = []
    for step in 0..<10_000 {
      if Int.random(in: 0..<100, using: &random) < 48 {
        #expect(queue.popFirst() == (model.isEmpty ? nil : model.removeFirst()))
      } else {
        queue.append(step)
        model.append(step)
      }
      expect(queue, count: model.count)
    }
  }

  @Test func takingTheFirstMovesNoOther() {
    var queue = RingBuffer<Int>()
    for value in 0..<8 { queue.append(value) }
    let slots = queue.slots!
    for taken in 1...5 {
      _ = queue.popFirst()
      let (head, places) = (queue.head, (taken..<8).map { slots[$0] })
      #expect(head == taken)
      #expect(places == Array(taken..<8))
    }
  }

  @Test func itsElementsAreShownFirstToLastWhereverTheyLie() {
    var queue = RingBuffer<Int>()
    var elements = queue.elements
    #expect(elements == [])
    for value in 0..<4 { queue.append(value) }
    for offset in 0..<6 {
      elements = queue.elements
      #expect(elements == Array(offset..<offset + 4))
      #expect(queue.popFirst() == offset)
      queue.append(offset + 4)
    }
    expect(queue, count: 4, capacity: 4)
  }

  @Test func freesEachElementOnce() {
    do {
      var queue = RingBuffer<LifetimeTracked>()
      for number in 0..<10 { queue.append(lifetimes.track(number)) }
      for _ in 0..<6 { _ = queue.popFirst() }
      #expect(lifetimes.live == 4)
      for number in 10..<15 { queue.append(lifetimes.track(number)) }
      #expect(lifetimes.live == 9)
    }
    #expect(lifetimes.live == 0)
  }

  @Test func givesMoreRoomThanItKeepsBackOnceItIsEmpty() {
    var queue = RingBuffer<Int>()
    for round in 1...3 {
      for value in 0...32_768 { queue.append(value) }
      expect(queue, count: 32_769, capacity: 65_536)
      for value in 0...32_768 { #expect(queue.popFirst() == value) }
      expect(queue, count: 0, capacity: 32_768)
      queue.append(round)
      #expect(queue.popFirst() == round)
      expect(queue, count: 0, capacity: 32_768)
    }
  }

  /// 256 KiB hold 10,922 of these.
  @Test func keepsAPowerOfTwo() {
    var queue = RingBuffer<(Int, Int, Int)>()
    for value in 0..<9_000 { queue.append((value, value, value)) }
    expect(queue, count: 9_000, capacity: 16_384)
    for value in 0..<9_000 { #expect(queue.popFirst()?.1 == value) }
    expect(queue, count: 0, capacity: 8_192)
    for value in 0..<8_192 { queue.append((value, value, value)) }
    for value in 0..<8_192 { #expect(queue.popFirst()?.2 == value) }
    expect(queue, count: 0, capacity: 8_192)
  }

  @Test func keepsTheRoomForSomeThousand() {
    var queue = RingBuffer<Int>()
    for _ in 1...3 {
      for value in 0..<20_000 { queue.append(value) }
      for value in 0..<20_000 { #expect(queue.popFirst() == value) }
      expect(queue, count: 0, capacity: 32_768)
    }
    #expect(RingBuffer<(Int, Int, Int, Int)>.keptCapacity == 8_192)
  }

  @Test func halvesItsRoomWhileItIsInUse() {
    var queue = RingBuffer<Int>()
    for value in 0..<100_000 { queue.append(value) }
    for value in 0..<99_990 { #expect(queue.popFirst() == value) }
    expect(queue, count: 10, capacity: 131_072)
    for value in 100_000..<400_000 {
      queue.append(value)
      #expect(queue.popFirst() == value - 10)
    }
    expect(queue, count: 10, capacity: 32_768)
  }

  @Test func takingAllLeavesAnEmptyQueue() {
    var queue = RingBuffer<LifetimeTracked>()
    for number in 0..<5 { queue.append(lifetimes.track(number)) }
    do {
      var taken = queue.takeAll()
      expect(queue, count: 0)
      expect(taken, count: 5)
      #expect(taken.popFirst()?.number == 0)
      queue.append(lifetimes.track(7))
    }
    #expect(lifetimes.live == 1)
    #expect(queue.popFirst()?.number == 7)
  }

  @Test func anElementMayAddToTheQueueThatDropsIt() {
    final class Holder {
      var queue = RingBuffer<AnyObject>()
    }
    final class Talkative {
      let holder: Holder
      init(_ holder: Holder) { self.holder = holder }
      deinit { holder.queue.append(Holder()) }
    }
    let holder = Holder()
    for _ in 0..<3 { holder.queue.append(Talkative(holder)) }
    _ = holder.queue.takeAll()
    expect(holder.queue, count: 3)
  }
}
