// A scheduled action that can be let go of, whatever the timer, queue or operation that would run it does.

import WeirQueues

/// An action on its way to a run loop, a queue or an actor.
///
/// Timers of the portable Foundation keep their closures for ever, also when they have fired or were invalidated; they
/// are given this, and it gives the action up.
///
/// That the action may run on another thread is what whoever schedules it asks for: Combine's schedulers take closures
/// that are not `Sendable`. It is reached under the lock only.
package final class ScheduledWork: Sendable {
  /// A closure that is the generic argument itself would be wrapped each time that it is looked at, and be called
  /// through all of that.
  private struct Held { var action: (() -> Void)? }

  private let held: Lock<Held>

  package init(_ action: @escaping () -> Void) { held = Lock(Held(action: action)) }

  /// Whether the action has not been let go of.
  package var isAlive: Bool { held.withLock { $0.action != nil } }

  /// Runs the action, if it is still there.
  ///
  /// - Returns: Whether it was.
  @discardableResult
  package func run() -> Bool { held.withLock { $0 }.action?() != nil }

  /// Runs the action, if it is still there, and lets go of it.
  ///
  /// - Returns: Whether it was there.
  @discardableResult
  package func runOnce() -> Bool { take().action?() != nil }

  /// Lets go of the action.
  ///
  /// - Returns: Whether it was there.
  @discardableResult
  package func drop() -> Bool { take().action != nil }

  private func take() -> Held {
    held.withLock { held in
      defer { held.action = nil }
      return held
    }
  }
}
