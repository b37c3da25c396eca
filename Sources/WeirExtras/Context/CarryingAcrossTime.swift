// The operators that deliver on schedulers or on request, for streams that carry a context: each value is delivered in
// its own.

public import Weir

extension ContextCarrying {
  /// Delivers values and completion on a scheduler, each in the context of its sender.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler that delivers.
  ///   - options: Scheduler-specific options.
  @inlinable
  public func receive<Context: Scheduler>(
    on scheduler: Context, options: Context.SchedulerOptions? = nil
  ) -> some ContextCarrying<Output, Failure> {
    across { $0.receive(on: scheduler, options: options) }
  }

  /// Delivers values and completion a given time after they arrive, each in the context of its sender.
  ///
  /// - Parameters:
  ///   - interval: How much later, in the scheduler's time.
  ///   - tolerance: How much more delay is allowed; the scheduler's smallest tolerance if `nil`.
  ///   - scheduler: The scheduler that measures the time and delivers.
  ///   - options: Scheduler-specific options.
  @inlinable
  public func delay<Context: Scheduler>(
    for interval: Context.SchedulerTimeType.Stride, tolerance: Context.SchedulerTimeType.Stride? = nil,
    scheduler: Context, options: Context.SchedulerOptions? = nil
  ) -> some ContextCarrying<Output, Failure> {
    across { $0.delay(for: interval, tolerance: tolerance, scheduler: scheduler, options: options) }
  }

  /// Publishes a value once a given time has passed in which no other value came, in the context of its sender.
  ///
  /// - Parameters:
  ///   - dueTime: The time that has to pass, in the scheduler's time.
  ///   - scheduler: The scheduler that measures the time and delivers.
  ///   - options: Options of the timers.
  @inlinable
  public func debounce<Context: Scheduler>(
    for dueTime: Context.SchedulerTimeType.Stride, scheduler: Context, options: Context.SchedulerOptions? = nil
  ) -> some ContextCarrying<Output, Failure> {
    across { $0.debounce(for: dueTime, scheduler: scheduler, options: options) }
  }

  /// Publishes at most one value per interval, in the context of its sender.
  ///
  /// - Parameters:
  ///   - interval: The shortest time from the delivery of one value to that of the next.
  ///   - scheduler: The scheduler that measures the time and delivers.
  ///   - latest: `true` to publish the newest value of each interval, `false` to publish the first.
  @inlinable
  public func throttle<Context: Scheduler>(
    for interval: Context.SchedulerTimeType.Stride, scheduler: Context, latest: Bool
  ) -> some ContextCarrying<Output, Failure> {
    across { $0.throttle(for: interval, scheduler: scheduler, latest: latest) }
  }

  /// Ends the stream if a given time passes without a value. Values come in the context of their sender; the end that
  /// the time brings has none.
  ///
  /// - Parameters:
  ///   - interval: How long the stream may be silent, in the scheduler's time.
  ///   - scheduler: The scheduler that measures the time and delivers.
  ///   - options: Scheduler-specific options.
  ///   - customError: Makes the error that the stream fails with; without it, the stream finishes.
  @inlinable
  public func timeout<Context: Scheduler>(
    _ interval: Context.SchedulerTimeType.Stride, scheduler: Context, options: Context.SchedulerOptions? = nil,
    customError: (() -> Failure)? = nil
  ) -> some ContextCarrying<Output, Failure> {
    across { $0.timeout(interval, scheduler: scheduler, options: options, customError: customError) }
  }

  /// Gathers values and publishes them as arrays, each in the context of the sender of its last value.
  ///
  /// - Parameters:
  ///   - strategy: When an array is published.
  ///   - options: Scheduler-specific options.
  @inlinable
  public func collect<Context: Scheduler>(
    _ strategy: Publishers.TimeGroupingStrategy<Context>, options: Context.SchedulerOptions? = nil
  ) -> some ContextCarrying<[Output], Failure> {
    across { $0.collect(strategy, options: options).compactMap { Carried.gathered($0) } }
  }

  /// Keeps values that come without demand until they are asked for; each comes in the context of its sender.
  ///
  /// - Parameters:
  ///   - size: The greatest number of values that are kept.
  ///   - prefetch: What the upstream is asked for.
  ///   - whenFull: What happens to a value that finds no room.
  @inlinable
  public func buffer(
    size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Failure>
  ) -> some ContextCarrying<Output, Failure> {
    across { $0.buffer(size: size, prefetch: prefetch, whenFull: whenFull) }
  }
}
