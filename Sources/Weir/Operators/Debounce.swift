// Publishes a value when some time has passed without another.

extension Publisher {
  /// Publishes a value once a given time has passed in which no other value came.
  ///
  /// A value that is still waiting when the stream ends is dropped, and so is one for which there is no demand when it
  /// is due. Values and completion are delivered on the scheduler.
  ///
  /// A value puts off the timer that runs, if there is one: that starts the next one when it ticks. So no more than two
  /// are started in the due time, unless the scheduler may let go of what it was given, as an operation queue may. A
  /// value whose timer was put off comes behind what others had scheduled for the same date by then.
  ///
  /// - Parameters:
  ///   - dueTime: The time that has to pass, in the scheduler's time.
  ///   - scheduler: The scheduler that measures the time and delivers.
  ///   - options: Options of the timers.
  @_alwaysEmitIntoClient
  public func debounce<Context: Scheduler>(
    for dueTime: Context.SchedulerTimeType.Stride, scheduler: Context, options: Context.SchedulerOptions? = nil
  ) -> Publishers.Debounce<Self, Context> {
    Publishers.Debounce(upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// Publishes a value of another publisher once a given time has passed in which no other value came.
  ///
  /// It asks for everything, whatever is asked of it.
  public struct Debounce<Upstream: Publisher, Context: Scheduler>: Publisher {
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

    /// The time that has to pass, in the scheduler's time.
    public let dueTime: Context.SchedulerTimeType.Stride

    /// The scheduler that measures the time and delivers.
    public let scheduler: Context

    /// Options of the timers.
    public let options: Context.SchedulerOptions?

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - dueTime: The time that has to pass, in the scheduler's time.
    ///   - scheduler: The scheduler that measures the time and delivers.
    ///   - options: Options of the timers.
    @_alwaysEmitIntoClient
    public init(
      upstream: Upstream, dueTime: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions?
    ) {
      self.upstream = upstream
      self.dueTime = dueTime
      self.scheduler = scheduler
      self.options = options
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Failure == Failure, Downstream.Input == Output {
      let policy = DebouncePolicy<Context, Output, Failure>(
        scheduler: scheduler, interval: dueTime, timerOptions: options)
      upstream.receive(subscriber: TimedLink(policy, downstream: subscriber))
    }
  }
}

/// Keeps the newest value, and a timer for it.
@frozen
@usableFromInline
struct DebouncePolicy<Context: Scheduler, Value, Failure: Error>: LedgerPolicy {
  @usableFromInline typealias Input = Value
  @usableFromInline typealias Kept = Value?
  @usableFromInline typealias Output = Value

  @usableFromInline let scheduler: Context
  @usableFromInline let interval: Context.SchedulerTimeType.Stride
  @usableFromInline let timerOptions: Context.SchedulerOptions?

  @inlinable
  init(scheduler: Context, interval: Context.SchedulerTimeType.Stride, timerOptions: Context.SchedulerOptions?) {
    self.scheduler = scheduler
    self.interval = interval
    self.timerOptions = timerOptions
  }

  @inlinable static var name: StaticString { "Debounce" }
  @inlinable var jobOptions: Context.SchedulerOptions? { nil }
  @inlinable var nothing: Input? { nil }

  @inlinable
  func take<Downstream: Subscriber>(_ input: Value, _ link: TimedLink<Self, Downstream>) -> Subscribers.Demand
  where Downstream.Input == Output, Downstream.Failure == Failure {
    let interval = link.nextInterval
    // Becomes the former one, which is let go of outside the lock.
    var value: Value? = input
    let timer = link.withState { state -> TimedLink<Self, Downstream>.Start? in
      guard !state.isOver else { return nil }
      swap(&value, &state.kept)
      return link.wantTick(after: interval, &state)
    }
    if let timer { link.start(timer) }
    return .none
  }

  @inlinable
  func finish<Downstream: Subscriber>(
    _ completion: Subscribers.Completion<Downstream.Failure>, _ link: TimedLink<Self, Downstream>
  ) where Downstream.Input == Output, Downstream.Failure == Failure {
    var dropped: Value?
    let number = link.stopTimer { state -> Int? in
      guard !state.isOver else { return nil }
      swap(&dropped, &state.kept)
      return link.put(.completion(completion))
    }
    if let number { link.deliverLater(from: number) }
  }

  @inlinable
  func tick<Downstream: Subscriber>(_ generation: Int, _ link: TimedLink<Self, Downstream>)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    // Held here: once it is in the queue, another thread may free it.
    var value: Value?
    let isDue = link.stopTimer { state -> Bool? in
      guard state.generation == generation, state.kept != nil else { return nil }
      swap(&value, &state.kept)
      guard link.ledger.take(), let value else { return false }
      link.put(.value(value))
      return true
    }
    if isDue == true { link.deliverHere(1) }
  }

  @usableFromInline
  func children<Downstream: Subscriber>(_ link: TimedLink<Self, Downstream>) -> [Mirror.Child]
  where Downstream.Input == Output, Downstream.Failure == Failure {
    let newest = link.withState { $0.kept }
    return [
      ("downstream", link.downstream as Any), ("downstreamDemand", link.ledger.demand), ("currentValue", newest as Any),
    ]
  }
}
