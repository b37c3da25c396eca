// Publishes nothing at all, with an end or without one.

/// Publishes no value, and finishes at once or never.
public struct Empty<Output, Failure: Error>: Publisher, Equatable {
  /// `true` if it finishes at once, `false` if it never does.
  public let completeImmediately: Bool

  /// Creates the publisher.
  ///
  /// - Parameter completeImmediately: `true` to finish at once, `false` to never finish.
  @_alwaysEmitIntoClient
  public init(completeImmediately: Bool = true) { self.completeImmediately = completeImmediately }

  /// Creates the publisher, with its types given as arguments.
  ///
  /// - Parameters:
  ///   - completeImmediately: `true` to finish at once, `false` to never finish.
  ///   - outputType: The kind of values that it does not publish.
  ///   - failureType: The kind of error that it does not fail with.
  @_alwaysEmitIntoClient
  public init(completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type) {
    self.init(completeImmediately: completeImmediately)
  }

  /// Attaches a subscriber.
  @_alwaysEmitIntoClient
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Output == Downstream.Input, Failure == Downstream.Failure {
    subscriber.receive(subscription: Subscriptions.empty)
    if completeImmediately { subscriber.receive(completion: .finished) }
  }
}

extension Empty: KnownStream {
  @inlinable @inline(__always)
  package func publish(_ receive: (Output) -> Void, while isWelcome: () -> Bool) -> Subscribers.Completion<Failure>? {
    completeImmediately ? .finished : nil
  }
}
