// The allocation pass with played counters.

import Testing

@testable import Gauge

@Suite struct AllocationSamplerTests {
  private func counts(_ allocations: UInt64, _ frees: UInt64, _ bytes: UInt64) -> HeapCounts {
    HeapCounts(allocations: allocations, frees: frees, bytes: bytes)
  }

  @Test func warmUpIsNotCounted() {
    var sampler = AllocationSampler(operations: 1000)
    #expect(sampler.nextCount() == 100)
    sampler.record(from: counts(5, 5, 5), to: counts(105, 25, 1005))
    #expect(sampler.counts == nil)
    #expect(sampler.nextCount() == 1000)
    sampler.record(from: counts(105, 25, 1005), to: counts(1105, 2025, 17_005))
    #expect(sampler.nextCount() == nil)
    #expect(sampler.counts == counts(1000, 2000, 16_000))
    #expect(
      sampler.measurements(threads: .single) == [
        Measurement(.allocations, .value(1), iterations: 1000, samples: 1),
        Measurement(.frees, .value(2), iterations: 1000, samples: 1),
        Measurement(.allocatedBytes, .value(16), iterations: 1000, samples: 1),
      ])
  }

  @Test func oneOperationIsWarmedUpByOne() {
    var sampler = AllocationSampler(operations: 1)
    #expect(sampler.nextCount() == 1)
    sampler.record(from: counts(0, 0, 0), to: counts(9, 9, 9))
    #expect(sampler.nextCount() == 1)
    sampler.record(from: counts(9, 9, 9), to: counts(9, 9, 9))
    #expect(sampler.measurements(threads: .single).allSatisfy { $0.outcome == .value(0) })
  }

  @Test func fractionsStay() {
    var sampler = AllocationSampler(operations: 8)
    sampler.record(from: counts(0, 0, 0), to: counts(0, 0, 0))
    sampler.record(from: counts(0, 0, 0), to: counts(1, 3, 64))
    #expect(sampler.measurements(threads: .single).map(\.outcome) == [.value(0.125), .value(0.375), .value(8)])
  }

  @Test func severalThreadsMakeCountsSampled() {
    var sampler = AllocationSampler(operations: 1)
    sampler.record(from: counts(0, 0, 0), to: counts(0, 0, 0))
    sampler.record(from: counts(0, 0, 0), to: counts(0, 0, 0))
    #expect(sampler.measurements(threads: .single).allSatisfy { $0.metric.kind == .exact })
    #expect(sampler.measurements(threads: .several).allSatisfy { $0.metric.kind == .sampled })
    #expect(sampler.measurements(threads: .several).map(\.metric.name) == ["allocations", "frees", "allocated_bytes"])
  }

  @Test func absenceHasItsReasonForEachQuantity() {
    let measurements = AllocationSampler.unavailable(threads: .single, because: "why")
    #expect(measurements.map(\.metric) == [.allocations, .frees, .allocatedBytes])
    #expect(measurements.allSatisfy { $0.outcome == .unavailable("why") })
  }
}
