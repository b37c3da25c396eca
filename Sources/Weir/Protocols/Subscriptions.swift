// The subscription that does nothing.

/// Namespace of ready-made subscriptions.
public enum Subscriptions {
  /// A subscription that never delivers anything, for subscribers whose stream is over before it starts.
  public static var empty: any Subscription { Empty.shared }

  final class Empty: Subscription, Sendable, CustomStringConvertible, CustomReflectable,
    CustomPlaygroundDisplayConvertible
  {
    fileprivate static let shared = Empty()

    func request(_ demand: Subscribers.Demand) {}
    func cancel() {}
    var description: String { "Empty" }
    var playgroundDescription: Any { description }
    var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
  }
}
