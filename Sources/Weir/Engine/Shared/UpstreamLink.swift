// The subscription of an operator that stands between an upstream's subscription and a downstream.

/// Passes a downstream's demand and cancellation to an upstream, until one of the two ends the stream.
///
/// It refers to the upstream only, never to the downstream: a downstream that keeps it after the end keeps nothing
/// alive.
@safe
@usableFromInline
package class UpstreamLink: Link {
  @usableFromInline let slot = UpstreamSlot()
  /// The operator's name, as Combine shows it.
  @usableFromInline let name: StaticString
  /// Whether the upstream is foreign. SAFETY (exclusivity): written by whoever brings the upstream's subscription,
  /// before this one is passed on; read by the downstream that gets it then.
  @safe @exclusivity(unchecked) @usableFromInline final var hasForeignUpstream = false
  /// Whether the upstream only notes what it is asked for. SAFETY (exclusivity): as for `hasForeignUpstream`.
  @safe @exclusivity(unchecked) @usableFromInline final var hasNotingUpstream = false
  /// Values of the upstream for one of the downstream.
  @usableFromInline let scale: Int

  /// Creates a link.
  ///
  /// - Parameters:
  ///   - name: The operator's name.
  ///   - scale: Values of the upstream for one of the downstream.
  ///   - refusesNone: Whether being asked for no value at all is a mistake, as it is for most operators of Combine.
  @inlinable
  package convenience init(name: StaticString, scale: Int = 1, refusesNone: Bool = true) {
    self.init(
      name: name, scale: scale,
      onRequest: refusesNone
        ? { link, demand in
          let link = link.downcast(to: UpstreamLink.self)
          demand.requireSome(link.name)
          link.forward(demand)
        }
        : { link, demand in link.downcast(to: UpstreamLink.self).forward(demand) },
      onCancel: { link in link.downcast(to: UpstreamLink.self).disconnect() })
  }

  @inlinable
  init(
    name: StaticString, scale: Int = 1, onRequest: @escaping (Link, Subscribers.Demand) -> Void,
    onCancel: @escaping (Link) -> Void
  ) {
    self.name = name
    self.scale = scale
    super.init(onRequest: onRequest, onCancel: onCancel)
  }

  /// Takes the upstream's subscription.
  ///
  /// - Returns: `false` if there has been one or the stream is over; the subscription was cancelled then.
  @inlinable
  package final func connect(_ subscription: any Subscription) -> Bool {
    guard let link = slot.connect(subscription) else { return false }
    if link.isForeign { hasForeignUpstream = true }
    if link.notesDemand { hasNotingUpstream = true }
    return true
  }

  @usableFromInline
  package final override var isForeign: Bool { hasForeignUpstream }

  @usableFromInline
  package final override var notesDemand: Bool { hasNotingUpstream }

  /// Whether the stream is under way, at some time before now.
  @inlinable @inline(__always)
  package final var isConnected: Bool { slot.state.isActive }

  /// Traps where Combine traps: a publisher sent something before its subscription.
  @inlinable
  package final func requireSubscribed() {
    precondition(
      slot.state.hasBegun,
      "API violation: \(name) received a value or a completion before a subscription\(CheckpointTrail.text)")
  }

  /// Asks the upstream for values.
  @inlinable
  package final func forward(_ demand: Subscribers.Demand) {
    slot.request(scale == 1 ? demand : demand * scale)
  }

  /// Ends the stream from downstream, or from the operator itself: cancels the upstream.
  ///
  /// - Returns: Whether this call ended it.
  @inlinable @discardableResult
  package final func disconnect() -> Bool { slot.disconnect(evenBefore: true).map { $0 != .early } ?? false }

  /// Ends the stream from upstream.
  ///
  /// - Returns: Whether this call ended it: only then is the completion passed on.
  @inlinable @discardableResult
  package final func complete() -> Bool { slot.complete() }

  /// The upstream's subscription, while the stream is under way.
  @usableFromInline
  package final var upstream: (any Subscription)? { slot.subscription }

  @usableFromInline
  package override var description: String { "\(name)" }
}

extension UpstreamLink {
  /// Where in its life the subscription is, for mirrors.
  @usableFromInline
  final var status: String { isConnected ? "subscribed" : isOver ? "terminal" : "awaitingSubscription" }
}
