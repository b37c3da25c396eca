// A publisher that code outside the stream feeds.

/// A publisher into which values are injected with `send(_:)`.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Sends a value to the subscribers.
  ///
  /// - Parameter value: The value.
  func send(_ value: Output)

  /// Ends the stream of every subscriber.
  ///
  /// - Parameter completion: How the stream ends.
  func send(completion: Subscribers.Completion<Failure>)

  /// Gives the subject an upstream to ask for values.
  ///
  /// - Parameter subscription: The connection to the upstream.
  func send(subscription: any Subscription)
}

extension Subject where Output == Void {
  /// Sends a signal that carries no value.
  @_alwaysEmitIntoClient
  public func send() { send(()) }
}
