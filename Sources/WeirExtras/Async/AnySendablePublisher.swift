// A publisher with its type erased that may be sent to other tasks and actors.

public import Weir
import WeirQueues

/// A publisher with its type erased, made of one that is `Sendable`: any task and any actor may subscribe to it.
///
/// `AnyPublisher` can't be `Sendable`, as it can be made of any publisher. This hides a subject from those who only
/// subscribe to it:
///
/// ```swift
/// enum Prices {
///   private static let subject = PassthroughSubject<Double, Never>()
///   static let all = subject.eraseToAnySendablePublisher()
/// }
/// ```
///
/// Any thread may use it. What its subscribers do runs where the publisher delivers.
public struct AnySendablePublisher<Output, Failure: Error>: Publisher, Sendable {
  // Erased once it was seen to be `Sendable`.
  @usableFromInline let erased: Unchecked<AnyPublisher<Output, Failure>>

  /// Hides the type of a publisher.
  ///
  /// - Parameter publisher: The publisher.
  @inlinable
  public init<Source: Publisher & Sendable>(_ publisher: Source)
  where Source.Output == Output, Source.Failure == Failure {
    erased = Unchecked(AnyPublisher(publisher))
  }

  /// Attaches a subscriber.
  @inlinable
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    erased.value.receive(subscriber: subscriber)
  }
}

extension Publisher where Self: Sendable {
  /// Hides the type of this publisher, and keeps that any task and actor may use it.
  @_disfavoredOverload
  @inlinable
  public func eraseToAnySendablePublisher() -> AnySendablePublisher<Output, Failure> { AnySendablePublisher(self) }
}
