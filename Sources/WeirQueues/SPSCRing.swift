// A bounded queue between one producer and one consumer: Lamport's circular array with the opposite index cached.

/// A queue of fixed capacity that one thread at a time fills and one thread at a time empties.
///
/// Neither side ever waits, and the queue allocates nothing after `init`. Only the producer may call `enqueue`, `offer`
/// and `close`; only the consumer may call `dequeue`, `drain`, `peek`, `first`, `closeReceiving` and `isDrained`; any
/// thread may use the rest. Either side may move between threads if the move itself orders them.
@safe
public final class SPSCRing<Element: ~Copyable> {
  // Leslie Lamport, "Specifying Concurrent Program Modules" (1983). That each side remembers the other's index and
  // reads it again only when the ring looks full or empty is from MCRingBuffer (Lee, Bu, Chandranmenon, 2010), and done
  // so in Erik Rigtorp's SPSCQueue.
  //
  // `tail` counts the elements ever enqueued: the producer publishes it after filling slots, the consumer acquires it
  // before emptying them. `head` counts those dequeued: the consumer publishes it after emptying slots, the producer
  // acquires it before filling them again. Each side reads its own word relaxed. `closed` is 1 once the producer has
  // sent its last element, and `askedToClose` before that, if the consumer wants no more: with its next attempt the
  // producer makes a 1 of it, so that what it sent beside the question counts. The two sides' fields are not padded
  // apart: a prototype showed no gain from it (3.4 against 2.3 ns, within its noise); this type has not been measured
  // both ways.

  @usableFromInline let slots: UnsafeMutablePointer<Element>
  /// How many elements it can hold: a power of two.
  public let capacity: Int

  @usableFromInline let closed = AtomicWord(0)
  @usableFromInline let tail = AtomicWord(0)
  /// The producer's: `head` as last seen. SAFETY (exclusivity): one producer at a time.
  @safe @exclusivity(unchecked) @usableFromInline var seenHead = 0

  @usableFromInline let head = AtomicWord(0)
  /// The consumer's: `tail` as last seen. SAFETY (exclusivity): one consumer at a time.
  @safe @exclusivity(unchecked) @usableFromInline var seenTail = 0

  /// Creates an empty, open queue.
  ///
  /// - Parameter minimumCapacity: How many elements it must be able to hold, rounded up to a power of two. Traps at
  ///   less than 1, and at more than memory can have addresses for.
  @inlinable
  public init(minimumCapacity: Int) {
    capacity = roundedToPowerOfTwo(minimumCapacity, of: MemoryLayout<Element>.stride)
    unsafe slots = .allocate(capacity: capacity)
  }

  deinit {
    while dequeue() != nil {}
    unsafe slots.deallocate()
  }

  /// The size of its slots, in bytes: allocated by `init`, and kept until the queue is freed. Any thread may ask.
  @inlinable
  public var allocatedBytes: Int { capacity * MemoryLayout<Element>.stride }

