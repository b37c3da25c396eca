// Something that can be stopped.

/// An activity that can be cancelled.
///
/// Any thread may call `cancel()`, also at the same time as another `cancel()` or a `request(_:)`. A second call does
/// nothing. A call never waits for a delivery in progress.
public protocol Cancellable {
  /// Stops the activity and frees what it holds.
  func cancel()
}
