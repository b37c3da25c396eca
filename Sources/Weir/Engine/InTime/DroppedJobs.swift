// Schedulers that drop jobs without running them, as an operation queue does whose operations are cancelled.

import WeirQueues

/// Whose work is done by jobs of a scheduler.
@usableFromInline
package protocol JobOwner: AnyObject {
  /// Does the next pieces of work.
  ///
  /// - Parameter pieces: As many as a job is for; none for a job that does what there is.
  func runJob(_ pieces: Range<Int>)

  /// Leaves out what a job was for that won't run.
  ///
  /// - Parameter pieces: The numbers of the pieces.
  func dropJob(_ pieces: Range<Int>)
}

extension JobOwner {
  /// Schedules a job that does what there is.
  ///
  /// - Returns: `false` if the scheduler is closed, and refuses the job. One that may not be refused is let go of then.
  @inlinable @discardableResult
  func scheduleJob<Context: Scheduler>(
    on scheduler: Context, _ options: Context.SchedulerOptions?, mayBeDropped: Bool, mayBeRefused: Bool = false
  ) -> Bool {
    if mayBeRefused { return scheduler.scheduleUnlessClosed(options: options) { self.runJob(0..<0) } }
    if mayBeDropped {
      let job = DroppableJob(self, 0..<0)
      scheduler.schedule(options: options) { job.run() }
    } else {
      scheduler.schedule(options: options) { self.runJob(0..<0) }
    }
    return true
  }
}

/// A job on a scheduler that may drop it. What it was for is left out then, as if the job had carried it.
///
/// The scheduler's closure holds the job alone: whoever lets go of the closure without having run it drops the job.
@usableFromInline
package final class DroppableJob<Owner: JobOwner> {
  @usableFromInline let owner: Owner
  @usableFromInline let pieces: Range<Int>
  @usableFromInline let hasRun = OneShot()

  @inlinable
  init(_ owner: Owner, _ pieces: Range<Int>) {
    self.owner = owner
    self.pieces = pieces
  }

  @inlinable
  deinit {
    if !hasRun.hasFired { owner.dropJob(pieces) }
  }

  /// Does the work, once.
  @inlinable
  func run() {
    if hasRun.fire() { owner.runJob(pieces) }
  }
}

/// A queue of pieces of work whose jobs may be dropped: what a dropped job was for leaves the queue at once. Any thread
/// may use it.
@usableFromInline
package final class DroppableQueue<Piece> {
  @usableFromInline
  struct State {
    /// The pieces in the queue, by their numbers, which count from 0.
    @usableFromInline var pieces: [Int: Piece] = [:]
    /// The number of the next piece to come.
    @usableFromInline var end = 0
    /// A number that no piece in the queue is below.
    @usableFromInline var start = 0

    @inlinable
    init() {}

    @inlinable
    mutating func popFirst() -> Piece? {
      while start < end {
        start += 1
        if let piece = pieces.removeValue(forKey: start - 1) { return piece }
      }
      return nil
    }
  }

  @usableFromInline let state = Lock(State())

  @inlinable
  init() {}

  /// How many pieces have left the queue.
  @inlinable
  package var goneCount: Int { state.withLock { $0.end - $0.pieces.count } }

  /// Puts a piece at the end.
  ///
  /// - Returns: Its number.
  @inlinable
  func append(_ piece: Piece) -> Int {
    state.withLock { state in
      state.pieces[state.end] = piece
      state.end += 1
      return state.end - 1
    }
  }

  /// Takes the first piece.
  @inlinable
  func popFirst() -> Piece? { state.withLock { $0.popFirst() } }

  /// Leaves pieces out. Where another job has done such a piece already, the first one is left out instead.
  @inlinable
  func drop(_ numbers: Range<Int>) {
    for number in numbers {
      let piece = state.withLock { $0.pieces.removeValue(forKey: number) ?? $0.popFirst() }
      // Freed after the lock: the `deinit` of a value may be user code.
      withExtendedLifetime(piece) {}
    }
  }
}
