// Subscribes, requests and cancels on a scheduler.

extension Publisher {
  /// Subscribes to this publisher, asks it for values and cancels it on a scheduler. Values and completion are
  /// delivered on the thread that sends them.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler on which it subscribes, requests and cancels.
  ///   - options: Scheduler-specific options.
  @_alwaysEmitIntoClient
  public func subscribe<Context: Scheduler>(
    on scheduler: Context, options: Context.SchedulerOptions? = nil
  ) -> Publishers.SubscribeOn<Self, Context> {
    Publishers.SubscribeOn(upstream: self, scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// Subscribes to another publisher, asks it for values and cancels it on a scheduler.
  ///
  /// Requests and the cancellation keep their order on concurrent schedulers too. After a cancellation nothing more is
  /// delivered, although the upstream learns of it later, and keeps the subscriber until then; if the scheduler drops
  /// the job, as an operation queue does whose operations are cancelled, it never learns of it.
  public struct SubscribeOn<Upstream: Publisher, Context: Scheduler>: Publisher {
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

    /// The scheduler on which it subscribes, requests and cancels.
    public let scheduler: Context

    /// Scheduler-specific options.
    public let options: Context.SchedulerOptions?

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - scheduler: The scheduler on which it subscribes, requests and cancels.
    ///   - options: Scheduler-specific options.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.scheduler = scheduler
      self.options = options
    }

    /// Attaches a subscriber, on the scheduler.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Failure == Failure, Downstream.Input == Output {
      let link = RemoteLink(scheduler: scheduler, options: options, name: "SubscribeOn")
      let inner = LinkedSubscriber(RemotePolicy<Context, Output>(link), link, to: subscriber)
      scheduler.schedule(options: options) { upstream.receive(subscriber: inner) }
    }
  }
}
