// An unbounded queue from many producers to one consumer: a chain of arrays with tickets, as crossbeam's SegQueue.

/// A queue that any thread fills and one thread at a time empties.
///
/// Elements lie in segments of a fixed size. Emptied segments are used again: the queue keeps the memory of its greatest
/// length until it is freed, and allocates only to become longer than ever before. The order is that of the producers'
/// tickets, so that of each producer is kept.
///
/// `enqueue`, `close` and `isClosed` are anyone's, `dequeue` and `isDrained` the consumer's; that side may move between
/// threads if the move itself orders them. The consumer never waits. A producer waits for another only where a new segment
/// begins, until the one that took the last slot before has linked it.
@safe
public final class MPSCQueue<Element> {
  // crossbeam-queue's SegQueue (Stjepan Glavina), with one consumer. Against a linked list with a node per element
  // (Vyukov's): no allocation per element, and elements lie side by side. (Prototypes: 58 to 82 ns linked, 13 to 21 in
  // segments with tickets by addition, 14 to 22 in a ring with tickets by compare-exchange; this form itself has not been
  // measured against them.) Against
  // tickets by addition (JCTools' MpscUnboundedXaddArrayQueue): a producer touches a segment only after its
  // compare-exchange has given it a slot there, so a segment whose slots are all emptied is nobody's, and can be used
  // again without hazard pointers or epochs.
  //
  // Positions count slots ever handed out; a lap of positions is a segment and one more, which is the time while the next
  // segment is being linked.
  //
  // - `tail` is twice the next position, and one more once the queue is closed. Producers take positions by
  //   compare-exchange. Whoever takes the last slot of a segment links the next one, alone, publishes `tailSegment`, then
  //   adds the position that stands for this. So whoever acquires a position from `tail` sees its segment in
  //   `tailSegment`, or a later one; then `tail` has moved on, and its compare-exchange fails.
  // - A slot's stamp is twice its position and one more once the slot is filled: published by the producer as the last
  //   thing it does with the segment, acquired by the consumer. The next segment is linked before the last slot is filled.
  // - `SegmentChain` says how segments come back. Linkers follow each other by way of `tail`.

  #if WEIR_EXPLORER
    @usableFromInline static var lap: Int { 4 }
  #else
    @usableFromInline static var lap: Int { 256 }
  #endif
  @usableFromInline static var segmentCapacity: Int { lap - 1 }

  @usableFromInline let tail = AtomicWord(0)
  @usableFromInline let tailSegment: AtomicWord
  /// Producers write above, the consumer below: on one line they took it from each other with every element.
  @usableFromInline let padding = CacheLinePadding()
  @usableFromInline let chain: SegmentChain

  // The consumer's. SAFETY (exclusivity): one consumer at a time.
  @exclusivity(unchecked) @usableFromInline var head: QueueSegment.Pointer
  @safe @exclusivity(unchecked) @usableFromInline package var position = 0

  /// Creates an empty, open queue.
  @inlinable
  public init() {
    let segment = unsafe Self.makeSegment()
    tailSegment = AtomicWord(Int(bitPattern: segment))
    unsafe head = segment
    unsafe chain = SegmentChain(segment)
  }

  deinit {
    while dequeue() != nil {}
    // SAFETY: all segments come from `makeSegment`, and their slots are empty.
    unsafe chain.free { memory in unsafe StampedSlots<Element>(memory: memory).deallocate(count: Self.segmentCapacity) }
  }

  /// Whether the queue refuses further elements. Any thread may ask.
  @inlinable
  public var isClosed: Bool { tail.acquireLoad() & 1 != 0 }

