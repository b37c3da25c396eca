// The one Subscription class: what differs between publishers comes as closures formed where types are known.

/// Connects one subscriber with one of Weir's publishers.
///
/// A subscription is reached through `any Subscription`, and a generic class behind an existential runs unspecialised
/// code. This class is therefore not generic; its generic subclasses only add fields, and the code that works on them
/// is passed in as closures. They capture nothing, as they get the link itself, so a link that a subscriber keeps after
/// its end keeps nothing else alive.
@usableFromInline
package class Link: Subscription, CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  @usableFromInline let onRequest: (Link, Subscribers.Demand) -> Void
  @usableFromInline let onCancel: (Link) -> Void

  @inlinable
  package init(
    onRequest: @escaping (Link, Subscribers.Demand) -> Void, onCancel: @escaping (Link) -> Void
  ) {
    self.onRequest = onRequest
    self.onCancel = onCancel
  }

  @inlinable
  package final func request(_ demand: Subscribers.Demand) { onRequest(self, demand) }

  @inlinable
  package final func cancel() { onCancel(self) }

  /// This link as one of the class that it is of: for the closures that the class has formed for it.
  @inlinable @inline(__always)
  package final func downcast<Kind: Link>(to kind: Kind.Type) -> Kind {
    // SAFETY: a link calls no closures but its own, which its class forms, and passes itself.
    unsafe unsafeDowncast(self, to: kind)
  }

  @usableFromInline
  package var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }

  /// Whether the values come from a publisher that is not one of Weir's, perhaps through operators that pass them on as
  /// they come: it may break the contract and call from several threads at once.
  @usableFromInline
  package var isForeign: Bool { false }

  /// Whether a request only notes what is asked for, so that it is over soon; a subject drops what was not asked for.
  @usableFromInline
  package var notesDemand: Bool { false }

  /// The name that Combine shows for this kind of subscription.
  @usableFromInline
  package var description: String { "Subscription" }

  @usableFromInline
  package var customMirror: Mirror { Mirror(of: self) }

  @usableFromInline
  package final var playgroundDescription: Any { description }
}

extension Subscribers.Demand {
  /// Traps where Combine traps: asking for no value at all is a mistake of the subscriber.
  @inlinable
  func requireSome<Name>(_ publisher: Name) {
    precondition(
      self > .none,
      "API violation: \(publisher) was asked for no value; demand must be greater than zero\(CheckpointTrail.text)")
  }
}
