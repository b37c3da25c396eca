// A counting pass with played counters.

import Testing

@testable import Gauge

@Suite struct CountSamplerTests {
  private let quantities = HeapCounter(nil).quantities.prefix(3).map {
    CountedQuantity(metric: $0.metric, lane: $0.lane, absence: nil)
  }

  private func counts(_ allocations: UInt64, _ frees: UInt64, _ bytes: UInt64) -> Counts {
    Counts(allocations, frees, bytes, 0, 0, 0, 0, 0)
  }

  @Test func warmUpIsNotCounted() {
    var sampler = CountSampler(operations: 1000)
    #expect(sampler.nextCount() == 100)
    sampler.record(from: counts(5, 5, 5), to: counts(105, 25, 1005))
    #expect(sampler.difference == nil)
    #expect(sampler.nextCount() == 1000)
    sampler.record(from: counts(105, 25, 1005), to: counts(1105, 2025, 17_005))
    #expect(sampler.nextCount() == nil)
    #expect(sampler.difference == counts(1000, 2000, 16_000))
    #expect(
      sampler.measurements(quantities, varies: false) == [
        Measurement(.allocations, .value(1), iterations: 1000, samples: 1),
        Measurement(.frees, .value(2), iterations: 1000, samples: 1),
        Measurement(.allocatedBytes, .value(16), iterations: 1000, samples: 1),
      ])
  }

  @Test func oneOperationIsWarmedUpByOne() {
    var sampler = CountSampler(operations: 1)
    #expect(sampler.nextCount() == 1)
    sampler.record(from: counts(0, 0, 0), to: counts(9, 9, 9))
    #expect(sampler.nextCount() == 1)
    sampler.record(from: counts(9, 9, 9), to: counts(9, 9, 9))
    #expect(sampler.measurements(quantities, varies: false).allSatisfy { $0.outcome == .value(0) })
  }

  @Test func fractionsStayAndTheHarnessIsSubtracted() {
    var sampler = CountSampler(operations: 8)
    sampler.record(from: counts(0, 0, 0), to: counts(0, 0, 0))
    sampler.record(from: counts(0, 0, 0), to: counts(1, 3, 64))
    #expect(
      sampler.measurements(quantities, varies: false).map(\.outcome) == [.value(0.125), .value(0.375), .value(8)])
    #expect(
      sampler.measurements(quantities, varies: false, less: counts(1, 2, 0)).map(\.outcome)
        == [.value(0), .value(0.125), .value(8)])
  }

  @Test func severalThreadsMakeCountsSampled() {
    var sampler = CountSampler(operations: 1)
    sampler.record(from: counts(0, 0, 0), to: counts(0, 0, 0))
    sampler.record(from: counts(0, 0, 0), to: counts(0, 0, 0))
    #expect(sampler.measurements(quantities, varies: false).allSatisfy { $0.metric.kind == .exact })
    #expect(sampler.measurements(quantities, varies: true).allSatisfy { $0.metric.kind == .sampled })
    #expect(
      sampler.measurements(quantities, varies: true).map(\.metric.name)
        == ["allocations", "frees", "allocated_bytes"])
  }

  @Test func aPeakIsKeptApartAndMissingWhereNothingWasMarked() {
    let quantity = CountedQuantity(metric: .peakHeap, lane: 3, form: .peak)
    var sampler = CountSampler(operations: 10)
    let unread = Counts(0, 0, 0, Counter.noPeak, 0, 0, 0, 0)
    sampler.record(from: unread, to: unread)
    sampler.record(from: unread, to: unread)
    guard case .unavailable(let reason) = sampler.measurements([quantity], varies: true)[0].outcome else {
      Issue.record("a peak that nobody has read")
      return
    }
    #expect(reason.contains("several threads"))
    sampler.keep(48, inLane: 3)
    #expect(sampler.measurements([quantity], varies: false).map(\.outcome) == [.value(48)])
  }

  @Test func absenceHasItsReasonForEachQuantity() {
    let measurements = CountSampler(operations: 5).measurements(HeapCounter(nil).quantities, varies: false)
    #expect(measurements.map(\.metric) == Metric.heap)
    #expect(measurements.allSatisfy { $0.outcome == .unavailable(HeapHooks.absence) })
    #expect(
      CountSampler.unavailable(quantities, varies: false).map(\.outcome)
        == Array(repeating: .unavailable("the operations were not counted"), count: 3))
  }
}
