// Counts living objects: finds leaks, and objects that were freed twice.

import Synchronization

/// Hands out tracked objects and counts those that live. Any thread may use it.
package final class Lifetimes: Sendable {
  private let count = Atomic<Int>(0)
  private let everMade = Atomic<Int>(0)

  package init() {}

  /// How many objects live; negative if one was freed twice.
  package var live: Int { count.load(ordering: .acquiring) }

  /// How many objects there have been.
  package var made: Int { everMade.load(ordering: .acquiring) }

  /// A new object, with a number of the caller's choice.
  package func track(_ number: Int = 0) -> LifetimeTracked { LifetimeTracked(number, self) }

  fileprivate func enter() {
    count.add(1, ordering: .acquiringAndReleasing)
    everMade.add(1, ordering: .acquiringAndReleasing)
  }

  fileprivate func leave() { count.subtract(1, ordering: .acquiringAndReleasing) }
}

/// An object whose life is counted; capture it in closures, or send it as a value.
package final class LifetimeTracked: Equatable, Sendable {
  /// The number it was made with.
  package let number: Int
  private let lifetimes: Lifetimes

  fileprivate init(_ number: Int, _ lifetimes: Lifetimes) {
    self.number = number
    self.lifetimes = lifetimes
    lifetimes.enter()
  }

  deinit { lifetimes.leave() }

  package static func == (lhs: LifetimeTracked, rhs: LifetimeTracked) -> Bool { lhs.number == rhs.number }

  /// Uses the object, so that a closure captures it.
  @inline(never)
  package func touch() {}
}
