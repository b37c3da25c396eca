// Fails at once.

/// Publishes no value, and fails at once.
public struct Fail<Output, Failure: Error>: Publisher {
  /// The error to fail with.
  public let error: Failure

  /// Creates the publisher.
  ///
  /// - Parameter error: The error to fail with.
  @_alwaysEmitIntoClient
  public init(error: Failure) { self.error = error }

  /// Creates the publisher, with its kind of values given as an argument.
  ///
  /// - Parameters:
  ///   - outputType: The kind of values that it does not publish.
  ///   - failure: The error to fail with.
  @_alwaysEmitIntoClient
  public init(outputType: Output.Type, failure: Failure) { self.init(error: failure) }

  /// Attaches a subscriber.
  @_alwaysEmitIntoClient
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Output == Downstream.Input, Failure == Downstream.Failure {
    subscriber.receive(subscription: Subscriptions.empty)
    subscriber.receive(completion: .failure(error))
  }
}

extension Fail: Equatable where Failure: Equatable {}

extension Fail: KnownStream {
  @inlinable @inline(__always)
  package func publish(_ receive: (Output) -> Void, while isWelcome: () -> Bool) -> Subscribers.Completion<Failure>? {
    .failure(error)
  }
}
