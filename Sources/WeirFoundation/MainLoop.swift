// The main run loop where nothing turns it: there the main queue runs in its place.

import Dispatch
import Foundation
import WeirQueues

/// Finds out what runs on behalf of the main run loop.
///
/// Off Apple's platforms, an asynchronous `main` ends in `dispatchMain()`, and that ends the main thread: its run loop
/// does not turn again, and threads of the pool run the main queue. Until then nobody can know. So what is for the main
/// loop is put there, and remembered; a block on the main queue finds out on which thread it runs. If that is the main
/// thread, whoever turns the loop runs the queue, too. If it is another one, the main queue is the main loop from then
/// on, beginning with what was remembered, in order.
enum MainLoop {
  private struct State {
    /// `nil` until it is known.
    var isGone: Bool?
    var isAsked = false
    var remembered: [() -> Void] = []
  }

  #if !canImport(Darwin)
    private static let state = Lock(State())
  #endif

  /// Whether what is for the main loop has to go to the main queue.
  ///
  /// - Parameter action: Runs on the main queue if that is not known now, and turns out to be so.
  /// - Complexity: O(1).
  static func isGone(elseIfItTurnsOut action: (() -> Void)?) -> Bool {
    #if canImport(Darwin)
      return false
    #else
      let (isGone, asks) = state.withLock { state -> (Bool, Bool) in
        if let isGone = state.isGone { return (isGone, false) }
        if let action { state.remembered.append(action) }
        defer { state.isAsked = true }
        return (false, !state.isAsked)
      }
      if asks { DispatchQueue.main.async { find(isMainThread: Thread.isMainThread) } }
      return isGone
    #endif
  }

  #if !canImport(Darwin)
    private static func find(isMainThread: Bool) {
      let remembered = state.withLock { state in
        state.isGone = !isMainThread
        defer { state.remembered = [] }
        return state.remembered
      }
      if !isMainThread { for action in remembered { action() } }
    }
  #endif
}
