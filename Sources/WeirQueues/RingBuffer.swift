// A queue for one thread: a circular array that doubles when it is full, and halves when it is mostly empty.

/// First in, first out; not for use from several threads at once.
///
/// - Complexity: every operation but `elements` is O(1), amortised over growth and shrinking. Up to `keptCapacity`
///   slots are kept, so a queue that has reached its size with no more of them allocates no more; further ones are
///   given back once the queue is empty or, by halves, when it has been gone through with less than a quarter in use.
@safe
@frozen
@usableFromInline
package struct RingBuffer<Element>: ~Copyable {
  @usableFromInline var slots: UnsafeMutablePointer<Element>?
  /// Always a power of two, or 0.
  @usableFromInline var capacity = 0
  @usableFromInline var head = 0

  /// What 256 KiB hold, and no fewer than 1,024.
  @inlinable @inline(__always)
  package static var keptCapacity: Int { max(1 << 18 / MemoryLayout<Element>.stride, 1024) }

  /// The number of elements.
  @usableFromInline package var count = 0

  @inlinable
  package init() { unsafe slots = nil }

  deinit {
    // SAFETY: the slots from `head` on are filled, `count` of them, and this is their last use.
    guard let slots = unsafe slots else { return }
    for offset in 0..<count { unsafe (slots + (head + offset) & (capacity - 1)).deinitialize(count: 1) }
    unsafe slots.deallocate()
  }

  /// Whether there is no element.
  @inlinable @inline(__always)
  package var isEmpty: Bool { count == 0 }

  /// Adds an element at the end.
  @inlinable @inline(__always)
  package mutating func append(_ element: Element) {
    if count == capacity { grow() }
    // SAFETY: `grow` has made sure of a slot behind the last element; it is empty.
    unsafe (slots.unsafelyUnwrapped + (head + count) & (capacity - 1)).initialize(to: element)
    count += 1
  }

  /// Takes the first element, if there is one.
  @inlinable @inline(__always)
  package mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    // SAFETY: the slot at `head` is filled; it is emptied here, once.
    let element = unsafe (slots.unsafelyUnwrapped + head).move()
    head = (head + 1) & (capacity - 1)
    count -= 1
    if capacity > Self.keptCapacity { shrink() }
    // Not freed before: its `deinit` may come back here.
    withExtendedLifetime(element) {}
    return element
  }

  /// Gives back room that is not needed: of an empty queue, and once a round.
  @inlinable @inline(never)
  mutating func shrink() {
    guard count == 0 || (head == 0 && count < capacity / 4) else { return }
    // Of an empty one, the greatest power of two up to `keptCapacity` stays.
    move(to: count == 0 ? 1 << (Int.bitWidth - 1 - Self.keptCapacity.leadingZeroBitCount) : capacity / 2)
  }

  /// The elements, first to last.
  package var elements: [Element] {
    // SAFETY: the slots from `head` on are filled, `count` of them.
    (0..<count).map { unsafe (slots.unsafelyUnwrapped + (head + $0) & (capacity - 1)).pointee }
  }

  /// Takes all elements, and the storage with them.
  ///
  /// A queue that user code can reach is emptied by dropping what this returns, after the access to the queue: an
  /// element's `deinit` may come back to it.
  @inlinable
  package mutating func takeAll() -> RingBuffer {
    var all = RingBuffer()
    swap(&self, &all)
    return all
  }

  @inlinable @inline(__always)
  mutating func grow() { move(to: capacity == 0 ? 4 : capacity * 2) }

  /// Moves the elements, for which there must be room.
  @inlinable @inline(never)
  mutating func move(to newCapacity: Int) {
    let target = UnsafeMutablePointer<Element>.allocate(capacity: newCapacity)
    if let slots = unsafe slots {
      // SAFETY: the elements lie in two runs, from `head` on and from the start on; both fit.
      let first = min(count, capacity - head)
      unsafe target.moveInitialize(from: slots + head, count: first)
      unsafe (target + first).moveInitialize(from: slots, count: count - first)
      unsafe slots.deallocate()
    }
    unsafe slots = target
    capacity = newCapacity
    head = 0
  }
}
