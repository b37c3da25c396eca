// Publishes one value.

/// Publishes one value to each subscriber, then finishes.
public struct Just<Output>: Publisher {
  /// `Never`: this publisher can't fail.
  public typealias Failure = Never

  /// The value to publish.
  public let output: Output

  /// Creates the publisher.
  ///
  /// - Parameter output: The value to publish.
  @_alwaysEmitIntoClient
  public init(_ output: Output) { self.output = output }

  /// Attaches a subscriber.
  @_alwaysEmitIntoClient
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Never {
    CollectionOfOne(output).deliver(to: subscriber, as: "Just")
  }
}

extension Just: Equatable where Output: Equatable {}

extension Just: KnownStream {
  @inlinable @inline(__always)
  package func publish(_ receive: (Output) -> Void, while isWelcome: () -> Bool) -> Subscribers.Completion<Never>? {
    receive(output)
    return .finished
  }
}
