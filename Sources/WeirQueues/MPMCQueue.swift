// A bounded queue between any threads: Dmitry Vyukov's bounded MPMC queue, whose slots carry sequence numbers.

/// A queue of fixed capacity that any thread fills and any thread empties.
///
/// One compare-exchange per operation; nothing is allocated after `init`. The order is that of the producers' tickets.
/// Neither side waits for a thread that is not running: an operation that meets an unfinished one at its slot reports the
/// queue as full, or as having no element now. Every operation is any thread's.
@safe
public final class MPMCQueue<Element> {
  // 1024cores.net, "Bounded MPMC queue"; crossbeam's ArrayQueue is the same with stamps.
  //
  // - `tail` is twice the next position to fill, and one more once the queue is closed; `head` twice the next position to
  //   empty. Both are moved by compare-exchange, which gives the slot of that position to the thread that succeeds.
  // - A slot's stamp is twice the position that may fill it next, and one more once that is done: published by the thread
  //   that has the slot, after filling or emptying it, and acquired by the next one. That the two differ by one, not by a
  //   position, is why a capacity of 1 works.
  // - Positions never repeat (62 bits), so an old ticket can't succeed late.

  @usableFromInline let slots: StampedSlots<Element>
  /// How many elements it can hold: a power of two.
  public let capacity: Int

  @usableFromInline let tail = AtomicWord(0)
  @usableFromInline let head = AtomicWord(0)

  /// Creates an empty, open queue.
  ///
  /// - Parameter minimumCapacity: How many elements it must be able to hold, at least 1; rounded up to a power of two.
  @inlinable
  public init(minimumCapacity: Int) {
    capacity = unsafe roundedToPowerOfTwo(minimumCapacity, of: StampedSlots<Element>.stride)
    unsafe slots = .allocate(count: capacity) { 2 * $0 }
  }

  deinit {
    while dequeue() != nil {}
    unsafe slots.deallocate(count: capacity)
  }

  /// Whether the queue refuses further elements.
  @inlinable
  public var isClosed: Bool { tail.acquireLoad() & 1 != 0 }

  /// Adds an element at the end.
  ///
  /// - Parameter element: What to add.
  /// - Returns: `false` if the queue is closed, or full, or the slot is still being emptied; the element is dropped then.
  /// - Complexity: O(1) but for races lost to other producers.
  @inlinable
  public func enqueue(_ element: consuming Element) -> Bool {
    var backoff = Backoff()
    while true {
      let ticket = tail.acquireLoad()
      guard ticket & 1 == 0 else { return false }
      let index = ticket >> 1 & (capacity - 1)
      // acquires the emptied slot (publish in `dequeue`)
      let stamp = unsafe slots.stamp(index).pointee.acquireLoad()
      if stamp < ticket { return false }
      if stamp == ticket, tail.compareExchange(expected: ticket, desired: ticket + 2).exchanged {
        // SAFETY: stamp and ticket give the empty slot to this thread until it publishes the next stamp.
        unsafe slots.element(index).initialize(to: element)
        // releases the element (acquired in `dequeue`)
        unsafe slots.stamp(index).pointee.publish(ticket + 1)
        return true
      }
      if !backoff.spin() { backoff = Backoff() }
    }
  }

  /// Refuses elements from now on; those in the queue can still be taken.
  ///
  /// - Complexity: O(1) but for races lost to producers.
  @inlinable
  public func close() { setLowestBit(of: tail) }

  /// Takes the first element, if it is there.
  ///
  /// - Returns: The element, or `nil` if there is none now, or if its producer has not finished yet.
  /// - Complexity: O(1) but for races lost to other consumers.
  @inlinable
  public func dequeue() -> Element? {
    var backoff = Backoff()
    while true {
      let ticket = head.acquireLoad()
      let index = ticket >> 1 & (capacity - 1)
      // acquires the element (publish in `enqueue`)
      let stamp = unsafe slots.stamp(index).pointee.acquireLoad()
      if stamp < ticket + 1 { return nil }
      if stamp == ticket + 1, head.compareExchange(expected: ticket, desired: ticket + 2).exchanged {
        // SAFETY: stamp and ticket give the filled slot to this thread until it publishes the next stamp.
        let element = unsafe slots.element(index).move()
        // releases the slot to the producer of the next lap (acquired in `enqueue`)
        unsafe slots.stamp(index).pointee.publish(ticket + 2 * capacity)
        return element
      }
      if !backoff.spin() { backoff = Backoff() }
    }
  }

  /// Whether the queue is closed and every element taken, so that none will ever come.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var isDrained: Bool {
    // A closed tail is final.
    let last = tail.acquireLoad()
    return last & 1 != 0 && head.acquireLoad() == last - 1
  }
}

// SAFETY: the class's thread contract; elements move from thread to thread.
extension MPMCQueue: @unchecked Sendable where Element: Sendable {}
