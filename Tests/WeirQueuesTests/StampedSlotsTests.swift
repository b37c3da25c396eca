// Tests of the layout of slots: stamps and elements lie apart, each where its type may lie.

import TestKit
import Testing

@testable import WeirQueues

@Suite struct StampedSlotsTests {
  @Test func stampsAndElementsDoNotOverlap() {
    check(UInt8.self, offset: 8, stride: 16)
    check(Int.self, offset: 8, stride: 16)
    check(String.self, offset: 8, stride: 24)
    check(SIMD4<Float>.self, offset: 16, stride: 32)
    check(Void.self, offset: 8, stride: 8)
  }

  @Test func startsWithTheStampsItIsGiven() {
    let slots = StampedSlots<Int>.allocate(count: 3) { 2 * $0 }
    #expect((0..<3).map { slots.stamp($0).pointee.acquireLoad() } == [0, 2, 4])
    slots.deallocate(count: 3)
  }

  private func check<Element>(_ type: Element.Type, offset: Int, stride: Int) {
    #expect(StampedSlots<Element>.elementOffset == offset)
    #expect(StampedSlots<Element>.stride == stride)
    let slots = StampedSlots<Element>.allocate(count: 2) { _ in 0 }
    #expect(Int(bitPattern: slots.element(1)) % MemoryLayout<Element>.alignment == 0)
    #expect(UnsafeMutableRawPointer(slots.element(1)) - UnsafeMutableRawPointer(slots.element(0)) == stride)
    slots.deallocate(count: 2)
  }
}
