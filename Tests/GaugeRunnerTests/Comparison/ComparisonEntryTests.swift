// How changes are ranked, and which entries have a verdict.

import Gauge
import GaugeStatistics
import Testing

@testable import GaugeRunner

@Suite struct ComparisonEntryTests {
  @Test func doublingAndHalvingAreAlike() {
    let doubled = Change(scale: .ratio, estimate: .exact(2))
    #expect(doubled.magnitude == 1)
    #expect(Change(scale: .ratio, estimate: .exact(0.5)).magnitude == 1)
    #expect(Change(scale: .ratio, estimate: .exact(1)).magnitude == 0)
  }

  @Test func leavingZeroIsTheLargestChange() {
    #expect(Change(scale: .difference, estimate: .exact(1e-6)).magnitude == .infinity)
    #expect(Change(scale: .difference, estimate: .exact(0)).magnitude == 0)
  }

  @Test func onlyJudgedEntriesHaveAVerdict() {
    let key = ResultRow.Key(benchmark: "a", parameters: "", metric: "time")
    var entry = ComparisonEntry(
      key: key, metric: .time, before: nil, after: nil, change: nil, judgement: .judged(.same), reason: "")
    #expect(entry.verdict == .same)
    entry.judgement = .refused
    #expect(entry.verdict == nil)
    entry.judgement = .shown
    #expect(entry.verdict == nil)
  }
}
