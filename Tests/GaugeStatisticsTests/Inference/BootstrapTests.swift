// Bootstrap intervals against SciPy on the same resamples, and the choice between them and Hodges-Lehmann.

import Foundation
import GaugeStatistics
import Testing

@Suite struct BootstrapTests {
  struct Vector: Decodable {
    var seed: UInt64
    var resamples: Int
    var confidence: Double
    var first: [Double]
    var second: [Double]
    var medianPercentile: [Double]?
    var medianBCa: [Double]?
    var logRatioPercentile: [Double]?
    var logRatioBCa: [Double]?
    var pairedPercentile: [Double]?
    var pairedBCa: [Double]?
  }

  @Test func agreesWithSciPyOnTheSameResamples() throws {
    var compared = 0
    func compare(_ estimate: Estimate, _ reference: [Double]?) {
      guard let reference else { return }
      compared += 1
      #expect(agrees(estimate.interval.lower, reference[0], within: 1e-9))
      #expect(agrees(estimate.interval.upper, reference[1], within: 1e-9))
    }
    for vector in try vectors("bootstrap", as: [Vector].self) {
      let bootstrap = Bootstrap(resamples: vector.resamples, confidence: vector.confidence, seed: vector.seed)
      let (first, second) = (vector.first, vector.second)
      compare(bootstrap.median(of: first, method: .percentile), vector.medianPercentile)
      compare(bootstrap.median(of: first), vector.medianBCa)
      compare(bootstrap.logRatioOfMedians(first, second, method: .percentile), vector.logRatioPercentile)
      compare(bootstrap.logRatioOfMedians(first, second), vector.logRatioBCa)
      if first.count == second.count {
        compare(bootstrap.medianLogRatio(pairs: first, second, method: .percentile), vector.pairedPercentile)
        compare(bootstrap.medianLogRatio(pairs: first, second), vector.pairedBCa)
      }
    }
    #expect(compared > 50)
  }

  @Test func theSameSeedGivesTheSameInterval() {
    let sample = [3.0, 1, 4, 1, 5, 9, 2, 6, 5, 3]
    #expect(Bootstrap(seed: 5).median(of: sample) == Bootstrap(seed: 5).median(of: sample.reversed()))
    #expect(Bootstrap().median(of: sample).value == 3.5)
  }

  @Test func aSampleWithoutSpreadHasAnIntervalWithoutWidth() {
    let bootstrap = Bootstrap(resamples: 50)
    #expect(bootstrap.median(of: [2, 2, 2]) == .exact(2))
    #expect(bootstrap.median(of: [2]) == .exact(2))
    #expect(bootstrap.logRatioOfMedians([2, 2], [2, 2]) == .exact(0))
    #expect(bootstrap.medianLogRatio(pairs: [1, 2, 3], [2, 4, 6]).value == log(2))
  }

  /// Why comparisons of launches use Hodges and Lehmann's interval: it keeps its level with few launches and at the
  /// high confidence that many tests ask for, where BCa on medians does not. Both sides are drawn from one
  /// distribution, so that every interval that leaves 0 out is a false alarm.
  @Test(arguments: Launches.allCases) func hodgesLehmannKeepsItsLevelWhereBCaDoesNot(launches: Launches) {
    var generator = Xoshiro256(seed: 11)
    func falseAlarms(_ n: Int, confidence: Double, trials: Int) -> (shift: Int, bootstrap: Int, limit: Double) {
      let distribution = MannWhitneyDistribution(n, n)
      let bootstrap = Bootstrap(resamples: 200, confidence: confidence, seed: 1)
      var (shift, ratio) = (0, 0)
      for _ in 0..<trials {
        let first = launches.draw(n, &generator)
        let second = launches.draw(n, &generator)
        let estimate = HodgesLehmann(first.map { log($0) }, second.map { log($0) }, distribution: distribution)
        if !estimate.interval(confidence: confidence).contains(0) { shift += 1 }
        if !bootstrap.logRatioOfMedians(first, second).interval.contains(0) { ratio += 1 }
      }
      let expected = (1 - confidence) * Double(trials)
      return (shift, ratio, expected + 3 * expected.squareRoot())
    }
    let few = falseAlarms(5, confidence: 0.999, trials: 800)
    #expect(Double(few.shift) <= few.limit)
    #expect(Double(few.bootstrap) > few.limit)
    for (n, trials) in [(10, 150), (30, 40)] {
      let usual = falseAlarms(n, confidence: 0.95, trials: trials)
      #expect(Double(usual.shift) <= usual.limit, "n = \(n)")
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
