// What tests of asynchronous code share.

import TestKit
import Testing
import Weir
import WeirQueues

/// A door that tasks wait at until a test opens it.
actor Door {
  private var isOpen = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func open() {
    isOpen = true
    for continuation in waiting { continuation.resume() }
    waiting = []
  }

  func pass() async {
    if isOpen { return }
    await withCheckedContinuation { waiting.append($0) }
  }
}

/// Lets other tasks run until a condition holds.
func untilTrue(_ condition: () -> Bool) async {
  while !condition() { await Task.yield() }
}

/// Does something on a thread of its own once a condition holds, or after very many tries: for tests whose tasks hold
/// all threads of the pool, also the one that the test needs.
func onOtherThread(once isReady: @escaping @Sendable () -> Bool, _ body: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { continuation in
    _ = OtherThread {
      var tries = 0
      while !isReady(), tries < 10_000_000 {
        tries += 1
        yieldThread()
      }
      body()
      continuation.resume()
    }
  }
}

/// Waits until the task is cancelled.
func untilCancelled() async {
  while !Task.isCancelled { await Task.yield() }
}

/// A list that several threads add to. ThreadSanitizer sees its lock, unlike a `Mutex` for which threads wait.
final class Log<Element: Sendable>: Sendable {
  private let elements = Lock<[Element]>([])

  var all: [Element] { elements.withLock { $0 } }

  func add(_ element: Element) { elements.withLock { $0.append(element) } }
}
