// The receiving end of a stream.

/// Receives a subscription, then values as it asks for them, then at most one completion.
///
/// Its publisher calls it serially, on whatever thread the values come from.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  /// The kind of values received.
  associatedtype Input
  /// The kind of error received; `Never` if none can be.
  associatedtype Failure: Error

  /// Tells the subscriber that the publisher has accepted it, and that it may ask for values now.
  ///
  /// - Parameter subscription: Through it the subscriber asks for values, and cancels.
  func receive(subscription: any Subscription)

  /// Hands one value to the subscriber.
  ///
  /// - Parameter input: The value.
  /// - Returns: How many more values it wants, beyond those that it has already asked for.
  func receive(_ input: Input) -> Subscribers.Demand

  /// Tells the subscriber that the stream has ended. Nothing follows.
  ///
  /// - Parameter completion: How it ended.
  func receive(completion: Subscribers.Completion<Failure>)
}

extension Subscriber where Input == Void {
  /// Hands one signal that carries no value to the subscriber.
  ///
  /// - Returns: How many more signals it wants, beyond those that it has already asked for.
  @_alwaysEmitIntoClient @inline(__always)
  public func receive() -> Subscribers.Demand { receive(()) }
}
