// Gathers values into arrays, one per interval of time.

extension Publisher {
  /// Gathers values and publishes them as arrays, once per interval or when an array is full.
  ///
  /// What has been gathered when the stream finishes is published before its completion; a failure drops it. Arrays and
  /// completion are delivered on the scheduler. An interval in which nothing has come publishes nothing.
  ///
  /// Where the scheduler is an operation queue, and its operations are cancelled, the intervals end: what comes from
  /// then on waits for the end of the stream, or for a full array.
  ///
  /// - Parameters:
  ///   - strategy: When an array is published.
  ///   - options: Scheduler-specific options.
  /// - Complexity: Amortised O(1) per value; memory is O(*n*) in the number of values that are gathered.
  @_alwaysEmitIntoClient
  public func collect<S: Scheduler>(
    _ strategy: Publishers.TimeGroupingStrategy<S>, options: S.SchedulerOptions? = nil
  ) -> Publishers.CollectByTime<Self, S> {
    Publishers.CollectByTime(upstream: self, strategy: strategy, options: options)
  }
}

extension Publishers {
  /// When gathered values are published.
  public enum TimeGroupingStrategy<Context: Scheduler> {
    /// Once per interval of the scheduler's time, on the scheduler.
    case byTime(Context, Context.SchedulerTimeType.Stride)
    /// Once per interval of the scheduler's time, on the scheduler, and whenever there are so many values; that does
    /// not start a new interval.
    case byTimeOrCount(Context, Context.SchedulerTimeType.Stride, Int)
  }

  /// Gathers the values of another publisher into arrays, one per interval of time.
  ///
  /// By time, the upstream is asked for one value at each request of the subscriber and at each value, and arrays are
  /// published as there is demand for them: without demand, gathering goes on. By time or count, the upstream is asked
  /// for as many values as full arrays would hold, and what an interval has brought is published at its end, whatever
  /// the demand; demand that the subscriber returns for an array that is not full is ignored. What was gathered last is
  /// published with the finish in any case. All of that is so in Combine.
  public struct CollectByTime<Upstream: Publisher, Context: Scheduler>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// Arrays of the upstream's values.
    public typealias Output = [Upstream.Output]
    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// When an array is published.
    public let strategy: TimeGroupingStrategy<Context>

    /// Scheduler-specific options.
    public let options: Context.SchedulerOptions?

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - strategy: When an array is published.
    ///   - options: Scheduler-specific options.
    @_alwaysEmitIntoClient
    public init(
      upstream: Upstream, strategy: TimeGroupingStrategy<Context>, options: Context.SchedulerOptions?
    ) {
      self.upstream = upstream
      self.strategy = strategy
      self.options = options
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, S.Input == [Upstream.Output] {
      let policy = CollectByTimePolicy<Context, Upstream.Output, Failure>(strategy: strategy, options: options)
      upstream.receive(subscriber: TimedLink(policy, downstream: subscriber))
    }
  }
}

/// Keeps what has been gathered.
@frozen
@usableFromInline
struct CollectByTimePolicy<Context: Scheduler, Value, Failure: Error>: TimedPolicy {
  @usableFromInline typealias Input = Value
  @usableFromInline typealias Kept = [Value]
  @usableFromInline typealias Output = [Value]

  @usableFromInline let scheduler: Context
  @usableFromInline let interval: Context.SchedulerTimeType.Stride
  /// How many values make a full array; none is ever full if `nil`.
  @usableFromInline let count: Int?
  @usableFromInline let options: Context.SchedulerOptions?

  @inlinable
  init(strategy: Publishers.TimeGroupingStrategy<Context>, options: Context.SchedulerOptions?) {
    switch strategy {
    case .byTime(let scheduler, let interval): (self.scheduler, self.interval, count) = (scheduler, interval, nil)
    case .byTimeOrCount(let scheduler, let interval, let count):
      (self.scheduler, self.interval, self.count) = (scheduler, interval, count)
    }
    self.options = options
  }

  @inlinable static var name: StaticString { "CollectByTime" }
  @inlinable var timerOptions: Context.SchedulerOptions? { options }
  @inlinable var jobOptions: Context.SchedulerOptions? { options }
  @inlinable var scale: Int { count ?? 1 }
  @inlinable var nothing: [Value] { [] }

  @inlinable
  func begin<Downstream: Subscriber>(_ link: TimedLink<Self, Downstream>)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    link.startInterval()
  }

  @inlinable
  func request<Downstream: Subscriber>(_ demand: Subscribers.Demand, _ link: TimedLink<Self, Downstream>)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    if count != nil { return link.ask(demand) }
    guard demand > .none else { return }
    link.ledger.add(demand)
    link.ask(.max(1))
  }

  @inlinable
  func take<Downstream: Subscriber>(_ input: Value, _ link: TimedLink<Self, Downstream>) -> Subscribers.Demand
  where Downstream.Input == Output, Downstream.Failure == Failure {
    // Held here, as in `tick`: once it is in the queue, another thread may free it.
    var group: [Value] = []
    let number = link.withState { state -> Int? in
      guard !state.isOver else { return nil }
      state.kept.append(input)
      guard let count, state.kept.count >= count else { return nil }
      swap(&group, &state.kept)
      return link.put(.value(group))
    }
    if let number { link.deliverLater(from: number) }
    return count == nil ? .max(1) : .none
  }

  @inlinable
  func finish<Downstream: Subscriber>(
    _ completion: Subscribers.Completion<Downstream.Failure>, _ link: TimedLink<Self, Downstream>
  ) where Downstream.Input == Output, Downstream.Failure == Failure {
    var gathered: [Value] = []
    let signals = link.stopTimer { state -> (count: Int, first: Int)? in
      guard !state.isOver else { return nil }
      swap(&gathered, &state.kept)
      guard case .finished = completion, !gathered.isEmpty else { return (1, link.put(.completion(completion))) }
      let first = link.put(.unanswered(gathered))
      link.put(.completion(completion))
      return (2, first)
    }
    if let signals { link.deliverLater(signals.count, from: signals.first) }
  }

  @inlinable
  func tick<Downstream: Subscriber>(_ generation: Int, _ link: TimedLink<Self, Downstream>)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    var group: [Value] = []
    let isGroup = link.withState { state -> Bool in
      guard state.generation == generation, !state.kept.isEmpty, count != nil || link.ledger.take() else {
        return false
      }
      swap(&group, &state.kept)
      link.put(count == nil ? .value(group) : .unanswered(group))
      return true
    }
    if isGroup { link.deliverHere(1) }
  }

  @inlinable
  func answer<Downstream: Subscriber>(_ demand: Subscribers.Demand, _ link: TimedLink<Self, Downstream>)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    if count == nil { link.ledger.add(demand) } else { link.forward(demand) }
  }
}
