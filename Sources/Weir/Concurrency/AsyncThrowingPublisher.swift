// The values of a publisher that may fail, as an asynchronous sequence that throws.

/// A publisher as an asynchronous sequence that throws the publisher's error.
///
/// Each iterator subscribes when it is made, and asks for one value per call of `next`. When the iterating task is
/// cancelled, or the iterator is gone, the subscription is cancelled.
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
  /// The kind of values.
  public typealias Element = P.Output
  /// The kind of iterator.
  public typealias AsyncIterator = Iterator

  /// Takes the values of one subscription.
  public struct Iterator: AsyncIteratorProtocol {
    /// The kind of values.
    public typealias Element = P.Output

    @usableFromInline let handle: PullHandle<P.Output, P.Failure>

    @inlinable
    init(_ publisher: P) {
      handle = PullHandle()
      publisher.subscribe(handle.subscriber)
    }

    /// Asks for a value and waits for it.
    ///
    /// - Returns: The value; `nil` after the end of the stream or the cancellation of the task.
    /// - Throws: The error that the stream ends with, once.
    @_alwaysEmitIntoClient
    public mutating func next() async throws -> P.Output? { try await handle.subscriber.next() }

    /// Asks for a value and waits for it, on the caller's actor.
    ///
    /// - Parameter actor: The caller's actor.
    /// - Returns: The value; `nil` after the end of the stream or the cancellation of the task.
    /// - Throws: The error that the stream ends with, once.
    @_alwaysEmitIntoClient
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> P.Output? {
      try await handle.subscriber.next()
    }
  }

  @usableFromInline let publisher: P

  /// Creates the sequence.
  ///
  /// - Parameter publisher: Where its values come from.
  @_alwaysEmitIntoClient
  public init(_ publisher: P) { self.publisher = publisher }

  /// Subscribes to the publisher.
  @_alwaysEmitIntoClient
  public func makeAsyncIterator() -> Iterator { Iterator(publisher) }
}

extension Publisher {
  /// The values of this publisher as an asynchronous sequence, which throws the publisher's error.
  @_alwaysEmitIntoClient
  public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher(self) }
}
