// Verdicts from intervals.

import GaugeStatistics
import Testing

@Suite struct EquivalenceTests {
  @Test(arguments: [
    (Interval(-0.05, 0.04), Verdict.same), (Interval(-0.1, 0.1), .same), (Interval(0.05, 0.09), .same),
    (Interval(0.11, 0.3), .worse), (Interval(-0.3, -0.11), .better), (Interval(0.1, 0.3), .notEnoughData),
    (Interval(-0.2, 0.2), .notEnoughData), (.unbounded, .notEnoughData),
  ])
  func judgesByInclusion(change: Interval, verdict: Verdict) {
    #expect(Equivalence.verdict(change: change, threshold: 0.1, lowerIsBetter: true) == verdict)
  }

  @Test func polarityTurnsTheVerdictRound() {
    #expect(Equivalence.verdict(change: Interval(0.2, 0.3), threshold: 0.1, lowerIsBetter: false) == .better)
    #expect(Equivalence.verdict(change: Interval(-0.3, -0.2), threshold: 0.1, lowerIsBetter: false) == .worse)
  }
}
