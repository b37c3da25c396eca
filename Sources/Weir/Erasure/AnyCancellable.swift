// Cancels an activity when it is freed.

/// A cancellable activity that is cancelled when this object is freed, unless `cancel()` was called before.
///
/// The activity is cancelled once, by whichever thread comes first.
public final class AnyCancellable: Cancellable, Hashable {
  @usableFromInline let ending = OneShot()
  /// SAFETY (exclusivity): written by the initialiser, and by the one caller for which `ending` fires.
  @safe @exclusivity(unchecked) @usableFromInline var action: (() -> Void)?

  /// Wraps a closure.
  ///
  /// - Parameter cancel: Called once, by `cancel()` or when the object is freed, on the thread that does that.
  @_alwaysEmitIntoClient
  public init(_ cancel: @escaping () -> Void) { action = cancel }

  /// Wraps a cancellable activity.
  ///
  /// - Parameter canceller: Cancelled once, by `cancel()` or when the object is freed.
  @_alwaysEmitIntoClient
  public init<OtherCancellable: Cancellable>(_ canceller: OtherCancellable) { action = canceller.cancel }

  @inlinable
  deinit {
    // Nobody else can cancel it any more.
    if !ending.hasFired { action?() }
  }

  /// Cancels the activity and releases it. Any thread may call this; only the first call has an effect.
  @_alwaysEmitIntoClient
  public func cancel() {
    guard ending.fire() else { return }
    let action = self.action
    self.action = nil
    action?()
  }

  /// Returns `true` if both are the same object.
  public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool { lhs === rhs }

  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// Keeps this object in a collection.
  ///
  /// - Parameter collection: The collection to append to.
  /// - Complexity: That of appending to the collection: amortised O(1) for an array.
  public func store<Cancellables: RangeReplaceableCollection>(in collection: inout Cancellables)
  where Cancellables.Element == AnyCancellable {
    collection.append(self)
  }

  /// Keeps this object in a set.
  ///
  /// - Parameter set: The set to add to.
  /// - Complexity: Amortised O(1).
  public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }
}

extension Cancellable {
  /// Keeps this activity in a collection, wrapped so that it is cancelled when the collection drops it.
  ///
  /// - Parameter collection: The collection to append to.
  /// - Complexity: That of appending to the collection: amortised O(1) for an array.
  public func store<Cancellables: RangeReplaceableCollection>(in collection: inout Cancellables)
  where Cancellables.Element == AnyCancellable {
    AnyCancellable(self).store(in: &collection)
  }

  /// Keeps this activity in a set, wrapped so that it is cancelled when the set drops it.
  ///
  /// - Parameter set: The set to add to.
  /// - Complexity: Amortised O(1).
  public func store(in set: inout Set<AnyCancellable>) {
    AnyCancellable(self).store(in: &set)
  }
}

// SAFETY: any thread may cancel, and the first alone runs the action; that the action may run there is what Combine
// asks of every cancellable.
extension AnyCancellable: @unchecked Sendable {}
