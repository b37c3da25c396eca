// Ends a stream that has been silent for too long.

extension Publisher {
  /// Ends the stream if a given time passes without a value. Values and completion are delivered on the scheduler.
  ///
  /// The time runs from the subscription, starts again at the first request, and again at each value. On a scheduler
  /// that runs its actions at once, such as `ImmediateScheduler`, this traps.
  ///
  /// What starts the time again puts off the timer that runs: that starts the next one when it ticks. So no more than
  /// two are started in the given time, unless the scheduler may let go of what it was given, as an operation queue
  /// may. An end whose timer was put off comes behind what others had scheduled for the same date by then. Where
  /// the operations of such a queue are cancelled, the time stops, until the next value starts it again.
  ///
  /// - Parameters:
  ///   - interval: How long the stream may be silent, in the scheduler's time.
  ///   - scheduler: The scheduler that measures the time and delivers.
  ///   - options: Scheduler-specific options.
  ///   - customError: Makes the error that the stream fails with; without it, the stream finishes.
  @_alwaysEmitIntoClient
  public func timeout<Context: Scheduler>(
    _ interval: Context.SchedulerTimeType.Stride, scheduler: Context, options: Context.SchedulerOptions? = nil,
    customError: (() -> Failure)? = nil
  ) -> Publishers.Timeout<Self, Context> {
    Publishers.Timeout(
      upstream: self, interval: interval, scheduler: scheduler, options: options, customError: customError)
  }
}

extension Publishers {
  /// Ends the stream of another publisher, and cancels that, if a given time passes without a value.
  public struct Timeout<Upstream: Publisher, Context: Scheduler>: Publisher {
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

    /// How long the stream may be silent, in the scheduler's time.
    public let interval: Context.SchedulerTimeType.Stride

    /// The scheduler that measures the time and delivers.
    public let scheduler: Context

    /// Scheduler-specific options.
    public let options: Context.SchedulerOptions?

    /// Makes the error that the stream fails with; without it, the stream finishes.
    public let customError: (() -> Upstream.Failure)?

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - interval: How long the stream may be silent, in the scheduler's time.
    ///   - scheduler: The scheduler that measures the time and delivers.
    ///   - options: Scheduler-specific options.
    ///   - customError: Makes the error that the stream fails with; without it, the stream finishes.
    @_alwaysEmitIntoClient
    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions?, customError: (() -> Publishers.Timeout<Upstream, Context>.Failure)?
    ) {
      self.upstream = upstream
      self.interval = interval
      self.scheduler = scheduler
      self.options = options
      self.customError = customError
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Failure == Failure, Downstream.Input == Output {
      let policy = TimeoutPolicy<Context, Output, Failure>(
        scheduler: scheduler, interval: interval, options: options)
      let kept = TimeoutPolicy<Context, Output, Failure>.Kept(customError: customError)
      upstream.receive(subscriber: TimedLink(policy, keeping: kept, downstream: subscriber))
    }
  }
}

/// Keeps whether there has been a request, and what makes the error.
@frozen
@usableFromInline
struct TimeoutPolicy<Context: Scheduler, Value, Failure: Error>: TimedPolicy {
  @usableFromInline typealias Input = Value
  @usableFromInline typealias Output = Value

  @usableFromInline
  struct Kept {
    @usableFromInline var customError: (() -> Failure)?
    @usableFromInline var hasBeenAsked = false

    @inlinable
    init(customError: (() -> Failure)?) { self.customError = customError }
  }

  @usableFromInline let scheduler: Context
  @usableFromInline let interval: Context.SchedulerTimeType.Stride
  @usableFromInline let options: Context.SchedulerOptions?

  @inlinable
  init(scheduler: Context, interval: Context.SchedulerTimeType.Stride, options: Context.SchedulerOptions?) {
    self.scheduler = scheduler
    self.interval = interval
    self.options = options
  }

  @inlinable static var name: StaticString { "Timeout" }
  @inlinable static var cancelsEndedUpstream: Bool { true }
  @inlinable var timerOptions: Context.SchedulerOptions? { options }
  @inlinable var jobOptions: Context.SchedulerOptions? { options }
  @inlinable var nothing: Kept { Kept(customError: nil) }

  @inlinable
  func begin<Downstream: Subscriber>(_ link: TimedLink<Self, Downstream>)
  where Downstream.Input == Output, Downstream.Failure == Failure { link.startInterval() }

  @inlinable
  func request<Downstream: Subscriber>(_ demand: Subscribers.Demand, _ link: TimedLink<Self, Downstream>)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    guard link.isListening else { return }
    let isFirst = link.withState { state -> Bool in
      guard !state.kept.hasBeenAsked, !state.isOver else { return false }
      state.kept.hasBeenAsked = true
      return true
    }
    if isFirst { link.startInterval() }
    link.ask(demand)
  }

  @inlinable
  func take<Downstream: Subscriber>(_ input: Value, _ link: TimedLink<Self, Downstream>) -> Subscribers.Demand
  where Downstream.Input == Output, Downstream.Failure == Failure {
    let interval = link.nextInterval
    let (number, timer) = link.withState { state -> (Int?, TimedLink<Self, Downstream>.Start?) in
      guard !state.isOver else { return (nil, nil) }
      return (link.put(.value(input)), link.wantTick(after: interval, &state))
    }
    guard let number else { return .none }
    if let timer { link.start(timer) }
    link.deliverLater(from: number)
    return .none
  }

  @inlinable
  func finish<Downstream: Subscriber>(
    _ completion: Subscribers.Completion<Downstream.Failure>, _ link: TimedLink<Self, Downstream>
  ) where Downstream.Input == Output, Downstream.Failure == Failure {
    var number = 0
    let kept = close(link, if: { _ in number = link.put(.completion(completion)) })
    if kept != nil { link.deliverLater(from: number) }
  }

  @inlinable
  func tick<Downstream: Subscriber>(_ generation: Int, _ link: TimedLink<Self, Downstream>)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    link.requireTime()
    guard let kept = close(link, if: { $0 == generation ? () : nil }) else { return }
    link.disconnect()
    let completion: Subscribers.Completion<Failure> = kept.customError.map { .failure($0()) } ?? .finished
    link.withState { _ -> Void in link.put(.completion(completion)) }
    link.deliverHere(1)
  }

  /// Ends the stream's time and its timer, in one step with what a condition does.
  ///
  /// A value, or a request that passed its check before, finds no timer to start any more.
  ///
  /// - Parameter condition: Is given the newest timer's generation, and says whether to go on.
  /// - Returns: What was kept; `nil` if the time had ended or the condition refused.
  @inlinable
  func close<Downstream: Subscriber>(_ link: TimedLink<Self, Downstream>, if condition: (Int) -> Void?) -> Kept?
  where Downstream.Input == Output, Downstream.Failure == Failure {
    link.stopTimer { state in
      guard !state.isOver, condition(state.generation) != nil else { return nil }
      return state.end(keeping: nothing)
    }
  }

  @inlinable
  func answer<Downstream: Subscriber>(_ demand: Subscribers.Demand, _ link: TimedLink<Self, Downstream>)
  where Downstream.Input == Output, Downstream.Failure == Failure { link.forward(demand) }
}
