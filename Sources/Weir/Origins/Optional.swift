// Publishes a value that may be missing.

extension Optional {
  /// Publishes the value if there is one, and finishes in any case.
  @_alwaysEmitIntoClient
  public var publisher: Publisher { Publisher(self) }

  /// Publishes a value to each subscriber if there is one, then finishes.
  public struct Publisher: Weir.Publisher {
    /// The kind of values published.
    public typealias Output = Wrapped
    /// `Never`: this publisher can't fail.
    public typealias Failure = Never

    /// The value to publish, if any.
    public let output: Wrapped?

    /// Creates the publisher.
    ///
    /// - Parameter output: The value to publish, if any.
    @_alwaysEmitIntoClient
    public init(_ output: Output?) { self.output = output }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Output == Downstream.Input, Failure == Downstream.Failure {
      guard let output else { return EmptyCollection().deliver(to: subscriber) }
      CollectionOfOne(output).deliver(to: subscriber, as: "Optional")
    }
  }
}

extension Optional.Publisher: Equatable where Wrapped: Equatable {}

extension Optional.Publisher: KnownStream {
  @inlinable @inline(__always)
  package func publish(_ receive: (Output) -> Void, while isWelcome: () -> Bool) -> Subscribers.Completion<Never>? {
    if let output { receive(output) }
    return .finished
  }
}