  /// How many elements are in the queue. Any thread may ask.
  ///
  /// The consumer can take at least as many, and the producer add at least what is missing to `capacity` while the
  /// queue is open. To other threads it is a number from 0 to `capacity`, which is exact only if nobody uses the queue
  /// meanwhile.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var count: Int {
    // In this order: the tail is never behind a head that was read before.
    let first = head.acquireLoad()
    return min(tail.acquireLoad() - first, capacity)
  }

  /// `true` if there is no element, as `count` has it. Any thread may ask.
  @inlinable
  public var isEmpty: Bool { count == 0 }

  /// `true` if there is no room, as `count` has it. Any thread may ask.
  @inlinable
  public var isFull: Bool { count == capacity }

  /// `true` once the queue refuses further elements. Any thread may ask.
  @inlinable
  public var isClosed: Bool { closed.acquireLoad() != 0 }

  /// Adds an element at the end. Only the producer may call this.
  ///
  /// - Parameter element: What to add.
  /// - Returns: `false` if the queue is full or closed; the element is dropped then.
  /// - Complexity: O(1).
  @inlinable
  public func enqueue(_ element: consuming Element) -> Bool {
    let position = tail.relaxedLoad()
    guard room(at: position) > 0 else { return false }
    // SAFETY: the slot was emptied, as `head` says, or never used; only the producer fills slots.
    unsafe slot(position).initialize(to: element)
    // releases the element (acquired in `available`)
    tail.publish(position + 1)
    return true
  }

  /// Adds an element at the end, or gives it back. Only the producer may call this.
  ///
  /// - Parameter element: What to add.
  /// - Returns: What became of it.
  /// - Complexity: O(1).
  @inlinable
  public func offer(_ element: consuming Element) -> Offer<Element> {
    let position = tail.relaxedLoad()
    if room(at: position) > 0 {
      // as in `enqueue`
      unsafe slot(position).initialize(to: element)
      tail.publish(position + 1)
      return .taken
    }
    guard closed.relaxedLoad() != 0 else { return .full(element) }
    // as in `room`: the consumer may have asked since
    closed.publish(1)
    return .closed(element)
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
    let position = head.relaxedLoad()
    guard available(at: position) > 0 else { return nil }
    // SAFETY: `tail` was acquired past this position, so its slot is filled; it is emptied here, once.
    let element = unsafe slot(position).move()
    // releases the slot (acquired in `room`)
    head.publish(position + 1)
    // Not freed before: its `deinit` may come back here.
    withExtendedLifetime(element) {}
    return element
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
    let position = head.relaxedLoad()
    guard available(at: position) > 0 else { return nil }
    // SAFETY: as in `dequeue`; the slot stays filled, as only the consumer, which is here, empties it.
    return try unsafe body(slot(position).pointee)
  }

  /// `true` once the producer has closed the queue, or learnt that it is closed, and every element is taken, so that
  /// none will ever come. Only the consumer may ask.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var isDrained: Bool {
    // In this order: the count is final once the queue is seen closed.
    guard closed.acquireLoad() & 1 != 0 else { return false }
    let added = tail.acquireLoad()
    return added == head.relaxedLoad()
  }

  /// The slot that the caller fills or empties.
  @inlinable @inline(__always)
  func slot(_ position: Int) -> UnsafeMutablePointer<Element> {
    let slot = unsafe slots + position & (capacity - 1)
    unsafe noteSlotAccess(slot)
    return unsafe slot
  }

  /// Free slots that the producer knows of; it looks again if they are fewer than it wants.
  @inlinable @inline(__always)
  func room(at position: Int, for wanted: Int = 1) -> Int {
    // Nothing is read that the consumer's question would release. The answer releases the last element (acquired in
    // `isDrained`).
    guard closed.relaxedLoad() == 0 else {
      closed.publish(1)
      return 0
    }
    // acquires the emptied slots (publish in `dequeue`)
    if capacity - (position - seenHead) < wanted { seenHead = head.acquireLoad() }
    return capacity - (position - seenHead)
  }

  /// Filled slots that the consumer knows of; it looks again if they are fewer than it wants.
  @inlinable @inline(__always)
  func available(at position: Int, for wanted: Int = 1) -> Int {
    // acquires the filled slots (publish in `enqueue`)
    if seenTail - position < wanted { seenTail = tail.acquireLoad() }
    return seenTail - position
  }
}

extension SPSCRing {
  /// Adds as many elements as there is room for, and shows them to the consumer all at once. Only the producer may call
  /// this.
  ///
  /// - Parameter elements: What to add, in order.
  /// - Returns: How many of the first elements were added; 0 if the queue is closed.
  /// - Complexity: O(n) in the number of elements added.
  @inlinable
  public func enqueue(contentsOf elements: ArraySlice<Element>) -> Int {
    let position = tail.relaxedLoad()
    let count = min(room(at: position, for: elements.count), elements.count)
    for offset in 0..<count {
      // SAFETY: as for one element; the slots from `position` on are empty, `count` of them.
      unsafe slot(position + offset).initialize(to: elements[elements.startIndex + offset])
    }
    // releases the elements (acquired in `available`)
    if count > 0 { tail.publish(position + count) }
    return count
  }

  /// Takes several elements, and gives their slots back all at once. Only the consumer may call this.
  ///
  /// - Parameters:
  ///   - limit: How many to take at most.
  ///   - elements: Where they are appended, in order.
  /// - Returns: How many were taken.
  /// - Complexity: O(n) in the number of elements taken, amortised over the array's growth.
  @inlinable
  @discardableResult
  public func dequeue(atMost limit: Int, into elements: inout [Element]) -> Int {
    let position = head.relaxedLoad()
    let count = max(0, min(available(at: position, for: limit), limit))
    for offset in 0..<count {
      // SAFETY: as for one element; the slots from `position` on are filled, `count` of them.
      unsafe elements.append(slot(position + offset).move())
    }
    // releases the slots (acquired in `room`)
    if count > 0 { head.publish(position + count) }
    return count
  }

  /// A copy of the first element, which stays where it is; `nil` if there is none now. Only the consumer may call this.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var first: Element? { peek { copy $0 } }
}

// SAFETY: the class's thread contract; elements move from thread to thread.
extension SPSCRing: @unchecked Sendable where Element: Sendable & ~Copyable {}

/// In the word `closed` of a queue with one producer: the consumer wants no more, and the producer does not know it
/// yet.
@inlinable @inline(__always)
var askedToClose: Int { 2 }

/// The smallest power of two that is not below `minimum`, which must be positive, and so small that as many slots can
/// have addresses, of 56 bits at most.
@inlinable
func roundedToPowerOfTwo(_ minimum: Int, of stride: Int) -> Int {
  precondition(minimum > 0, "a queue's capacity must be at least 1, but is \(minimum)")
  precondition(minimum <= 1 << (Int.bitWidth - 8) / stride, "a queue's capacity can't be \(minimum)")
  return 1 << (Int.bitWidth - (minimum - 1).leadingZeroBitCount)
}
