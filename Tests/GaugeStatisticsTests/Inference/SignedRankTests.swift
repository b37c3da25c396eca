// Wilcoxon's signed-rank test against SciPy and against all choices of signs.

import GaugeStatistics
import Testing

@Suite struct SignedRankTests {
  @Test func agreesWithSciPyAndWithAllSigns() throws {
    for vector in try vectors("paired", as: [PairedVector].self) {
      let exact = SignedRank(vector.differences)
      #expect(exact.positiveSum == vector.positiveSum)
      let asymptotic = SignedRank(vector.differences, exact: false)
      for (index, alternative) in [MannWhitney.Alternative.different, .greater, .less].enumerated() {
        #expect(agrees(exact.pValue(alternative), vector.signedRank[index]), "\(vector.differences)")
        #expect(agrees(asymptotic.pValue(alternative), vector.asymptotic[index]), "\(vector.differences)")
      }
    }
  }

  @Test func withoutADifferenceThereIsNoEvidence() {
    #expect(SignedRank([]).pValue() == 1)
    #expect(SignedRank([0, 0]).pValue(.greater) == 1)
  }
}
