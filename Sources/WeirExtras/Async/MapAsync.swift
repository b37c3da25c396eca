// Transforms every value with asynchronous code.

public import Weir

extension Publisher {
  /// Transforms every value with asynchronous code.
  ///
  /// Values are asked for at the subscription. Those that come while as many are under way as may be wait in order,
  /// and all of them, if `buffering` doesn't say otherwise; a failure of this stream comes behind them. With more than
  /// one at a time, a failure cancels those that are under way when it comes, as with `flatMap`.
  ///
  /// - Parameters:
  ///   - maxConcurrent: How many values may be under way at once. With one, the default, results keep the order of the
  ///     values; with more they come as they are ready.
  ///   - buffering: What is kept of the values that come meanwhile. With `.backpressure(0)` no more are asked for than
  ///     may be under way, and nothing is kept.
  ///   - priority: The priority of the tasks.
  ///   - transform: Makes the new value. It may throw this stream's kind of error, which ends the stream.
  @inlinable
  public func mapAsync<Result>(
    maxConcurrent: Int = 1, buffering: AsyncBuffering = .unbounded, priority: TaskPriority? = nil,
    _ transform: @escaping (Output) async throws(Failure) -> Result
  ) -> Publishers.MapAsync<Self, Result> {
    Publishers.MapAsync(upstream: self, maxConcurrent: maxConcurrent, buffering: buffering, priority: priority) {
      (input: Output) async throws(Failure) -> Result? in try await transform(input)
    }
  }

  /// Transforms every value with asynchronous code, and drops the value where that returns `nil`.
  ///
  /// Unlike the commonly copied version, it takes one value at a time unless told otherwise, so that results keep their
  /// order, and cancels its tasks. Values are asked for at the subscription. Those that come while as many are under way
  /// as may be wait in order, and all of them, if `buffering` doesn't say otherwise; a failure of this stream comes
  /// behind them. With more than one at a time, a failure cancels those that are under way when it comes.
  ///
  /// - Parameters:
  ///   - maxConcurrent: How many values may be under way at once. With one, the default, results keep the order of the
  ///     values; with more they come as they are ready.
  ///   - buffering: What is kept of the values that come meanwhile. With `.backpressure(0)` no more are asked for than
  ///     may be under way, and nothing is kept.
  ///   - priority: The priority of the tasks.
  ///   - transform: Makes the new value, or `nil`. It may throw this stream's kind of error, which ends the stream.
  @inlinable
  public func compactMapAsync<Result>(
    maxConcurrent: Int = 1, buffering: AsyncBuffering = .unbounded, priority: TaskPriority? = nil,
    _ transform: @escaping (Output) async throws(Failure) -> Result?
  ) -> Publishers.MapAsync<Self, Result> {
    Publishers.MapAsync(
      upstream: self, maxConcurrent: maxConcurrent, buffering: buffering, priority: priority, transform: transform)
  }

  /// The same with its type erased, for code that names `AnyPublisher`.
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
  /// Each value under way has a task of its own, which is cancelled when the stream is, or fails. Values that come
  /// meanwhile wait, as `buffering` says.
  public struct MapAsync<Upstream: Publisher, Output>: Publisher {
    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// How many values may be under way at once.
    public let maxConcurrent: Int

    /// What is kept of the values that come while as many are under way as may be.
    public let buffering: AsyncBuffering

    /// The priority of the tasks.
    public let priority: TaskPriority?

    /// Makes the new value, or `nil`.
    public let transform: (Upstream.Output) async throws(Upstream.Failure) -> Output?

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - maxConcurrent: How many values may be under way at once; at least one.
    ///   - buffering: What is kept of the values that come meanwhile. Its number is valid.
    ///   - priority: The priority of the tasks.
    ///   - transform: Makes the new value, or `nil`.
    public init(
      upstream: Upstream, maxConcurrent: Int = 1, buffering: AsyncBuffering = .unbounded,
      priority: TaskPriority? = nil,
      transform: @escaping (Upstream.Output) async throws(Upstream.Failure) -> Output?
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
      let kept = KeptForTasks(upstream: upstream, buffering: buffering)
      kept.flatMap(maxPublishers: .max(maxConcurrent)) { input in
        AsyncOperation<Output, Failure>(priority: priority) { () async throws(Failure) -> Output? in
          try await transform(input)
        }
      }.attach(subscriber, cancelsUpstream: true)
    }
  }
}

/// Keeps the values that come while tasks are busy, and a failure behind them.
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
    case .unbounded: keep(.max, .byRequest, .dropNewest, for: subscriber)
    case .oldest(let limit): keep(limit, .byRequest, .dropNewest, for: subscriber)
    case .newest(let limit): keep(limit, .byRequest, .dropOldest, for: subscriber)
    case .backpressure(0): upstream.receive(subscriber: subscriber)
    case .backpressure(let ahead): keep(ahead, .keepFull, .dropNewest, for: subscriber)
    }
  }

  @inlinable
  func keep<Downstream: Subscriber>(
    _ size: Int, _ prefetch: Publishers.PrefetchStrategy, _ whenFull: Publishers.BufferingStrategy<Failure>,
    for subscriber: Downstream
  ) where Downstream.Input == Output, Downstream.Failure == Failure {
    upstream.buffer(size: size, prefetch: prefetch, whenFull: whenFull).attach(subscriber, failuresWait: true)
  }
}
