// An unbounded queue between one producer and one consumer: a chain of arrays, as JCTools' SpscUnboundedArrayQueue.

/// A queue that one thread at a time fills and one thread at a time empties.
///
/// Elements lie in segments of a fixed size. The consumer hands an emptied segment back, so that a queue which is emptied
/// as fast as it is filled stops allocating. Neither side ever waits.
///
/// - `published` counts the elements ever enqueued. The producer publishes it after writing an element, and after linking
///   the segment that the element lies in; the consumer acquires it before reading them.
/// - `spare` is the address of an empty segment; exchanges hand it over.
/// - The other fields belong to one side each, as their comments say. Sides may move between threads if the move itself
///   orders them.
@safe
@usableFromInline
package final class SPSCLinkedQueue<Element> {
  @usableFromInline typealias Segment = UnsafeMutablePointer<QueueSegment<Element>>

  @usableFromInline static var segmentCapacity: Int { 256 }

  @usableFromInline let published = AtomicWord(0)
  @usableFromInline let spare = AtomicWord(0)

  // The producer's. SAFETY (exclusivity): one producer at a time.
  @exclusivity(unchecked) @usableFromInline var tail: Segment
  @safe @exclusivity(unchecked) @usableFromInline var tailOffset = 0
  @safe @exclusivity(unchecked) @usableFromInline var enqueued = 0

  // The consumer's. SAFETY (exclusivity): one consumer at a time.
  @exclusivity(unchecked) @usableFromInline var head: Segment
  @safe @exclusivity(unchecked) @usableFromInline var headOffset = 0
  @safe @exclusivity(unchecked) @usableFromInline var dequeued = 0
  /// `published` as last seen: spares the consumer most reads of the producer's cache line.
  @safe @exclusivity(unchecked) @usableFromInline var visible = 0

  @inlinable
  package init() {
    let segment = unsafe QueueSegment<Element>.allocate(capacity: Self.segmentCapacity)
    unsafe tail = segment
    unsafe head = segment
  }

  deinit {
    while dequeue() != nil {}
    unsafe QueueSegment.deallocate(head)
    if let segment = unsafe Segment(bitPattern: spare.exchange(0)) { unsafe QueueSegment.deallocate(segment) }
  }

  /// Adds an element at the end. The producer's side.
  ///
  /// - Complexity: O(1); allocates once per segment while the consumer has none to hand back.
  @inlinable
  package func enqueue(_ element: Element) {
    if tailOffset == Self.segmentCapacity { link() }
    // SAFETY: the offset is inside the segment, and its slot empty: the producer fills each once per round.
    unsafe (tail.pointee.slots + tailOffset).initialize(to: element)
    tailOffset += 1
    enqueued += 1
    published.publish(enqueued)
  }

  @inlinable
  func link() {
    // SAFETY: an address in `spare` is that of a segment the consumer has emptied and given up.
    let segment =
      unsafe Segment(bitPattern: spare.exchange(0))
      ?? QueueSegment<Element>.allocate(capacity: Self.segmentCapacity)
    unsafe tail.pointee.next = segment
    unsafe tail = segment
    tailOffset = 0
  }

  /// Takes the first element, if there is one. The consumer's side.
  ///
  /// - Complexity: O(1).
  @inlinable
  package func dequeue() -> Element? {
    if dequeued == visible {
      visible = published.acquireLoad()
      if dequeued == visible { return nil }
    }
    if headOffset == Self.segmentCapacity { unlink() }
    // SAFETY: `published` was acquired past this element, so its slot is filled; it is emptied here, once.
    let element = unsafe (head.pointee.slots + headOffset).move()
    headOffset += 1
    dequeued += 1
    return element
  }

  @inlinable
  func unlink() {
    // SAFETY: there is a further element, so the producer has linked the segment it lies in, and left this one.
    let emptied = unsafe head
    unsafe head = head.pointee.next.unsafelyUnwrapped
    headOffset = 0
    unsafe emptied.pointee.next = nil
    if let former = unsafe Segment(bitPattern: spare.exchange(Int(bitPattern: emptied))) {
      unsafe QueueSegment.deallocate(former)
    }
  }
}

/// A link of the chain: the slots, and the next segment once there is one.
@unsafe
@usableFromInline
struct QueueSegment<Element> {
  @usableFromInline let slots: UnsafeMutablePointer<Element>
  @usableFromInline var next: UnsafeMutablePointer<QueueSegment>?

  @inlinable
  init(slots: UnsafeMutablePointer<Element>) {
    unsafe self.slots = slots
    unsafe self.next = nil
  }

  @inlinable
  static func allocate(capacity: Int) -> UnsafeMutablePointer<QueueSegment> {
    let segment = UnsafeMutablePointer<QueueSegment>.allocate(capacity: 1)
    unsafe segment.initialize(to: QueueSegment(slots: .allocate(capacity: capacity)))
    return unsafe segment
  }

  /// Frees a segment whose slots are empty.
  @inlinable
  static func deallocate(_ segment: UnsafeMutablePointer<QueueSegment>) {
    unsafe segment.pointee.slots.deallocate()
    unsafe segment.deallocate()
  }
}
