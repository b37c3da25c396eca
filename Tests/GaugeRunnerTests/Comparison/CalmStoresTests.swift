// Which runs somebody slowed throughout, by the loop of stores beside their benchmarks.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct CalmStoresTests {
  private let names = (0..<8).map { "b\($0)" }

  private func stores(_ benchmark: String) -> ResultRow.Key {
    ResultRow.Key(benchmark: benchmark, parameters: "", metric: Metric.referenceStores.name)
  }

  /// A run by what the loop took beside each benchmark.
  private func run(slowed: Set<String> = []) -> [ResultRow.Key: RunLevel] {
    Dictionary(
      uniqueKeysWithValues: names.map {
        let time = slowed.contains($0) ? 0.38 : 0.27
        return (stores($0), RunLevel(launches: 12, fast: time, slow: time))
      })
  }

  @Test func aRowIsCalmUpToATenthAboveTheMiddleOfTheRuns() {
    let calm = CalmStores([run(), run(slowed: ["b1"]), run()])
    let time = ResultRow.Key(benchmark: "b1", parameters: "", metric: Metric.time.name)
    #expect(calm.isCalm(run(), beside: time) && !calm.isCalm(run(slowed: ["b1"]), beside: time))
    #expect(calm.isCalm([stores("b1"): RunLevel(launches: 9, fast: 0.296, slow: 1)], beside: time))
    // What isn't known accuses nobody.
    #expect(calm.isCalm([:], beside: time) && CalmStores([]).isCalm(run(slowed: ["b1"]), beside: time))
  }

  @Test func aRunIsNotBelievedBeyondAQuarterOfItsRowsAndMoreThanOne() {
    let calm = CalmStores([run(), run(), run()])
    #expect(!calm.isSlowed(run()) && !calm.isSlowed(run(slowed: ["b0", "b1"])))
    #expect(calm.isSlowed(run(slowed: ["b0", "b1", "b2"])))
    // Of a single benchmark it may be the code that slows the loop.
    let alone = [stores("b0"): RunLevel(launches: 12, fast: 0.38, slow: 0.38)]
    #expect(!calm.isSlowed(alone) && !calm.isSlowed([:]))
    // Half of the runs slowed alike are what is usual.
    let usual = CalmStores([run(slowed: Set(names)), run(slowed: Set(names)), run()])
    #expect(!usual.isSlowed(run(slowed: Set(names))))
  }

  /// The defect: nothing of theirs is made once more, and eight of twenty-four took the verdicts of all others away.
  @Test func benchmarksOfSeveralThreadsDontCondemnARun() {
    let calm = CalmStores([run(), run(), run()])
    var slowed = run(slowed: ["b0", "b1", "b2"])
    for key in slowed.keys where ["b0", "b1", "b2"].contains(key.benchmark) {
      slowed[key.of(Metric.foreignLoad.name)] = RunLevel(launches: 12, fast: 0.1, slow: 0.2)
    }
    #expect(!calm.isSlowed(slowed))
    let time = ResultRow.Key(benchmark: "b1", parameters: "", metric: Metric.time.name)
    #expect(!calm.isCalm(slowed, beside: time))
    for key in slowed.keys where ["b3", "b4"].contains(key.benchmark) {
      slowed[key] = RunLevel(launches: 12, fast: 0.38, slow: 0.38)
    }
    // Two of five.
    #expect(calm.isSlowed(slowed))
  }

  @Test func theSideThatWasSlowedIsNamed() throws {
    func rows(_ time: Double, _ names: [String]) -> [ResultRow.Key: MeasuredRows] {
      var results = Results.run()
      for name in names { results.add(.referenceStores, Array(repeating: time, count: 5), to: name) }
      return MeasuredRows.grouped(results)
    }
    let (calm, slow) = (rows(0.27, names), rows(0.38, names))
    #expect(CalmStores.slowedSide(calm, calm, earlier: []) == nil)
    let reason = "somebody slowed the loop of stores beside 8 of 8 benchmarks of the base throughout: measure again"
    #expect(CalmStores.slowedSide(slow, calm, earlier: []) == reason)
    #expect(try #require(CalmStores.slowedSide(calm, slow, earlier: [])).contains("of the new run throughout"))
    // Two slow ones don't tell; earlier runs do.
    #expect(CalmStores.slowedSide(slow, slow, earlier: []) == nil)
    var results = Results.run()
    for name in names { results.add(.referenceStores, Array(repeating: 0.27, count: 5), to: name) }
    let earlier = Array(repeating: EarlierRun(results), count: 5)
    #expect(CalmStores.slowedSide(slow, slow, earlier: earlier) == reason)
  }
}
