// The closed form of the bootstrap of a median against every resample, and against many drawn ones.

import GaugeStatistics
import Testing

@Suite struct MedianBootstrapTests {
  /// The medians of all n to the n resamples, in order.
  private func medians(ofResamplesOf sample: [Double]) -> [Double] {
    let n = sample.count
    var medians: [Double] = []
    var drawn = [Int](repeating: 0, count: n)
    enumeration: while true {
      medians.append(median(of: drawn.map { sample[$0] }))
      for place in 0..<n {
        drawn[place] += 1
        if drawn[place] < n { continue enumeration }
        drawn[place] = 0
      }
      break
    }
    return medians.sorted()
  }

  /// The medians of so many drawn resamples, in order. A resample is how often each value was drawn.
  private func medians(of count: Int, resamplesOf sample: [Double], _ random: inout Xoshiro256) -> [Double] {
    let sorted = sample.sorted()
    var times = [Int](repeating: 0, count: sorted.count)
    return (0..<count).map { _ -> Double in
      for place in times.indices { times[place] = 0 }
      for _ in sorted { times[random.index(below: sorted.count)] += 1 }
      var (place, below) = (0, times[0])
      /// The value at a rank that is no lower than the last one asked for.
      func value(at rank: Int) -> Double {
        while below <= rank {
          place += 1
          below += times[place]
        }
        return sorted[place]
      }
      return (value(at: (sorted.count - 1) / 2) + value(at: sorted.count / 2)) / 2
    }.sorted()
  }

  /// The interval between two quantiles of sorted medians.
  private func interval(_ medians: [Double], confidence: Double) -> Interval {
    func reaching(_ share: Double) -> Double {
      medians[max(0, Int((share * Double(medians.count) - 1e-6).rounded(.up)) - 1)]
    }
    return Interval(reaching((1 - confidence) / 2), reaching((1 + confidence) / 2))
  }

  @Test(arguments: [
    [1.0], [1, 2], [3, 1, 2], [1, 5, 2, 9], [4, 1, 7, 2, 8], [3, 1, 4, 1.5, 9, 2.6], [2, 2, 3, 3, 3],
    [5, 5, 5, 5, 6, 6], [0.5, 3, -2, 11, 7, 4, 6],
  ])
  func agreesWithEveryResample(_ sample: [Double]) {
    let medians = medians(ofResamplesOf: sample)
    for confidence in [0.5, 0.8, 0.9, 0.95, 0.99] {
      #expect(
        MedianBootstrap(sample).interval(confidence: confidence) == interval(medians, confidence: confidence),
        "\(sample) at \(confidence)")
    }
  }

  @Test(arguments: [8, 9, 20, 21, 60, 199, 200, 201, 1001, 1500])
  func agreesWithManyDrawnResamples(_ size: Int) {
    var random = Xoshiro256(seed: UInt64(size))
    let sample = (0..<size).map { _ in 100 + random.unit() }
    let closed = MedianBootstrap(sample).interval(confidence: 0.9)
    let medians = medians(of: 4_000, resamplesOf: sample, &random)
    let drawn = Interval(quantile(0.05, ofSorted: medians), quantile(0.95, ofSorted: medians))
    // The quantiles of the draws lie within a few hundredths of the interval's width of the true ones.
    let tolerance = 0.1 * (drawn.upper - drawn.lower)
    #expect(
      agrees(closed.lower, drawn.lower, within: tolerance) && agrees(closed.upper, drawn.upper, within: tolerance))
  }

  @Test(arguments: [20_000, 20_001]) func ofManyValuesItIsTheNormalApproximations(_ size: Int) {
    let interval = MedianBootstrap((0..<size).map { Double($0) }).interval(confidence: 0.95)
    let half = 1.96 * Double(size).squareRoot() / 2
    #expect(agrees(interval.lower, Double(size) / 2 - half, within: 2 / half))
    #expect(agrees(interval.upper, Double(size) / 2 + half, within: 2 / half))
  }

  @Test func theOrderOfTheSampleDoesNotMatter() {
    let sample = [3.0, 1, 4, 1, 5, 9, 2, 6]
    #expect(
      MedianBootstrap(sample).interval(confidence: 0.95)
        == MedianBootstrap(sample.reversed()).interval(confidence: 0.95))
  }
}
