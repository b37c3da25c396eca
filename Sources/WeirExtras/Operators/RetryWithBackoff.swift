// Subscribes to a failed stream again, after a pause that doubles each time.

public import Dispatch
public import Weir
public import WeirDispatch
import WeirQueues

extension Publisher {
  /// Subscribes to this stream again when it fails, after a pause that doubles with each failure; when all retries are
  /// spent, the last failure is passed on at once.
  ///
  /// Failures are counted per subscription. Values that were passed on before a failure are not taken back. Cancelling
  /// cancels a pause.
  ///
  /// Unlike the commonly copied version, which retries once and never doubles the pause, it does what its parameters
  /// say; it has jitter, a predicate and a choice of what a value does to the count besides. The schedulers may be
  /// concurrent ones: they only subscribe again, and no value passes through them.
  ///
  /// - Parameters:
  ///   - maxRetries: How many times the stream is subscribed to again at most; not negative.
  ///   - initialDelay: The first pause, in seconds; `maxDelay` if that is less.
  ///   - maxDelay: The longest pause, in seconds.
  ///   - jitter: The share of each pause that is left to chance, from 0 to 1: each pause is between `1 - jitter` and 1
  ///     times what it would be, so that many clients don't come back at the same moment.
  ///   - resetsAfterValue: `true` if a value makes the count of failures and the pause start again; otherwise all
  ///     failures of the subscription count.
  ///   - randomness: Gives numbers from 0 up to, but not including, 1.
  ///   - scheduler: The scheduler that measures the pauses.
  ///   - options: Options for the scheduler.
  ///   - shouldRetry: Returns `true` to try again after a failure, `false` to pass it on at once.
  @inlinable
  public func retryWithBackoff<Context: Scheduler>(
    maxRetries: Int, initialDelay: Double = 1, maxDelay: Double = 60, jitter: Double = 0,
    resetsAfterValue: Bool = false, randomness: @escaping () -> Double = { Double.random(in: 0..<1) },
    scheduler: Context, options: Context.SchedulerOptions? = nil,
    shouldRetry: @escaping (Failure) -> Bool = { _ in true }
  ) -> Publishers.RetryWithBackoff<Self, Context> {
    Publishers.RetryWithBackoff(
      upstream: self,
      backoff: Backoff(
        maxRetries: maxRetries, initialDelay: initialDelay, maxDelay: maxDelay, jitter: jitter,
        resetsAfterValue: resetsAfterValue, randomness: randomness),
      scheduler: scheduler, options: options, shouldRetry: shouldRetry)
  }

  /// The same with its type erased, for code that names `AnyPublisher`.
  ///
  /// - Parameters:
  ///   - maxRetries: How many times the stream is subscribed to again at most; not negative.
  ///   - initialDelay: The first pause, in seconds; `maxDelay` if that is less.
  ///   - maxDelay: The longest pause, in seconds.
  ///   - scheduler: The scheduler that measures the pauses.
  @_disfavoredOverload
  @inlinable
  public func retryWithBackoff<Context: Scheduler>(
    maxRetries: Int, initialDelay: Double = 1, maxDelay: Double = 60, scheduler: Context
  ) -> AnyPublisher<Output, Failure> {
    let typed: Publishers.RetryWithBackoff<Self, Context> = retryWithBackoff(
      maxRetries: maxRetries, initialDelay: initialDelay, maxDelay: maxDelay, scheduler: scheduler)
    return typed.eraseToAnyPublisher()
  }

  /// Subscribes to this stream again when it fails, after a pause on a global queue that doubles with each failure, up
  /// to a minute; when all retries are spent, the last failure is passed on at once.
  ///
  /// An operator of the same name that a project declares itself takes precedence.
  ///
  /// - Parameters:
  ///   - maxRetries: How many times the stream is subscribed to again at most; not negative.
  ///   - initialDelay: The first pause, in seconds; a minute if that is less.
  @_disfavoredOverload
  @inlinable
  public func retryWithBackoff(maxRetries: Int, initialDelay: Double = 0.5) -> AnyPublisher<Output, Failure> {
    retryWithBackoff(maxRetries: maxRetries, initialDelay: initialDelay, scheduler: DispatchQueue.global())
  }
}

/// How often a failed stream is subscribed to again, and after which pauses.
public struct Backoff {
  /// How many times the stream is subscribed to again at most: in all, or with `resetsAfterValue` between two values.
  public let maxRetries: Int
  /// The first pause, in seconds; `maxDelay` if that is less.
  public let initialDelay: Double
  /// The longest pause, in seconds.
  public let maxDelay: Double
  /// The share of each pause that is left to chance.
  public let jitter: Double
  /// `true` if a value makes the count of failures and the pause start again.
  public let resetsAfterValue: Bool
  /// Gives numbers from 0 up to, but not including, 1.
  public let randomness: () -> Double

