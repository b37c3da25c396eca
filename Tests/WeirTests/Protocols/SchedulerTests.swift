// Tests of the shorter ways to schedule.

import TestKit
import Testing
import Weir

@Suite struct SchedulerTests {
  /// A scheduler that writes down the arguments it gets.
  private final class RecordingScheduler: Scheduler {
    typealias SchedulerOptions = Int
    var calls: [String] = []
    let now = ManualTime(5)
    let minimumTolerance = ManualTime.Stride(3)

    func schedule(options: Int?, _ action: @escaping () -> Void) {
      calls.append("now, options \(options.map(String.init) ?? "none")")
      action()
    }

    func schedule(
      after date: ManualTime, tolerance: ManualTime.Stride, options: Int?, _ action: @escaping () -> Void
    ) {
      calls.append(
        "after \(date.nanoseconds), tolerance \(tolerance.magnitude), options \(options.map(String.init) ?? "none")")
      action()
    }

    func schedule(
      after date: ManualTime, interval: ManualTime.Stride, tolerance: ManualTime.Stride, options: Int?,
      _ action: @escaping () -> Void
    ) -> any Cancellable {
      calls.append("every \(interval.magnitude)")
      schedule(after: date, tolerance: tolerance, options: options, action)
      return AnyCancellable { self.calls.append("cancelled") }
    }
  }

  @Test func fillInWhatIsLeftOut() {
    let scheduler = RecordingScheduler()
    var runs = 0
    scheduler.schedule { runs += 1 }
    scheduler.schedule(after: ManualTime(7)) { runs += 1 }
    scheduler.schedule(after: ManualTime(8), tolerance: 9) { runs += 1 }
    scheduler.schedule(after: ManualTime(10), interval: 11, tolerance: 12) { runs += 1 }.cancel()
    scheduler.schedule(after: ManualTime(13), interval: 14) { runs += 1 }.cancel()
    #expect(runs == 5)
    #expect(
      scheduler.calls == [
        "now, options none", "after 7, tolerance 3, options none", "after 8, tolerance 9, options none",
        "every 11", "after 10, tolerance 12, options none", "cancelled", "every 14",
        "after 13, tolerance 3, options none", "cancelled",
      ])
  }
}
