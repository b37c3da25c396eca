// The dip test against the diptest package.

import GaugeStatistics
import Testing

@Suite struct DipTestTests {
  struct Vector: Decodable {
    var sample: [Double]
    var dip: Double
    var pValue: Double
  }

  @Test func agreesWithDiptest() throws {
    for vector in try vectors("dip", as: [Vector].self) {
      let test = DipTest(sorted: vector.sample)
      #expect(agrees(test.dip, vector.dip), "\(vector.sample)")
      // Both interpolate between simulated quantiles, on other scales; where the sample is unimodal anyway, coarsely.
      let expected = max(vector.pValue, 0.001)
      guard expected < 0.5 else {
        #expect(test.pValue > 0.4)
        continue
      }
      #expect(
        abs(test.pValue - expected) < 0.02 + 0.1 * expected, "\(vector.sample.count): \(test.pValue), \(expected)")
    }
  }

  @Test func launchesInTwoModesAreTold() {
    var generator = Xoshiro256(seed: 3)
    let one = (0..<60).map { _ in 100 + NormalDistribution.quantile(generator.unit() + 0x1p-54) }
    let two = one.enumerated().map { $0.isMultiple(of: 3) ? $1 * 1.5 : $1 }
    #expect(DipTest(sorted: one.sorted()).pValue > 0.1)
    #expect(DipTest(sorted: two.sorted()).pValue <= 0.01)
  }

  @Test func tooFewOrEqualValuesAreOneMode() {
    #expect(DipTest(sorted: [1]).pValue == 1)
    #expect(DipTest(sorted: [1, 2, 3]).pValue == 1)
    #expect(DipTest(sorted: [2, 2, 2, 2, 2]).pValue == 1)
  }
}
