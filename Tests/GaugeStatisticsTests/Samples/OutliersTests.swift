// Fences and the medcouple against NumPy and statsmodels.

import GaugeStatistics
import Testing

@Suite struct OutliersTests {
  struct Vector: Decodable {
    var sample: [Double]
    var medcouple: Double
    var tukey: [Double]
    var adjusted: [Double]
    var beyond: Int
  }

  @Test func agreesWithStatsmodels() throws {
    for vector in try vectors("outliers", as: [Vector].self) {
      let sorted = vector.sample.sorted()
      #expect(abs(medcouple(sorted: sorted) - vector.medcouple) < 1e-9, "\(vector.sample)")
      for (fences, expected) in [
        (Fences.tukey(sorted: sorted), vector.tukey), (.adjusted(sorted: sorted), vector.adjusted),
      ] {
        #expect(agrees(fences.inner.lower, expected[0], within: 1e-9))
        #expect(agrees(fences.inner.upper, expected[1], within: 1e-9))
      }
      let outliers = Outliers(vector.sample, fences: .tukey(sorted: sorted))
      #expect(outliers.mild + outliers.severe == vector.beyond)
    }
  }

  @Test func aLargeSampleIsThinned() {
    let large = (0..<20_000).map { Double($0 * $0) }
    let small = (0..<1000).map { large[$0 * 19_999 / 999] }
    #expect(medcouple(sorted: large) == medcouple(sorted: small))
  }

  @Test func farOutIsSevere() {
    let sample = [1.0, 2, 3, 4, 5, 10, 100]
    let outliers = Outliers(sample, fences: .tukey(sorted: sample))
    #expect(outliers.severe == 1)
    #expect(outliers.mild == 0)
  }
}
