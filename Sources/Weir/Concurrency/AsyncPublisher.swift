// The values of a publisher that can't fail, as an asynchronous sequence.

import WeirQueues

/// A publisher that can't fail, as an asynchronous sequence.
///
/// Each iterator subscribes when it is made, and asks for one value per call of `next`, if not told otherwise. The
/// subscription is cancelled when the task that waits in `next` is cancelled, and when the last copy of the iterator is
/// gone.
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
    @usableFromInline var readyRun = ReadyRun()

    @inlinable
    init(_ source: PullSource<P>) { handle = source.makeHandle() }

    /// Asks for a value and waits for it.
    ///
    /// - Returns: The value; `nil` once the stream has ended or the task was cancelled.
    @_alwaysEmitIntoClient
    public nonisolated(nonsending) mutating func next() async -> P.Output? {
      if readyRun.isOver(on: #isolation) { await Task.yield() }
      let subscriber = handle.unretained
      return subscriber.beginTaking() ? subscriber.endTaking() : await subscriber.wait()
    }

    /// Asks for a value and waits for it, on the caller's actor.
    ///
    /// - Parameter actor: The caller's actor.
    /// - Returns: The value; `nil` once the stream has ended or the task was cancelled.
    @_alwaysEmitIntoClient
    public mutating func next(isolation actor: isolated (any Actor)?) async -> P.Output? {
      if readyRun.isOver(on: actor) { await Task.yield() }
      let subscriber = handle.unretained
      return subscriber.beginTaking() ? subscriber.endTaking() : await subscriber.wait()
    }
  }

  @usableFromInline let source: PullSource<P>

  /// Creates the sequence.
  ///
  /// - Parameter publisher: The publisher of its values.
  @_alwaysEmitIntoClient
  public init(_ publisher: P) { self.init(publisher, buffering: .backpressure(0)) }

  /// Creates the sequence.
  ///
  /// - Parameters:
  ///   - publisher: The publisher of its values.
  ///   - buffering: What is kept of the values that come between calls of `next`.
  @_alwaysEmitIntoClient
  public init(_ publisher: P, buffering: AsyncBuffering) {
    source = PullSource(publisher, buffering)
  }

  /// Subscribes to the publisher.
  @_alwaysEmitIntoClient
  public func makeAsyncIterator() -> Iterator { Iterator(source) }
}

extension AsyncPublisher: Sendable where P: Sendable {}

extension Publisher where Failure == Never {
  /// The values of this publisher as an asynchronous sequence.
  ///
  /// One value is asked for per call of `next`: a subject drops what it is sent between the calls, but for what it
  /// keeps itself, as the newest value of a `CurrentValueSubject`. `values(buffering:)` keeps it.
  @_alwaysEmitIntoClient
  public var values: AsyncPublisher<Self> { AsyncPublisher(self) }

  /// The values of this publisher as an asynchronous sequence that keeps those which come between calls of `next`.
  ///
  /// An iterator subscribes when it is made; from then on values are kept. Those that are kept when the stream ends
  /// come before its end, and are dropped when the task is cancelled.
  ///
  /// - Parameter buffering: What is kept. Its number is valid.
  @_alwaysEmitIntoClient
  public func values(buffering: AsyncBuffering) -> AsyncPublisher<Self> { AsyncPublisher(self, buffering: buffering) }
}
