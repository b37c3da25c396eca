// A scheduler whose time passes when a benchmark says so, and that allocates nothing itself.

import Weir

/// Keeps work until the time has come that it was scheduled for. For one thread, and little work at a time.
final class VirtualScheduler: Scheduler {
  struct Time: Strideable {
    var ticks: Int

    func distance(to other: Time) -> Interval { Interval(other.ticks - ticks) }
    func advanced(by interval: Interval) -> Time { Time(ticks: ticks + interval.magnitude) }
  }

  struct Interval: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric {
    var magnitude: Int

    init(_ ticks: Int) { magnitude = ticks }
    init(integerLiteral value: Int) { magnitude = value }
    init?<Source: BinaryInteger>(exactly source: Source) {
      guard let value = Int(exactly: source) else { return nil }
      magnitude = value
    }

    static func < (lhs: Interval, rhs: Interval) -> Bool { lhs.magnitude < rhs.magnitude }
    static func + (lhs: Interval, rhs: Interval) -> Interval { Interval(lhs.magnitude + rhs.magnitude) }
    static func - (lhs: Interval, rhs: Interval) -> Interval { Interval(lhs.magnitude - rhs.magnitude) }
    static func * (lhs: Interval, rhs: Interval) -> Interval { Interval(lhs.magnitude * rhs.magnitude) }
    static func *= (lhs: inout Interval, rhs: Interval) { lhs = lhs * rhs }

    static func seconds(_ s: Int) -> Interval { Interval(s * 1_000_000_000) }
    static func seconds(_ s: Double) -> Interval { Interval(Int(s * 1_000_000_000)) }
    static func milliseconds(_ ms: Int) -> Interval { Interval(ms * 1_000_000) }
    static func microseconds(_ us: Int) -> Interval { Interval(us * 1000) }
    static func nanoseconds(_ ns: Int) -> Interval { Interval(ns) }
  }

  private struct Job {
    let date: Time
    /// `nil` for work that is done once.
    let repetition: Repetition?
    let action: () -> Void
  }

  private final class Repetition: Cancellable {
    let interval: Interval
    var isCancelled = false

    init(_ interval: Interval) { self.interval = interval }

    func cancel() { isCancelled = true }
  }

  /// By date; of the same date, by when they were scheduled.
  private var jobs: [Job] = []

  private(set) var now = Time(ticks: 0)
  let minimumTolerance: Interval = 0

  /// Lets time pass, and does what is due.
  func advance(by ticks: Int) {
    now.ticks += ticks
    while let job = jobs.first, job.date <= now {
      jobs.removeFirst()
      if let repetition = job.repetition {
        if repetition.isCancelled { continue }
        add(Job(date: job.date.advanced(by: repetition.interval), repetition: repetition, action: job.action))
      }
      job.action()
    }
  }

  private func add(_ job: Job) {
    var index = jobs.count
    while index > 0, jobs[index - 1].date > job.date { index -= 1 }
    jobs.insert(job, at: index)
  }

  func schedule(options: Never?, _ action: @escaping () -> Void) {
    add(Job(date: now, repetition: nil, action: action))
  }

  func schedule(after date: Time, tolerance: Interval, options: Never?, _ action: @escaping () -> Void) {
    add(Job(date: date, repetition: nil, action: action))
  }

  func schedule(
    after date: Time, interval: Interval, tolerance: Interval, options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let repetition = Repetition(interval)
    add(Job(date: date, repetition: repetition, action: action))
    return repetition
  }
}
