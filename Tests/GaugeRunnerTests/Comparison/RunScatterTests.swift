// The scatter between runs, learnt from made ones whose scatter is known.

import Foundation
import Gauge
import Testing

@testable import GaugeRunner

@Suite struct RunScatterTests {
  private func scatter(
    _ earlier: [EarlierRun], _ rows: [String], launches: Int = 12, isOfSeveralThreads: Bool = false,
    interval: Double? = nil, base: String = ""
  ) -> RunScatter {
    let keys = rows.map { ResultRow.Key(benchmark: $0, parameters: "", metric: "time") }
    return RunScatter(
      earlier,
      rows: Dictionary(
        uniqueKeysWithValues: keys.map {
          ($0, (metric: .time, launches: launches, isOfSeveralThreads: isOfSeveralThreads))
        }),
      interval: interval, base: base
    ) { _ in 0.5 }
  }

  private let first = ResultRow.Key(benchmark: "b0", parameters: "", metric: "time")

  @Test func theScaleIsTheDeviationOfADifference() throws {
    var runs = MadeRuns(seed: 1)
    let known = try #require(scatter(runs.earlier(40), runs.benchmarks).of(first, .fast))
    // Two runs' offsets, and what the fastest of twelve launches scatters by.
    #expect((0.005...0.015).contains(known.scale), "\(known.scale)")
    #expect(known.bar >= RunScatter.leastScales * known.scale)
    #expect((0.01...0.08).contains(known.spread))
  }

  @Test func aRunLiesNearerToTheMiddleOfTheOthersThanToAnotherRun() throws {
    var runs = MadeRuns(seed: 20)
    let earlier = runs.earlier(20)
    let learnt = scatter(earlier, runs.benchmarks, base: "E=1")
    let usual = try #require(learnt.usual(first))
    let keys = runs.benchmarks.map { ResultRow.Key(benchmark: $0, parameters: "", metric: "time") }
    let bars = (
      usual: keys.compactMap { learnt.usual($0)?.bar }.reduce(0, +),
      other: keys.compactMap { learnt.of($0, .fast)?.bar }.reduce(0, +)
    )
    #expect(usual.runs == 20 && bars.usual < 0.9 * bars.other, "\(usual) \(bars)")
    #expect(abs(usual.level - log(100)) < 0.01 && abs(usual.measured - usual.level) < 0.01, "\(usual)")
    // Of the base's build, enough of its runs, and of one thread.
    #expect(scatter(earlier, runs.benchmarks, base: "E=2").usual(first) == nil)
    #expect(scatter(earlier + runs.earlier(2, build: "E=2"), runs.benchmarks, base: "E=2").usual(first) == nil)
    #expect(scatter(earlier, runs.benchmarks, isOfSeveralThreads: true, base: "E=1").usual(first) == nil)
    // The defect: fifteen sufficed where other builds had the rest of twenty.
    let fewer = Array(earlier[..<15]) + runs.earlier(6, build: "E=2")
    let ofBoth = scatter(fewer, runs.benchmarks, base: "E=1")
    #expect(ofBoth.of(first, .fast) != nil && ofBoth.usual(first) == nil)
  }

  /// The defect: twenty copies of one run told that runs of this build never differ, and the shards of a merged file
  /// were runs beside it.
  @Test func theSameLaunchesCountOnce() {
    var runs = MadeRuns(seed: 26)
    let earlier = runs.earlier(19)
    let copied = scatter(earlier + earlier, runs.benchmarks)
    #expect(copied.runs == 19 && copied.of(first, .fast) == nil)
    var (shard, merged) = (earlier[0], earlier[0])
    shard.levels = shard.levels.filter { $0.key.benchmark < "b5" }
    func date(_ run: inout EarlierRun, _ date: String) {
      run.environment = run.environment.map { ($0.name, $0.name == "date" ? date : $0.value) }
    }
    date(&merged, "2024-12-31 | 2025-01-01")
    let others = Array(earlier.dropFirst())
    #expect(scatter(others + [shard, merged], runs.benchmarks).runs == 19)
    // What was made at another time is another run, however alike they are.
    date(&merged, "2024-12-31")
    #expect(scatter(earlier + [merged], runs.benchmarks).runs == 20)
  }

  @Test func twentyRunsOfOneBuildAreNeeded() {
    var runs = MadeRuns(seed: 2)
    let earlier = runs.earlier(20)
    #expect(scatter(earlier, runs.benchmarks).of(first, .fast) != nil)
    #expect(scatter(Array(earlier.dropLast()), runs.benchmarks).of(first, .fast) == nil)
    #expect(scatter(Array(earlier.dropLast()), runs.benchmarks).runs == 19)
    // Of two builds one more, as what one differs from the other by tells nothing.
    let other = runs.earlier(10, build: "E=2")
    #expect(scatter(Array(earlier[..<10]) + other, runs.benchmarks).of(first, .fast) == nil)
    #expect(scatter(Array(earlier[..<11]) + other, runs.benchmarks).of(first, .fast) != nil)
    #expect(scatter([], runs.benchmarks).runs == 0)
  }

