// A scheduler whose clock and whose work the test moves by hand.

import Weir

/// A moment in virtual time, in nanoseconds.
package struct ManualTime: Strideable, Hashable {
  package var nanoseconds: Int

  package init(_ nanoseconds: Int = 0) { self.nanoseconds = nanoseconds }

  package func distance(to other: ManualTime) -> Stride { Stride(other.nanoseconds - nanoseconds) }
  package func advanced(by stride: Stride) -> ManualTime { ManualTime(nanoseconds + stride.magnitude) }

  /// A length of virtual time, in nanoseconds.
  package struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, Hashable {
    package var magnitude: Int

    package init(_ nanoseconds: Int) { magnitude = nanoseconds }
    package init(integerLiteral value: Int) { magnitude = value }
    package init?<Source: BinaryInteger>(exactly source: Source) {
      guard let value = Int(exactly: source) else { return nil }
      magnitude = value
    }

    package static func < (lhs: Stride, rhs: Stride) -> Bool { lhs.magnitude < rhs.magnitude }
    package static func + (lhs: Stride, rhs: Stride) -> Stride { Stride(lhs.magnitude + rhs.magnitude) }
    package static func - (lhs: Stride, rhs: Stride) -> Stride { Stride(lhs.magnitude - rhs.magnitude) }
    package static func * (lhs: Stride, rhs: Stride) -> Stride { Stride(lhs.magnitude * rhs.magnitude) }
    package static func *= (lhs: inout Stride, rhs: Stride) { lhs = lhs * rhs }

    package static func seconds(_ s: Int) -> Stride { Stride(s * 1_000_000_000) }
    package static func seconds(_ s: Double) -> Stride { Stride(Int(s * 1_000_000_000)) }
    package static func milliseconds(_ ms: Int) -> Stride { Stride(ms * 1_000_000) }
    package static func microseconds(_ us: Int) -> Stride { Stride(us * 1_000) }
    package static func nanoseconds(_ ns: Int) -> Stride { Stride(ns) }
  }
}

/// Keeps scheduled work until the test runs it. Any thread may schedule; one moves the clock.
package final class ManualScheduler: Scheduler, JobDroppingScheduler {
  /// Scheduler options, to see that they arrive.
  package struct SchedulerOptions: Equatable, BatchingSchedulerOptions {
    package var number: Int
    package var batch: DeliveryBatch?
    package init(_ number: Int, batch: DeliveryBatch? = nil) {
      self.number = number
      self.batch = batch
    }
  }

  private struct Job {
    let date: ManualTime
    let order: Int
    let action: () -> Void
  }

  private struct State {
    var jobs: [Job] = []
    var now = ManualTime()
    var options: [SchedulerOptions?] = []
  }

  private let lock = SpinLock()
  private var lockedState = State()

  /// The virtual present.
  package private(set) var now: ManualTime {
    get { locked { $0.now } }
    set { locked { $0.now = newValue } }
  }

  package let minimumTolerance = ManualTime.Stride(0)
  /// How many jobs were ever scheduled.
  package var scheduledCount: Int { options.count }
  /// The options that each job was scheduled with.
  package var options: [SchedulerOptions?] { locked { $0.options } }

  package init() {}

  /// How many jobs wait.
  package var waitingCount: Int { locked { $0.jobs.count } }

  /// Runs the next job that is due.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  package func runNext() -> Bool {
    let next: Job? = locked { state in
      let due = state.jobs.indices.filter { state.jobs[$0].date <= state.now }
      let place = due.min { (state.jobs[$0].date, state.jobs[$0].order) < (state.jobs[$1].date, state.jobs[$1].order) }
      return place.map { state.jobs.remove(at: $0) }
    }
    next?.action()
    return next != nil
  }

  /// Runs a job that waits ahead of others, whether it is due or not.
  ///
  /// - Parameter place: Which one, in the order in which they were scheduled; the one of the latest date if not given.
  package func runAhead(_ place: Int? = nil) {
    let job = locked { state in
      let jobs = state.jobs
      let latest = jobs.indices.max { (jobs[$0].date, jobs[$0].order) < (jobs[$1].date, jobs[$1].order) }!
      return state.jobs.remove(at: place ?? latest)
    }
    job.action()
  }

  /// Lets go of jobs that wait, without running them.
  ///
  /// - Parameter places: Which ones, in the order in which they were scheduled; all if not given.
  package func drop(_ places: Int...) {
    let dropped: [Job] = locked { state in
      let all = state.jobs
      state.jobs = all.indices.filter { !places.isEmpty && !places.contains($0) }.map { all[$0] }
      return all
    }
    // Outside: what is let go of may schedule.
    withExtendedLifetime(dropped) {}
  }

  /// Runs all jobs that are due, also those that these schedule.
  package func run() { while runNext() {} }

  /// Moves the clock from job to job up to a moment ahead.
  package func advance(by stride: ManualTime.Stride) {
    let end = now.advanced(by: stride)
    run()
    while let date = locked({ $0.jobs.map(\.date).min() }), date <= end {
      now = date
      run()
    }
    now = end
  }

  package func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    enqueue(now, options, action)
  }

  package func schedule(
    after date: ManualTime, tolerance: ManualTime.Stride, options: SchedulerOptions?, _ action: @escaping () -> Void
  ) {
    enqueue(date, options, action)
  }

  package func schedule(
    after date: ManualTime, interval: ManualTime.Stride, tolerance: ManualTime.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    let repetition = Repetition(scheduler: self, interval: interval, action: action)
    enqueue(date, options) { repetition.run(at: date) }
    return repetition
  }

  private func locked<Result>(_ body: (inout State) -> Result) -> Result { lock.locked { body(&lockedState) } }

  private func enqueue(_ date: ManualTime, _ options: SchedulerOptions?, _ action: @escaping () -> Void) {
    locked { state in
      state.jobs.append(Job(date: date, order: state.options.count, action: action))
      state.options.append(options)
    }
  }

  private final class Repetition: Cancellable {
    private weak var scheduler: ManualScheduler?
    private let interval: ManualTime.Stride
    private let lock = SpinLock()
    private var action: (() -> Void)?

    init(scheduler: ManualScheduler, interval: ManualTime.Stride, action: @escaping () -> Void) {
      self.scheduler = scheduler
      self.interval = interval
      self.action = action
    }

    func run(at date: ManualTime) {
      guard let action = lock.locked({ action }) else { return }
      action()
      let next = date.advanced(by: interval)
      scheduler?.enqueue(next, nil) { self.run(at: next) }
    }

    func cancel() {
      let former = lock.locked {
        defer { action = nil }
        return action
      }
      // Outside: what is let go of may schedule.
      withExtendedLifetime(former) {}
    }
  }
}
