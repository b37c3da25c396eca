// An unbounded queue between one producer and one consumer: a chain of arrays, as JCTools' SpscUnboundedArrayQueue.

/// A queue that one thread at a time fills and one thread at a time empties.
///
/// Elements lie in segments of 256. Up to four emptied segments are kept to be used again: so a queue that never has
/// more than a thousand elements has five segments at most, and allocates no more once it has them. A longer one gives
/// memory back as it is emptied. Segments beyond about four thousand elements can be cut from blocks of 256 KiB, or of
/// four segments if those are larger, and a block goes back once no segment in use lies there; of such blocks, the last
/// one is kept until `trim` is called, it is used up, or the queue is freed.
///
/// Outside the allocator, neither side ever waits for the other.
///
/// Only the producer may call `enqueue`, `offer` and `close`; any thread may call `isClosed` and `trim`; all the rest
/// belongs to the consumer. Either side may move between threads if the move itself orders them.
@safe
public final class SPSCLinkedQueue<Element: ~Copyable> {
  // `published` counts the elements ever enqueued. The producer publishes it after writing an element, and after
  // linking the segment that the element lies in; the consumer acquires it before reading them. `closed` is as in
  // `SPSCRing`. `SegmentChain` says what becomes of segments.

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

  /// `true` once the queue refuses further elements. Any thread may ask.
  @inlinable
  public var isClosed: Bool { closed.acquireLoad() != 0 }

  /// Adds an element at the end. Only the producer may call this.
  ///
  /// - Parameter element: What to add.
  /// - Returns: `false` if the queue is closed; the element is dropped then.
  /// - Complexity: O(1); may allocate where a segment ends, once in 256 elements.
  @inlinable
  @discardableResult
  public func enqueue(_ element: consuming Element) -> Bool {
    guard canAdd() else { return false }
    makeRoom()
    // SAFETY: the offset is inside the segment, and its slot empty: the producer fills each once per round.
    unsafe slot(tailOffset, of: tail).initialize(to: element)
    advance()
    // releases the element and its segment (acquired in `comesToNext`)
    published.publish(enqueued)
    return true
  }

  /// Adds an element at the end, or gives it back. Only the producer may call this.
  ///
  /// - Parameter element: What to add.
  /// - Returns: What became of it; it is never `full`.
  /// - Complexity: O(1); may allocate where a segment ends, once in 256 elements.
  @inlinable
  public func offer(_ element: consuming Element) -> Offer<Element> {
    guard canAdd() else { return .closed(element) }
    // as in `enqueue`
    makeRoom()
    unsafe slot(tailOffset, of: tail).initialize(to: element)
    advance()
    published.publish(enqueued)
    return .taken
  }

  /// Whether the queue is open. Otherwise the consumer is told, if it has asked, that no more comes.
  @inlinable @inline(__always)
  func canAdd() -> Bool {
    // Nothing is read that the consumer's question would release. The answer releases the last element (acquired in
    // `isDrained`).
    guard closed.relaxedLoad() == 0 else {
      closed.publish(1)
      return false
    }
    return true
  }

  /// Goes on to a further segment if the newest one is full.
  @inlinable @inline(__always)
  func makeRoom() {
    if tailOffset == Self.segmentCapacity {
      let segment = unsafe chain.prepare { _ in }
      unsafe chain.link(segment, behind: tail)
      unsafe tail = segment
      tailOffset = 0
    }
  }

  /// Counts the slot that the producer has filled.
  @inlinable @inline(__always)
  func advance() {
    tailOffset += 1
    enqueued += 1
  }

  /// Refuses elements from now on; those in the queue can still be taken. Only the producer may call this.
  ///
  /// - Complexity: O(1).
  @inlinable
  public func close() { closed.publish(1) }

  /// Accepts no more elements: refuses those that the producer has not added yet. Only the consumer may call this.
  ///
  /// What the producer adds beside this call may still come, and can be taken; the producer learns of it when it next
  /// tries to add something. Only then, or once it has called `close`, can the queue be drained.
  ///
  /// - Complexity: O(1).
  @inlinable
  public func closeReceiving() { _ = closed.compareExchange(expected: 0, desired: askedToClose) }

  /// Takes the first element, if there is one. Only the consumer may call this.
  ///
  /// - Returns: The element, or `nil` if there is none now.
  /// - Complexity: O(1).
  @inlinable
  public func dequeue() -> Element? {
    guard comesToNext() else { return nil }
    // SAFETY: `published` was acquired past this element, so its slot is filled; it is emptied here, once.
    let element = unsafe slot(headOffset, of: head).move()
    headOffset += 1
    dequeued += 1
    // Not freed before: its `deinit` may come back here.
    withExtendedLifetime(element) {}
    return element
  }

