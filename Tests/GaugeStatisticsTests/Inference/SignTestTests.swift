// The sign test against SciPy's binomial test.

import GaugeStatistics
import Testing

@Suite struct SignTestTests {
  @Test func agreesWithSciPy() throws {
    for vector in try vectors("paired", as: [PairedVector].self) {
      let test = SignTest(vector.differences)
      for (index, alternative) in [MannWhitney.Alternative.different, .greater, .less].enumerated() {
        #expect(agrees(test.pValue(alternative), vector.sign[index]), "\(vector.differences)")
      }
    }
  }

  @Test func signsOfZeroDoNotCount() {
    let test = SignTest([0, 1, -1, 0, 2])
    #expect(test.positive == 2)
    #expect(test.count == 3)
    #expect(SignTest([]).pValue() == 1)
  }
}