  /// A build that is slower than another is no scatter.
  @Test func buildsAreNotHeldAgainstEachOther() throws {
    var runs = MadeRuns(seed: 3)
    let slower = (0..<20).map { _ in EarlierRun(runs.run(build: "E=2", factors: ["b0": 3])) }
    let known = try #require(scatter(runs.earlier() + slower, runs.benchmarks).of(first, .fast))
    #expect(known.bar < log(1.2))
  }

  @Test func aProcessorsFrequencyIsTakenOutByTheLoop() throws {
    var runs = MadeRuns(seed: 4)
    let earlier = (0..<20).map { EarlierRun(runs.run(machine: $0.isMultiple(of: 2) ? 1 : 1.4)) }
    #expect(try #require(scatter(earlier, runs.benchmarks).of(first, .fast)).bar < log(1.2))
  }

  /// Two of 744 recorded runs of rows were odd, which a few rows of twenty runs need not have shown.
  @Test func aTailThatTooFewRunsTellReachesTwelveScales() throws {
    func bars(_ rows: Int) throws -> (own: Double, scale: Double) {
      var runs = MadeRuns(seed: 15)
      runs.benchmarks = (0..<rows).map { "b\($0)" }
      (runs.spread, runs.offset) = (0.001, 0.004)
      let known = scatter(runs.earlier(), runs.benchmarks)
      let all = runs.benchmarks.compactMap {
        known.of(ResultRow.Key(benchmark: $0, parameters: "", metric: "time"), .fast)
      }
      return (try #require(all.map(\.bar).min()), all.map(\.scale).sorted()[rows / 2])
    }
    let (few, many) = (try bars(49), try bars(50))
    #expect(few.own > 11.5 * few.scale && many.own < 10 * many.scale, "\(few) \(many)")
  }

  /// An odd run of another row raises the bar of its kind, and leaves the scale.
  @Test func theFarthestDifferenceOfAllRowsRaisesTheBar() throws {
    var runs = MadeRuns(seed: 5)
    var earlier = runs.earlier()
    let usual = try #require(scatter(earlier, runs.benchmarks).of(first, .fast))
    earlier[3] = EarlierRun(runs.run(factors: ["b7": 1.3]))
    let raised = try #require(scatter(earlier, runs.benchmarks).of(first, .fast))
    #expect(raised.bar > 2 * usual.bar && abs(raised.scale / usual.scale - 1) < 0.5)
  }

  /// The defect: one run in which a row that hardly scatters was 7 % off put the bars of rows that
  /// scatter at 20 to 30 %.
  @Test func anOddRunOfACalmRowIsNoOdderInOneThatScatters() throws {
    var runs = MadeRuns(seed: 13)
    runs.benchmarks = (0..<6).map { "b\($0)" }
    (runs.spread, runs.offset) = (0.002, 0.001)
    var wide = MadeRuns(seed: 14)
    wide.benchmarks = ["wide"]
    (wide.spread, wide.offset) = (0.002, 0.014)
    let earlier = (0..<20).map { index in
      var run = runs.run(factors: index == 7 ? ["b2": 1.07] : [:])
      run.rows += wide.run().rows
      return EarlierRun(run)
    }
    let learnt = scatter(earlier, runs.benchmarks + wide.benchmarks)
    let key = ResultRow.Key(benchmark: "wide", parameters: "", metric: "time")
    let known = try #require(learnt.of(key, .fast))
    #expect(known.scale > 0.01 && known.bar >= RunScatter.leastScales * known.scale, "\(known)")
    #expect(known.bar < 0.2, "\(known)")
    let odd = ResultRow.Key(benchmark: "b2", parameters: "", metric: "time")
    #expect(try #require(learnt.of(odd, .fast)).bar > 1.5 * log(1.06))
  }

  /// Twenty runs of one hour can't have shown what changes in a day.
  @Test func runsFartherApartThanTheEarlierOnesHaveAHigherBar() throws {
    var runs = MadeRuns(seed: 8)
    var earlier = runs.earlier()
    for index in earlier.indices {
      earlier[index].environment.removeAll { $0.name == "date" }
      earlier[index].environment.append(("date", "2026-11-25T19:\(10 + 2 * index):00Z"))
    }
    func bar(interval: Double?) throws -> Double {
      try #require(scatter(earlier, runs.benchmarks, interval: interval).of(first, .fast)).bar
    }
    func addOldRuns() {
      for day in ["01", "02", "03", "04"] {
        var old = EarlierRun(runs.run(build: "E=2"))
        old.environment.removeAll { $0.name == "date" }
        old.environment.append(("date", "2026-10-\(day)T19:00:00Z"))
        earlier.append(old)
      }
    }
    let usual = try bar(interval: nil)
    // Without the first and the last one: a clock may have been wrong.
    #expect(try bar(interval: 34 * 60) == usual)
    #expect(scatter(earlier, runs.benchmarks, interval: 34 * 60, base: "E=1").usual(first) != nil)
    #expect(scatter(earlier, runs.benchmarks, interval: 34 * 60 + 1, base: "E=1").usual(first) == nil)
    #expect(abs(try bar(interval: 34 * 60 + 1) / usual - RunScatter.marginOverTime) < 1e-9)
    // What other benchmarks ran long ago says nothing of this one.
    runs.benchmarks = ["other"]
    addOldRuns()
    runs.benchmarks = (0..<12).map { "b\($0)" }
    #expect(try bar(interval: 34 * 60 + 1) > usual)
    // Nor do runs of another build that lie farther apart say what the base's takes at other times.
    addOldRuns()
    #expect(scatter(earlier, runs.benchmarks, interval: 34 * 60, base: "E=1").usual(first) != nil)
    #expect(scatter(earlier, runs.benchmarks, interval: 34 * 60 + 1, base: "E=1").usual(first) == nil)
  }

  /// A run of a quarter of the launches differs twice as much; one of four times as many is not taken to differ less,
  /// as not all that runs differ by comes from their launches.
  @Test func whatRunsOfMoreLaunchesDifferedByIsTakenForMore() throws {
    var runs = MadeRuns(seed: 6)
    let earlier = runs.earlier()
    func known(_ launches: Int) throws -> RunScatter.Known {
      try #require(scatter(earlier, runs.benchmarks, launches: launches).of(first, .fast))
    }
    #expect(abs(try known(3).scale / known(12).scale - 2) < 1e-9)
    #expect(try known(48) == known(12))
  }

  /// The defect: runs beside a neighbour, of which few launches were calm, raised the bars of all rows by half.
  @Test func runsOfFarFewerLaunchesThanOthersTeachNothing() throws {
    var runs = MadeRuns(seed: 11)
    runs.offset = 0.0002
    runs.spread = 0.001
    var earlier = runs.earlier()
    runs.launches = 5
    for place in [2, 9, 17] { earlier[place] = EarlierRun(runs.run(factors: ["b0": 1.1])) }
    func bar(_ launches: Int) throws -> Double {
      try #require(scatter(earlier, runs.benchmarks, launches: launches).of(first, .fast)).bar
    }
    #expect(try bar(12) < log(1.02))
    // Where the earlier runs have fewer throughout, these are what there is.
    #expect(try bar(48) == bar(12))
    #expect(try bar(10) > 1.4 * log(1.1))
    // Too few are left without them.
    for place in [4, 5, 11] { earlier[place] = EarlierRun(runs.run()) }
    #expect(try bar(12) > 1.4 * log(1.1))
  }

  /// What was learnt said of two of these very runs that they differ.
  @Test func noBarIsBelowWhatTheEarlierRunsDifferedBy() throws {
    var runs = MadeRuns(seed: 10)
    runs.offset = 0.0002
    runs.spread = 0.001
    var earlier = runs.earlier()
    earlier[3] = EarlierRun(runs.run(factors: ["b0": 1.1]))
    let known = try #require(scatter(earlier, runs.benchmarks).of(first, .fast))
    #expect(known.bar > 1.4 * log(1.1) && known.scale < 0.005)
  }

  /// A run in fifteen may take twice as long, which twenty runs need not have shown.
  @Test func aTimeOfSeveralThreadsHasABarOfAFactorOfThree() throws {
    var runs = MadeRuns(seed: 7)
    let earlier = runs.earlier()
    let known = try #require(scatter(earlier, runs.benchmarks, isOfSeveralThreads: true).of(first, .fast))
    #expect(known.bar == log(3))
    let one = try #require(scatter(earlier, runs.benchmarks).of(first, .fast))
    #expect(known.scale == one.scale && one.bar < log(1.2))
  }

  /// The defect: the mean beside the median of one run in thirty, whose threads had met in another way, was 8 % off.
  @Test(arguments: ["mean_by_median", "mean_by_median_readers"])
  func theMeanBesideTheMedianOfSeveralThreadsHasABarOfAQuarter(name: String) throws {
    let metric = Metric(name, unit: "1")
    var noise = Noise(seed: 12)
    let earlier = (0..<20).map { _ in
      var results = Results.run()
      results.environment.append(("executables", "E=1"))
      for benchmark in ["b0", "b1"] {
        results.add(metric, noise.launches(12, around: 1.01, spread: 0.001), to: benchmark)
      }
      return EarlierRun(results)
    }
    func bar(_ isOfSeveralThreads: Bool) throws -> Double {
      let key = ResultRow.Key(benchmark: "b0", parameters: "", metric: name)
      let rows = [key: (metric: metric, launches: 12, isOfSeveralThreads: isOfSeveralThreads)]
      return try #require(RunScatter(earlier, rows: rows) { _ in 0 }.of(key, .fast)).bar
    }
    #expect(try bar(true) == log(1.25))
    #expect(try bar(false) < log(1.05))
  }
}
