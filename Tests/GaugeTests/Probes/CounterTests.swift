// Numbers from the readings of counters.

import Testing

@testable import Gauge

@Suite struct CounterTests {
  private let metric = Metric("level", unit: "B", kind: .exact)
  private let start = Counts(100, 0, 0, 0, 0, 0, 0, 0)
  private let end = Counts(160, 40, 0, 0, 0, 0, 0, 0)

  private func outcome(_ quantity: CountedQuantity, less empty: Counts = .zero) -> Measurement.Outcome {
    quantity.measurement(from: start, to: end, less: empty, operations: 10, varies: false).outcome
  }

  @Test func aQuantityIsADifferenceALevelOrAQuotient() {
    #expect(outcome(CountedQuantity(metric: metric, lane: 0)) == .value(6))
    #expect(outcome(CountedQuantity(metric: metric, lane: 0), less: Counts(repeating: 80)) == .value(-2))
    #expect(outcome(CountedQuantity(metric: metric, lane: 0, form: .atEnd)) == .value(160))
    #expect(outcome(CountedQuantity(metric: metric, lane: 0, form: .quotient(of: 1))) == .value(4))
    #expect(
      outcome(CountedQuantity(metric: metric, lane: 0, form: .quotient(of: 2)))
        == .unavailable("there is nothing to divide by"))
    #expect(outcome(CountedQuantity(metric: metric, lane: 0, absence: "why")) == .unavailable("why"))
  }

  /// A result file with a negative count of the heap is not read.
  @Test func theHeapIsNeverAskedForLessThanNothing() {
    for metric in Metric.heap.dropLast() {
      #expect(outcome(CountedQuantity(metric: metric, lane: 0), less: Counts(repeating: 80)) == .value(0))
      #expect(outcome(CountedQuantity(metric: metric, lane: 0), less: Counts(repeating: 50)) == .value(1))
    }
  }

  @Test func aCounterWithoutItsSourceTellsWhyAndReadsNothing() {
    let counter = HeapCounter(nil)
    #expect(!counter.isPresent)
    #expect(counter.read() == .zero)
    #expect(Counter([]).read() == .zero)
  }
}
