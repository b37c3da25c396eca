// How many more tasks may run at once, and the loop that waits until one may.

/// Counts the tasks that a loop starts: the loop waits while as many run as may.
package final class Room: Sendable {
  private let state: Lock<(free: Int, waiter: CheckedContinuation<Void, Never>?)>

  /// - Parameter count: How many there is room for.
  package init(for count: Int) { state = Lock((count, nil)) }

  /// Waits until there is room for one, and takes it. One task calls this.
  package nonisolated(nonsending) func take() async {
    await withCheckedContinuation { waiter in
      let isFree = state.withLock { state in
        if state.free == 0 { state.waiter = waiter } else { state.free -= 1 }
        return state.waiter == nil
      }
      if isFree { waiter.resume() }
    }
  }

  /// Makes room for one, which the task that waits takes. Any thread may call this.
  package func giveBack() {
    let waiter = state.withLock { state in
      let waiter = state.waiter.take()
      if waiter == nil { state.free += 1 }
      return waiter
    }
    waiter?.resume()
  }
}
