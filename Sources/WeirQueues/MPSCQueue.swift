// An unbounded queue from many producers to one consumer: a chain of arrays with tickets, as crossbeam's SegQueue.

/// A queue that any thread fills and one thread at a time empties.
///
/// Elements lie in segments of 255. Up to four emptied segments are kept to be used again: so a queue that never has
/// more than a thousand elements has five segments at most, and allocates no more once it has them. Where producers
/// meet at the end of a segment, each of them may make a further one; those that are not needed are kept or freed
/// likewise. A longer queue gives memory back as it is emptied. Segments beyond about four thousand elements can be cut
/// from blocks of 256 KiB, or of four segments if those are larger, and a block goes back once no segment in use lies
/// there; of such blocks, the last one is kept until `trim` is called, it is used up, or the queue is freed.
///
/// The order is that of the producers' tickets, so that of each producer is kept.
///
/// Any thread may call `enqueue`, `offer`, `close`, `isClosed` and `trim`; all the rest belongs to the consumer, which
/// may move between threads if the move itself orders them. Outside the allocator, the consumer never waits; it can't
/// take an element before those that have their places before it. A producer waits there for another only where a new
/// segment begins, once in 255 elements, until the one that took the last slot before has linked it: three stores to
/// memory that was prepared before. If that one is not running then, the others let it run, and sleep between their
/// looks. So the queue is lock-free but for this one step.
@safe
public final class MPSCQueue<Element: ~Copyable> {
  // crossbeam-queue's SegQueue (Stjepan Glavina), with one consumer. Against a linked list with a node per element
  // (Vyukov's): no allocation per element, and elements lie side by side. (Prototypes: 58 to 82 ns linked, 13 to 21 in
  // segments with tickets by addition, 14 to 22 in a ring with tickets by compare-exchange; this form itself has not
  // been measured against them.) Against tickets by addition (JCTools' MpscUnboundedXaddArrayQueue): a producer touches
  // a segment only after its compare-exchange has given it a slot there, so a segment whose slots are all emptied is
  // nobody's, and can be used again, or freed, without hazard pointers or epochs.
  //
  // Positions count slots ever handed out; a lap of positions is a segment and one more, which is the time while the
  // next segment is being linked.
  //
  // - `tail` is twice the next position, and one more once the queue is closed. Producers take positions by
  //   compare-exchange, some at once for a batch. Whoever takes the last slot of a segment has prepared the next one;
  //   it links that, alone, publishes `tailSegment`, then adds the position that stands for this. So whoever acquires a
  //   position from `tail` sees its segment in `tailSegment`, or a later one; then `tail` has moved on, and its
  //   compare-exchange fails.
  // - A slot's stamp is twice its position and one more once the slot is filled: published by the producer as the last
  //   thing it does with the segment, acquired by the consumer. The next segment is linked before the last slot is
  //   filled.
  // - The consumer leaves a segment after its last slot, so after the next one is in `tailSegment` and `tail` has moved
  //   on: a producer that has read the address of the left one before fails to take a place with it, since positions
  //   never come again, and does not touch it. `SegmentChain` says what becomes of it.

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
    unsafe chain = SegmentChain(
      byteCount: Self.segmentCapacity * StampedSlots<Element>.stride, alignment: StampedSlots<Element>.alignment)
    let segment = unsafe Self.prepare(from: chain)
    tailSegment = AtomicWord(Int(bitPattern: segment))
    unsafe head = segment
  }

  deinit {
    while dequeue() != nil {}
    unsafe chain.free(from: head) { memory in unsafe Self.end(memory) }
  }

  /// `true` once the queue refuses further elements. Any thread may ask.
  @inlinable
  public var isClosed: Bool { tail.acquireLoad() & 1 != 0 }

  /// Adds an element at the end. Any thread may call this.
  ///
  /// - Parameter element: What to add.
  /// - Returns: `false` if the queue is closed; the element is dropped then.
  /// - Complexity: O(1), apart from races lost to other producers; may allocate where a segment ends.
  @inlinable
  @discardableResult
  public func enqueue(_ element: consuming Element) -> Bool {
    if let (ticket, address) = takePlace() {
      fill(ticket, of: address, with: element)
      return true
    }
    return enqueueContended(element)
  }

  /// Adds an element at the end, or gives it back. Any thread may call this.
  ///
  /// - Parameter element: What to add.
  /// - Returns: What became of it; it is never `full`.
  /// - Complexity: O(1), apart from races lost to other producers; may allocate where a segment ends.
  @inlinable
  public func offer(_ element: consuming Element) -> Offer<Element> {
    if let (ticket, address) = takePlace() {
      fill(ticket, of: address, with: element)
      return .taken
    }
    return offerContended(element)
  }

  /// Takes a place that is not the last one of the newest segment.
  ///
  /// - Returns: Its ticket and the address of the segment. `nil` if there is none, another producer was quicker, or the
  ///   queue is closed.
  @inlinable @inline(__always)
  func takePlace() -> (ticket: Int, address: Int)? {
    // acquires the segment of this position (add in `link`)
    let ticket = tail.acquireLoad()
    guard ticket & 1 == 0, ticket >> 1 & (Self.lap - 1) < Self.segmentCapacity - 1 else { return nil }
    // acquires the segment itself (publish in `link`)
    let address = tailSegment.acquireLoad()
    guard tail.compareExchange(expected: ticket, desired: ticket + 2).exchanged else { return nil }
    return (ticket, address)
  }

  /// Writes to the slot that the caller's compare-exchange has given to it.
  @inlinable @inline(__always)
  func fill(_ ticket: Int, of address: Int, with element: consuming Element) {
    // SAFETY: the ticket was still the next one, so the address is that of its segment, and the slot is this producer's
    // until it publishes the stamp.
    let segment = unsafe QueueSegment.Pointer(bitPattern: address).unsafelyUnwrapped
    let slots = unsafe StampedSlots<Element>(memory: segment.pointee.memory)
    let offset = ticket >> 1 & (Self.lap - 1)
    unsafe slots.element(offset).initialize(to: element)
    // releases the element (acquired in `dequeue` and `peek`)
    unsafe slots.stamp(offset).pointee.publish(ticket + 1)
  }

  /// Enqueues where a segment ends, or after a lost race.
  @inlinable @inline(never)
  func enqueueContended(_ element: consuming Element) -> Bool {
    guard let (ticket, address, _) = takePlacesContended(atMost: 1) else { return false }
    fill(ticket, of: address, with: element)
    return true
  }

  /// Offers where a segment ends, or after a lost race.
  @inlinable @inline(never)
  func offerContended(_ element: consuming Element) -> Offer<Element> {
    guard let (ticket, address, _) = takePlacesContended(atMost: 1) else { return .closed(element) }
    fill(ticket, of: address, with: element)
    return .taken
  }

  /// Takes places side by side in the newest segment, and links the next one if the last place is among them.
  ///
  /// - Returns: The ticket of the first, the address of the segment, and how many: as many as are left there, up to a
  ///   number. `nil` if the queue is closed.
  @inlinable @inline(__always)
  func takePlacesContended(atMost limit: Int) -> (ticket: Int, address: Int, count: Int)? {
    var race = Backoff()
    var wait = Backoff()
    // Prepared before the last slot is taken, and given back if another producer is quicker.
    var prepared: QueueSegment.Pointer?
    defer { if let unused = unsafe prepared { unsafe chain.giveBack(unused) { memory in unsafe Self.end(memory) } } }
    while true {
      // as in `takePlace`
      let ticket = tail.acquireLoad()
      guard ticket & 1 == 0 else { return nil }
      let offset = ticket >> 1 & (Self.lap - 1)
      guard offset < Self.segmentCapacity else {
        // Another producer is linking the next segment, and may not be running.
        if !wait.snooze() { nap() }
        continue
      }
      let count = min(limit, Self.segmentCapacity - offset)
      let isLast = offset + count == Self.segmentCapacity
      if isLast, unsafe prepared == nil { unsafe prepared = Self.prepare(from: chain) }
      let address = tailSegment.acquireLoad()
      if tail.compareExchange(expected: ticket, desired: ticket + 2 * count).exchanged {
        if isLast, let next = unsafe prepared {
          // SAFETY: as in `fill`.
          unsafe link(next, behind: QueueSegment.Pointer(bitPattern: address).unsafelyUnwrapped)
          unsafe prepared = nil
        }
        return (ticket, address, count)
      }
      race.pauseAfterLostRace()
    }
  }

  /// Links a further segment: the step of the producer that took the last slot of the newest one.
  @inlinable
  func link(_ next: QueueSegment.Pointer, behind segment: QueueSegment.Pointer) {
    unsafe chain.link(next, behind: segment)
    tailSegment.publish(Int(bitPattern: next))
    // An addition, since the queue may be closed meanwhile.
    _ = tail.add(2)
  }

  /// Refuses elements from now on; those in the queue can still be taken. Any thread may call this.
  ///
  /// - Complexity: O(1), apart from races lost to producers.
  @inlinable
  public func close() { setLowestBit(of: tail) }

  /// Takes the first element, if it is there. Only the consumer may call this.
  ///
  /// - Returns: The element, or `nil` if there is none now, or if its producer has not finished yet.
  /// - Complexity: O(1).
  @inlinable
  public func dequeue() -> Element? {
    let offset = position & (Self.lap - 1)
    let slots = unsafe StampedSlots<Element>(memory: head.pointee.memory)
    // acquires the element (publish in `fill`)
    guard unsafe slots.stamp(offset).pointee.acquireLoad() == 2 * position + 1 else { return nil }
    // SAFETY: the stamp says that the slot is filled; it is emptied here, once.
    let element = unsafe slots.element(offset).move()
    position += 1
    if offset == Self.segmentCapacity - 1 {
      // The next segment was linked before the last slot was filled, and nobody else comes back to this one.
      unsafe head = chain.leave(head) { memory in unsafe Self.end(memory) }
      position += 1
    }
    // Not freed before: its `deinit` may come back here.
    withExtendedLifetime(element) {}
    return element
  }

  /// Takes elements and gives them to a body, until `dequeue` finds none or it has had as many as it may. Only the
  /// consumer may call this.
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

  /// Looks at the first element, if it is there, and leaves it where it is. Only the consumer may call this.
  ///
  /// - Parameter body: Gets the element; it must not take elements from this queue.
  /// - Returns: What the body returns, or `nil` if there is no element now, or its producer has not finished yet.
  /// - Complexity: O(1).
  @inlinable
  public func peek<Result: ~Copyable, Failure: Error>(
    _ body: (borrowing Element) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    // This may be the last use of the queue, and the body looks into its memory.
    defer { withExtendedLifetime(self) {} }
    let offset = position & (Self.lap - 1)
    let slots = unsafe StampedSlots<Element>(memory: head.pointee.memory)
    // acquires the element (publish in `fill`)
    guard unsafe slots.stamp(offset).pointee.acquireLoad() == 2 * position + 1 else { return nil }
    // SAFETY: as in `dequeue`; the slot stays filled, as only the consumer, which is here, empties it.
    return try unsafe body(slots.element(offset).pointee)
  }

  /// How many places producers have taken that are not emptied: the elements in the queue, and those that are being
  /// added. Only the consumer may ask: what has been taken is noted where only it may read that.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var count: Int { Self.places(before: end) - Self.places(before: position) }

  /// `true` if there is no element, and none is being added. Only the consumer may ask.
  @inlinable
  public var isEmpty: Bool { count == 0 }

  /// How many positions below one are places for elements: all but one of each lap.
  @inlinable @inline(__always)
  static func places(before position: Int) -> Int { position - position / lap }

  /// Gives back the memory that is kept for when the queue becomes longer again. Any thread may call this.
  ///
  /// - Returns: How many bytes went back to the allocator; pages of a very long queue, which go back to the system, are
  ///   not among them.
  /// - Complexity: O(1).
  @inlinable
  @discardableResult
  public func trim() -> Int { unsafe chain.trim { memory in unsafe Self.end(memory) } }

  /// The position behind the last one that a producer has taken by now. The consumer's side: it is past all these
  /// elements once its own position is not below.
  @inlinable
  package var end: Int { tail.acquireLoad() >> 1 }

  /// `true` once the queue is closed and empty, so that no element will ever come. Only the consumer may ask.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var isDrained: Bool { tail.acquireLoad() == 2 * position + 1 }

  @inlinable
  static func prepare(from chain: SegmentChain) -> QueueSegment.Pointer {
    unsafe chain.prepare { memory in
      unsafe StampedSlots<Element>(memory: memory).begin(count: segmentCapacity) { _ in 0 }
    }
  }

  /// Ends the slots of a segment that is freed.
  @inlinable
  static func end(_ memory: UnsafeMutableRawPointer) {
    unsafe StampedSlots<Element>(memory: memory).end(count: segmentCapacity)
  }
}

