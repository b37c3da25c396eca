// Run loops for tests: this thread's, turned until something has happened, and one that sleeps on a thread of its own.

import Foundation
import TestKit

/// Turns this thread's run loop until a condition holds.
func turn(until condition: () -> Bool) {
  while !condition() { _ = RunLoop.current.run(mode: .default, before: Date() + 0.01) }
}

/// A thread that sleeps in its run loop, for the rest of the process.
enum LoopThread {
  /// The thread's run loop.
  static var runLoop: RunLoop { shared.value!.loop }
  /// Whether the caller runs on that thread.
  static var isCurrent: Bool { Thread.current === shared.value!.thread }

  private static let shared: Shared<(loop: RunLoop, thread: Thread)?> = {
    let shared = Shared<(loop: RunLoop, thread: Thread)?>(nil)
    let isReady = DispatchSemaphore(value: 0)
    let thread = Thread {
      RunLoop.current.add(Timer(timeInterval: 1_000_000, repeats: true) { _ in }, forMode: .default)
      shared.value = (RunLoop.current, Thread.current)
      isReady.signal()
      while true { _ = RunLoop.current.run(mode: .default, before: .distantFuture) }
    }
    thread.start()
    isReady.wait()
    return shared
  }()
}
