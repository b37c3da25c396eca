// What rare operations add to the mean, held against what two runs of one build differ by.

import Gauge
import GaugeStatistics
import Testing

@testable import GaugeRunner

@Suite struct UsualChangeTests {
  /// Launches whose means lie above the medians by a share, and in some launches, which others disturb, by more.
  private func run(_ noise: inout Noise, adding share: Double = 0, disturbed: Double = 0.03) -> Results {
    var results = Results.run()
    results.environment.append(("executables", "E=1"))
    for benchmark in ["a", "b", "c", "d"] {
      let ratios = (0..<14).map { launch in
        1.004 + share + 0.003 * abs(noise.normal()) + (launch % 3 == 0 ? disturbed * abs(noise.normal()) : 0)
      }
      results.add(.meanByMedian, ratios, to: benchmark)
    }
    return results
  }

  private func verdicts(_ base: Results, _ new: Results, _ earlier: [EarlierRun]) -> [ComparisonEntry] {
    Comparison(base: base, new: new, earlier: earlier).entries
  }

  @Test func whatTwoRunsOfOneBuildDifferByIsTheSame() {
    var noise = Noise(seed: 1)
    let earlier = (0..<20).map { _ in EarlierRun(run(&noise)) }
    var undecided = 0
    for _ in 0..<20 {
      let entries = verdicts(run(&noise), run(&noise), earlier)
      #expect(entries.allSatisfy { $0.verdict == .same || $0.verdict == .notEnoughData })
      #expect(entries.allSatisfy { $0.verdict != .same || $0.reason.isEmpty })
      undecided += entries.count { $0.verdict == .notEnoughData }
    }
    #expect(undecided <= 4, "\(undecided) of 80")
  }

  @Test func withFewRunsTheReasonSaysHowFarTheSameReaches() {
    var noise = Noise(seed: 2)
    let entries = verdicts(run(&noise, disturbed: 0.2), run(&noise, disturbed: 0.2), [])
    #expect(entries.allSatisfy { $0.verdict == .same })
    // Launches that agree within the threshold need no reason.
    let reasons = Set(entries.map(\.reason)).subtracting([""])
    #expect(reasons == ["within 25.0 %: 0 earlier runs of one build have it, 20 tell finer"])
  }

  @Test func aChangeBeyondIsNotCalledTheSame() {
    var noise = Noise(seed: 3)
    let earlier = (0..<20).map { _ in EarlierRun(run(&noise)) }
    let (base, new) = (run(&noise), run(&noise, adding: 0.3))
    #expect(verdicts(base, new, earlier).allSatisfy { $0.verdict == .worse })
    #expect(verdicts(base, new, []).allSatisfy { $0.verdict == .worse })
    // So few launches that nothing is certain: but that it is as ever isn't, either.
    var (fewer, more) = (Results.run(), Results.run())
    fewer.add(.meanByMedian, [1.0, 1.01, 1.3, 1.01, 1.0])
    more.add(.meanByMedian, [1.3, 1.35, 1.0, 1.32, 1.31])
    #expect(verdicts(fewer, more, []).map(\.verdict) == [.notEnoughData])
  }

  /// The defect: a change of 15 % was the same once its launches scattered more than those of earlier runs.
  @Test func launchesThatScatterMakeNothingTheSame() {
    var noise = Noise(seed: 6)
    let earlier = (0..<20).map { _ in EarlierRun(run(&noise)) }
    let (base, new) = (run(&noise), run(&noise, adding: 0.15, disturbed: 0.3))
    let entries = verdicts(base, new, earlier)
    #expect(entries.count == 4)
    for entry in entries { #expect(entry.verdict == .worse || entry.verdict == .notEnoughData, "\(entry.reason)") }
  }

  /// The defect: launches that agree within two runs of one build made a change of what every second run had been.
  @Test func whatEarlierRunsHaveShownIsNoChange() throws {
    var noise = Noise(seed: 8)
    func run(_ level: Double) -> Results {
      var results = Results.run()
      results.environment.append(("executables", "E=1"))
      results.add(.meanByMedian, (0..<14).map { _ in level + 0.002 * noise.normal() })
      return results
    }
    let earlier = (0..<20).map { EarlierRun(run($0.isMultiple(of: 2) ? 1.01 : 1.06)) }
    for (base, new) in [(1.01, 1.06), (1.06, 1.01)] {
      let usual = try #require(verdicts(run(base), run(new), earlier).first)
      #expect(usual.verdict == .notEnoughData || usual.verdict == .same)
      #expect(usual.reason.isEmpty || usual.reason.hasPrefix("two runs of one build may differ by "), "\(usual)")
    }
    #expect(verdicts(run(1.01), run(1.5), earlier).map(\.verdict) == [.worse])
    #expect(verdicts(run(1.01), run(1.06), []).map(\.verdict) == [.worse])
  }

  /// The defect: launches of one run agree in how threads meet, and two runs differ by more than their launches do.
  @Test func severalThreadsAreHeldAgainstEarlierRunsAlone() throws {
    var noise = Noise(seed: 5)
    func run(_ level: Double) -> Results {
      var results = Results.run()
      results.environment.append(("executables", "E=1"))
      results.add(.meanByMedian, (0..<14).map { _ in level + 0.002 * noise.normal() })
      results.add(.foreignLoad, Array(repeating: 0.02, count: 14))
      return results
    }
    let earlier = (0..<20).map { EarlierRun(run($0.isMultiple(of: 2) ? 1.01 : 1.06)) }
    func verdict(_ base: Double, _ new: Double, _ earlier: [EarlierRun]) throws -> Verdict? {
      let entries = verdicts(run(base), run(new), earlier)
      return try #require(entries.first { $0.key.metric == Metric.meanByMedian.name }).verdict
    }
    for (base, new) in [(1.01, 1.06), (1.06, 1.01)] {
      let found = try verdict(base, new, earlier)
      #expect(found == .same || found == .notEnoughData)
      #expect(try verdict(base, new, []) == .same)
    }
    #expect(try verdict(1.01, 3, earlier) == .worse)
    #expect(try verdict(3, 1.01, earlier) == .better)
    #expect(try verdict(1.01, 3, []) == .notEnoughData)
  }

  /// A faster or slower processor is in the times, and in no quotient of two.
  @Test func theReferenceLoopIsNotTakenOff() throws {
    var noise = Noise(seed: 4)
    let earlier = (0..<20).map { number in
      var results = run(&noise)
      for benchmark in ["a", "b", "c", "d"] {
        results.add(.referenceLoop, Array(repeating: number.isMultiple(of: 2) ? 1 : 1.5, count: 14), to: benchmark)
      }
      return EarlierRun(results)
    }
    let key = ResultRow.Key(benchmark: "a", parameters: "", metric: Metric.meanByMedian.name)
    let scatter = RunScatter(
      earlier, rows: [key: (metric: .meanByMedian, launches: 14, isOfSeveralThreads: false)]
    ) { _ in 0 }
    #expect(try #require(scatter.of(key, .fast)).bar < 0.05)
  }
}
