// The chain of segments under the unbounded queues: a few emptied ones are used again, the rest goes back to the
// system.

import CMachine

/// One segment of a chain: memory for a fixed number of slots, and the address of the next segment, 0 while there is
/// none. It lies at the start of its own block, before the slots.
@unsafe
@usableFromInline
struct QueueSegment: ~Copyable {
  @usableFromInline typealias Pointer = UnsafeMutablePointer<QueueSegment>

  @usableFromInline let memory: UnsafeMutableRawPointer
  /// The run that the block is a piece of, if any.
  @usableFromInline let run: SegmentRun.Pointer?
  @usableFromInline let next = AtomicWord(0)

  @usableFromInline
  init(memory: UnsafeMutableRawPointer, run: SegmentRun.Pointer?) {
    unsafe self.memory = memory
    unsafe self.run = run
  }
}

/// Pages of the system that are cut into segments, and go back once nobody uses one of these any more.
@unsafe
@usableFromInline
struct SegmentRun: ~Copyable {
  @usableFromInline typealias Pointer = UnsafeMutablePointer<SegmentRun>

  let pages: UnsafeMutableRawPointer
  let size: Int
  /// One unit for each segment in use, and one for the chain as long as it cuts further ones.
  let users: AtomicWord

  /// Gives a unit back, and the pages with the last one.
  static func release(_ run: Pointer) {
    guard unsafe run.pointee.users.add(-1) == 1 else { return }
    // SAFETY: that was the last unit; the addition acquired what the others did.
    let (pages, size) = unsafe (run.pointee.pages, run.pointee.size)
    unsafe run.deinitialize(count: 1)
    unsafe run.deallocate()
    unsafe machine_pages_free(pages, size)
  }
}

/// The segments of a queue beside those between its producer and its consumer: `prepare` makes one, `giveBack` takes
/// one.
///
/// A segment belongs to one thread at a time: to the one that has prepared it, until that links it; then to the queue;
/// and to the consumer, once that has left it. The producers' last access to a segment comes before they publish its
/// last slot or, in the queue with one producer, an element behind it. A producer that has looked up the newest segment
/// and is slow may know the address of one that is freed; it uses that only if its compare-exchange has given it a slot
/// there, which is not so once the queue has gone on. So the consumer may free what it has left.
///
/// - Up to `spareCount` segments are kept for the next `prepare`: a queue of fewer than `ownCount` segments whose
///   length goes up and down by no more than the slots of `spareCount - 1` allocates nothing once it has as many,
///   unless several producers prepare at once. The one less is for elements that begin within a segment.
/// - A queue that needs more than `ownCount` at a time takes them from runs of pages, which go back to the system,
///   however other memory lies around them, as soon as none of their segments is in use; the one that segments are
///   being cut from stays until `trim`, or until it is used up.
/// - No thread waits here: one that finds the run taken allocates a block.
@safe
@usableFromInline
final class SegmentChain {
  #if WEIR_EXPLORER
    private static var spareCount: Int { 1 }
    private static var ownCount: Int { 2 }
    private static var runSize: Int { 4096 }
  #else
    private static var spareCount: Int { 4 }
    private static var ownCount: Int { 16 }
    private static var runSize: Int { 256 * 1024 }
  #endif
  private static var pageSize: Int { 4096 }

  /// The size of a segment's block, the place of the slots in it, and what both are multiples of.
  private let blockSize: Int
  private let slotsOffset: Int
  private let alignment: Int

  /// The addresses of segments to be used again; 0 where there is none. Whoever exchanges an address for 0 has the
  /// segment.
  private let spares: UnsafeMutablePointer<AtomicWord>
  /// How many segments there are, but those of runs.
  private let owned = AtomicWord(0)

  /// 1 while a thread cuts a segment from the run.
  private let cutting = AtomicWord(0)
  // SAFETY (exclusivity): belong to the thread that has changed `cutting` from 0 to 1.
  @exclusivity(unchecked) private var run: SegmentRun.Pointer?
  @safe @exclusivity(unchecked) private var cut = 0

  /// A chain whose segments have room for slots of so many bytes.
  @usableFromInline
  init(byteCount: Int, alignment: Int) {
    self.alignment = unsafe max(alignment, MemoryLayout<QueueSegment>.alignment)
    slotsOffset = unsafe Self.roundUp(MemoryLayout<QueueSegment>.size, to: self.alignment)
    blockSize = Self.roundUp(slotsOffset + byteCount, to: self.alignment)
    unsafe spares = .allocate(capacity: Self.spareCount)
    for index in 0..<Self.spareCount { unsafe (spares + index).initialize(to: AtomicWord(0)) }
  }

  deinit {
    unsafe spares.deinitialize(count: Self.spareCount)
    unsafe spares.deallocate()
  }

  private static func roundUp(_ size: Int, to alignment: Int) -> Int { (size + alignment - 1) & ~(alignment - 1) }

  /// How many segments are allocated one by one now: for tests.
  var ownedCount: Int { owned.relaxedLoad() }

  /// A segment for `link`: one that was given back, or a new one. Any thread may call this.
  ///
  /// - Parameter fill: Prepares the slots of a new one.
  /// - Returns: A segment that is the caller's. Its slots hold no elements.
  @usableFromInline
  func prepare(_ fill: (UnsafeMutableRawPointer) -> Void) -> QueueSegment.Pointer {
    for index in 0..<Self.spareCount where unsafe spares[index].relaxedLoad() != 0 {
      // acquires the last access to the segment (compareExchange in `giveBack`)
      guard let spare = unsafe QueueSegment.Pointer(bitPattern: spares[index].exchange(0)) else { continue }
      unsafe spare.pointee.next.relaxedStore(0)
      return unsafe spare
    }
    let made = unsafe make()
    unsafe fill(made.pointee.memory)
    return unsafe made
  }

