// Hides a publisher's type.

/// A publisher whose type is hidden: it subscribes to another one and passes everything on.
///
/// Both sides of the erasure stay specialised: the publisher's side is a closure formed where its type is known, and it
/// sees every subscriber as an `AnySubscriber`, formed where the subscriber's type is known. A value passes from one
/// side to the other by one call of a closure. Where `flatMap` and `switchToLatest` would pass on the hidden
/// publisher's values without a subscription, they still do.
@frozen
public struct AnyPublisher<Output, Failure: Error>: Publisher, CustomStringConvertible,
  CustomPlaygroundDisplayConvertible
{
  @usableFromInline typealias KnownValues = ((Output) -> Void, () -> Bool) -> Subscribers.Completion<Failure>?

  @usableFromInline let attach: (AnySubscriber<Output, Failure>) -> Void
  /// What a `KnownStream` publishes; `nil` for any other publisher.
  @usableFromInline let publishKnown: KnownValues?

  /// Hides the type of a publisher. One that is hidden already is not wrapped again.
  ///
  /// - Parameter publisher: The publisher.
  @_alwaysEmitIntoClient
  public init<PublisherType: Publisher>(_ publisher: PublisherType)
  where Output == PublisherType.Output, Failure == PublisherType.Failure {
    if let erased = publisher as? AnyPublisher<Output, Failure> {
      self = erased
    } else {
      attach = { publisher.receive(subscriber: $0) }
      if let known = PublisherType.self as? any KnownStream.Type, known.isKnown(publisher) {
        publishKnown = { receive, isWelcome in known.publish(publisher, receive, while: isWelcome) }
      } else {
        publishKnown = nil
      }
    }
  }

  /// Attaches a subscriber to the hidden publisher.
  @_alwaysEmitIntoClient
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Output == Downstream.Input, Failure == Downstream.Failure {
    attach(AnySubscriber(subscriber))
  }

  /// The name of the type.
  public var description: String { "AnyPublisher" }

  /// The name of the type.
  public var playgroundDescription: Any { description }
}

extension Publisher {
  /// Hides this publisher's type.
  ///
  /// Operators applied and erased in a loop nest on the stack: <doc:Depth> says how many there may be.
  @_alwaysEmitIntoClient
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}

extension AnyPublisher: KnownStream {
  @inlinable @inline(__always)
  package var isKnown: Bool { publishKnown != nil }

  @inlinable @inline(__always)
  package static var isSilentAfterItsEnd: Bool { false }

  @inlinable @inline(__always)
  package func publish(_ receive: (Output) -> Void, while isWelcome: () -> Bool) -> Subscribers.Completion<Failure>? {
    publishKnown?(receive, isWelcome)
  }
}

extension SuccessionPolicy {
  /// Subscribes to the first stream.
  @inlinable
  package func attach<First: Publisher, Downstream: Subscriber>(_ first: First, to downstream: Downstream)
  where
    First.Output == Input, First.Failure == UpstreamFailure, Downstream.Input == Input, Downstream.Failure == Failure
  {
    if let erased = first as? AnyPublisher<Input, UpstreamFailure> {
      // It would erase the subscriber itself; done here, less is kept on the stack while it is subscribed to.
      erased.receive(subscriber: makeErasedSubscriber(downstream))
    } else {
      first.receive(subscriber: makeSubscriber(downstream))
    }
  }

  @inlinable @inline(never)
  func makeErasedSubscriber<Downstream: Subscriber>(
    _ downstream: Downstream
  ) -> AnySubscriber<Input, UpstreamFailure>
  where Downstream.Input == Input, Downstream.Failure == Failure {
    AnySubscriber(makeSubscriber(downstream))
  }
}
