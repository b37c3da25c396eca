// A scheduler whose timers the test fires by hand, in any order, and that heeds no cancellation.

import Weir

/// Keeps each scheduled action until the test runs it. For one thread.
package final class LooseScheduler: Scheduler {
  package typealias SchedulerOptions = Never

  /// A scheduled action, and when it would be due.
  package struct Entry {
    /// When it is due; `nil` if as soon as possible.
    package let date: ManualTime?
    /// The tolerance that was granted.
    package let tolerance: ManualTime.Stride?
    /// What to run.
    package let action: () -> Void
  }

  /// Everything ever scheduled, in order; running an entry does not remove it.
  package private(set) var entries: [Entry] = []
  /// The entries with a repetition that were cancelled, or let go of.
  package private(set) var cancelled: [Int] = []
  package var now = ManualTime()
  package let minimumTolerance = ManualTime.Stride(7)

  package init() {}

  /// Runs entries in the order given.
  package func run(_ numbers: Int...) {
    for number in numbers { entries[number].action() }
  }

  package func schedule(options: Never?, _ action: @escaping () -> Void) {
    entries.append(Entry(date: nil, tolerance: nil, action: action))
  }

  package func schedule(
    after date: ManualTime, tolerance: ManualTime.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    entries.append(Entry(date: date, tolerance: tolerance, action: action))
  }

  package func schedule(
    after date: ManualTime, interval: ManualTime.Stride, tolerance: ManualTime.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    entries.append(Entry(date: date, tolerance: tolerance, action: action))
    let number = entries.count - 1
    return AnyCancellable { [weak self] in self?.cancelled.append(number) }
  }

  /// Lets go of all actions.
  package func forget() { entries = [] }
}
