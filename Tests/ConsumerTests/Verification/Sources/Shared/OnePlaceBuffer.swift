// A place for one element between threads: one that is right, and one that isn't.

import WeirQueues

/// A buffer with one place.
package protocol OnePlace: AnyObject {
  /// Creates an empty one.
  init()
  /// Puts a number into the place.
  ///
  /// - Returns: `false` if it is full.
  func put(_ number: Int) -> Bool
  /// Takes the number out; `nil` if there is none.
  func take() -> Int?
}

/// Looks whether the place is free, and then takes it: two threads can both find it free.
package final class BrokenBuffer: OnePlace, @unchecked Sendable {
  private let isFull = AtomicWord(0)
  @NonAtomic private var content = 0

  package init() {}

  package func put(_ number: Int) -> Bool {
    guard isFull.acquireLoad() == 0 else { return false }
    content = number
    isFull.publish(1)
    return true
  }

  package func take() -> Int? {
    guard isFull.acquireLoad() == 1 else { return nil }
    let number = content
    isFull.publish(0)
    return number
  }
}

/// Looks and takes in one step, and shows the number when it is in.
package final class OnePlaceBuffer: OnePlace, @unchecked Sendable {
  private enum State {
    static let empty = 0, busy = 1, full = 2
  }

  private let state = AtomicWord(State.empty)
  @NonAtomic private var content = 0

  package init() {}

  package func put(_ number: Int) -> Bool {
    guard state.compareExchange(expected: State.empty, desired: State.busy).exchanged else { return false }
    content = number
    state.publish(State.full)
    return true
  }

  package func take() -> Int? {
    guard state.compareExchange(expected: State.full, desired: State.busy).exchanged else { return nil }
    let number = content
    state.publish(State.empty)
    return number
  }
}
