// Schedulers that take one and the same job for every value.

/// A scheduler that can make a job once and submit it again and again, so that nothing is allocated for a single value.
///
/// It has to run the job once for each submission, neither more nor less: each holds the job's owner until it has run.
@usableFromInline
package protocol JobScheduler: AnyObject {
  /// Makes a job.
  ///
  /// - Parameters:
  ///   - options: The scheduler's options, if there are any.
  ///   - ticket: What the job is about: issued with each submission, and redeemed by each run.
  /// - Returns: Submits the job.
  func makeJob(options: Any?, _ ticket: JobTicket) -> () -> Void
}

/// A scheduler that may let go of jobs without having run them.
@usableFromInline
package protocol JobDroppingScheduler: AnyObject {}

/// A scheduler that can be closed, and refuses jobs from then on.
@usableFromInline
package protocol ClosingScheduler: AnyObject {
  /// Schedules an action.
  ///
  /// - Returns: `false` if the scheduler is closed: the action is let go of. What was done before it was closed is seen
  ///   by the caller then.
  func scheduleUnlessClosed(_ action: @escaping () -> Void) -> Bool
}

/// A job's hold on what it works for, from when it is submitted until it has run.
///
/// The owner keeps the job, and the job, while it is not submitted, must not keep the owner: that would be a circle.
@safe
@usableFromInline
package struct JobTicket: @unchecked Sendable {
  // SAFETY: the owner keeps the ticket, and issues it with a hold on itself: there is an owner whenever it is redeemed.
  private let owner: Unmanaged<Link>
  private let run: (Link) -> Void

  /// Creates a ticket.
  ///
  /// - Parameters:
  ///   - owner: What the job works for.
  ///   - run: Does the job's work.
  @usableFromInline
  package init(owner: Link, run: @escaping (Link) -> Void) {
    unsafe self.owner = .passUnretained(owner)
    self.run = run
  }

  /// Takes a hold on the owner, for one submission.
  package func issue() { _ = unsafe owner.retain() }

  /// Does the work of a submission whose hold `endHold` ends later.
  func work() { unsafe owner._withUnsafeGuaranteedRef { run($0) } }

  /// Ends the hold that one submission took.
  func endHold() { unsafe owner.release() }

  /// Whether both are about the same owner.
  func hasOwner(of other: JobTicket) -> Bool { unsafe owner.toOpaque() == other.owner.toOpaque() }

  /// Does the work, and ends the hold that one submission took.
  package func redeem() { run(unsafe owner.takeRetainedValue()) }
}

extension Scheduler {
  /// Whether jobs may be dropped without having run; otherwise nothing is kept for such ones.
  @inlinable
  static var mayDropJobs: Bool {
    // The compiler knows of each kind of scheduler whether it is a class; the others are not looked up.
    Self.self is AnyObject.Type && Self.self is any JobDroppingScheduler.Type
  }

  /// Whether it may be closed.
  @inlinable
  static var mayClose: Bool {
    // As in `mayDropJobs`.
    Self.self is AnyObject.Type && Self.self is any ClosingScheduler.Type
  }

  /// Schedules an action.
  ///
  /// - Returns: `false` if the scheduler is closed: the action is let go of.
  @inlinable
  func scheduleUnlessClosed(options: SchedulerOptions?, _ action: @escaping () -> Void) -> Bool {
    // As in `mayDropJobs`.
    guard Self.self is AnyObject.Type, let closing = self as? any ClosingScheduler else {
      schedule(options: options, action)
      return true
    }
    return closing.scheduleUnlessClosed(action)
  }
}

/// Makes a job, if the scheduler can.
///
/// - Parameter owner: Keeps the job.
/// - Returns: Submits the job; `nil` if the scheduler takes closures only.
@inlinable
func makeJob<Context: Scheduler>(
  on scheduler: Context, options: Context.SchedulerOptions?, for owner: Link, _ run: @escaping (Link) -> Void
) -> (() -> Void)? {
  // As in `mayDropJobs`.
  guard Context.self is AnyObject.Type, let scheduler = scheduler as? any JobScheduler else { return nil }
  return scheduler.makeJob(options: options, JobTicket(owner: owner, run: run))
}
