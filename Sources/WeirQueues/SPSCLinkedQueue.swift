// An unbounded queue between one producer and one consumer: a chain of arrays, as JCTools' SpscUnboundedArrayQueue.

/// A queue that one thread at a time fills and one thread at a time empties.
///
/// Elements lie in segments of a fixed size. A few emptied segments are kept to be used again, so that a queue of up to some
/// thousand elements allocates no more once it has been as long; the memory of a longer one is given back as it is emptied.
/// Neither side ever waits for the other.
///
/// `enqueue` and `close` are the producer's, `dequeue` and `isDrained` the consumer's, `isClosed` anyone's. A side may move
/// between threads if the move itself orders them.
@safe
public final class SPSCLinkedQueue<Element> {
  // `published` counts the elements ever enqueued. The producer publishes it after writing an element, and after linking
  // the segment that the element lies in; the consumer acquires it before reading them. `closed` is published by the
  // producer after its last element. `SegmentChain` says what becomes of segments.

  #if WEIR_EXPLORER
    @usableFromInline static var segmentCapacity: Int { 2 }
  #else
    @usableFromInline static var segmentCapacity: Int { 256 }
  #endif

  @usableFromInline let published = AtomicWord(0)
  @usableFromInline let closed = AtomicWord(0)
  @usableFromInline let chain: SegmentChain

  // The producer's. SAFETY (exclusivity): one producer at a time.
  @exclusivity(unchecked) @usableFromInline var tail: QueueSegment.Pointer
  @safe @exclusivity(unchecked) @usableFromInline var tailOffset = 0
  @safe @exclusivity(unchecked) @usableFromInline var enqueued = 0

  @usableFromInline let padding = CacheLinePadding()

  // The consumer's. SAFETY (exclusivity): one consumer at a time.
  @exclusivity(unchecked) @usableFromInline var head: QueueSegment.Pointer
  @safe @exclusivity(unchecked) @usableFromInline var headOffset = 0
  @safe @exclusivity(unchecked) @usableFromInline var dequeued = 0
  /// `published` as last seen: spares the consumer most reads of the producer's cache line.
  @safe @exclusivity(unchecked) @usableFromInline var visible = 0

  /// Creates an empty, open queue.
  @inlinable
  public init() {
    chain = SegmentChain(
      byteCount: Self.segmentCapacity * MemoryLayout<Element>.stride, alignment: MemoryLayout<Element>.alignment)
    let segment = unsafe chain.prepare { _ in }
    unsafe tail = segment
    unsafe head = segment
  }

  deinit {
    while dequeue() != nil {}
    unsafe chain.free(from: head) { _ in }
  }

  /// Whether the queue refuses further elements. Any thread may ask.
  @inlinable
  public var isClosed: Bool { closed.acquireLoad() != 0 }

  /// Adds an element at the end. The producer's side.
  ///
  /// - Parameter element: What to add.
  /// - Returns: `false` if the queue is closed; the element is dropped then.
  /// - Complexity: O(1); allocates once per 256 elements while the queue becomes longer.
  @inlinable
  @discardableResult
  public func enqueue(_ element: consuming Element) -> Bool {
    // The word is this side's own.
    guard closed.relaxedLoad() == 0 else { return false }
    if tailOffset == Self.segmentCapacity {
      let segment = unsafe chain.prepare { _ in }
      unsafe chain.link(segment, behind: tail)
      unsafe tail = segment
      tailOffset = 0
    }
    // SAFETY: the offset is inside the segment, and its slot empty: the producer fills each once per round.
    unsafe slot(tailOffset, of: tail).initialize(to: element)
    tailOffset += 1
    enqueued += 1
    // releases the element and its segment (acquired in `dequeue`)
    published.publish(enqueued)
    return true
  }

  /// Refuses elements from now on; those in the queue can still be taken. The producer's side.
  ///
  /// - Complexity: O(1).
  @inlinable
  public func close() { closed.publish(1) }

  /// Takes the first element, if there is one. The consumer's side.
  ///
  /// - Returns: The element, or `nil` if there is none now.
  /// - Complexity: O(1).
  @inlinable
  public func dequeue() -> Element? {
    if dequeued == visible {
      // acquires the elements up to here (publish in `enqueue`)
      visible = published.acquireLoad()
      if dequeued == visible { return nil }
    }
    if headOffset == Self.segmentCapacity {
      // There is a further element, so the producer has linked the segment it lies in, and left this one.
      unsafe head = chain.leave(head) { _ in }
      headOffset = 0
    }
    // SAFETY: `published` was acquired past this element, so its slot is filled; it is emptied here, once.
    let element = unsafe slot(headOffset, of: head).move()
    headOffset += 1
    dequeued += 1
    return element
  }

  /// Whether the queue is closed and empty, so that no element will ever come. The consumer's side.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var isDrained: Bool {
    // In this order: the count is final once the queue is seen closed.
    closed.acquireLoad() != 0 && published.acquireLoad() == dequeued
  }

  /// The slot that the caller fills or empties.
  @inlinable @inline(__always)
  func slot(_ offset: Int, of segment: QueueSegment.Pointer) -> UnsafeMutablePointer<Element> {
    // SAFETY: all segments of this queue have room for that many elements.
    let slot = unsafe segment.pointee.memory.assumingMemoryBound(to: Element.self) + offset
    unsafe noteSlotAccess(slot)
    return unsafe slot
  }
}

// SAFETY: the class's thread contract; elements move from thread to thread.
extension SPSCLinkedQueue: @unchecked Sendable where Element: Sendable {}
