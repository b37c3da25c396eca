// Publishes a value that may be missing.

extension Optional {
  /// Publishes the value if there is one, and finishes in any case.
  @inlinable
  public var publisher: Publisher { Publisher(self) }

  /// Publishes a value to each subscriber if there is one, then finishes.
  public struct Publisher: Weir.Publisher {
    /// The kind of values published.
    public typealias Output = Wrapped
    /// Never: this publisher can't fail.
    public typealias Failure = Never

    /// The value to publish, if any.
    public let output: Wrapped?

    /// Creates the publisher.
    ///
    /// - Parameter output: The value to publish, if any.
    @inlinable
    public init(_ output: Output?) { self.output = output }

    /// Attaches a subscriber.
    @inlinable
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Output == Downstream.Input, Failure == Downstream.Failure {
      guard let output else { return EmptyCollection().deliver(to: subscriber) }
      CollectionOfOne(output).deliver(to: subscriber, as: "Optional")
    }
  }
}

extension Optional.Publisher: Equatable where Wrapped: Equatable {}

// Operators that are applied at once.
extension Optional.Publisher {
  /// Publishes the changed value.
  @inlinable
  public func map<ElementOfResult>(
    _ transform: (Output) -> ElementOfResult
  ) -> Optional<ElementOfResult>.Publisher {
    Optional<ElementOfResult>.Publisher(output.map(transform))
  }

  /// Publishes the value if it satisfies a predicate.
  @inlinable
  public func filter(_ isIncluded: (Output) -> Bool) -> Optional<Wrapped>.Publisher {
    Optional<Wrapped>.Publisher(output.flatMap { isIncluded($0) ? $0 : nil })
  }

  /// Publishes the changed value, if there is one.
  @inlinable
  public func compactMap<ElementOfResult>(
    _ transform: (Output) -> ElementOfResult?
  ) -> Optional<ElementOfResult>.Publisher {
    Optional<ElementOfResult>.Publisher(output.flatMap(transform))
  }

  /// Publishes what a closure makes of the value, if there is one, and of an initial result.
  @inlinable
  public func scan<ElementOfResult>(
    _ initialResult: ElementOfResult, _ nextPartialResult: (ElementOfResult, Output) -> ElementOfResult
  ) -> Optional<ElementOfResult>.Publisher {
    Optional<ElementOfResult>.Publisher(output.map { nextPartialResult(initialResult, $0) })
  }

  /// Publishes the value, which has none to be a duplicate of; the predicate is not called.
  @inlinable
  public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Optional<Wrapped>.Publisher { self }
}

extension Optional.Publisher where Wrapped: Equatable {
  /// Publishes the value, which has none to be a duplicate of.
  @inlinable
  public func removeDuplicates() -> Optional<Wrapped>.Publisher { self }
}
