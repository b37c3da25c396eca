// A bag of subscriptions for several threads.

public import Weir

/// Keeps subscriptions, and cancels them on demand or when it is freed.
///
/// Any thread may use it. Unlike in the commonly copied version, nothing is cancelled and no predicate runs under a
/// lock, so that what is cancelled may come back to the manager; `cancel(where:)` cancels what it chooses, also where
/// somebody else holds it; and a subscription that its own `sink` makes goes when its stream ends, but from where it is
/// stored once more, as under a key.
public final class SubscriptionManager: Sendable {
  private let bag = CancellationBag<BagKey>()
  private let keyed = CancellationBag<AnyHashableKey>()

  /// Creates a manager without subscriptions.
  public init() {}

  deinit { cancelAll() }

  /// How many subscriptions it keeps; one that is kept under several keys, or also without one, counts for each, and
  /// so does one that `sink` has returned and that is stored again.
  public var count: Int { bag.count + keyed.count }

  /// Keeps a subscription.
  ///
  /// - Parameter cancellable: The subscription.
  public func store(_ cancellable: AnyCancellable) { bag.insert(cancellable) }

  /// Keeps a subscription under a key.
  ///
  /// - Parameters:
  ///   - cancellable: The subscription.
  ///   - key: The key. Keys of different types are the same where they are as `AnyHashable`: 1 and 1.0. Its `==` and
  ///     its `hash(into:)` may use the manager. Where keys of the same hash are stored or cancelled meanwhile, the
  ///     search begins anew: an `==` that does so each time it is called keeps this call searching without end.
  ///     What is kept under a key that isn't equal to itself, as `nan` isn't, is counted until `cancelAll`.
  ///   - replacingExisting: Whether a subscription under the key is cancelled and replaced. Otherwise that one stays
  ///     and the new one is not kept.
  /// - Returns: `true` if the subscription is kept.
  @discardableResult
  public func store<Key: Hashable & Sendable>(
    _ cancellable: AnyCancellable, key: Key, replacingExisting: Bool = true
  ) -> Bool {
    guard replacingExisting else { return keyed.insertIfAbsent(cancellable, for: AnyHashableKey(key)) }
    let former = keyed.insert(cancellable, for: AnyHashableKey(key))
    if former !== cancellable { former?.cancel() }
    return true
  }

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

  /// Cancels the subscriptions for which a predicate returns `true`.
  ///
  /// - Parameter predicate: Returns `true` to cancel a subscription; it may use the manager.
  public func cancel(where predicate: (AnyCancellable) -> Bool) {
    bag.cancel(where: predicate)
    keyed.cancel(where: predicate)
  }

  /// Cancels the subscription under a key.
  ///
  /// - Parameter key: The key.
  public func cancel<Key: Hashable & Sendable>(key: Key) { keyed.remove(AnyHashableKey(key))?.cancel() }

  /// Cancels all subscriptions.
  public func cancelAll() {
    bag.cancelAll()
    keyed.cancelAll()
  }
}

/// A key of any type that several threads may use.
struct AnyHashableKey: Hashable, Sendable {
  private let box: any Hashable & Sendable

  init(_ key: any Hashable & Sendable) { box = key }

  static func == (lhs: AnyHashableKey, rhs: AnyHashableKey) -> Bool { AnyHashable(lhs.box) == AnyHashable(rhs.box) }
  func hash(into hasher: inout Hasher) { AnyHashable(box).hash(into: &hasher) }
}
