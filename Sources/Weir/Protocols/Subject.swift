// A publisher that code outside the stream feeds.

/// A publisher into which a program sends values with `send(_:)`.
///
/// Any thread may call the methods of this package's subjects, at any time.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Sends a value to the subscribers.
  ///
  /// - Parameter value: The value.
  func send(_ value: Output)

  /// Ends the stream of every subscriber.
  ///
  /// - Parameter completion: How the stream ends.
  func send(completion: Subscribers.Completion<Failure>)

  /// Gives the subject an upstream that it asks for values.
  ///
  /// - Parameter subscription: The subscription to the upstream.
  func send(subscription: any Subscription)
}

extension Subject where Output == Void {
  /// Sends a signal that carries no value.
  @_alwaysEmitIntoClient
  public func send() { send(()) }
}
