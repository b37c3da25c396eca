// Publishes the time between values.

extension Publisher {
  /// Publishes, for each value, the time since the one before; for the first, the time since the subscription.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler that measures the time; the results are delivered on the thread that sends the value.
  ///   - options: Not used.
  @_alwaysEmitIntoClient
  public func measureInterval<Context: Scheduler>(
    using scheduler: Context, options: Context.SchedulerOptions? = nil
  ) -> Publishers.MeasureInterval<Self, Context> {
    Publishers.MeasureInterval(upstream: self, scheduler: scheduler)
  }
}

extension Publishers {
  /// Publishes the time between the values of another publisher.
  public struct MeasureInterval<Upstream: Publisher, Context: Scheduler>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// A length of time, in the scheduler's time.
    public typealias Output = Context.SchedulerTimeType.Stride
    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// The scheduler that measures the time.
    public let scheduler: Context

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - scheduler: The scheduler that measures the time.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, scheduler: Context) {
      self.upstream = upstream
      self.scheduler = scheduler
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Failure == Failure, Downstream.Input == Output {
      let link = UpstreamLink(name: "MeasureInterval", refusesNone: false)
      let policy = MeasureIntervalPolicy<Context, Upstream.Output>(scheduler)
      upstream.receive(subscriber: LinkedSubscriber(policy, link, to: subscriber))
    }
  }
}
