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

/// Which pieces of work in a queue are left out. Numbers count from 0, in the order of the queue.
@usableFromInline
package final class DroppedJobs {
  @usableFromInline
  struct State {
    /// How many pieces have left the queue.
    @usableFromInline var taken = 0
    /// Pieces still in the queue whose jobs were dropped.
    @usableFromInline var dropped: Set<Int> = []

    @inlinable
    init() {}
  }

  @usableFromInline let state = Lock(State())

  @inlinable
  init() {}

  /// Notes that the first piece has left the queue. For the queue's consumer.
  ///
  /// - Returns: Whether it is left out.
  @inlinable
  func take() -> Bool {
    state.withLock { state in
      state.taken += 1
      return !state.dropped.isEmpty && state.dropped.remove(state.taken - 1) != nil
    }
  }

  /// Leaves pieces out. Where another job has done such a piece already, the next one is left out instead.
  @usableFromInline
  func drop(_ pieces: Range<Int>) {
    state.withLock { state in
      for piece in pieces {
        var next = max(piece, state.taken)
        while !state.dropped.insert(next).inserted { next += 1 }
      }
    }
  }
}
