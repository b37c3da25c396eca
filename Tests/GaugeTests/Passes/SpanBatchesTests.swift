// Counters over a span, with a counter that a test plays.

import Testing

@testable import Gauge

@Suite struct SpanBatchesTests {
  /// Counts the operations themselves.
  private final class Played: Counter {
    var operations: UInt64 = 0
    var readings = 0
    var marks: [Int] = []

    override func read() -> Counts {
      readings += 1
      return Counts(operations, 7, 0, 0, 0, 0, 0, 0)
    }

    override func markPeak() { marks.append(readings) }
  }

  @Test func operationsAreCountedBetweenTwoReadings() {
    let counter = Played([
      CountedQuantity(metric: .minorFaults, lane: 0), CountedQuantity(metric: .peakResident, lane: 1, form: .atEnd),
      CountedQuantity(metric: .majorFaults, lane: 2, absence: "why"),
    ])
    let batches = SpanBatches(budget: 1e6, counter, varies: false)
    batches.run { counter.operations += 1 }
    #expect(counter.readings == 2)
    // What is resident grows from where the measuring begins.
    #expect(counter.marks == [0])
    #expect(batches.measurements.map(\.outcome) == [.value(1), .value(7), .unavailable("why")])
    #expect(batches.measurements[0].iterations > 0)
  }
}
