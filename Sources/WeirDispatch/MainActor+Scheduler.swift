// The main actor as a scheduler.

public import Dispatch
public import Weir

extension MainActor: Scheduler {
  /// Time is that of dispatch queues.
  public typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType

  /// How an operator delivers what is waiting: if `nil`, each value by an action of its own.
  public typealias SchedulerOptions = DeliveryBatch

  private static let scheduler = ActorScheduler(MainActor.shared)

  /// The present moment.
  public nonisolated var now: SchedulerTimeType { Self.scheduler.now }

  /// Zero: any tolerance is honoured.
  public nonisolated var minimumTolerance: SchedulerTimeType.Stride { Self.scheduler.minimumTolerance }

  /// Runs an action on the main actor, behind those that were scheduled here before; never at once. Any thread may call
  /// this.
  ///
  /// - Complexity: As of ``ActorScheduler``.
  public nonisolated func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    Self.scheduler.schedule(options: options, action)
  }

  /// Runs an action on the main actor after a date; the tolerance is ignored. Any thread may call this.
  public nonisolated func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    Self.scheduler.schedule(after: date, tolerance: tolerance, options: options, action)
  }

  /// Runs an action on the main actor again and again. Runs that come due while one is waiting are left out. Any thread
  /// may call this.
  ///
  /// - Returns: An object that ends the repetition when it is cancelled or freed. If that happens on the main actor,
  ///   the action does not run again.
  public nonisolated func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    Self.scheduler.schedule(after: date, interval: interval, tolerance: tolerance, options: options, action)
  }
}

extension MainActor: JobScheduler {
  /// As of ``ActorScheduler``.
  @usableFromInline
  package nonisolated func makeJob(options: Any?, _ ticket: JobTicket) -> () -> Void {
    Self.scheduler.makeJob(options: options, ticket)
  }
}

extension Scheduler where Self == DispatchQueue {
  /// The main queue, for `receive(on: .main)`. A name of your own for another scheduler goes before this.
  @_disfavoredOverload
  public static var main: DispatchQueue { DispatchQueue.main }
}
