// The values of a publisher that may fail, as an asynchronous sequence that throws.

/// A publisher as an asynchronous sequence that throws the publisher's error.
///
/// Each iterator subscribes when it is made, and asks for one value per call of `next`. The subscription is cancelled
/// when the task that waits in `next` is cancelled, and when the last copy of the iterator is gone.
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
  /// The kind of values.
  public typealias Element = P.Output
  /// The kind of iterator.
  public typealias AsyncIterator = Iterator

  /// Takes the values of one subscription, for one task at a time.
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
    /// - Returns: The value; `nil` once the stream has finished or the task was cancelled, and after the error.
    /// - Throws: The error that the stream ends with, once.
    @_alwaysEmitIntoClient
    public mutating func next() async throws -> P.Output? { try await handle.subscriber.next() }

    /// Asks for a value and waits for it, on the caller's actor.
    ///
    /// - Parameter actor: The caller's actor.
    /// - Returns: The value; `nil` once the stream has finished or the task was cancelled, and after the error.
    /// - Throws: The error that the stream ends with, once.
    @_alwaysEmitIntoClient
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> P.Output? {
      try await handle.subscriber.next()
    }
  }

  @usableFromInline let publisher: P

  /// Creates the sequence.
  ///
  /// - Parameter publisher: The publisher of its values.
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
