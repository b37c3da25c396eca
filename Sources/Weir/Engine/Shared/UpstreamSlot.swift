// Where a subscriber keeps its upstream's subscription: one word, whatever kind of subscription it is.

import WeirQueues

/// The upstream's subscription of a subscriber that any thread may ask for more or cancel.
///
/// `state` says who may use `reference`, which is the address of the retained link, or 0. It is written by whoever
/// brings the subscription, between `beginActivation` and `endActivation`, and erased by the one user that finds itself
/// the last after the end; all others only read it, between `beginUse` and `endUse`.
@usableFromInline
package struct UpstreamSlot: ~Copyable {
  @usableFromInline let state = SubscriptionState()
  @usableFromInline let reference = AtomicWord(0)

  @inlinable
  package init() {}

  deinit {
    // SAFETY: nobody else has the slot any more, so that the address is that of the retained link, or 0.
    if let address = unsafe UnsafeRawPointer(bitPattern: reference.relaxedLoad()) {
      unsafe Unmanaged<Link>.fromOpaque(address).release()
    }
  }

  /// Takes the upstream's subscription.
  ///
  /// - Returns: The subscription, to be asked for values; `nil` if there has been one or the stream is over: the
  ///   subscription was cancelled then.
  @inlinable @inline(__always)
  package borrowing func connect(_ subscription: any Subscription) -> Link? {
    let link = Link.of(subscription)
    return connect(link) ? link : nil
  }

  @inlinable
  borrowing func connect(_ link: Link) -> Bool {
    guard state.beginActivation() else {
      link.cancel()
      return false
    }
    // SAFETY: this reference is balanced in `empty`. The activation's end publishes it.
    unsafe reference.relaxedStore(Int(bitPattern: Unmanaged.passRetained(link).toOpaque()))
    guard state.endActivation() else {
      empty()
      link.cancel()
      return false
    }
    return true
  }

  /// Asks the upstream for values, while the stream is under way.
  @inlinable
  package borrowing func request(_ demand: Subscribers.Demand) {
    guard state.beginUse() else { return }
    withLink { $0.request(demand) }
    endUse()
  }

  /// Ends the stream from downstream, or from the subscriber itself: cancels the upstream.
  ///
  /// - Parameter countsEarly: Whether the life ends even if no subscription has come yet.
  /// - Returns: What this call cancelled, if anything.
  @inlinable @discardableResult
  package borrowing func disconnect(evenBefore countsEarly: Bool) -> Ended? {
    switch countsEarly ? state.end() : state.cancel() {
    case .active: break
    case .activating: return .early
    case .awaiting: return countsEarly ? .early : nil
    case .over: return nil
    }
    var ended = Ended.own
    withLink { link in
      if reckonedHere(link is ForeignLink) { ended = .foreign }
      link.cancel()
    }
    if state.endLastUse() { empty() }
    return ended
  }

  /// Whose subscription was cancelled.
  @frozen
  @usableFromInline
  package enum Ended {
    /// One of Weir's, which lets go of its subscriber.
    case own
    /// Another one's: nobody knows how long it keeps its subscriber.
    case foreign
    /// None yet: the one that comes, or is just being stored, is cancelled.
    case early
  }

  /// Ends the stream from upstream.
  ///
  /// - Returns: Whether this call ended it.
  @inlinable
  package borrowing func complete() -> Bool {
    guard state.cancel() == .active else { return false }
    if state.endLastUse() { empty() }
    return true
  }

  /// Gives the subscription back after `state.beginUse()`, or after this thread has ended the active state.
  ///
  /// - Returns: Whether the life is over and this was the last user, which has let go of the subscription.
  @inlinable @discardableResult
  package borrowing func endUse() -> Bool {
    guard state.endUse() else { return false }
    empty()
    return true
  }

  /// The upstream's own subscription, while the stream is under way.
  package var subscription: (any Subscription)? {
    guard state.beginUse() else { return nil }
    var subscription: (any Subscription)?
    withLink { subscription = $0.original }
    endUse()
    return subscription
  }

  @inlinable @inline(__always)
  borrowing func withLink(_ body: (Link) -> Void) {
    // SAFETY: the caller is a user counted by `state`, so the reference is there and stays.
    unsafe Unmanaged<Link>.fromOpaque(UnsafeRawPointer(bitPattern: reference.relaxedLoad()).unsafelyUnwrapped)
      ._withUnsafeGuaranteedRef(body)
  }

  @inlinable
  borrowing func empty() {
    // SAFETY: the exchange takes the retained reference out, once.
    if let address = unsafe UnsafeRawPointer(bitPattern: reference.exchange(0)) {
      unsafe Unmanaged<Link>.fromOpaque(address).release()
    }
  }
}

/// A subscription that is not one of Weir's, as a link.
@usableFromInline
package final class ForeignLink: Link {
  @usableFromInline let subscription: any Subscription

  @usableFromInline
  init(_ subscription: any Subscription) {
    self.subscription = subscription
    super.init(
      onRequest: { link, demand in link.downcast(to: ForeignLink.self).subscription.request(demand) },
      onCancel: { link in link.downcast(to: ForeignLink.self).subscription.cancel() })
  }

  @usableFromInline
  package override var isForeign: Bool { true }

  /// A subscription that isn't one of Weir's as a link: the one that does nothing is a single link, whoever has it.
  @usableFromInline
  static func standing(for subscription: any Subscription) -> ForeignLink {
    type(of: subscription) == Subscriptions.Empty.self ? unsafe doingNothing : ForeignLink(subscription)
  }

  // SAFETY: it is constant, and keeps an object without state.
  nonisolated(unsafe) private static let doingNothing = ForeignLink(Subscriptions.empty)

  @usableFromInline
  package override var description: String { String(describing: subscription) }
}

extension Link {
  /// Whether values of a subscription come from a publisher that is not one of Weir's.
  @inlinable
  static func isForeign(_ subscription: any Subscription) -> Bool { isForeign(opened: subscription) }

  @inlinable
  static func isForeign<Concrete: Subscription>(opened subscription: Concrete) -> Bool {
    own(opened: subscription)?.isForeign ?? true
  }

  /// A subscription of any kind as a link: itself if it is one of Weir's.
  @inlinable
  static func of(_ subscription: any Subscription) -> Link {
    own(opened: subscription) ?? ForeignLink.standing(for: subscription)
  }

  /// A subscription that is one of Weir's as the link that it is; `nil` for others.
  @inlinable
  static func own(_ subscription: any Subscription) -> Link? { own(opened: subscription) }

  /// A dynamic cast of the existential does the same in ten times as many instructions.
  @inlinable
  static func own<Concrete: Subscription>(opened subscription: Concrete) -> Link? {
    guard Concrete.self is Link.Type else { return nil }
    // SAFETY: the type is this class or inherits from it, so the value is a reference to one.
    return unsafe withUnsafePointer(to: subscription) { unsafe UnsafeRawPointer($0).load(as: Link.self) }
  }

  /// The subscription itself, if this link only stands for it.
  @usableFromInline
  var original: any Subscription { (self as? ForeignLink)?.subscription ?? self }
}
