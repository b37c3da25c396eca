// An asynchronous sequence as a publisher.

public import Weir

extension AnyPublisher {
  /// Makes a publisher of an asynchronous sequence.
  ///
  /// Unlike the commonly copied version, it starts when a subscriber first asks for a value, takes one element per unit
  /// of demand, makes an iterator for each subscriber, and cancels its task when the subscription is cancelled. It
  /// keeps no element: what nobody has asked for stays in the sequence, and what the iterator gives after the
  /// cancellation is dropped. Elements are delivered on threads of the pool, wherever the sequence comes from.
  ///
  /// - Parameter sequence: Where the elements come from.
  @_disfavoredOverload
  @inlinable
  public static func fromAsyncSequence<Source: AsyncSequence>(
    _ sequence: Source
  ) -> AnyPublisher<Source.Element, any Error> where Output == Source.Element, Failure == any Error {
    AsyncElements(sequence).eraseToAnyPublisher()
  }
}

@usableFromInline
struct AsyncElements<Source: AsyncSequence>: Publisher {
  @usableFromInline typealias Output = Source.Element
  @usableFromInline typealias Failure = any Error

  @usableFromInline let sequence: Source

  @inlinable
  init(_ sequence: Source) { self.sequence = sequence }

  @inlinable
  func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    subscriber.receive(subscription: ElementsLink(sequence, downstream: subscriber))
  }
}
