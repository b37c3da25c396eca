// Something that can be stopped.

/// An activity that can be cancelled.
///
/// `cancel()` may be called from any thread, at the same time as another `cancel()` or a `request(_:)`; a second call does
/// nothing; it never waits for a delivery in progress.
public protocol Cancellable {
  /// Stops the activity and frees what it holds.
  func cancel()
}
