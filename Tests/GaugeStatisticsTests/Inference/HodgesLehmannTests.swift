// The shift and its interval against SciPy's test, inverted.

import Foundation
import GaugeStatistics
import Testing

@Suite struct HodgesLehmannTests {
  struct Vector: Decodable {
    var first: [Double]
    var second: [Double]
    var shift: Double
    /// Confidence, lower and upper end; an end is null where the interval is unbounded.
    var intervals: [[Double?]]?
  }

  @Test func agreesWithTheInvertedTestOfSciPy() throws {
    for vector in try vectors("hodges-lehmann", as: [Vector].self) {
      let estimate = HodgesLehmann(vector.first, vector.second)
      #expect(agrees(estimate.shift, vector.shift))
      for row in vector.intervals ?? [] {
        let interval = estimate.interval(confidence: try #require(row[0]))
        #expect(agrees(interval.lower, row[1] ?? -.infinity))
        #expect(agrees(interval.upper, row[2] ?? .infinity))
      }
    }
  }

  @Test func tooFewValuesBoundNothing() {
    #expect(HodgesLehmann([1, 2, 3], [4, 5, 6]).interval(confidence: 0.95) == .unbounded)
    #expect(HodgesLehmann([1, 2, 3, 4], [4, 5, 6, 7]).interval(confidence: 0.95) != .unbounded)
  }

  @Test func largeSamplesUseTheNormalApproximation() {
    let first = (0..<101).map { Double($0) }
    let second = first.map { $0 + 1_000 }
    let large = HodgesLehmann(first, second)
    #expect(large.shift == 1_000)
    let small = HodgesLehmann(Array(first.prefix(100)), Array(second.prefix(100))).interval(confidence: 0.95)
    let interval = large.interval(confidence: 0.95)
    #expect(abs(interval.lower - small.lower) <= 1 && abs(interval.upper - small.upper) <= 1)
  }

  /// Why comparisons of launches use this interval: it keeps its level with few launches and at the high confidence
  /// that many tests ask for. Both sides are drawn from one distribution,
  /// so that every interval that leaves 0 out is a false alarm.
  @Test(arguments: Launches.allCases) func itKeepsItsLevelWithFewLaunches(launches: Launches) {
    var generator = Xoshiro256(seed: 11)
    for (n, confidence, trials) in [(5, 0.999, 800), (10, 0.95, 150), (30, 0.95, 40)] {
      let distribution = MannWhitneyDistribution(n, n)
      var alarms = 0
      for _ in 0..<trials {
        let (first, second) = (launches.draw(n, &generator), launches.draw(n, &generator))
        let estimate = HodgesLehmann(first.map { log($0) }, second.map { log($0) }, distribution: distribution)
        if !estimate.interval(confidence: confidence).contains(0) { alarms += 1 }
      }
      let expected = (1 - confidence) * Double(trials)
      #expect(Double(alarms) <= expected + 3 * expected.squareRoot(), "n = \(n)")
    }
  }

  /// How launches of one build scatter.
  enum Launches: CaseIterable, Sendable {
    /// Log-normal with 3 %.
    case even
    /// One in four 30 % slower: two layouts of code or memory.
    case twoModes
    /// A slow tail: someone else on the machine.
    case tailed

    func draw(_ n: Int, _ generator: inout Xoshiro256) -> [Double] {
      (0..<n).map { _ in
        let noise = exp(0.03 * NormalDistribution.quantile((generator.unit() + 0x1p-54)))
        return switch self {
        case .even: noise
        case .twoModes: noise * (generator.index(below: 4) == 0 ? 1.3 : 1)
        case .tailed: noise - log(1 - generator.unit()) * 0.2
        }
      }
    }
  }
}
