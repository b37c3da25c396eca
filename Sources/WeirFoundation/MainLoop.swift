// The main run loop where nothing turns it: there the main queue runs in its place.

import Dispatch
import Foundation
import Weir
import WeirQueues

/// Finds out what runs on behalf of the main run loop.
///
/// Off Apple's platforms, an asynchronous `main` ends in `dispatchMain()`, and that ends the main thread: its run loop
/// does not turn again, and threads of the pool run the main queue. Until then nobody can know. So what is for the main
/// loop is put there, and remembered until it is done; a block on the main queue finds out on which thread it runs. If
/// that is the main thread, whoever turns the loop runs the queue, too, until the thread ends. If it is another one, or
/// once the main thread has ended, the main queue is the main loop, beginning with what is remembered, in order.
enum MainLoop {
  #if canImport(Darwin)
    static func isGone(otherwise _: ScheduledWork?) -> Bool { false }
  #else
    private struct State {
      var isGone = false
      var isAsked = false
      var remembered: [ScheduledWork] = []
      /// How many may be remembered before those that are done are looked for.
      var limit = least

      mutating func remember(_ work: ScheduledWork) {
        if remembered.count >= limit {
          remembered.removeAll { !$0.isAlive }
          limit = max(2 * remembered.count, Self.least)
        }
        remembered.append(work)
      }

      private static let least = 64
    }

    private static let state = Lock(State())

    /// Whether what is for the main loop has to go to the main queue.
    ///
    /// - Parameter work: Runs on the main queue if it has not been done or dropped before the loop is gone.
    /// - Complexity: Amortised O(1).
    static func isGone(otherwise work: ScheduledWork?) -> Bool {
      let (isGone, asks) = state.withLock { state -> (Bool, Bool) in
        if state.isGone { return (true, false) }
        if let work { state.remember(work) }
        defer { state.isAsked = true }
        return (false, !state.isAsked)
      }
      if asks { DispatchQueue.main.async { find() } }
      return isGone
    }

    /// Finds out on which thread the main queue runs. On the main queue.
    private static func find() {
      if Thread.isMainThread { atEndOfThisThread(move) } else { move() }
    }

    /// Says that the loop is gone. What comes from now on comes behind what is remembered.
    private static func move() {
      state.withLock { state in
        let remembered = state.remembered
        state.remembered = []
        state.isGone = true
        DispatchQueue.main.async { for work in remembered { work.runOnce() } }
      }
    }
  #endif
}
