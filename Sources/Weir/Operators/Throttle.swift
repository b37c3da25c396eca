// Publishes at most one value per interval.

extension Publisher {
  /// Publishes at most one value per interval: the first at once, then the newest or the first of each interval.
  ///
  /// Values that come without demand are dropped. A completion waits for a value that is due before it. Both are
  /// delivered on the scheduler. On one that runs several actions at once, values that fall due while the subscriber is
  /// still being given another one are delivered behind that, without a pause.
  ///
  /// - Parameters:
  ///   - interval: The shortest time from the delivery of one value to that of the next, in the scheduler's time.
  ///   - scheduler: The scheduler that measures the time and delivers.
  ///   - latest: `true` to publish the newest value of each interval, `false` to publish the first.
  @_alwaysEmitIntoClient
  public func throttle<S>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
  ) -> Publishers.Throttle<Self, S> where S: Scheduler {
    Publishers.Throttle(upstream: self, interval: interval, scheduler: scheduler, latest: latest)
  }
}

extension Publishers {
  /// Publishes at most one value of another publisher per interval.
  ///
  /// It asks for everything, whatever is asked of it.
  public struct Throttle<Upstream, Context>: Publisher where Upstream: Publisher, Context: Scheduler {
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

    /// The shortest time from the delivery of one value to that of the next, in the scheduler's time.
    public let interval: Context.SchedulerTimeType.Stride

    /// The scheduler that measures the time and delivers.
    public let scheduler: Context

    /// `true` to publish the newest value of each interval, `false` to publish the first.
    public let latest: Bool

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - interval: The shortest time from the delivery of one value to that of the next, in the scheduler's time.
    ///   - scheduler: The scheduler that measures the time and delivers.
    ///   - latest: `true` to publish the newest value of each interval, `false` to publish the first.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context, latest: Bool) {
      self.upstream = upstream
      self.interval = interval
      self.scheduler = scheduler
      self.latest = latest
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<S>(subscriber: S)
    where S: Subscriber, Upstream.Failure == S.Failure, Upstream.Output == S.Input {
      let policy = ThrottlePolicy<Context, Output, Failure>(scheduler: scheduler, interval: interval, latest: latest)
      upstream.receive(subscriber: TimedLink(policy, downstream: subscriber))
    }
  }
}

/// Keeps the value that is due next, and when the last one was delivered.
@frozen
@usableFromInline
struct ThrottlePolicy<Context: Scheduler, Value, Failure: Error>: LedgerPolicy {
  @usableFromInline typealias Input = Value
  @usableFromInline typealias Output = Value

  @usableFromInline
  struct Kept {
    @usableFromInline var value: Value?
    @usableFromInline var completion: Subscribers.Completion<Failure>?
    @usableFromInline var lastEmission: Context.SchedulerTimeType?

    @inlinable init() {}

    /// Whether something waits that is scheduled already.
    @inlinable var isDue: Bool { value != nil || completion != nil }
  }

  /// What to do with a value.
  @usableFromInline
  enum Decision {
    /// It was kept instead of another, or dropped.
    case settled(former: Value?)
    /// It opens an interval, at the earliest when the last one is over.
    case schedule(lastEmission: Context.SchedulerTimeType?)
  }

  @usableFromInline let scheduler: Context
  @usableFromInline let interval: Context.SchedulerTimeType.Stride
  @usableFromInline let latest: Bool

  @inlinable
  init(scheduler: Context, interval: Context.SchedulerTimeType.Stride, latest: Bool) {
    self.scheduler = scheduler
    self.interval = interval
    self.latest = latest
  }

  @inlinable static var name: StaticString { "Throttle" }
  @inlinable static var cancelsEndedUpstream: Bool { true }
  @inlinable var timerOptions: Context.SchedulerOptions? { nil }
  @inlinable var jobOptions: Context.SchedulerOptions? { nil }
  @inlinable var nothing: Kept { Kept() }

