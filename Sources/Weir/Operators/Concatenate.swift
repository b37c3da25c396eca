// Publishes one stream after another.

extension Publisher {
  /// Publishes values before those of this stream.
  ///
  /// - Parameter elements: The values.
  @_alwaysEmitIntoClient
  public func prepend(_ elements: Output...) -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self> {
    prepend(elements)
  }

  /// Publishes the elements of a sequence before the values of this stream.
  ///
  /// - Parameter elements: The sequence.
  @_alwaysEmitIntoClient
  public func prepend<Elements: Sequence>(
    _ elements: Elements
  ) -> Publishers.Concatenate<Publishers.Sequence<Elements, Failure>, Self> where Output == Elements.Element {
    prepend(Publishers.Sequence(sequence: elements))
  }

  /// Publishes what another stream publishes before the values of this one.
  ///
  /// - Parameter publisher: The other stream.
  @_alwaysEmitIntoClient
  public func prepend<Prefix: Publisher>(
    _ publisher: Prefix
  ) -> Publishers.Concatenate<Prefix, Self> where Failure == Prefix.Failure, Output == Prefix.Output {
    Publishers.Concatenate(prefix: publisher, suffix: self)
  }

  /// Publishes values after those of this stream, if it finishes.
  ///
  /// - Parameter elements: The values.
  @_alwaysEmitIntoClient
  public func append(_ elements: Output...) -> Publishers.Concatenate<Self, Publishers.Sequence<[Output], Failure>> {
    append(elements)
  }

  /// Publishes the elements of a sequence after the values of this stream, if it finishes.
  ///
  /// - Parameter elements: The sequence.
  @_alwaysEmitIntoClient
  public func append<Elements: Sequence>(
    _ elements: Elements
  ) -> Publishers.Concatenate<Self, Publishers.Sequence<Elements, Failure>> where Output == Elements.Element {
    append(Publishers.Sequence(sequence: elements))
  }

  /// Publishes what another stream publishes after the values of this one, if it finishes.
  ///
  /// Streams appended in a loop nest on the stack: <doc:Depth> says how many there may be.
  ///
  /// - Parameter publisher: The other stream.
  @_alwaysEmitIntoClient
  public func append<Suffix: Publisher>(
    _ publisher: Suffix
  ) -> Publishers.Concatenate<Self, Suffix> where Suffix.Failure == Failure, Suffix.Output == Output {
    Publishers.Concatenate(prefix: self, suffix: publisher)
  }
}

extension Publishers {
  /// Publishes what one publisher publishes and, when that has finished, what another one publishes.
  ///
  /// Demand that the first has not met is passed to the second, in one request. If the first fails, so does this, and
  /// the second is not subscribed to. A cancellation frees the second.
  public struct Concatenate<Prefix: Publisher, Suffix: Publisher>: Publisher
  where Prefix.Failure == Suffix.Failure, Prefix.Output == Suffix.Output {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The publishers' kind of values.
    public typealias Output = Suffix.Output
    /// The publishers' kind of error.
    public typealias Failure = Suffix.Failure

    /// The publisher that comes first.
    public let prefix: Prefix

    /// The publisher that is subscribed to when the first has finished.
    public let suffix: Suffix

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - prefix: The publisher that comes first.
    ///   - suffix: The publisher that is subscribed to when the first has finished.
    @_alwaysEmitIntoClient
    public init(prefix: Prefix, suffix: Suffix) {
      self.prefix = prefix
      self.suffix = suffix
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Suffix.Failure == Downstream.Failure, Suffix.Output == Downstream.Input {
      ConcatenatePolicy(suffix: suffix).attach(prefix, to: subscriber)
    }
  }
}

extension Publishers.Concatenate: Equatable where Prefix: Equatable, Suffix: Equatable {}

/// Follows the finish of a stream with another stream.
@frozen
@usableFromInline
struct ConcatenatePolicy<Suffix: Publisher>: SuccessionPolicy {
  @usableFromInline typealias Input = Suffix.Output
  @usableFromInline typealias UpstreamFailure = Suffix.Failure
  @usableFromInline typealias Successor = Suffix
  @usableFromInline typealias Failure = Suffix.Failure

  @usableFromInline let suffix: Suffix

  @inlinable
  init(suffix: Suffix) { self.suffix = suffix }

  @inlinable static var name: String { "Concatenate" }
  @inlinable static var isTrusting: Bool { false }

  @inlinable
  func follow(_ completion: Subscribers.Completion<Failure>) -> Following<Suffix, Failure> {
    if case .finished = completion { .stream(suffix) } else { .end(completion) }
  }
}