extension MPSCQueue {
  /// Adds elements, by one exchange for all that fit into a segment. Any thread may call this.
  ///
  /// Their order is kept. Elements of other producers may come between them where a segment ends.
  ///
  /// - Parameter elements: What to add, in order.
  /// - Returns: How many of the first elements were added: all, unless the queue is closed.
  /// - Complexity: O(n) in the number of elements, apart from races lost to other producers; may allocate where a
  ///   segment ends.
  @inlinable
  public func enqueue(contentsOf elements: ArraySlice<Element>) -> Int {
    var next = elements.startIndex
    while next < elements.endIndex {
      // A lost race is tried again for the whole rest, so that this is split nowhere else.
      guard let (ticket, address, count) = takePlacesContended(atMost: elements.endIndex - next) else { break }
      for offset in 0..<count { fill(ticket + 2 * offset, of: address, with: elements[next + offset]) }
      next += count
    }
    return next - elements.startIndex
  }

  /// Takes several elements, up to one whose producer has not finished yet. Only the consumer may call this.
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

  /// A copy of the first element, which stays where it is; `nil` if there is none now, or its producer has not finished
  /// yet. Only the consumer may call this.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var first: Element? { peek { copy $0 } }
}

// SAFETY: the class's thread contract; elements move from thread to thread.
extension MPSCQueue: @unchecked Sendable where Element: Sendable & ~Copyable {}

/// Sets the mark in a word of tickets, which count by twos: no ticket is given out after it.
@inlinable
func setLowestBit(of word: borrowing AtomicWord) {
  // Who finds it set learns nothing of who set it.
  var seen = word.relaxedLoad()
  while seen & 1 == 0 {
    let (exchanged, original) = word.compareExchange(expected: seen, desired: seen | 1)
    if exchanged { return }
    seen = original
  }
}
