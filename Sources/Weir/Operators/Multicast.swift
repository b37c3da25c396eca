// One subscription to a stream, for any number of subscribers, through a subject.

import WeirQueues

extension Publisher {
  /// Publishes this stream through a subject, once it is connected.
  ///
  /// - Parameter createSubject: Makes the subject when the first subscriber is attached or the stream is connected.
  @_alwaysEmitIntoClient
  public func multicast<SubjectType: Subject>(
    _ createSubject: @escaping () -> SubjectType
  ) -> Publishers.Multicast<Self, SubjectType>
  where Failure == SubjectType.Failure, Output == SubjectType.Output {
    Publishers.Multicast(upstream: self, createSubject: createSubject)
  }

  /// Publishes this stream through a subject, once it is connected.
  ///
  /// - Parameter subject: The subject.
  @_alwaysEmitIntoClient
  public func multicast<SubjectType: Subject>(
    subject: SubjectType
  ) -> Publishers.Multicast<Self, SubjectType>
  where Failure == SubjectType.Failure, Output == SubjectType.Output {
    multicast { subject }
  }
}

extension Publishers {
  /// Publishes another publisher's stream through a subject, once it is connected.
  ///
  /// Each `connect()` makes a connection of its own: after two, each value arrives twice.
  ///
  /// - Complexity: A value is O(*n*) in the number of subscribers, with this package's subjects.
  public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher
  where Upstream.Failure == SubjectType.Failure, Upstream.Output == SubjectType.Output {
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

    /// Makes the subject.
    public let createSubject: () -> SubjectType

    @usableFromInline let subject = Lock<SubjectType?>(nil)

    /// Creates the publisher.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - createSubject: Makes the subject when the first subscriber is attached or the stream is connected. If
    ///     several threads do that at once, each may call it; one of the subjects is kept.
    @_alwaysEmitIntoClient
    public init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
      self.upstream = upstream
      self.createSubject = createSubject
    }

    /// The one subject. It is made outside the lock, as that is user code.
    @inlinable
    func sharedSubject() -> SubjectType {
      if let subject = subject.withLock({ $0 }) { return subject }
      let candidate = createSubject()
      return subject.withLock { subject in
        if let subject { return subject }
        subject = candidate
        return candidate
      }
    }

    /// Attaches a subscriber to the subject.
    @_alwaysEmitIntoClient @inline(__always)
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Failure == Downstream.Failure, Output == Downstream.Input {
      sharedSubject().receive(subscriber: StageSubscriber(MulticastPolicy(), carrying: (), to: subscriber))
    }

    /// Subscribes the subject to the upstream. Any thread may call this.
    ///
    /// - Returns: An object that ends this connection when it is cancelled or freed.
    @_alwaysEmitIntoClient
    public func connect() -> any Cancellable { upstream.subscribe(sharedSubject()) }
  }
}

/// Passes every value on, under the operator's name and with a subscription of its own.
@frozen
@usableFromInline
struct MulticastPolicy<Value, Cause: Error>: StagePolicy {
  @usableFromInline typealias Input = Value
  @usableFromInline typealias Output = Value
  @usableFromInline typealias UpstreamFailure = Cause
  @usableFromInline typealias Failure = Cause
  @usableFromInline typealias Carry = Void

  @inlinable
  init() {}

  @inlinable static var name: StaticString { "Multicast" }
  @inlinable static var strays: Strays { .ignores }
  @inlinable static var requestsWhatIsReturned: Bool { true }

  @inlinable @inline(__always)
  func step(_ input: Value, _ carrier: some Carrier<Void>) -> Step<Value, Cause> { .emit(input) }
}
