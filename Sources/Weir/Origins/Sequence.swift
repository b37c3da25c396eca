// Publishes the elements of a sequence.

extension Sequence {
  /// Publishes the elements of this sequence, then finishes.
  @_alwaysEmitIntoClient
  public var publisher: Publishers.Sequence<Self, Never> { Publishers.Sequence(sequence: self) }
}

extension Publishers {
  /// Publishes the elements of a sequence as they are asked for, then finishes.
  public struct Sequence<Elements: Swift.Sequence, Failure: Error>: Publisher {
    /// The kind of values published.
    public typealias Output = Elements.Element

    /// The elements to publish.
    public let sequence: Elements

    /// Creates the publisher.
    ///
    /// - Parameter sequence: The elements to publish.
    @_alwaysEmitIntoClient
    public init(sequence: Elements) { self.sequence = sequence }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Failure == Downstream.Failure, Elements.Element == Downstream.Input {
      sequence.deliver(to: subscriber)
    }
  }
}

extension Publishers.Sequence: Equatable where Elements: Equatable {}

extension Publishers.Sequence: KnownStream {
  @inlinable @inline(__always)
  package var isKnown: Bool { Elements.self is any PlainSequence.Type }

  @inlinable @inline(__always)
  package func publish(_ receive: (Output) -> Void, while isWelcome: () -> Bool) -> Subscribers.Completion<Failure>? {
    sequence.publish(receive, while: isWelcome) ? .finished : nil
  }
}
