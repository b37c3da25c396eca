// Says what threads do that meet where streams join.

import WeirQueues

extension Publisher {
  /// Says what threads do that meet where streams are joined: in each `flatMap`, `merge`, `switchToLatest`, `zip`,
  /// `combineLatest`, `buffer`, `drop(untilOutputFrom:)` and the like between this place and the stream's origins.
  ///
  /// Such an operator calls its subscriber for one value at a time, also if its streams send from several threads.
  /// Without this operator, a thread waits until the subscriber has taken another thread's value, as in Combine.
  /// `contention(.handOver)` is for threads that must not wait: they leave their value to the thread that is
  /// delivering.
  ///
  /// It holds for the operators that are subscribed to when a subscriber is attached here, not for those in streams
  /// that `flatMap` or `switchToLatest` subscribe to later: put it into these streams too, if need be. Of several, the
  /// nearest one downstream of an operator counts. Streams that closures attach meanwhile, on the same thread, have it,
  /// too. Subjects have a policy of their own.
  ///
  /// - Parameter policy: What a thread does when it finds another one delivering.
  @_alwaysEmitIntoClient
  public func contention(_ policy: ContentionPolicy) -> Publishers.Contention<Self> {
    Publishers.Contention(upstream: self, policy: policy)
  }
}

extension Publishers {
  /// Passes on another publisher, and says what threads do that meet where streams are joined in it.
  public struct Contention<Upstream: Publisher>: Publisher {
    #if WEIR_INSPECTION
      /// Where it was made.
      public let _assembly = _AssemblySite.here()
    #endif

    /// The upstream's kind of values.
    public typealias Output = Upstream.Output
    /// The upstream's kind of error.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream

    /// What a thread does when it finds another one delivering.
    public let policy: ContentionPolicy

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - policy: What a thread does when it finds another one delivering.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, policy: ContentionPolicy) {
      self.upstream = upstream
      self.policy = policy
    }

    /// Attaches a subscriber.
    @_alwaysEmitIntoClient
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
      withThreadMark(policy.mark) { upstream.receive(subscriber: subscriber) }
    }
  }
}
