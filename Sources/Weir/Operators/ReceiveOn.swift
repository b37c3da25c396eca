// Moves a stream to a scheduler.

extension Publisher {
  /// Delivers values and completion on a scheduler. The subscription arrives on the thread that subscribes, and
  /// requests and the cancellation go upstream on the thread that makes them; what a subscriber asks for while it gets
  /// its subscription goes there when it has it, but for what it asks of a subject.
  ///
  /// Each value is delivered by a job of its own, placed among the scheduler's other jobs where it was sent; so streams
  /// to one serial scheduler keep the order between them. On concurrent schedulers a stream keeps its own order: a job
  /// that finds the stream busy leaves its value to the job that is at work, and returns.
  ///
  /// With options that hold a ``DeliveryBatch``, such as `.batches()`, one job delivers all values that are waiting:
  /// faster, but they overtake jobs that were scheduled between them.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler that delivers.
  ///   - options: Scheduler-specific options.
  @_alwaysEmitIntoClient
  public func receive<Context: Scheduler>(
    on scheduler: Context, options: Context.SchedulerOptions? = nil
  ) -> Publishers.ReceiveOn<Self, Context> {
    Publishers.ReceiveOn(upstream: self, scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// Delivers the values and the completion of another publisher on a scheduler.
  public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Publisher {
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

    /// The scheduler that delivers.
    public let scheduler: Context

    /// Scheduler-specific options.
    public let options: Context.SchedulerOptions?

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - scheduler: The scheduler that delivers.
    ///   - options: Scheduler-specific options.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.scheduler = scheduler
      self.options = options
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Failure == Failure, Downstream.Input == Output {
      let policy = ImmediateHopPolicy(scheduler: scheduler, options: options)
      upstream.receive(subscriber: HopLink(policy, downstream: subscriber, name: "ReceiveOn"))
    }
  }
}