  /// Creates a plan.
  ///
  /// - Parameters:
  ///   - maxRetries: How many times the stream is subscribed to again at most; not negative.
  ///   - initialDelay: The first pause, in seconds, or `maxDelay` if that is less; not negative.
  ///   - maxDelay: The longest pause, in seconds; not negative.
  ///   - jitter: The share of each pause that is left to chance, from 0 to 1.
  ///   - resetsAfterValue: `true` if a value makes the count of failures and the pause start again.
  ///   - randomness: Gives numbers from 0 up to, but not including, 1.
  public init(
    maxRetries: Int, initialDelay: Double, maxDelay: Double, jitter: Double = 0, resetsAfterValue: Bool = false,
    randomness: @escaping () -> Double = { Double.random(in: 0..<1) }
  ) {
    precondition(maxRetries >= 0, "a stream can't be retried less than not at all")
    precondition(initialDelay >= 0 && maxDelay >= 0, "a pause can't be shorter than nothing")
    precondition((0...1).contains(jitter), "jitter is a share, from 0 to 1")
    self.maxRetries = maxRetries
    self.initialDelay = initialDelay
    self.maxDelay = maxDelay
    self.jitter = jitter
    self.resetsAfterValue = resetsAfterValue
    self.randomness = randomness
  }
}

extension Publishers {
  /// Subscribes to another publisher again when it fails, after a pause that doubles with each failure.
  ///
  /// Demand that has not been met is passed to the next attempt. Failures that follow each other without a pause are
  /// answered in a loop, so the stack does not grow.
  public struct RetryWithBackoff<Upstream: Publisher, Context: Scheduler>: Publisher {
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

    /// How often and after which pauses.
    public let backoff: Backoff

    /// The scheduler that measures the pauses.
    public let scheduler: Context

    /// Options for the scheduler.
    public let options: Context.SchedulerOptions?

    /// Returns `true` to try again after a failure, `false` to pass it on at once.
    public let shouldRetry: (Failure) -> Bool

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - backoff: How often and after which pauses.
    ///   - scheduler: The scheduler that measures the pauses.
    ///   - options: Options for the scheduler.
    ///   - shouldRetry: Returns `true` to try again after a failure, `false` to pass it on at once.
    public init(
      upstream: Upstream, backoff: Backoff, scheduler: Context, options: Context.SchedulerOptions? = nil,
      shouldRetry: @escaping (Failure) -> Bool = { _ in true }
    ) {
      self.upstream = upstream
      self.backoff = backoff
      self.scheduler = scheduler
      self.options = options
      self.shouldRetry = shouldRetry
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let policy = DelayedRevivalPolicy(backoff, scheduler, options, shouldRetry)
      RevivalSubscriber.attach(upstream, policy, to: subscriber)
    }
  }
}

/// Lets a pause pass between a failure and the next attempt. The upstream's serial calls alone touch what changes.
@usableFromInline
final class DelayedRevivalPolicy<Failure: Error, Context: Scheduler>: RevivalPolicy {
  private let backoff: Backoff
  private let scheduler: Context
  private let options: Context.SchedulerOptions?
  private let shouldRetry: (Failure) -> Bool
  private var retries = 0
  private var delay: Double

  @usableFromInline static var name: String { "RetryWithBackoff" }

  @usableFromInline
  init(
    _ backoff: Backoff, _ scheduler: Context, _ options: Context.SchedulerOptions?,
    _ shouldRetry: @escaping (Failure) -> Bool
  ) {
    self.backoff = backoff
    self.scheduler = scheduler
    self.options = options
    self.shouldRetry = shouldRetry
    delay = min(backoff.initialDelay, backoff.maxDelay)
  }

  @usableFromInline
  func noteValue() {
    guard backoff.resetsAfterValue, retries > 0 else { return }
    retries = 0
    delay = min(backoff.initialDelay, backoff.maxDelay)
  }

  @usableFromInline
  func follow(_ failure: Failure, _ revival: Revival<Failure>) {
    guard retries < backoff.maxRetries, shouldRetry(failure) else { return revival.conclude(.failure(failure)) }
    let pause = backoff.jitter == 0 ? delay : delay * (1 - backoff.jitter * backoff.randomness())
    retries += 1
    delay = min(delay * 2, backoff.maxDelay)
    wait(pause, revival)
  }

  /// Resumes after a pause. A repeating timer is used for what it returns: the means to cancel it.
  ///
  /// The scheduler may keep the action for as long as it likes: what the action would do is taken away from it.
  private func wait(_ pause: Double, _ revival: Revival<Failure>) {
    let pending = ScheduledWork(revival.resume)
    let stride = Context.SchedulerTimeType.Stride.seconds(pause)
    let timer = scheduler.schedule(
      after: scheduler.now.advanced(by: stride), interval: .seconds(max(pause, 1)),
      tolerance: scheduler.minimumTolerance, options: options
    ) { pending.runOnce() }
    revival.holdWhileWaiting(
      AnyCancellable {
        pending.drop()
        timer.cancel()
      })
  }
}
