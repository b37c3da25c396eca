// How a row gets its verdict, step by step.

import Gauge
import GaugeStatistics
import Testing

@testable import GaugeRunner

@Suite struct DraftTests {
  private func draft(
    _ metric: Metric, _ base: [Double], _ new: [Double], before: Metric? = nil, alike: Bool = true,
    loads: (Double, Double)? = nil
  ) throws -> Draft {
    var (old, now) = (Results.run(), Results.run())
    old.add(before ?? metric, base)
    now.add(metric, new)
    if let loads {
      old.add(.foreignLoad, Array(repeating: loads.0, count: 6))
      now.add(.foreignLoad, Array(repeating: loads.1, count: 6))
    }
    let key = old.rows[0].key
    let options = ComparisonOptions()
    return try Draft(
      key, #require(MeasuredRows.grouped(old)[key]), #require(MeasuredRows.grouped(now)[now.rows[0].key]),
      drift: MachineDrift(
        base: MeasuredRows.grouped(old), new: MeasuredRows.grouped(now), processors: 2, options: options),
      alike: alike, options: options)
  }

  @Test(arguments: [
    (0.0, 0.0, Verdict.same), (0, 1, .worse), (0, 1e-6, .worse), (1, 0, .better), (2, 3, .worse), (3, 2, .better),
    (1, 1.000001, .worse), (7, 7, .same),
  ])
  func exactMetricsAreComparedAsTheyAre(before: Double, after: Double, verdict: Verdict) throws {
    let entry = try draft(.allocations, [before, before], [after]).entry
    #expect(entry.verdict == verdict)
    let change = try #require(entry.change)
    #expect(change.estimate.interval.lower == change.estimate.interval.upper)
    #expect(change.scale == (before > 0 && after > 0 ? .ratio : .difference))
  }

  /// Rows that are equal value for value need no statistics,
  /// however few launches they have and however far these scatter.
  @Test(arguments: [Metric.time, .allocations, .latency(percentile: "99")])
  func identicalDataIsTheSame(metric: Metric) throws {
    for values in [[10.0, 80, 3], [10, 80, 3, 700, 1, 2]] {
      let entry = try draft(metric, values, values).entry
      #expect(entry.verdict == .same && entry.reason.hasSuffix("identical data"))
    }
    #expect(try draft(metric, [10, 80, 3], [10, 3, 80]).entry.verdict == .notEnoughData)
  }

  /// The defect: 0.64 allocations an operation were 145 once nothing else ran, as eight threads met more often: worse.
  @Test func countsOfSeveralThreadsAreNotJudgedBesideOtherLoads() throws {
    var allocations = Metric.allocations
    allocations.kind = .sampled
    let (few, many) = ((0..<10).map { 0.6 + 0.01 * Double($0) }, (0..<10).map { 140 + Double($0) })
    func verdict(_ metric: Metric, loads: (Double, Double), alike: Bool = true) throws -> ComparisonEntry {
      var draft = try draft(metric, few, many, alike: alike, loads: loads)
      draft.decide(pValue: draft.sampled?.pValue ?? 1, family: 1, options: ComparisonOptions())
      return draft.entry
    }
    for metric in [allocations, Metric("jobs", unit: "1", polarity: .lower, kind: .sampled)] {
      #expect(try verdict(metric, loads: (0.02, 0.03)).verdict == .worse)
      let loaded = try verdict(metric, loads: (1.6, 0.02))
      #expect(loaded.verdict == .notEnoughData && loaded.reason.hasPrefix("other processes kept 1.6"), "\(loaded)")
      let elsewhere = try verdict(metric, loads: (0.02, 0.02), alike: false)
      #expect(elsewhere.verdict == .notEnoughData)
      #expect(elsewhere.reason == "several threads meet in another way on another machine")
    }
  }

  /// The defect: a report gave no reason.
  @Test func launchesThatLeaveAThresholdOpenSaySo() throws {
    let energy = Metric("energy", unit: "J/op", polarity: .lower, kind: .sampled)
    var draft = try draft(energy, [10, 13, 8, 11, 9], [20, 26, 11, 22, 18])
    draft.decide(pValue: 1, family: 1, options: ComparisonOptions())
    #expect(draft.entry.verdict == .notEnoughData)
    #expect(draft.entry.reason == "the launches leave open whether it is more than 10.0 %")
  }

  @Test func exactMetricsMayBeBetterWhenLarger() throws {
    let hits = Metric("hits", unit: "1/op", polarity: .higher, kind: .exact)
    #expect(try draft(hits, [1], [2]).entry.verdict == .better)
    #expect(try draft(hits, [1], [0]).entry.verdict == .worse)
  }

