// When a task that finds every value ready lets others of its actor run.

/// Counts the values that an iterator gives out.
///
/// A task that takes values which are ready is never suspended, so that no other would run on its actor as long as the
/// values last. Now and then it gives way, as tasks of tokio do after 128 operations.
@frozen
@usableFromInline
package struct ReadyRun: Sendable {
  @usableFromInline static var length: Int { 256 }

  @usableFromInline var count = 0

  @inlinable
  package init() {}

  /// Counts one more on an actor, for which other tasks may be waiting. Elsewhere nothing is counted: what waits there
  /// goes to any free thread.
  ///
  /// - Parameter actor: The actor that the task runs on.
  /// - Returns: Whether the task is to give way before it takes the next one.
  @inlinable @inline(__always)
  package mutating func isOver(on actor: (any Actor)?) -> Bool {
    guard actor != nil else { return false }
    count += 1
    guard count > Self.length else { return false }
    // The one that this call is for.
    count = 1
    return true
  }
}
