// The values of a publisher that can't fail, as an asynchronous sequence.

/// A publisher that can't fail, as an asynchronous sequence.
///
/// Each iterator subscribes when it is made, and asks for one value per call of `next`. The subscription is cancelled
/// when the task that waits in `next` is cancelled, and when the last copy of the iterator is gone.
public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
  /// The kind of values.
  public typealias Element = P.Output
  /// The kind of iterator.
  public typealias AsyncIterator = Iterator

  /// Takes the values of one subscription, for one task at a time.
  public struct Iterator: AsyncIteratorProtocol {
    /// The kind of values.
    public typealias Element = P.Output

    @usableFromInline let handle: PullHandle<P.Output, Never>

    @inlinable
    init(_ publisher: P) {
      handle = PullHandle()
      publisher.subscribe(handle.subscriber)
    }

    /// Asks for a value and waits for it.
    ///
    /// - Returns: The value; `nil` once the stream has ended or the task was cancelled.
    @_alwaysEmitIntoClient
    public mutating func next() async -> P.Output? { await handle.subscriber.next() }

    /// Asks for a value and waits for it, on the caller's actor.
    ///
    /// - Parameter actor: The caller's actor.
    /// - Returns: The value; `nil` once the stream has ended or the task was cancelled.
    @_alwaysEmitIntoClient
    public mutating func next(isolation actor: isolated (any Actor)?) async -> P.Output? {
      await handle.subscriber.next()
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

extension Publisher where Failure == Never {
  /// The values of this publisher as an asynchronous sequence.
  @_alwaysEmitIntoClient
  public var values: AsyncPublisher<Self> { AsyncPublisher(self) }
}