  @Test func countsThatDisagreeAmongThemselvesAreSampled() throws {
    let base = [2.0, 2, 2, 2.1, 2, 2]
    var draft = try draft(.allocations, base, [2.0, 2, 2.1, 2, 2, 2])
    #expect(draft.sampled != nil)
    draft.decide(pValue: 1, family: 1, options: ComparisonOptions())
    #expect(draft.entry.verdict == .same)
    #expect(draft.entry.reason.contains("counts differ from launch to launch"))
    let few = try self.draft(.allocations, [2, 3], [2, 2])
    #expect(few.sampled == nil && few.entry.verdict == .notEnoughData)
    #expect(few.entry.reason.contains("2 launches"))
  }

  /// A run may say of itself what it likes: what was exact before has no tenth to spare for it.
  @Test(arguments: [Metric.Kind.exact, .sampled])
  func whatWasExactIsNotLoosenedByTheNewSide(kind: Metric.Kind) throws {
    let varying = Metric("allocations", unit: "1/op", kind: kind)
    let base = Array(repeating: 100.0, count: 6)
    func judged(_ new: [Double], pValue: Double) throws -> ComparisonEntry {
      var draft = try draft(varying, base, new, before: .allocations)
      #expect(draft.sampled.map { $0.pValue <= 0.05 } == (pValue <= 0.05))
      draft.decide(pValue: pValue, family: 1, options: ComparisonOptions())
      return draft.entry
    }
    // By 9 %, which counts that vary may; in one launch by nothing.
    let worse = try judged([109, 108, 100, 109, 109, 109, 109, 109, 109, 109], pValue: 0.01)
    #expect(worse.verdict == .worse)
    #expect(worse.reason == (kind == .exact ? "differs from launch to launch, and didn't before" : "was exact before"))
    #expect(try judged([100, 109, 100, 100, 100, 101], pValue: 1).verdict != .worse)
    let mixed = try judged([109, 100, 109, 109, 100, 109], pValue: 1)
    #expect(mixed.verdict == .notEnoughData)
    let few = try draft(varying, base, [109, 100], before: .allocations).entry
    #expect(few.verdict == .notEnoughData && few.reason.hasSuffix("2 launches on a side, 5 are needed"))
  }

  /// The defect: an exact count that began to vary was no longer worse, as `--counts` makes one launch.
  @Test(arguments: [Metric.Kind.exact, .sampled])
  func whatWasExactIsAVerdictWhereEveryLaunchIsBeyondIt(kind: Metric.Kind) throws {
    let varying = Metric("allocations", unit: "1/op", kind: kind)
    func judged(_ base: [Double], _ new: [Double]) throws -> ComparisonEntry {
      let draft = try draft(varying, base, new, before: .allocations)
      // Nothing is left to decide together with other rows.
      #expect(draft.sampled == nil)
      return draft.entry
    }
    #expect(try judged([100, 100], [101, 150]).verdict == .worse)
    #expect(try judged([100], [101, 102]).change?.scale == .ratio)
    #expect(try judged([100, 100], [99, 60]).verdict == .better)
    #expect(try judged([0], [1, 2]).verdict == .worse)
    #expect(try judged([100, 100], [99, 150]).verdict == .notEnoughData)
    #expect(try judged([100, 100], [100, 150]).verdict == .notEnoughData)
  }

  @Test func oneLaunchOfWhatWasExactIsEnough() throws {
    let entry = try draft(Metric("instructions", unit: "1/op"), [1000], [1300], before: .instructions).entry
    #expect(entry.verdict == .worse && entry.reason == "was exact before")
    let same = try draft(Metric("instructions", unit: "1/op"), [1000], [1000], before: .instructions).entry
    #expect(same.verdict == .same)
  }

  @Test func whatWasExactIsJudgedOnUnlikeMachinesWhateverTheNewSideSays() throws {
    let exact = Metric("simulated", unit: "ns", kind: .exact)
    let base = Array(repeating: 100.0, count: 6)
    let entry = try draft(
      Metric("simulated", unit: "ns"), base, base.map { $0 * 2 }, before: exact, alike: false
    ).entry
    #expect(entry.judgement != .refused && entry.reason == "was exact before")
  }

  @Test func fewLaunchesGiveNoVerdict() throws {
    let draft = try draft(.time, [10, 11, 10, 11], [50, 51, 50, 51, 50, 51])
    #expect(draft.sampled == nil)
    #expect(draft.entry.verdict == .notEnoughData)
    #expect(draft.entry.reason == "4 launches on a side, 5 are needed")
    #expect(draft.entry.change != nil)
  }

