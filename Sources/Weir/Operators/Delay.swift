// Delivers everything a time later.

extension Publisher {
  /// Delivers values and completion a time after they arrive; the subscription arrives at once.
  ///
  /// Values keep their order on concurrent schedulers too.
  ///
  /// - Parameters:
  ///   - interval: How much later.
  ///   - tolerance: How much later still it may be; the scheduler's smallest if `nil`.
  ///   - scheduler: Whose time it is, and where to deliver.
  ///   - options: Scheduler-specific options.
  @_alwaysEmitIntoClient
  public func delay<Context: Scheduler>(
    for interval: Context.SchedulerTimeType.Stride, tolerance: Context.SchedulerTimeType.Stride? = nil,
    scheduler: Context, options: Context.SchedulerOptions? = nil
  ) -> Publishers.Delay<Self, Context> {
    Publishers.Delay(
      upstream: self, interval: interval, tolerance: tolerance ?? scheduler.minimumTolerance, scheduler: scheduler,
      options: options)
  }
}

extension Publishers {
  /// Delivers values and completion of another publisher a time later.
  public struct Delay<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The upstream's kind of values.
    public typealias Output = Upstream.Output
    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// How much later they are delivered.
    public let interval: Context.SchedulerTimeType.Stride

    /// How much later still it may be.
    public let tolerance: Context.SchedulerTimeType.Stride

    /// Whose time it is, and where to deliver.
    public let scheduler: Context

    /// Scheduler-specific options.
    public let options: Context.SchedulerOptions?

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - interval: How much later they are delivered.
    ///   - tolerance: How much later still it may be.
    ///   - scheduler: Whose time it is, and where to deliver.
    ///   - options: Scheduler-specific options.
    @_alwaysEmitIntoClient
    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, tolerance: Context.SchedulerTimeType.Stride,
      scheduler: Context, options: Context.SchedulerOptions? = nil
    ) {
      self.upstream = upstream
      self.interval = interval
      self.tolerance = tolerance
      self.scheduler = scheduler
      self.options = options
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Failure == Failure, Downstream.Input == Output {
      let policy = DelayedHopPolicy(scheduler: scheduler, options: options, interval: interval, tolerance: tolerance)
      upstream.receive(subscriber: HopLink(policy, downstream: subscriber, name: "Delay"))
    }
  }
}
