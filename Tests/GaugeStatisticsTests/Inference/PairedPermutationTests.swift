// The permutation test of pairs against SciPy, and its random choices against all of them.

import GaugeStatistics
import Testing

@Suite struct PairedPermutationTests {
  @Test func agreesWithSciPy() throws {
    for vector in try vectors("paired", as: [PairedVector].self) {
      guard let expected = vector.permutation else { continue }
      let test = PairedPermutation(vector.differences)
      for (index, alternative) in [MannWhitney.Alternative.different, .greater, .less].enumerated() {
        #expect(agrees(test.pValue(alternative), expected[index]), "\(vector.differences)")
      }
    }
  }

  @Test func randomChoicesAreNearTheSignedRankTest() {
    let differences = (0..<30).map { Double($0 * 17 % 31) - 10 }
    let random = PairedPermutation(differences).pValue()
    #expect(abs(random - SignedRank(differences).pValue()) < 0.02)
    #expect(PairedPermutation(differences).pValue() == random)
  }

  @Test func theSmallestPValueCountsTheObservedChoice() {
    #expect(PairedPermutation(Array(repeating: 1, count: 40), resamples: 999).pValue(.greater) == 0.001)
  }
}