  /// Links a segment behind the newest one. The producer's side, or the one producer at a time that the tickets name.
  @inlinable
  func link(_ segment: QueueSegment.Pointer, behind newest: QueueSegment.Pointer) {
    // releases the segment itself to the consumer (acquired in `leave`)
    unsafe newest.pointee.next.publish(Int(bitPattern: segment))
  }

  /// Goes on to the next segment and gives this one back. The consumer's side; there must be a next one, this one's
  /// slots must be empty, and no producer may have any use for it.
  ///
  /// - Parameter empty: Ends the slots' memory, if the segment is freed.
  @usableFromInline
  func leave(_ segment: QueueSegment.Pointer, _ empty: (UnsafeMutableRawPointer) -> Void) -> QueueSegment.Pointer {
    // SAFETY: linked segments live until they are left; the caller knows that there is a next one.
    let next = unsafe QueueSegment.Pointer(bitPattern: segment.pointee.next.acquireLoad()).unsafelyUnwrapped
    unsafe giveBack(segment, empty)
    return unsafe next
  }

  /// Keeps a segment for the next `prepare`, or frees it. Whose it is.
  @usableFromInline
  func giveBack(_ segment: QueueSegment.Pointer, _ empty: (UnsafeMutableRawPointer) -> Void) {
    if unsafe segment.pointee.run == nil {
      for index in 0..<Self.spareCount where unsafe spares[index].relaxedLoad() == 0 {
        // releases the last access to the segment (acquired in `prepare`)
        let address = Int(bitPattern: segment)
        if unsafe spares[index].compareExchange(expected: 0, desired: address).exchanged { return }
      }
    }
    unsafe destroy(segment, empty)
  }

  /// Frees all segments, with nobody left on either side and all slots empty.
  @usableFromInline
  func free(from head: QueueSegment.Pointer, _ empty: (UnsafeMutableRawPointer) -> Void) {
    var segment = unsafe QueueSegment.Pointer?.some(head)
    // SAFETY: the chain ends at the segment without a next one; each is left before it is freed.
    while let current = unsafe segment {
      unsafe segment = QueueSegment.Pointer(bitPattern: current.pointee.next.acquireLoad())
      unsafe destroy(current, empty)
    }
    _ = unsafe trim(empty)
  }

  /// Frees the segments that are kept for the next `prepare`, and stops cutting the run. Any thread may call this.
  ///
  /// - Parameter empty: Ends the slots' memory of each.
  /// - Returns: How many bytes of segments were freed.
  @usableFromInline
  func trim(_ empty: (UnsafeMutableRawPointer) -> Void) -> Int {
    var count = 0
    for index in 0..<Self.spareCount {
      // acquires the last access to the segment (compareExchange in `giveBack`)
      guard let spare = unsafe QueueSegment.Pointer(bitPattern: spares[index].exchange(0)) else { continue }
      unsafe destroy(spare, empty)
      count += 1
    }
    // Another thread that cuts makes use of the run, so it is no surplus.
    if cutting.compareExchange(expected: 0, desired: 1).exchanged {
      if let run = unsafe run { unsafe SegmentRun.release(run) }
      unsafe run = nil
      // releases that the run is gone (acquired in `makePiece`)
      cutting.publish(0)
    }
    return count * blockSize
  }

  private func make() -> QueueSegment.Pointer {
    if owned.relaxedLoad() >= Self.ownCount, let piece = unsafe makePiece() { return unsafe piece }
    _ = owned.add(1)
    return unsafe begin(.allocate(byteCount: blockSize, alignment: alignment), in: nil)
  }

  /// Cuts a segment from the run.
  ///
  /// - Returns: `nil` if another thread does, the system has no pages, or they are not aligned enough.
  private func makePiece() -> QueueSegment.Pointer? {
    guard alignment <= Self.pageSize, cutting.compareExchange(expected: 0, desired: 1).exchanged else { return nil }
    defer { cutting.publish(0) }
    if unsafe run == nil {
      // At least four, so that pages are fetched less often than segments.
      let size = Self.roundUp(max(Self.runSize, 4 * blockSize), to: Self.pageSize)
      guard let pages = unsafe machine_pages_make(size) else { return nil }
      let made = SegmentRun.Pointer.allocate(capacity: 1)
      unsafe made.initialize(to: SegmentRun(pages: pages, size: size, users: AtomicWord(1)))
      unsafe run = made
      cut = 0
    }
    guard let run = unsafe run else { return nil }
    _ = unsafe run.pointee.users.add(1)
    let piece = unsafe begin(run.pointee.pages + cut, in: run)
    cut += blockSize
    if unsafe cut + blockSize > run.pointee.size {
      // It goes with the last of its segments; this one is still there.
      unsafe SegmentRun.release(run)
      unsafe self.run = nil
    }
    return unsafe piece
  }

  private func begin(_ block: UnsafeMutableRawPointer, in run: SegmentRun.Pointer?) -> QueueSegment.Pointer {
    let segment = unsafe block.assumingMemoryBound(to: QueueSegment.self)
    unsafe segment.initialize(to: QueueSegment(memory: block + slotsOffset, run: run))
    return unsafe segment
  }

  private func destroy(_ segment: QueueSegment.Pointer, _ empty: (UnsafeMutableRawPointer) -> Void) {
    unsafe empty(segment.pointee.memory)
    let run = unsafe segment.pointee.run
    unsafe segment.deinitialize(count: 1)
    if let run = unsafe run {
      unsafe SegmentRun.release(run)
    } else {
      unsafe UnsafeMutableRawPointer(segment).deallocate()
      _ = owned.add(-1)
    }
  }
}
