// Keeps one subscription per key.

public import Weir
import WeirQueues

extension AnyCancellable {
  /// Keeps this subscription under a key.
  ///
  /// - Parameters:
  ///   - subscriptions: The subscriptions by key.
  ///   - key: The key.
  ///   - replacingExisting: Whether a subscription under the key is cancelled and replaced. Otherwise that one stays and
  ///     this one is not kept.
  /// - Returns: Whether this subscription is kept.
  @discardableResult
  public func store<Key: Hashable>(
    in subscriptions: inout [Key: AnyCancellable], key: Key, replacingExisting: Bool = true
  ) -> Bool {
    let former = subscriptions[key]
    guard former == nil || replacingExisting else { return false }
    subscriptions[key] = self
    if former !== self { former?.cancel() }
    return true
  }

  /// Keeps this subscription in a set, and remembers the key.
  ///
  /// In the code this comes from the key did nothing. A set has no keys, so that finding the one to replace takes time in
  /// proportion to the set; prefer a dictionary.
  ///
  /// - Parameters:
  ///   - set: The subscriptions.
  ///   - key: The key.
  ///   - replacingExisting: Whether subscriptions that were stored in the set under the key are cancelled and taken out.
  ///     Otherwise they stay beside this one.
  /// - Complexity: O(*n*) in the size of the set, if it replaces.
  public func store(in set: inout Set<AnyCancellable>, key: String, replacingExisting: Bool = true) {
    let former = replacingExisting ? set.filter { SubscriptionKeys.shared.key(of: $0) == key } : []
    set.subtract(former)
    // What is kept is a token with a key, which is forgotten with the token.
    let registration = SubscriptionKeys.Registration(self)
    let token = AnyCancellable(registration)
    registration.register(token, key)
    set.insert(token)
    for token in former { token.cancel() }
  }
}

/// The keys of subscriptions that were stored in sets, for as long as those exist.
private final class SubscriptionKeys: Sendable {
  static let shared = SubscriptionKeys()

  private let keys = Lock<[ObjectIdentifier: String]>([:])

  func key(of token: AnyCancellable) -> String? { keys.withLock { $0[ObjectIdentifier(token)] } }

  /// Cancels a subscription and forgets its token's key. A token lives until its action has run, so that its identity is
  /// not another's before.
  final class Registration: Cancellable {
    private let subscription: AnyCancellable
    private let id = Lock<ObjectIdentifier?>(nil)

    init(_ subscription: AnyCancellable) { self.subscription = subscription }

    func register(_ token: AnyCancellable, _ key: String) {
      let id = ObjectIdentifier(token)
      self.id.withLock { $0 = id }
      shared.keys.withLock { $0[id] = key }
    }

    func cancel() {
      if let id = id.withLock({ $0.take() }) { shared.keys.withLock { $0[id] = nil } }
      subscription.cancel()
    }
  }
}
