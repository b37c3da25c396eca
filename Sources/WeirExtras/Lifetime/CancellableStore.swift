// The simplest bag of subscriptions.

public import Weir

/// Keeps subscriptions, and cancels them on demand or when it is freed.
///
/// Any thread may use it, unlike the one in the code this comes from; subscriptions made with `sink` go when their streams
/// end. `SubscriptionManager` adds keys and predicates.
public final class CancellableStore: Sendable {
  private let bag = CancellationBag<BagKey>()

  /// Creates a store without subscriptions.
  public init() {}

  /// The subscriptions. Setting this lets go of those that are not in the new set.
  public var cancellables: Set<AnyCancellable> {
    get { Set(bag.all.values) }
    set { bag.all = Dictionary(uniqueKeysWithValues: newValue.map { (BagKey($0), $0) }) }
  }

  /// Keeps a subscription.
  ///
  /// - Parameter cancellable: The subscription.
  public func store(_ cancellable: AnyCancellable) { bag.insert(cancellable) }

  /// Subscribes with closures and keeps the subscription until the stream ends.
  ///
  /// - Parameters:
  ///   - publisher: What to subscribe to.
  ///   - receiveCompletion: Called at the end of the stream.
  ///   - receiveValue: Called with each value.
  /// - Returns: The subscription, to cancel it alone.
  @discardableResult
  public func sink<Upstream: Publisher>(
    _ publisher: Upstream, receiveCompletion: @escaping (Subscribers.Completion<Upstream.Failure>) -> Void = { _ in },
    receiveValue: @escaping (Upstream.Output) -> Void
  ) -> AnyCancellable {
    bag.sink(publisher, receiveCompletion: receiveCompletion, receiveValue: receiveValue)
  }

  /// Cancels all subscriptions and lets go of them.
  public func cancelAll() { bag.cancelAll() }
}
