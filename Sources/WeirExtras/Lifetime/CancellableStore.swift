// The simplest bag of subscriptions.

public import Weir

/// Keeps subscriptions, and cancels them on demand or when it is freed.
///
/// Any thread may use it, unlike the commonly copied version; a subscription that its own `sink` makes goes when its
/// stream ends, unless `store(_:)` keeps it once more. `SubscriptionManager` adds keys and predicates.
public final class CancellableStore: Sendable {
  private let bag = CancellationBag<BagKey>()

  /// Creates a store without subscriptions.
  public init() {}

  /// The subscriptions.
  ///
  /// Setting this lets go of those that are not in the new set. What changes the set in place, as `store(in:)` does,
  /// adds what it puts in and lets go of what it takes out, and leaves alone what other threads do meanwhile. What is
  /// there already is not put in.
  ///
  /// - Complexity: O(*n*) in the number of subscriptions, to change one as well: `store(_:)` is O(1).
  public var cancellables: Set<AnyCancellable> {
    get { Set(bag.all.map(\.value)) }
    set { bag.change(from: cancellables, to: newValue) }
    _modify {
      let former = cancellables
      var changed = former
      defer { bag.change(from: former, to: changed) }
      yield &changed
    }
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
