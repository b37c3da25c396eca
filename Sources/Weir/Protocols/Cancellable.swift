// Something that can be stopped.

/// An activity that can be cancelled.
///
/// Any thread may call `cancel()`, also at the same time as another `cancel()` or a `request(_:)`. A second call does
/// nothing. A call never waits for a delivery in progress.
public protocol Cancellable {
  /// Stops the activity and frees what it holds.
  func cancel()
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
