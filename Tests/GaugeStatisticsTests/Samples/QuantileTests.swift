// Quantiles against NumPy.

import GaugeStatistics
import Testing

@Suite struct QuantileTests {
  struct Vector: Decodable {
    var sample: [Double]
    var median: Double
    var probabilities: [Double]
    var linear: [Double]
  }

  @Test func agreesWithNumPy() throws {
    for vector in try vectors("summary", as: [Vector].self) {
      let sorted = vector.sample.sorted()
      for (index, probability) in vector.probabilities.enumerated() {
        #expect(agrees(quantile(probability, ofSorted: sorted), vector.linear[index]))
      }
      #expect(agrees(median(of: vector.sample), vector.median))
      #expect(median(ofSorted: sorted) == median(of: vector.sample))
    }
  }

  @Test func oneValueIsEveryQuantile() {
    #expect(quantile(0, ofSorted: [4]) == 4)
    #expect(quantile(1, ofSorted: [4]) == 4)
    #expect(median(ofSorted: [4]) == 4)
  }
}
