// Transforms every value with asynchronous code.

public import Weir
import WeirQueues

extension Publisher {
  /// Transforms every value with asynchronous code, one after the other.
  ///
  /// Values are asked for at the subscription. Those that come while one is under way wait in order, and all of them,
  /// if `buffering` doesn't say otherwise. A failure of this stream comes behind them and the one that is under way, as
  /// its end does; one of the transform ends the stream at once.
  ///
  /// Results are delivered on threads of the pool, also where the transform belongs to an actor, as the main one; one
  /// that nobody has asked for yet, on the thread that asks. Put `receive(on:)` before closures that belong to an
  /// actor. After a cancellation the transform is not called any more, but where a task is just about to call it.
  ///
  /// - Parameters:
  ///   - buffering: What is kept of the values that come meanwhile. Where several come at once within the subscription,
  ///     as from a sequence, all of them may count as such. With `.backpressure(0)` no more than one is asked for, and
  ///     only what comes unasked, as from `objectWillChange`, is kept. A result for which nobody has asked counts as
  ///     under way.
  ///   - priority: The priority of the tasks.
  ///   - transform: Makes the new value. It may throw this stream's kind of error, which ends the stream.
  @_disfavoredOverload
  @inlinable
  public func mapAsync<Result>(
    buffering: AsyncBuffering = .unbounded, priority: TaskPriority? = nil,
    _ transform: @escaping (Output) async throws(Failure) -> Result
  ) -> Publishers.MapAsync<Self, Result> {
    Publishers.MapAsync(self, 1, buffering, priority) {
      (input: Output) async throws(Failure) -> Result? in try await transform(input)
    }
  }

  /// Transforms every value with asynchronous code, several at once.
  ///
  /// Results come as they are ready. Everything else is as with ``mapAsync(buffering:priority:_:)``: with
  /// `.backpressure(0)`, no more values are asked for than may be under way. A failure of the transform cancels what
  /// else is under way.
  ///
  /// - Parameters:
  ///   - maxConcurrent: How many values may be under way at once; at least one, with which results keep the order of
  ///     the values.
  ///   - buffering: What is kept of the values that come meanwhile.
  ///   - priority: The priority of the tasks.
  ///   - transform: Makes the new value. It may run on several threads at once, so that it is `@Sendable`. It may throw
  ///     this stream's kind of error, which ends the stream.
  @_disfavoredOverload
  @inlinable
  public func mapAsync<Result>(
    maxConcurrent: Int, buffering: AsyncBuffering = .unbounded, priority: TaskPriority? = nil,
    _ transform: @escaping @Sendable (Output) async throws(Failure) -> Result
  ) -> Publishers.MapAsync<Self, Result> {
    Publishers.MapAsync(self, maxConcurrent, buffering, priority) {
      (input: Output) async throws(Failure) -> Result? in try await transform(input)
    }
  }

  /// Transforms every value with asynchronous code, one after the other, and drops the value where that returns `nil`.
  ///
  /// Unlike the commonly copied version, it takes one value at a time, so that results keep their order, and cancels
  /// its tasks. What is kept and what ends the stream is as with ``mapAsync(buffering:priority:_:)``.
  ///
  /// - Parameters:
  ///   - buffering: What is kept of the values that come meanwhile.
  ///   - priority: The priority of the tasks.
  ///   - transform: Makes the new value, or `nil`. It may throw this stream's kind of error, which ends the stream.
  @inlinable
  public func compactMapAsync<Result>(
    buffering: AsyncBuffering = .unbounded, priority: TaskPriority? = nil,
    _ transform: @escaping (Output) async throws(Failure) -> Result?
  ) -> Publishers.MapAsync<Self, Result> { Publishers.MapAsync(self, 1, buffering, priority, transform) }

  /// Transforms every value with asynchronous code, several at once, and drops the value where that returns `nil`.
  ///
  /// Results come as they are ready. What is kept and what ends the stream is as with
  /// ``mapAsync(maxConcurrent:buffering:priority:_:)``.
  ///
  /// - Parameters:
  ///   - maxConcurrent: How many values may be under way at once; at least one, with which results keep the order of
  ///     the values.
  ///   - buffering: What is kept of the values that come meanwhile.
  ///   - priority: The priority of the tasks.
  ///   - transform: Makes the new value, or `nil`. It may run on several threads at once, so that it is `@Sendable`. It
  ///     may throw this stream's kind of error, which ends the stream.
  @_disfavoredOverload
  @inlinable
  public func compactMapAsync<Result>(
    maxConcurrent: Int, buffering: AsyncBuffering = .unbounded, priority: TaskPriority? = nil,
    _ transform: @escaping @Sendable (Output) async throws(Failure) -> Result?
  ) -> Publishers.MapAsync<Self, Result> {
    Publishers.MapAsync(self, maxConcurrent, buffering, priority, transform)
  }

