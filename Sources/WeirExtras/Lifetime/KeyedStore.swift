// Keeps one subscription per key.

public import Weir
import WeirQueues

/// What became of a subscription that was to be kept under a key.
///
/// It holds the subscriptions that were replaced, and they are cancelled when it is let go of: where nobody looks at
/// it, right behind the call. A variable, and a property that is simply stored, may be used again then; one with
/// `didSet`, or with an accessor that yields it, not before the next statement: keep the outcome until that.
public struct KeyedStoreOutcome {
  /// `true` if the subscription is kept.
  public let isKept: Bool

  private let replaced: Replaced?

  init(isKept: Bool, replaced: [AnyCancellable] = []) {
    self.isKept = isKept
    self.replaced = replaced.isEmpty ? nil : Replaced(replaced)
  }

  private final class Replaced {
    private let subscriptions: [AnyCancellable]

    init(_ subscriptions: [AnyCancellable]) { self.subscriptions = subscriptions }

    deinit { for subscription in subscriptions { subscription.cancel() } }
  }
}

extension AnyCancellable {
  /// Keeps this subscription under a key.
  ///
  /// For one thread at a time, as the dictionary is. What the cancellation of a replaced subscription runs may use the
  /// dictionary; if that is a property with `didSet`, see ``KeyedStoreOutcome``.
  ///
  /// - Parameters:
  ///   - subscriptions: The subscriptions by key.
  ///   - key: The key.
  ///   - replacingExisting: Whether a subscription under the key is replaced and cancelled. Otherwise that one stays
  ///     and this one is not kept.
  /// - Returns: Whether this subscription is kept. Letting go of it cancels the one that was replaced.
  /// - Complexity: O(1).
  @discardableResult
  @_disfavoredOverload
  public func store<Key: Hashable>(
    in subscriptions: inout [Key: AnyCancellable], key: Key, replacingExisting: Bool = true
  ) -> KeyedStoreOutcome {
    let former = subscriptions[key]
    guard former == nil || former === self || replacingExisting else { return KeyedStoreOutcome(isKept: false) }
    subscriptions[key] = self
    return KeyedStoreOutcome(isKept: true, replaced: former === self ? [] : [former].compactMap(\.self))
  }

  /// Keeps this subscription in a set, by a token that cancels it, and remembers the key. The token is what the set
  /// contains then.
  ///
  /// For one thread at a time, as the set is. What the cancellation of a replaced subscription runs may use the set; if
  /// that is a property with `didSet`, see ``KeyedStoreOutcome``. In the commonly copied version the key does nothing.
  /// A set has no keys, so that finding the one to replace takes time in proportion to the set; prefer a dictionary.
  ///
  /// - Parameters:
  ///   - set: The subscriptions.
  ///   - key: The key.
  ///   - replacingExisting: Whether subscriptions that were stored in the set under the key are taken out and
  ///     cancelled. Otherwise they stay beside this one. One that is this very subscription stays in any case, and so
  ///     does a member of the set that was cancelled by its own `cancel()`.
  /// - Returns: That this subscription is kept. Letting go of it cancels those that were replaced.
  /// - Complexity: O(*n*) in the size of the set, if it replaces.
  @discardableResult
  @_disfavoredOverload
  public func store(
    in set: inout Set<AnyCancellable>, key: String, replacingExisting: Bool = true
  ) -> KeyedStoreOutcome {
    let stored = replacingExisting ? set.filter { SubscriptionKeys.shared.entry(of: $0)?.key == key } : []
    let former = stored.filter { !SubscriptionKeys.shared.isToken($0, of: self) }
    set.subtract(former)
    guard former.count == stored.count else { return KeyedStoreOutcome(isKept: true, replaced: Array(former)) }
    // What is kept is a token with a key, which is forgotten with the token.
    let registration = SubscriptionKeys.Registration(self)
    let token = AnyCancellable(registration)
    registration.register(token, key)
    set.insert(token)
    return KeyedStoreOutcome(isKept: true, replaced: Array(former))
  }
}

/// The tokens of subscriptions that were stored in sets, for as long as those exist.
private final class SubscriptionKeys: Sendable {
  struct Entry {
    let key: String
    /// What the token cancels, and keeps alive until then.
    let subscription: ObjectIdentifier
  }

  static let shared = SubscriptionKeys()

  private let entries = Lock<[ObjectIdentifier: Entry]>([:])

  func entry(of token: AnyCancellable) -> Entry? { entries.withLock { $0[ObjectIdentifier(token)] } }

  /// Whether a token is a subscription itself, or stands for it.
  func isToken(_ token: AnyCancellable, of subscription: AnyCancellable) -> Bool {
    token === subscription || entry(of: token)?.subscription == ObjectIdentifier(subscription)
  }

  /// Cancels a subscription and forgets its token's key. A token lives until its action has run, so that its identity
  /// is not another's before.
  final class Registration: Cancellable {
    private let subscription: AnyCancellable
    private let id = Lock<ObjectIdentifier?>(nil)

    init(_ subscription: AnyCancellable) { self.subscription = subscription }

    func register(_ token: AnyCancellable, _ key: String) {
      let id = ObjectIdentifier(token)
      self.id.withLock { $0 = id }
      let entry = Entry(key: key, subscription: ObjectIdentifier(subscription))
      shared.entries.withLock { $0[id] = entry }
    }

    func cancel() {
      if let id = id.withLock({ $0.take() }) { shared.entries.withLock { $0[id] = nil } }
      subscription.cancel()
    }
  }
}
