// A scheduler whose timers the test fires by hand, in any order, and that heeds no cancellation.

import Foundation
import Weir

/// Keeps each scheduled action until the test runs it. Any thread may schedule.
package final class LooseScheduler: Scheduler {
  package typealias SchedulerOptions = Never

  /// A scheduled action, and when it would be due. Which thread runs it is the test's responsibility.
  package struct Entry: @unchecked Sendable {
    /// When it is due; `nil` if as soon as possible.
    package let date: ManualTime?
    /// The tolerance that was granted.
    package let tolerance: ManualTime.Stride?
    /// What to run.
    package let action: () -> Void
  }

  /// Everything ever scheduled, in order; running an entry does not remove it.
  package var entries: [Entry] { kept.withLock { $0.entries } }
  /// The entries with a repetition that were cancelled, or let go of.
  package var cancelled: [Int] { kept.withLock { $0.cancelled } }
  private let kept = Kept()
  package var now = ManualTime()
  package let minimumTolerance = ManualTime.Stride(7)

  /// Behind a lock that ThreadSanitizer knows, as it does not know `Mutex`.
  private final class Kept: @unchecked Sendable {
    private let lock = NSLock()
    private var kept = (entries: [Entry](), cancelled: [Int]())

    func withLock<Result>(_ body: (inout (entries: [Entry], cancelled: [Int])) -> Result) -> Result {
      lock.withLock { body(&kept) }
    }
  }

  package init() {}

  /// Runs entries in the order given.
  package func run(_ numbers: Int...) {
    for number in numbers { entries[number].action() }
  }

  package func schedule(options: Never?, _ action: @escaping () -> Void) {
    keep(Entry(date: nil, tolerance: nil, action: action))
  }

  package func schedule(
    after date: ManualTime, tolerance: ManualTime.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    keep(Entry(date: date, tolerance: tolerance, action: action))
  }

  package func schedule(
    after date: ManualTime, interval: ManualTime.Stride, tolerance: ManualTime.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    let number = keep(Entry(date: date, tolerance: tolerance, action: action))
    return AnyCancellable { [weak self] in self?.kept.withLock { $0.cancelled.append(number) } }
  }

  /// Lets go of all actions.
  package func forget() { kept.withLock { $0.entries = [] } }

  /// - Returns: The number of the entry.
  @discardableResult
  private func keep(_ entry: Entry) -> Int {
    kept.withLock {
      $0.entries.append(entry)
      return $0.entries.count - 1
    }
  }
}
