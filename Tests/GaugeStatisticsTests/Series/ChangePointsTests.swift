// Change points against the definition of the energy statistic, and against what is known of the Nile.

import Testing

@testable import GaugeStatistics

@Suite struct ChangePointsTests {
  struct Vector: Decodable {
    var series: [Double]
    var index: Int
    var statistic: Double
  }

  @Test func theBestSplitIsThatOfTheDefinition() throws {
    for vector in try vectors("changes", as: [Vector].self) {
      let split = try #require(ChangePoints.bestSplit(vector.series[...], 3))
      #expect(abs(split.statistic - vector.statistic) <= 1e-8 * max(1, vector.statistic))
      if vector.statistic > 0 { #expect(split.index == vector.index) }
    }
  }

  @Test func theNileFellWithTheDam() throws {
    let nile = try vectors("changes", as: [Vector].self)[0].series
    #expect(ChangePoints(nile).changes.map(\.index) == [28])
  }

  @Test func severalChangesAreFoundInOrder() {
    var noise = Xoshiro256(seed: 9)
    let series = [10.0, 12, 11].flatMap { level in (0..<15).map { _ in level + noise.unit() / 10 } }
    #expect(ChangePoints(series).changes.map(\.index) == [15, 30])
  }

  @Test func longSeriesAreLookedAtInStretches() {
    var noise = Xoshiro256(seed: 5)
    let series = (0..<6).flatMap { level in (0..<170).map { _ in Double(level % 2) + noise.unit() / 10 } }
    #expect(ChangePoints(series).changes.map(\.index) == [170, 340, 510, 680, 850])
    let quiet = (0..<1000).map { _ in noise.unit() }
    #expect(ChangePoints(quiet, level: 0.005, permutations: 399).changes.count <= 1)
  }

  /// At most a few of a hundred quiet series of forty commits may show a change, at a level of 1 %.
  @Test func quietSeriesHaveNoChange() {
    var noise = Xoshiro256(seed: 4)
    let found = (0..<100).count { seed in
      let series = (0..<40).map { _ in NormalDistribution.quantile(noise.unit() + 0x1p-54) }
      return !ChangePoints(series, seed: UInt64(seed)).changes.isEmpty
    }
    #expect(found <= 4)
  }

  @Test func shortSeriesHaveNoChange() {
    #expect(ChangePoints([]).changes.isEmpty)
    #expect(ChangePoints([1, 1, 9, 9, 9]).changes.isEmpty)
  }
}
