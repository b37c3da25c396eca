// What open rows of `gauge ab` are told to lack.

import GaugeStatistics
import Testing

@testable import GaugeRunner

@Suite struct MissingPairsTests {
  private func open(_ pairs: Int, threshold: Double = 0.0213, isOutOfTime: Bool) -> MissingPairs {
    var outcome = InterleavedRun.Outcome()
    outcome.isOutOfTime = isOutOfTime
    let change = Change(scale: .ratio, estimate: .exact(1))
    outcome.judgements = [
      "open": SequentialJudge.Judgement(
        change: change, verdict: .notEnoughData, reason: "",
        missing: SequentialJudge.Missing(pairs: pairs, threshold: threshold)),
      "decided": SequentialJudge.Judgement(change: change, verdict: .same, reason: "", missing: nil),
    ]
    return MissingPairs(outcome, pairSeconds: 0.2)
  }

  @Test func outOfTimeItIsPairsAndSecondsAndABudget() {
    let missing = open(31, isOutOfTime: true)
    #expect(missing.reason(of: "open") == "the time was up: about 45 pairs of launches would decide, 9 s")
    #expect(missing.reason(of: "never looked at") == "the time was up: about 20 pairs of launches would decide, 4 s")
    #expect(missing.reason(of: "decided").isEmpty)
    #expect(
      missing.advice(for: ["open", "it's"], command: "gauge ab --base main")
        == " The time was up: gauge ab --base main --budget 17 open 'it'\\''s' would decide what is open.")
    #expect(missing.advice(for: [], command: "gauge ab").isEmpty)
  }

  @Test func afterTheLastLookItIsAThreshold() {
    let missing = open(900, isOutOfTime: false)
    #expect(missing.reason(of: "open") == "150 pairs of launches tell changes from 2.13 % on")
    #expect(
      missing.advice(for: ["open"], command: "gauge ab --base main")
        == " To have what is open decided: gauge ab --base main --threshold time=2.20 open")
    #expect(missing.reason(of: "broken") == "no whole pairs of launches")
  }

  @Test func wordsWithAMeaningToAShellAreQuoted() {
    #expect(shellWord("a/b-c_1.csv") == "a/b-c_1.csv" && shellWord("a[n=1;m=2]") == "'a[n=1;m=2]'")
    #expect(shellWord("") == "''" && shellWord("a*") == "'a*'")
  }
}