  /// Adds an element at the end. Any thread's.
  ///
  /// - Parameter element: What to add.
  /// - Returns: `false` if the queue is closed; the element is dropped then.
  /// - Complexity: O(1) but for races lost to other producers; allocates once per 255 elements while the queue becomes
  ///   longer than ever before.
  @inlinable
  @discardableResult
  public func enqueue(_ element: consuming Element) -> Bool {
    var backoff = Backoff()
    while true {
      // acquires the segment of this position (add in `link`)
      let ticket = tail.acquireLoad()
      guard ticket & 1 == 0 else { return false }
      let offset = ticket >> 1 & (Self.lap - 1)
      if offset < Self.segmentCapacity {
        // acquires the segment itself (publish in `link`)
        let address = tailSegment.acquireLoad()
        if tail.compareExchange(expected: ticket, desired: ticket + 2).exchanged {
          // SAFETY: the ticket was still the next one, so the address is that of its segment, and the slot is this
          // producer's until it publishes the stamp.
          let segment = unsafe QueueSegment.Pointer(bitPattern: address).unsafelyUnwrapped
          if offset == Self.segmentCapacity - 1 { unsafe link(behind: segment) }
          let slots = unsafe StampedSlots<Element>(memory: segment.pointee.memory)
          unsafe slots.element(offset).initialize(to: element)
          // releases the element (acquired in `dequeue`)
          unsafe slots.stamp(offset).pointee.publish(ticket + 1)
          return true
        }
      }
      if !backoff.spin() { backoff = Backoff() }
    }
  }

  /// Links a further segment: the step of the producer that took the last slot of the newest one.
  @inlinable
  func link(behind segment: QueueSegment.Pointer) {
    let next = unsafe chain.link(behind: segment) { unsafe Self.makeSegment() }
    tailSegment.publish(Int(bitPattern: next))
    // An addition, since the queue may be closed meanwhile.
    _ = tail.add(2)
  }

  /// Refuses elements from now on; those in the queue can still be taken. Any thread's.
  ///
  /// - Complexity: O(1) but for races lost to producers.
  @inlinable
  public func close() { setLowestBit(of: tail) }

  /// Takes the first element, if it is there. The consumer's side.
  ///
  /// - Returns: The element, or `nil` if there is none now, or if its producer has not finished yet.
  /// - Complexity: O(1).
  @inlinable
  public func dequeue() -> Element? {
    let offset = position & (Self.lap - 1)
    let slots = unsafe StampedSlots<Element>(memory: head.pointee.memory)
    // acquires the element (publish in `enqueue`)
    guard unsafe slots.stamp(offset).pointee.acquireLoad() == 2 * position + 1 else { return nil }
    // SAFETY: the stamp says that the slot is filled; it is emptied here, once.
    let element = unsafe slots.element(offset).move()
    position += 1
    if offset == Self.segmentCapacity - 1 {
      // The next segment was linked before the last slot was filled, and nobody else comes back to this one.
      unsafe head = chain.leave(head)
      position += 1
    }
    return element
  }

  /// The position behind the last one that a producer has taken by now. The consumer's side: it is past all these
  /// elements once its own position is not below.
  @inlinable
  package var end: Int { tail.acquireLoad() >> 1 }

  /// Whether the queue is closed and empty, so that no element will ever come. The consumer's side.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var isDrained: Bool { tail.acquireLoad() == 2 * position + 1 }

  @inlinable
  static func makeSegment() -> QueueSegment.Pointer {
    let slots = unsafe StampedSlots<Element>.allocate(count: segmentCapacity) { _ in 0 }
    return unsafe QueueSegment.allocate(memory: slots.memory)
  }
}

// SAFETY: the class's thread contract; elements move from thread to thread.
extension MPSCQueue: @unchecked Sendable where Element: Sendable {}

/// Sets the mark in a word of tickets, which count by twos: no ticket is given out after it.
@inlinable
func setLowestBit(of word: borrowing AtomicWord) {
  var seen = word.acquireLoad()
  while seen & 1 == 0 {
    let (exchanged, original) = word.compareExchange(expected: seen, desired: seen | 1)
    if exchanged { return }
    seen = original
  }
}
