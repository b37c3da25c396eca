// Delivers everything some time later.

extension Publisher {
  /// Delivers values and completion a given time after they arrive, on a scheduler; the subscription arrives at once.
  ///
  /// Values keep their order on concurrent schedulers too.
  ///
  /// - Parameters:
  ///   - interval: How much later, in the scheduler's time.
  ///   - tolerance: How much more delay is allowed, in the scheduler's time; the scheduler's smallest tolerance if
  ///     `nil`.
  ///   - scheduler: The scheduler that measures the time and delivers.
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
  /// Delivers the values and the completion of another publisher a given time later.
  public struct Delay<Upstream: Publisher, Context: Scheduler>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The upstream's kind of values.
    public typealias Output = Upstream.Output
    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// How much later they are delivered, in the scheduler's time.
    public let interval: Context.SchedulerTimeType.Stride

    /// How much more delay is allowed, in the scheduler's time.
    public let tolerance: Context.SchedulerTimeType.Stride

    /// The scheduler that measures the time and delivers.
    public let scheduler: Context

    /// Scheduler-specific options.
    public let options: Context.SchedulerOptions?

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - interval: How much later they are delivered, in the scheduler's time.
    ///   - tolerance: How much more delay is allowed, in the scheduler's time.
    ///   - scheduler: The scheduler that measures the time and delivers.
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