  /// The same with its type erased, for code that names `AnyPublisher`.
  ///
  /// It takes one value at a time, and keeps all that come meanwhile, in order.
  ///
  /// - Parameter transform: Makes the new value, or `nil`.
  @_disfavoredOverload
  @inlinable
  public func compactMapAsync<Result>(
    _ transform: @escaping (Output) async throws(Failure) -> Result?
  ) -> AnyPublisher<Result, Failure> {
    Publishers.MapAsync(upstream: self, transform: transform).eraseToAnyPublisher()
  }
}

extension Publishers {
  /// Transforms every value of another publisher with asynchronous code, and drops those that become `nil`.
  ///
  /// Each value under way has a task of its own, which is cancelled when the stream is, or when another one's fails.
  /// The transform is not called any more then, but where a task is just about to call it: of an actor that is busy, it
  /// runs when the actor comes to it. Values that come meanwhile wait, as `buffering` says, and a failure of the
  /// upstream waits for all of them.
  ///
  /// Each task delivers its result itself, on a thread of the pool, also where the transform belongs to an actor:
  /// `receive(on:)` behind it moves to that. A result that nobody has asked for yet waits, and is delivered on the
  /// thread that asks.
  public struct MapAsync<Upstream: Publisher, Output>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// How many values may be under way at once.
    public let maxConcurrent: Int

    /// What is kept of the values that come while as many are under way as may be, or at once within the subscription.
    public let buffering: AsyncBuffering

    /// The priority of the tasks.
    public let priority: TaskPriority?

    /// Makes the new value, or `nil`.
    public let transform: (Upstream.Output) async throws(Upstream.Failure) -> Output?

    /// Creates the publisher of one value at a time.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - buffering: What is kept of the values that come meanwhile. Its number is valid.
    ///   - priority: The priority of the tasks.
    ///   - transform: Makes the new value, or `nil`.
    public init(
      upstream: Upstream, buffering: AsyncBuffering = .unbounded, priority: TaskPriority? = nil,
      transform: @escaping (Upstream.Output) async throws(Upstream.Failure) -> Output?
    ) {
      self.init(upstream, 1, buffering, priority, transform)
    }

    /// Creates the publisher of several values at once.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - maxConcurrent: How many values may be under way at once; at least one.
    ///   - buffering: What is kept of the values that come meanwhile. Its number is valid.
    ///   - priority: The priority of the tasks.
    ///   - transform: Makes the new value, or `nil`. It may run on several threads at once.
    public init(
      upstream: Upstream, maxConcurrent: Int, buffering: AsyncBuffering = .unbounded, priority: TaskPriority? = nil,
      transform: @escaping @Sendable (Upstream.Output) async throws(Upstream.Failure) -> Output?
    ) {
      self.init(upstream, maxConcurrent, buffering, priority, transform)
    }

    /// For callers that have seen to it that a transform of several values at once is `@Sendable`.
    @usableFromInline
    init(
      _ upstream: Upstream, _ maxConcurrent: Int, _ buffering: AsyncBuffering, _ priority: TaskPriority?,
      _ transform: @escaping (Upstream.Output) async throws(Upstream.Failure) -> Output?
    ) {
      precondition(maxConcurrent > 0, "at least one value has to be under way at once")
      precondition(buffering.isValid, "API violation: there can't be \(buffering)")
      self.upstream = upstream
      self.maxConcurrent = maxConcurrent
      self.buffering = buffering
      self.priority = priority
      self.transform = transform
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let (priority, transform) = (priority, transform)
      let failure = LateFailure<Failure>()
      let kept = KeptForTasks(upstream: WithoutFailure(upstream: upstream, failure: failure), buffering: buffering)
      kept.flatMap(maxPublishers: .max(maxConcurrent)) { input in
        AsyncOperation(AsyncTransform(input, transform), priority: priority, endsAtOnce: false)
      }.attach(LateFailureSubscriber(downstream: subscriber, failure: failure, tells: true), cancelsUpstream: true)
    }
  }
}

