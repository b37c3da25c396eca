// The distribution of U against SciPy and by enumeration.

import GaugeStatistics
import Testing

@Suite struct MannWhitneyDistributionTests {
  @Test func agreesWithSciPy() throws {
    for row in try vectors("u-distribution", as: [[Double]].self) {
      let distribution = MannWhitneyDistribution(Int(row[0]), Int(row[1]))
      #expect(agrees(distribution.cumulative(Int(row[2])), row[3], within: 1e-9), "\(row)")
    }
  }

  @Test func coversAllOrderings() {
    for (m, n) in [(1, 1), (2, 3), (4, 4), (7, 2), (100, 100)] {
      let distribution = MannWhitneyDistribution(m, n)
      #expect(distribution.cumulative(-1) == 0)
      #expect(distribution.cumulative(m * n) == 1)
    }
  }

  /// It was said to be better than 1e-4.
  @Test(arguments: [(100, 100, 5e-4), (10, 1000, 3e-3), (5, 2000, 6e-3)])
  func beyondItTheNormalApproximationIsAsGoodAsItSays(m: Int, n: Int, error: Double) {
    let distribution = MannWhitneyDistribution(m, n)
    let deviation = (Double(m * n * (m + n + 1)) / 12).squareRoot()
    var worst = 0.0
    for u in 0...(m * n / 2) {
      let exact = distribution.cumulative(u)
      let normal = NormalDistribution.cumulative((Double(u) - Double(m * n) / 2 + 0.5) / deviation)
      worst = max(worst, abs(exact - normal))
      #expect(normal >= 0.025 || exact <= normal)
    }
    #expect(worst > error / 2 && worst < error)
  }

  @Test func enumeratesSmallSamples() {
    // Orderings of two a and two b by the number of pairs with b above a: 0, 1, 2, 2, 3, 4.
    let distribution = MannWhitneyDistribution(2, 2)
    #expect(
      (0...4).map { agrees(distribution.cumulative($0) * 6, [1.0, 2, 4, 5, 6][$0]) } == Array(repeating: true, count: 5)
    )
  }

  @Test func criticalValueIsTheLargestWithinTheLevel() {
    for (m, n, level) in [(5, 5, 0.025), (10, 10, 0.005), (30, 30, 1e-5), (2, 2, 0.01)] {
      let distribution = MannWhitneyDistribution(m, n)
      let critical = distribution.lowerCriticalValue(level)
      #expect(distribution.cumulative(critical) <= level)
      #expect(distribution.cumulative(critical + 1) > level)
    }
    #expect(MannWhitneyDistribution(2, 2).lowerCriticalValue(0.01) == -1)
  }
}