  @Test(arguments: [Metric.time, .cpuTime, .openLoopRate, .latency(percentile: "50"), .openLatency(percentile: "99")])
  func timesUnderAnotherLoadAreNotJudged(metric: Metric) throws {
    let base = [100, 101, 99, 100.5, 99.5, 100]
    let busy = try draft(metric, base, base.map { $0 * 40 }, loads: (0.02, 1.9))
    #expect(busy.sampled == nil)
    #expect(busy.entry.verdict == .notEnoughData)
    #expect(busy.entry.change != nil)
    #expect(
      busy.entry.reason
        == "other processes kept 0.020 of 2 processors busy before and 1.90 after, and several threads wait for them: "
        + "measure again on a quiet machine, or judge counts")
    #expect(try draft(metric, base, base.map { $0 / 40 }, loads: (1.9, 0.02)).sampled == nil)
    // So much on both sides that threads wait for processors; little on both; and none that is known.
    #expect(try draft(metric, base, base.map { $0 * 40 }, loads: (1.9, 1.95)).entry.verdict == .notEnoughData)
    let alike = try draft(metric, base, base.map { $0 * 40 }, loads: (0.3, 0.35)).entry
    #expect(alike.verdict == .notEnoughData)
    #expect(alike.reason == "several threads: 0 earlier runs of one build have it, 20 tell finer")
    let unknown = try draft(metric, base, base.map { $0 * 40 }).entry
    #expect(unknown.verdict == (metric.polarity == .higher ? .better : .worse))
  }

  /// The defect: the mean beside the median was judged where the times were not.
  @Test func whatRareOperationsAddUnderAnotherLoadIsNotJudged() throws {
    let base = [1.01, 1.012, 1.009, 1.011, 1.01, 1.013]
    let busy = try draft(.meanByMedian, base, base.map { $0 * 2 }, loads: (0.02, 1.9))
    #expect(busy.sampled == nil && busy.entry.verdict == .notEnoughData)
    #expect(busy.entry.reason.hasPrefix("other processes kept 0.020 of 2 processors busy before and 1.90 after"))
    // As much on both sides as leaves a time its meaning.
    let alike = try draft(.meanByMedian, base, base.map { $0 * 2 }, loads: (0.5, 0.55)).entry
    #expect(alike.verdict == .notEnoughData && alike.reason.hasPrefix("other processes kept 0.500 of 2 processors"))
    let quiet = try draft(.meanByMedian, base, base.map { $0 * 2 }, loads: (0.02, 0.03)).entry
    #expect(quiet.verdict == .notEnoughData)
    #expect(quiet.reason == "0 earlier runs of one build have it, 20 tell finer")
  }

  /// The defect: launches of four operations, the first of which is slow, have a mean of 1.05 medians, and launches of
  /// two one of 1. A machine that had time for two only was called better, and the other way round worse.
  @Test func theMeanOfAFewOperationsIsJudgedCoarsely() throws {
    func verdict(_ operations: Int, _ change: Double) throws -> Verdict? {
      var (old, now) = (Results.run(), Results.run())
      let base = (0..<20).map { 1.05 + 0.0005 * Double($0 % 5) }
      old.add(.meanByMedian, base, operations: 4)
      now.add(.meanByMedian, base.map { $0 * change }, operations: operations)
      return try #require(Comparison(base: old, new: now).entries.first).verdict
    }
    #expect(try verdict(2, 0.95) == .same)
    #expect(try verdict(4, 1.1) == .same)
    #expect(try verdict(2, 1.75) == .worse)
  }

  @Test func anotherLoadLeavesExactCountsAndWhatIsNotJudgedAsTheyAre() throws {
    #expect(try draft(.allocations, [1, 1], [2, 2], loads: (0, 2)).entry.verdict == .worse)
    let varying = [2.0, 2, 2, 2.1, 2, 2]
    let throughput = try draft(.throughput, varying, varying, loads: (0, 2)).entry
    #expect(throughput.judgement == .shown && throughput.reason == "follows from mean_time")
  }

  @Test func timesOfUnlikeMachinesAreRefusedAndCountsAreNot() throws {
    let time = try draft(.time, [10, 11, 10, 11, 10], [50, 51, 50, 51, 50], alike: false).entry
    #expect(time.judgement == .refused && time.change == nil)
    #expect(try draft(.throughput, [1, 2], [1, 2], alike: false).entry.judgement == .refused)
    #expect(try draft(.allocations, [1], [2], alike: false).entry.verdict == .worse)
    let own = Metric("build", unit: "ms")
    #expect(try draft(own, [10, 11, 10, 11, 10], [50, 51, 50, 51, 50], alike: false).entry.judgement == .refused)
    let samples = Metric("queue", unit: "nsamples")
    #expect(try draft(samples, [10, 11, 10], [50, 51, 50], alike: false).entry.judgement != .refused)
  }

  @Test func aChangedUnitIsNotCompared() throws {
    let entry = try draft(Metric("time", unit: "ms/op"), [1], [2], before: .time).entry
    #expect(entry.verdict == .notEnoughData && entry.change == nil)
    #expect(entry.reason == "unit was ns/op, is ms/op")
  }

  @Test func aCorrectionDecidesAndSaysWhatIsMissing() throws {
    let base = [100, 101, 99, 100.5, 99.5]
    var draft = try draft(.allocations, base, base.map { $0 * 2 })
    draft.decide(pValue: 0.04, family: 1, options: ComparisonOptions())
    #expect(draft.entry.verdict == .worse)
    draft.decide(pValue: 0.4, family: 50, options: ComparisonOptions())
    #expect(draft.entry.verdict == .notEnoughData)
    #expect(
      draft.entry.reason == "counts differ from launch to launch; worse by itself, but not among 50 judged rows; "
        + "needs at least 7 launches a side")
  }

  /// As rarely wrong as is asked for, and the same no harder to be told.
  @Test func theSuitesConfidenceDecidesChangesAlone() throws {
    var options = ComparisonOptions()
    #expect(options.suiteConfidence == 0.95)
    options.suiteConfidence = 0.999
    let base = [100, 101, 99, 100.5, 99.5]
    var changed = try draft(.allocations, base, base.map { $0 * 2 })
    changed.decide(pValue: 0.002, family: 1, options: options)
    #expect(changed.entry.verdict == .notEnoughData)
    #expect(changed.entry.reason.hasSuffix("not among 1 judged rows; needs at least 7 launches a side"))
    changed.decide(pValue: 0.0009, family: 1, options: options)
    #expect(changed.entry.verdict == .worse)
    var same = try draft(.allocations, base, base.reversed())
    same.decide(pValue: 1, family: 1, options: options)
    #expect(same.entry.verdict == .same)
  }

  @Test func launchesNeededGrowWithTheSuite() {
    // 2 / (2n choose n): n = 4 gives 1/35, n = 7 1/1716, n = 9 1/24310.
    #expect(Draft.launchesNeeded(family: 1, confidence: 0.95) == 4)
    #expect(Draft.launchesNeeded(family: 50, confidence: 0.95) == 7)
    #expect(Draft.launchesNeeded(family: 1_000, confidence: 0.95) == 9)
  }

  @Test func unavailableOnOneSideIsNoVerdictAndOnBothNotSought() throws {
    var (with, without) = (Results.run(), Results.run())
    with.add(.allocations, [1])
    without.add(.allocations, unavailable: "no hooks")
    let key = with.rows[0].key
    let options = ComparisonOptions()
    func entry(_ old: Results, _ now: Results) throws -> ComparisonEntry {
      try Draft(
        key, #require(MeasuredRows.grouped(old)[key]), #require(MeasuredRows.grouped(now)[key]),
        drift: MachineDrift(
          base: MeasuredRows.grouped(old), new: MeasuredRows.grouped(now), processors: 2, options: options),
        alike: true, options: options
      ).entry
    }
    let one = try entry(with, without)
    #expect(one.verdict == .notEnoughData && one.reason == "unavailable after: no hooks")
    let both = try entry(without, without)
    #expect(both.judgement == .shown && both.reason == "unavailable: no hooks")
  }

  /// The defect: of a slower build, of whose operations the budget held enough in its fastest launches alone, these
  /// were held against all of the base's, and the build was the same.
  @Test(arguments: [
    (1.0, 0, 7, Verdict.notEnoughData), (0.3, 0, 7, .notEnoughData), (3, 0, 7, .worse), (3, 7, 0, .notEnoughData),
    (0.3, 7, 0, .better), (1, 7, 7, .same), (1, 0, 3, .same),
  ])
  func launchesWithoutAValueSpeakForNoSide(
    factor: Double, missingBefore: Int, missingAfter: Int, verdict: Verdict
  ) throws {
    let metric = Metric.latency(percentile: "99")
    let sides = [(missingBefore, 1.0), (missingAfter, factor)].map { missing, factor in
      var results = Results.run()
      results.add(metric, (missing..<12).map { factor * (38_000 + 10 * Double($0)) })
      for _ in 0..<missing { results.add(metric, unavailable: "needs 1000 operations, the budget held 990") }
      return results
    }
    let entry = try #require(Comparison(base: sides[0], new: sides[1]).entries.first)
    #expect(entry.verdict == verdict, "\(entry)")
    let missing = missingBefore > 0 ? "before" : "after"
    let reason = "7 of 12 launches \(missing): unavailable: needs 1000 operations, the budget held 990"
    #expect(entry.reason.hasSuffix(reason) == (verdict == .notEnoughData), "\(entry)")
  }
}
