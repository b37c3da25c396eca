// A scheduled action that can be let go of, whatever the timer or operation that would run it does.

import WeirQueues

/// An action on its way to a run loop or a queue.
///
/// Timers of the portable Foundation keep their closures for ever, also when they have fired or were invalidated; they
/// are given this, and it gives the action up.
///
/// That the action may run on another thread is what whoever schedules it asks for: Combine's schedulers take closures
/// that are not `Sendable`. It is reached under the lock only.
final class ScheduledWork: Sendable {
  private let action: Lock<(() -> Void)?>

  init(_ action: @escaping () -> Void) { self.action = Lock(action) }

  /// Whether the action has not been let go of.
  var isAlive: Bool { action.withLock { $0 != nil } }

  /// Runs the action, if it is still there.
  func run() { action.withLock { $0 }?() }

  /// Runs the action, if it is still there, and lets go of it.
  func runOnce() { take()?() }

  /// Lets go of the action.
  func drop() { _ = take() }

  private func take() -> (() -> Void)? {
    action.withLock { action in
      defer { action = nil }
      return action
    }
  }
}