  @inlinable
  func take<Downstream: Subscriber>(_ input: Value, _ link: TimedLink<Self, Downstream>) -> Subscribers.Demand
  where Downstream.Input == Output, Downstream.Failure == Failure {
    let now = scheduler.now
    guard link.ledger.demand > .none else { return .none }
    let decision = link.withState { state -> Decision in
      guard !state.isOver else { return .settled(former: nil) }
      guard state.kept.isDue else { return .schedule(lastEmission: state.kept.lastEmission) }
      guard latest else { return .settled(former: nil) }
      let former = state.kept.value
      state.kept.value = input
      return .settled(former: former)
    }
    guard case .schedule(let lastEmission) = decision, link.ledger.take() else { return .none }
    let date = lastEmission.map { max(now, $0.advanced(by: interval)) } ?? now
    // Nothing was due, and the upstream is serial: only the end can have come since.
    let isKept = link.withState { state -> Bool in
      guard !state.isOver else { return false }
      state.kept.value = input
      return true
    }
    if isKept { schedule(at: date == now ? nil : date, link) }
    return .none
  }

  /// Schedules what is due. As in Combine, that does not keep the stream alive.
  @inlinable
  func schedule<Downstream: Subscriber>(at date: Context.SchedulerTimeType?, _ link: TimedLink<Self, Downstream>)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    let action: () -> Void
    if Context.mayDropJobs {
      let job = DroppableJob(DueTick(link), 0..<1)
      action = { job.run() }
    } else {
      action = { [weak link] in link?.tick(0) }
    }
    if let date { scheduler.schedule(after: date, action) } else { scheduler.schedule(action) }
  }

  /// Leaves out the value whose job was dropped, which counts as not asked for; an end that came behind it gets a job
  /// of its own.
  @usableFromInline
  func leaveOut<Downstream: Subscriber>(_ link: TimedLink<Self, Downstream>)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    let (value, number) = link.withState { state -> (Value?, Int?) in
      (state.kept.value.take(), state.kept.completion.take().map { link.put(.completion($0)) })
    }
    if value != nil { link.ledger.add(.max(1)) }
    if let number { link.deliverLater(from: number) }
  }

  @inlinable
  func finish<Downstream: Subscriber>(
    _ completion: Subscribers.Completion<Downstream.Failure>, _ link: TimedLink<Self, Downstream>
  ) where Downstream.Input == Output, Downstream.Failure == Failure {
    let isFirst = link.withState { state -> Bool in
      guard !state.isOver else { return false }
      let isFirst = !state.kept.isDue
      state.kept.completion = completion
      return isFirst
    }
    if isFirst { schedule(at: nil, link) }
  }

  @inlinable
  func tick<Downstream: Subscriber>(_ generation: Int, _ link: TimedLink<Self, Downstream>)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    let now = scheduler.now
    // Held here: once they are in the queue, another thread may free them.
    var due: Value?
    var end: Subscribers.Completion<Downstream.Failure>?
    let count = link.withState { state -> Int in
      swap(&due, &state.kept.value)
      swap(&end, &state.kept.completion)
      var count = 0
      if let due {
        if end == nil { state.kept.lastEmission = now }
        link.put(.value(due))
        count += 1
      }
      if let end {
        link.put(.completion(end))
        count += 1
      }
      return count
    }
    link.deliverHere(count)
  }
}

/// The delivery of what is due, on a scheduler that may drop its job.
@usableFromInline
final class DueTick<Context: Scheduler, Value, Failure, Downstream: Subscriber>: DroppableWork
where Downstream.Input == Value, Downstream.Failure == Failure {
  @usableFromInline weak var link: TimedLink<ThrottlePolicy<Context, Value, Failure>, Downstream>?

  @inlinable
  init(_ link: TimedLink<ThrottlePolicy<Context, Value, Failure>, Downstream>) { self.link = link }

  @inlinable
  func runJob(_ pieces: Range<Int>) { link?.tick(0) }

  @inlinable
  func dropJob(_ pieces: Range<Int>) {
    if let link { link.policy.leaveOut(link) }
  }
}
