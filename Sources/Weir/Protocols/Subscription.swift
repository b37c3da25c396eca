// The connection between a publisher and one subscriber.
// No test file: declarations only.

/// Connects one subscriber with a publisher: the subscriber asks for values through it, and cancels it.
///
/// Both calls may come from any thread, at any time, also while the subscriber is receiving a value.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  /// Asks for more values.
  ///
  /// - Parameter demand: How many more, beyond those that have already been asked for.
  func request(_ demand: Subscribers.Demand)
}
