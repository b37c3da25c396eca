// Slots that threads hand to each other one by one: beside each element a stamp, as in Dmitry Vyukov's bounded MPMC
// queue.

/// Raw memory of a number of slots, each a stamp and room for an element.
///
/// A stamp says whose turn the slot is. Whoever the queue's tickets give the slot to is alone with its element until it
/// publishes the next stamp; whoever finds its own turn by acquiring the stamp sees the element as it was left. Stamps
/// of a slot only grow, so nothing is reset when a slot is used again.
@unsafe
@frozen
@usableFromInline
struct StampedSlots<Element: ~Copyable> {
  @usableFromInline let memory: UnsafeMutableRawPointer

  @inlinable @inline(__always)
  init(memory: UnsafeMutableRawPointer) { unsafe self.memory = memory }

  @inlinable @inline(__always)
  static var alignment: Int { max(MemoryLayout<AtomicWord>.alignment, MemoryLayout<Element>.alignment) }

  @inlinable @inline(__always)
  static var elementOffset: Int { unsafe roundUp(MemoryLayout<AtomicWord>.size, to: MemoryLayout<Element>.alignment) }

  @inlinable @inline(__always)
  static var stride: Int { unsafe roundUp(elementOffset + MemoryLayout<Element>.size, to: alignment) }

  @inlinable @inline(__always)
  static func roundUp(_ size: Int, to alignment: Int) -> Int { (size + alignment - 1) & ~(alignment - 1) }

  /// Slots without elements.
  @inlinable
  static func allocate(count: Int, stamp: (Int) -> Int) -> StampedSlots {
    let slots = unsafe StampedSlots(memory: .allocate(byteCount: count * stride, alignment: alignment))
    unsafe slots.begin(count: count, stamp: stamp)
    return unsafe slots
  }

  /// Writes the first stamps.
  @inlinable
  func begin(count: Int, stamp: (Int) -> Int) {
    for index in 0..<count { unsafe self.stamp(index).initialize(to: AtomicWord(stamp(index))) }
  }

  /// Frees slots without elements.
  @inlinable
  func deallocate(count: Int) {
    unsafe end(count: count)
    unsafe memory.deallocate()
  }

  /// Ends stamps, with all slots empty.
  @inlinable
  func end(count: Int) {
    for index in 0..<count { unsafe stamp(index).deinitialize(count: 1) }
  }

  @inlinable @inline(__always)
  func stamp(_ index: Int) -> UnsafeMutablePointer<AtomicWord> {
    unsafe (memory + index * Self.stride).assumingMemoryBound(to: AtomicWord.self)
  }

  /// Where the element is that the caller fills or empties.
  @inlinable @inline(__always)
  func element(_ index: Int) -> UnsafeMutablePointer<Element> {
    let element = unsafe (memory + index * Self.stride + Self.elementOffset).assumingMemoryBound(to: Element.self)
    unsafe noteSlotAccess(element)
    return unsafe element
  }
}
