// The publisher of an object's changes.

/// Publishes that an object is about to change.
///
/// A subscriber that has asked once is told of every change from then on, however little it has asked for. Any thread
/// may send, subscribe or cancel.
public final class ObservableObjectPublisher: Publisher, Sendable {
  /// `Void`: only the fact that the object is about to change.
  public typealias Output = Void
  /// `Never`: this publisher can't fail.
  public typealias Failure = Never

  @usableFromInline let core = SubjectCore<Void, Never>(name: "ObservableObjectPublisher")

  /// Creates a publisher without subscribers.
  @_alwaysEmitIntoClient
  public init() {}

  /// Tells every subscriber of a change.
  ///
  /// - Complexity: O(*n*) in the number of subscribers.
  @_alwaysEmitIntoClient
  public func send() { core.send(()) }

  /// Attaches a subscriber.
  @_alwaysEmitIntoClient
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Void, Downstream.Failure == Never {
    // A sink asks for everything by itself.
    if subscriber is Subscribers.Sink<Void, Never> {
      core.subscribe(subscriber, to: self)
    } else {
      core.subscribe(UnmeteredSubscriber(subscriber), to: self)
    }
  }
}
