// The chain of segments under the unbounded queues; emptied ones are used again, as in Dmitry Vyukov's unbounded SPSC queue.

/// One segment of a chain: memory for a fixed number of slots, and the address of the next segment, 0 while there is none.
@unsafe
@usableFromInline
struct QueueSegment: ~Copyable {
  @usableFromInline typealias Pointer = UnsafeMutablePointer<QueueSegment>

  @usableFromInline let memory: UnsafeMutableRawPointer
  @usableFromInline let next = AtomicWord(0)

  @inlinable
  init(memory: UnsafeMutableRawPointer) { unsafe self.memory = memory }

  @inlinable
  static func allocate(memory: UnsafeMutableRawPointer) -> Pointer {
    let segment = Pointer.allocate(capacity: 1)
    unsafe segment.initialize(to: QueueSegment(memory: memory))
    return unsafe segment
  }
}

/// Segments from the oldest to the newest: first those that the consumer has left, then those in use.
///
/// Nothing is freed before the chain is. The linker takes the segments that the consumer has left before it makes new
/// ones, so the chain stays as long as the queue once was, and a queue that has reached its size allocates no more.
///
/// - `released` is the address of the consumer's segment. The consumer publishes it after its last access to the one
///   before; the linker acquires it, and may then write to all segments before.
/// - `oldest` belongs to the linker: the producer, or the one producer at a time that the queue's tickets name.
/// - A segment's `next` is published by the linker, once per use; the consumer acquires it.
@safe
@usableFromInline
final class SegmentChain {
  @usableFromInline let released: AtomicWord

  // The linker's. SAFETY (exclusivity): one linker at a time.
  @exclusivity(unchecked) @usableFromInline var oldest: QueueSegment.Pointer

  /// A chain of one segment, where the consumer is.
  @inlinable
  init(_ segment: QueueSegment.Pointer) {
    released = AtomicWord(Int(bitPattern: segment))
    unsafe oldest = segment
  }

  /// Links a segment behind the newest one. The linker's side.
  ///
  /// - Parameters:
  ///   - newest: The last segment of the chain.
  ///   - make: Makes a segment, if the consumer has left none.
  /// - Returns: The linked segment. Its slots hold no elements.
  @inlinable
  func link(behind newest: QueueSegment.Pointer, make: () -> QueueSegment.Pointer) -> QueueSegment.Pointer {
    let segment: QueueSegment.Pointer
    // acquires the consumer's last access to the segments it has left (publish in `leave`)
    if unsafe Int(bitPattern: oldest) != released.acquireLoad() {
      // SAFETY: the consumer is further on, so this segment has a next one and nobody else reaches it.
      unsafe segment = oldest
      unsafe oldest = QueueSegment.Pointer(bitPattern: segment.pointee.next.relaxedLoad()).unsafelyUnwrapped
      unsafe segment.pointee.next.relaxedStore(0)
    } else {
      unsafe segment = make()
    }
    // releases the segment itself to the consumer (acquired in `leave`)
    unsafe newest.pointee.next.publish(Int(bitPattern: segment))
    return unsafe segment
  }

  /// Goes on to the next segment and gives this one up. The consumer's side; there must be a next one, and this one's
  /// slots must be empty.
  @inlinable
  func leave(_ segment: QueueSegment.Pointer) -> QueueSegment.Pointer {
    // SAFETY: linked segments live until the chain is freed; the caller knows that there is a next one.
    let next = unsafe QueueSegment.Pointer(bitPattern: segment.pointee.next.acquireLoad()).unsafelyUnwrapped
    released.publish(Int(bitPattern: next))
    return unsafe next
  }

  /// Frees all segments, with nobody left on either side and all slots empty.
  @inlinable
  func free(_ freeMemory: (UnsafeMutableRawPointer) -> Void) {
    var segment = unsafe QueueSegment.Pointer?.some(oldest)
    // SAFETY: the chain ends at the segment without a next one; each is left before it is freed.
    while let current = unsafe segment {
      unsafe segment = QueueSegment.Pointer(bitPattern: current.pointee.next.acquireLoad())
      unsafe freeMemory(current.pointee.memory)
      unsafe current.deinitialize(count: 1)
      unsafe current.deallocate()
    }
  }
}
