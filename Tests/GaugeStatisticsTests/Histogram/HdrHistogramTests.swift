// The histogram against PyPI's hdrhistogram, and what it promises of its own.

import GaugeStatistics
import Testing

@Suite struct HdrHistogramTests {
  struct Vector: Decodable {
    var digits: Int
    var made: [Int]?
    var values: [UInt64]?
    var mean: Double
    var percentiles: [Double]
    var atPercentiles: [UInt64]
  }

  @Test func agreesWithTheReferenceImplementation() throws {
    for vector in try vectors("histogram", as: [Vector].self) {
      var histogram = HdrHistogram(significantDigits: vector.digits)
      vector.values?.forEach { histogram.record($0) }
      if let made = vector.made {
        var generator = Xoshiro256(seed: UInt64(made[0]))
        for _ in 0..<10_000 {
          let shift = made[1] + generator.index(below: made[2])
          histogram.record(generator.next() >> UInt64(shift))
        }
      }
      #expect(agrees(try #require(histogram.mean), vector.mean))
      for (percentile, reference) in zip(vector.percentiles, vector.atPercentiles) {
        #expect(
          histogram.valueAtPercentile(percentile) == reference, "\(vector.digits) digits, percentile \(percentile)")
      }
    }
  }

  @Test(arguments: 1...5) func keepsEveryValueToItsDigits(digits: Int) throws {
    var generator = Xoshiro256(seed: 1)
    for _ in 0..<[200, 100, 30, 5, 2][digits - 1] {
      let value = generator.next() >> UInt64(24 + generator.index(below: 40))
      var histogram = HdrHistogram(highestTrackableValue: 1 << 40, significantDigits: digits)
      histogram.record(value)
      histogram.record(.max >> 24)
      let kept = try #require(histogram.valueAtPercentile(50))
      var tolerance = Double(value)
      for _ in 0..<digits { tolerance /= 10 }
      #expect(kept >= value && Double(kept - value) <= tolerance)
    }
  }

  @Test func emptyHasNoValues() {
    let histogram = HdrHistogram()
    #expect(histogram.totalCount == 0)
    #expect(histogram.min == nil && histogram.max == nil && histogram.mean == nil)
    #expect(histogram.valueAtPercentile(50) == nil)
  }

  @Test func percentileIsTheSmallestValueThatCoversIt() {
    var histogram = HdrHistogram()
    for value in 1...1_000 as ClosedRange<UInt64> { histogram.record(value) }
    #expect(histogram.valueAtPercentile(0) == 1)
    #expect(histogram.valueAtPercentile(0.1) == 1)
    #expect(histogram.valueAtPercentile(0.11) == 2)
    #expect(histogram.valueAtPercentile(99.9) == 999)
    #expect(histogram.valueAtPercentile(99.91) == 1_000)
    #expect(histogram.valueAtPercentile(100) == 1_000)
  }

  @Test func valuesAboveTheRangeAreCountedAndTheMaximumStaysExact() {
    var histogram = HdrHistogram(highestTrackableValue: 1_000, significantDigits: 2)
    histogram.record(7)
    histogram.record(5_000_000_000, count: 2)
    #expect(histogram.totalCount == 3)
    #expect(histogram.clampedCount == 2)
    #expect(histogram.max == 5_000_000_000)
    #expect(histogram.valueAtPercentile(30) == 7)
    #expect(histogram.valueAtPercentile(99) == 5_000_000_000)
  }

  @Test func recordingACountEqualsRecordingAsOften() {
    var (once, often) = (HdrHistogram(), HdrHistogram())
    once.record(123_456, count: 1_000)
    once.record(9, count: 0)
    for _ in 0..<1_000 { often.record(123_456) }
    #expect(once.totalCount == 1_000 && often.totalCount == 1_000)
    #expect(once.min == often.min && once.max == often.max && once.mean == often.mean)
    #expect(once.valueAtPercentile(50) == often.valueAtPercentile(50))
  }

  @Test func mergeEqualsRecordingIntoOne() {
    var (left, right, both) = (HdrHistogram(), HdrHistogram(), HdrHistogram())
    var generator = Xoshiro256(seed: 2)
    for index in 0..<2_000 {
      let value = generator.next() >> 40
      both.record(value)
      if index.isMultiple(of: 3) { left.record(value) } else { right.record(value) }
    }
    left.merge(right)
    left.merge(HdrHistogram())
    #expect(left.totalCount == both.totalCount && left.min == both.min && left.max == both.max)
    #expect(left.mean == both.mean)
    for percentile in [0, 1, 50, 99, 99.9, 100] {
      #expect(left.valueAtPercentile(percentile) == both.valueAtPercentile(percentile))
    }
  }

  @Test func resetForgetsEverything() {
    var histogram = HdrHistogram(highestTrackableValue: 100)
    histogram.record(200)
    histogram.reset()
    #expect(histogram.totalCount == 0 && histogram.clampedCount == 0)
    #expect(histogram.min == nil && histogram.max == nil && histogram.mean == nil)
    histogram.record(3)
    #expect(histogram.min == 3 && histogram.max == 3 && histogram.valueAtPercentile(50) == 3)
  }

  @Test func refusesToMergeAnotherRange() async {
    await #expect(processExitsWith: .failure) {
      var histogram = HdrHistogram(highestTrackableValue: 100)
      histogram.merge(HdrHistogram(highestTrackableValue: 1_000))
    }
  }
}
