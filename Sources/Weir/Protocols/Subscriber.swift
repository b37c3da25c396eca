// The receiving end of a stream.

/// Receives a subscription, then values as it asks for them, then at most one completion.
///
/// Its publisher calls it serially, from whatever thread the values come from.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  /// The kind of values received.
  associatedtype Input
  /// The kind of error received; `Never` if none can be.
  associatedtype Failure: Error

  /// Tells that the publisher has accepted this subscriber, which may now ask for values.
  ///
  /// - Parameter subscription: Where values are asked for and the stream is cancelled.
  func receive(subscription: any Subscription)

  /// Hands over one value.
  ///
  /// - Parameter input: The value.
  /// - Returns: How many values are wanted beyond those already asked for.
  func receive(_ input: Input) -> Subscribers.Demand

  /// Tells that the stream has ended.
  ///
  /// - Parameter completion: How it ended.
  func receive(completion: Subscribers.Completion<Failure>)
}

extension Subscriber where Input == Void {
  /// Hands over one signal that carries no value.
  ///
  /// - Returns: How many signals are wanted beyond those already asked for.
  @_alwaysEmitIntoClient @inline(__always)
  public func receive() -> Subscribers.Demand { receive(()) }
}
