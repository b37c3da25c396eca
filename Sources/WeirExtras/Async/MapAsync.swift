// Transforms every value with asynchronous code.

public import Weir

extension Publisher {
  /// Transforms every value with asynchronous code.
  ///
  /// - Parameters:
  ///   - maxConcurrent: How many values may be under way at once: no more are asked for. With one, the default, results
  ///     keep the order of the values; with more they come as they are ready.
  ///   - priority: The priority of the tasks.
  ///   - transform: Makes the new value. It may throw this stream's kind of error, which ends the stream.
  @inlinable
  public func mapAsync<Result>(
    maxConcurrent: Int = 1, priority: TaskPriority? = nil,
    _ transform: @escaping (Output) async throws(Failure) -> Result
  ) -> Publishers.MapAsync<Self, Result> {
    Publishers.MapAsync(upstream: self, maxConcurrent: maxConcurrent, priority: priority) {
      (input: Output) async throws(Failure) -> Result? in try await transform(input)
    }
  }

  /// Transforms every value with asynchronous code, and drops the value where that returns `nil`.
  ///
  /// Unlike the commonly copied version, it takes one value at a time unless told otherwise, so that results keep their
  /// order, asks for no more values than may be under way, and cancels its tasks.
  ///
  /// - Parameters:
  ///   - maxConcurrent: How many values may be under way at once: no more are asked for. With one, the default, results
  ///     keep the order of the values; with more they come as they are ready.
  ///   - priority: The priority of the tasks.
  ///   - transform: Makes the new value, or `nil`. It may throw this stream's kind of error, which ends the stream.
  @inlinable
  public func compactMapAsync<Result>(
    maxConcurrent: Int = 1, priority: TaskPriority? = nil,
    _ transform: @escaping (Output) async throws(Failure) -> Result?
  ) -> Publishers.MapAsync<Self, Result> {
    Publishers.MapAsync(upstream: self, maxConcurrent: maxConcurrent, priority: priority, transform: transform)
  }

  /// The same with its type erased, for code that names `AnyPublisher`.
  ///
  /// - Parameter transform: Makes the new value, or `nil`.
  @_disfavoredOverload
  @inlinable
  public func compactMapAsync<Result>(
    _ transform: @escaping (Output) async throws(Failure) -> Result?
  ) -> AnyPublisher<Result, Failure> {
    Publishers.MapAsync(upstream: self, maxConcurrent: 1, priority: nil, transform: transform).eraseToAnyPublisher()
  }
}

extension Publishers {
  /// Transforms every value of another publisher with asynchronous code, and drops those that become `nil`.
  ///
  /// Each value under way has a task of its own, which is cancelled when the stream is, or fails.
  public struct MapAsync<Upstream: Publisher, Output>: Publisher {
    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// How many values may be under way at once.
    public let maxConcurrent: Int

    /// The priority of the tasks.
    public let priority: TaskPriority?

    /// Makes the new value, or `nil`.
    public let transform: (Upstream.Output) async throws(Upstream.Failure) -> Output?

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - maxConcurrent: How many values may be under way at once; at least one.
    ///   - priority: The priority of the tasks.
    ///   - transform: Makes the new value, or `nil`.
    public init(
      upstream: Upstream, maxConcurrent: Int = 1, priority: TaskPriority? = nil,
      transform: @escaping (Upstream.Output) async throws(Upstream.Failure) -> Output?
    ) {
      precondition(maxConcurrent > 0, "at least one value has to be under way at once")
      self.upstream = upstream
      self.maxConcurrent = maxConcurrent
      self.priority = priority
      self.transform = transform
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let (priority, transform) = (priority, transform)
      upstream.flatMap(maxPublishers: .max(maxConcurrent)) { input in
        AsyncOperation<Output, Failure>(priority: priority) { () async throws(Failure) -> Output? in
          try await transform(input)
        }
      }.attach(subscriber, cancelsUpstream: true)
    }
  }
}