  /// Whether there is an element; if so, `head` and `headOffset` say where.
  @inlinable @inline(__always)
  func comesToNext() -> Bool {
    if dequeued == visible {
      // acquires the elements up to here (publish in `enqueue`)
      visible = published.acquireLoad()
      if dequeued == visible { return false }
    }
    if headOffset == Self.segmentCapacity {
      // There is a further element, so the producer has linked the segment it lies in, and left this one.
      unsafe head = chain.leave(head) { _ in }
      headOffset = 0
    }
    return true
  }

  /// Takes elements and gives them to a body, until there is none or it has had as many as it may. Only the consumer
  /// may call this.
  ///
  /// An element has left the queue before the body gets it: the body may use the queue.
  ///
  /// - Parameters:
  ///   - limit: How many elements to take at most.
  ///   - body: Gets each element, in order. What it throws leaves those behind in the queue.
  /// - Returns: How many were taken.
  /// - Complexity: O(n) in the number of elements taken.
  @inlinable
  @discardableResult
  public func drain<Failure: Error>(
    atMost limit: Int = .max, _ body: (consuming Element) throws(Failure) -> Void
  ) throws(Failure) -> Int { try drained(atMost: limit, { dequeue() }, body) }

  /// Looks at the first element, if there is one, and leaves it where it is. Only the consumer may call this.
  ///
  /// - Parameter body: Gets the element; it must not take elements from this queue.
  /// - Returns: What the body returns, or `nil` if there is no element now.
  /// - Complexity: O(1).
  @inlinable
  public func peek<Result: ~Copyable, Failure: Error>(
    _ body: (borrowing Element) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    // This may be the last use of the queue, and the body looks into its memory.
    defer { withExtendedLifetime(self) {} }
    guard comesToNext() else { return nil }
    // SAFETY: as in `dequeue`; the slot stays filled, as only the consumer, which is here, empties it.
    return try unsafe body(slot(headOffset, of: head).pointee)
  }

  /// How many elements are in the queue: at least so many can be taken. Only the consumer may ask: what has been taken
  /// is noted where only it may read that.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var count: Int { published.acquireLoad() - dequeued }

  /// `true` if there is no element, as `count` has it. Only the consumer may ask.
  @inlinable
  public var isEmpty: Bool { count == 0 }

  /// Gives back the memory that is kept for when the queue becomes longer again. Any thread may call this.
  ///
  /// - Returns: How many bytes went back to the allocator; pages of a very long queue, which go back to the system, are
  ///   not among them.
  /// - Complexity: O(1).
  @inlinable
  @discardableResult
  public func trim() -> Int { unsafe chain.trim { _ in } }

  /// `true` once the producer has closed the queue, or learnt that it is closed, and every element is taken, so that
  /// none will ever come. Only the consumer may ask.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var isDrained: Bool {
    // In this order: the count is final once the queue is seen closed.
    guard closed.acquireLoad() & 1 != 0 else { return false }
    return published.acquireLoad() == dequeued
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

extension SPSCLinkedQueue {
  /// Adds elements, and shows them to the consumer all at once. Only the producer may call this.
  ///
  /// - Parameter elements: What to add, in order.
  /// - Returns: How many were added: all, or 0 if the queue is closed.
  /// - Complexity: O(n) in the number of elements; may allocate where a segment ends, once in 256 elements.
  @inlinable
  public func enqueue(contentsOf elements: ArraySlice<Element>) -> Int {
    guard canAdd() else { return 0 }
    for element in elements {
      makeRoom()
      // SAFETY: as in `enqueue`.
      unsafe slot(tailOffset, of: tail).initialize(to: element)
      advance()
    }
    // releases the elements and their segments (acquired in `comesToNext`)
    published.publish(enqueued)
    return elements.count
  }

  /// Takes several elements. Only the consumer may call this.
  ///
  /// - Parameters:
  ///   - limit: How many to take at most.
  ///   - elements: Where they are appended, in order.
  /// - Returns: How many were taken.
  /// - Complexity: O(n) in the number of elements taken, amortised over the array's growth.
  @inlinable
  @discardableResult
  public func dequeue(atMost limit: Int, into elements: inout [Element]) -> Int {
    drain(atMost: limit) { elements.append($0) }
  }

  /// A copy of the first element, which stays where it is; `nil` if there is none now. Only the consumer may call this.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var first: Element? { peek { copy $0 } }
}

// SAFETY: the class's thread contract; elements move from thread to thread.
extension SPSCLinkedQueue: @unchecked Sendable where Element: Sendable & ~Copyable {}
