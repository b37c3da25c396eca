// The scheduler of user interfaces: the main queue, without a hop where the caller is on it already.

public import Dispatch
public import Weir
public import WeirDispatch

/// Runs work on the main queue: at once where the caller is on that queue already.
///
/// `DispatchQueue.main` runs even such work later. Delayed work runs on the main queue as usual. Any thread may use it.
public struct UIScheduler: Scheduler, Sendable {
  /// Time is that of the main queue.
  public typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType

  /// There are no options.
  public typealias SchedulerOptions = Never

  /// The scheduler.
  public static let shared = UIScheduler()

  private static let isMain = DispatchSpecificKey<Bool>()

  private init() { DispatchQueue.main.setSpecific(key: Self.isMain, value: true) }

  /// The main queue's time.
  public var now: SchedulerTimeType { DispatchQueue.main.now }

  /// The main queue's tolerance.
  public var minimumTolerance: SchedulerTimeType.Stride { DispatchQueue.main.minimumTolerance }

  /// Runs work at once on the main queue; from elsewhere as soon as that queue gets to it.
  public func schedule(options: Never?, _ action: @escaping () -> Void) {
    guard DispatchQueue.getSpecific(key: Self.isMain) == nil else { return action() }
    DispatchQueue.main.schedule(options: nil, action)
  }

  /// Runs work on the main queue at a later time.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    DispatchQueue.main.schedule(after: date, tolerance: tolerance, options: nil, action)
  }

  /// Runs work on the main queue again and again.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    DispatchQueue.main.schedule(after: date, interval: interval, tolerance: tolerance, options: nil, action)
  }
}