/// The transform of one value as a task's work.
@usableFromInline
struct AsyncTransform<Input, Output, Failure: Error>: AsyncWork {
  @usableFromInline let input: Input
  @usableFromInline let transform: (Input) async throws(Failure) -> Output?

  @inlinable
  init(_ input: Input, _ transform: @escaping (Input) async throws(Failure) -> Output?) {
    self.input = input
    self.transform = transform
  }

  @inlinable
  func makeValue() async throws(Failure) -> Output? { try await transform(input) }
}

/// Keeps the values that come while tasks are busy.
@usableFromInline
struct KeptForTasks<Upstream: Publisher>: Publisher {
  @usableFromInline typealias Output = Upstream.Output
  @usableFromInline typealias Failure = Upstream.Failure

  @usableFromInline let upstream: Upstream
  @usableFromInline let buffering: AsyncBuffering

  @inlinable
  init(upstream: Upstream, buffering: AsyncBuffering) {
    self.upstream = upstream
    self.buffering = buffering
  }

  @inlinable
  func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    switch buffering {
    case .unbounded: keep(.max, .dropNewest, for: subscriber)
    case .oldest(let limit): keep(limit, .dropNewest, for: subscriber)
    case .newest(let limit): keep(limit, .dropOldest, for: subscriber)
    // Also what comes unasked.
    case .backpressure(0): upstream.receive(subscriber: KeptUnasked(subscriber))
    case .backpressure(let ahead):
      upstream.buffer(size: ahead, prefetch: .keepFull, whenFull: .dropNewest).attach(subscriber, keeping: .max)
    }
  }

  @inlinable
  func keep<Downstream: Subscriber>(
    _ size: Int, _ whenFull: Publishers.BufferingStrategy<Failure>, for subscriber: Downstream
  ) where Downstream.Input == Output, Downstream.Failure == Failure {
    upstream.buffer(size: size, prefetch: .byRequest, whenFull: whenFull).receive(subscriber: subscriber)
  }
}

/// An upstream's failure on its way round the values: `flatMap` passes a finish on behind all that is under way, a
/// failure at once. So the failure becomes a finish before it, and a failure again behind it.
@usableFromInline
final class LateFailure<Failure: Error>: Sendable {
  private let failure = Lock<Failure?>(nil)

  @usableFromInline
  init() {}

  /// Of several, which a publisher that breaks its contract may send, the first counts.
  @usableFromInline
  func put(_ failure: Failure) {
    self.failure.withLock { former in
      if former == nil { former = failure }
    }
  }

  @usableFromInline
  func take() -> Failure? { failure.withLock { $0.take() } }
}

/// Passes on the values of another publisher, and a finish where that fails.
@usableFromInline
struct WithoutFailure<Upstream: Publisher>: Publisher {
  @usableFromInline typealias Output = Upstream.Output
  @usableFromInline typealias Failure = Upstream.Failure

  @usableFromInline let upstream: Upstream
  @usableFromInline let failure: LateFailure<Failure>

  @inlinable
  init(upstream: Upstream, failure: LateFailure<Failure>) {
    self.upstream = upstream
    self.failure = failure
  }

  @inlinable
  func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    upstream.receive(subscriber: LateFailureSubscriber(downstream: subscriber, failure: failure, tells: false))
  }
}

/// Passes everything on but the end: makes a finish of a failure, or a failure of the finish.
@usableFromInline
struct LateFailureSubscriber<Downstream: Subscriber>: Subscriber, CustomStringConvertible {
  @usableFromInline let combineIdentifier = CombineIdentifier()
  @usableFromInline let downstream: Downstream
  @usableFromInline let failure: LateFailure<Downstream.Failure>
  /// Whether it stands behind the values.
  @usableFromInline let tells: Bool

  @inlinable
  init(downstream: Downstream, failure: LateFailure<Downstream.Failure>, tells: Bool) {
    self.downstream = downstream
    self.failure = failure
    self.tells = tells
  }

  @inlinable
  func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

  @inlinable
  func receive(_ input: Downstream.Input) -> Subscribers.Demand { downstream.receive(input) }

  @inlinable
  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    switch completion {
    case .failure(let error) where !tells:
      failure.put(error)
      downstream.receive(completion: .finished)
    case .finished where tells:
      downstream.receive(completion: failure.take().map { .failure($0) } ?? .finished)
    case .failure, .finished: downstream.receive(completion: completion)
    }
  }

  @usableFromInline var description: String { "MapAsync" }
}
