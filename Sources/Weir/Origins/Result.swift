// Publishes a value or an error that is known already.

extension Result {
  /// Publishes the value and finishes, or fails.
  @_alwaysEmitIntoClient
  public var publisher: Publisher { Publisher(self) }

  /// Publishes a value to each subscriber, then finishes; or fails at once.
  public struct Publisher: Weir.Publisher {
    /// The kind of values published.
    public typealias Output = Success

    /// The value to publish, or the error to fail with.
    public let result: Result

    /// Creates the publisher.
    ///
    /// - Parameter result: The value to publish, or the error to fail with.
    @_alwaysEmitIntoClient
    public init(_ result: Result) { self.result = result }

    /// Creates a publisher of a value.
    ///
    /// - Parameter output: The value to publish.
    @_alwaysEmitIntoClient
    public init(_ output: Output) { self.init(.success(output)) }

    /// Creates a publisher that fails.
    ///
    /// - Parameter failure: The error to fail with.
    @_alwaysEmitIntoClient
    public init(_ failure: Failure) { self.init(.failure(failure)) }

    /// Attaches a subscriber, which gets the value when it asks for one, or the error at once.
    @_alwaysEmitIntoClient
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Output == Downstream.Input, Failure == Downstream.Failure {
      switch result {
      case .success(let output): CollectionOfOne(output).deliver(to: subscriber, as: "Once")
      case .failure(let failure): Fail(error: failure).receive(subscriber: subscriber)
      }
    }
  }
}

extension Result.Publisher: Equatable where Success: Equatable, Failure: Equatable {}

extension Result {
  /// The changed value, or the error of this result, or the one that the closure throws.
  @inlinable
  func tryMap<NewSuccess>(_ transform: (Success) throws -> NewSuccess) -> Result<NewSuccess, any Error> {
    Result<NewSuccess, any Error> { try transform(get()) }
  }
}

extension Result.Publisher: KnownStream {
  @inlinable @inline(__always)
  package func publish(_ receive: (Output) -> Void, while isWelcome: () -> Bool) -> Subscribers.Completion<Failure>? {
    switch result {
    case .success(let output):
      receive(output)
      return .finished
    case .failure(let failure): return .failure(failure)
    }
  }
}
