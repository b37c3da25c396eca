// Something that can be stopped.

/// An activity that can be cancelled.
///
/// `cancel()` may be called from any thread, at the same time as another `cancel()` or a `request(_:)`; a second call does
/// nothing; it never waits for a delivery in progress.
public protocol Cancellable {
  /// Stops the activity and frees what it holds.
  func cancel()
}

extension Cancellable {
  /// Keeps this activity in a collection, wrapped so that it is cancelled when the collection drops it.
  ///
  /// - Parameter collection: The collection to add to.
  public func store<Cancellables: RangeReplaceableCollection>(in collection: inout Cancellables)
  where Cancellables.Element == AnyCancellable {
    AnyCancellable(self).store(in: &collection)
  }

  /// Keeps this activity in a set, wrapped so that it is cancelled when the set drops it.
  ///
  /// - Parameter set: The set to add to.
  public func store(in set: inout Set<AnyCancellable>) {
    AnyCancellable(self).store(in: &set)
  }
}
