// What open rows of `gauge ab` are told to lack.

import GaugeStatistics
import Testing

@testable import GaugeRunner

@Suite struct MissingPairsTests {
  private func open(
    _ pairs: Int, threshold: Double = 0.0213, isOutOfTime: Bool, countingSeconds: Double = 0
  ) -> MissingPairs {
    var outcome = InterleavedRun.Outcome()
    outcome.isOutOfTime = isOutOfTime
    let change = Change(scale: .ratio, estimate: .exact(1))
    outcome.judgements = [
      "open": SequentialJudge.Judgement(
        change: change, verdict: .notEnoughData, reason: "",
        missing: SequentialJudge.Missing(pairs: pairs, threshold: threshold)),
      "decided": SequentialJudge.Judgement(change: change, verdict: .same, reason: "", missing: nil),
    ]
    return MissingPairs(outcome, pairSeconds: 0.2, countingSeconds: countingSeconds)
  }

  @Test func outOfTimeItIsPairsAndSecondsAndABudget() {
    let missing = open(31, isOutOfTime: true)
    #expect(missing.reason(of: "open") == "the time was up: about 45 pairs of launches would decide, 9 s")
    #expect(missing.reason(of: "never looked at") == "the time was up: about 20 pairs of launches would decide, 4 s")
    #expect(missing.reason(of: "decided").isEmpty)
    #expect(
      missing.advice(for: ["open", "it's"], command: "gauge ab --base main")
        == " The time was up: `gauge ab --base main --budget 17 open 'it'\\''s'` would decide what is open.")
    #expect(missing.advice(for: [], command: "gauge ab").isEmpty)
  }

  /// Both sides are counted before any pair, in the same budget; and no budget makes more pairs than the last look has.
  @Test func theBudgetIsForCountsToo() {
    #expect(
      open(31, isOutOfTime: true, countingSeconds: 60).advice(for: ["open"], command: "gauge ab")
        == " The time was up: `gauge ab --budget 72 open` would decide what is open.")
    #expect(
      open(900, isOutOfTime: true).advice(for: ["open"], command: "gauge ab")
        == " The time was up: `gauge ab --budget 39 open` would decide what is open, "
        + "as far as 150 pairs of launches can."
    )
  }

  @Test func afterTheLastLookItIsAThreshold() {
    let missing = open(900, isOutOfTime: false)
    #expect(missing.reason(of: "open") == "150 pairs of launches tell changes from 2.13 % on")
    #expect(
      missing.advice(for: ["open"], command: "gauge ab --base main")
        == " To have what is open decided: `gauge ab --base main --threshold time=2.20 open`")
    #expect(missing.reason(of: "broken") == "no whole pairs of launches")
  }

  @Test func sidesThatAreMeasuredTogetherShareABudget() {
    let late = open(31, isOutOfTime: true, countingSeconds: 10)
    let sides = [
      (missing: late, titles: ["open"]), (missing: late, titles: ["open", "other"]), (missing: late, titles: []),
    ]
    // Counting once, and 45, 45 and 20 pairs of 0.2 s with what they take more.
    #expect(
      MissingPairs.advice(of: sides, command: "gauge ab --vary variable=A=1")
        == " The time was up: `gauge ab --vary variable=A=1 --budget 39 open other` would decide what is open.")
    let undecided = open(900, isOutOfTime: false)
    #expect(
      MissingPairs.advice(of: [(undecided, ["open"]), (undecided, ["open"])], command: "gauge ab")
        == " To have what is open decided: `gauge ab --threshold time=2.20 open`")
    #expect(MissingPairs.advice(of: [(late, [])], command: "gauge ab").isEmpty)
  }

  @Test func wordsWithAMeaningToAShellAreQuoted() {
    #expect(shellWord("a/b-c_1.csv") == "a/b-c_1.csv" && shellWord("a[n=1;m=2]") == "'a[n=1;m=2]'")
    #expect(shellWord("") == "''" && shellWord("a*") == "'a*'")
  }
}
