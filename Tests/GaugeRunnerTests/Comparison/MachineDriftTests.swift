// The machine's drift between and within runs.

import Foundation
import Gauge
import GaugeStatistics
import Testing

@testable import GaugeRunner

@Suite struct MachineDriftTests {
  private let time = ResultRow.Key(benchmark: "a", parameters: "", metric: "time")

  /// The drift of two runs, each with loops and times of benchmarks.
  private func machine(
    _ base: [(Metric, String, [Double])], _ new: [(Metric, String, [Double])]
  ) -> MachineDrift {
    func run(_ rows: [(Metric, String, [Double])]) -> [ResultRow.Key: MeasuredRows] {
      var results = Results.run()
      for (metric, benchmark, values) in rows { results.add(metric, values, to: benchmark) }
      return MeasuredRows.grouped(results)
    }
    return MachineDrift(base: run(base), new: run(new), processors: 2, options: ComparisonOptions())
  }

  private let five = [1.0, 1, 1, 1, 1]

  @Test func theReferenceLoopIsThatOfTheBenchmarksOwnFastLaunches() throws {
    let drift = machine(
      [(.referenceLoop, "a", five), (.referenceLoop, "b", five)],
      [(.referenceLoop, "a", [1.2, 1.2, 1.2, 5, 9]), (.referenceLoop, "b", five)])
    #expect(abs(try #require(drift.referenceChange(for: time)) - log(1.2)) < 1e-12)
  }

  @Test func ofFewLaunchesTheWholeRunsLoopIsTaken() throws {
    let base = [(Metric.referenceLoop, "a", [1.0, 1]), (Metric.referenceLoop, "b", five)]
    let new = [(Metric.referenceLoop, "a", [5.0, 5]), (Metric.referenceLoop, "b", five.map { $0 * 1.1 })]
    #expect(abs(try #require(machine(base, new).referenceChange(for: time)) - log(1.1)) < 1e-12)
    #expect(machine([], [(.time, "a", five)]).referenceChange(for: time) == nil)
  }

  @Test func aMemoryLoopCountsBeyondWhatIsUsualAndInItsDirection() throws {
    let slower = machine(
      [(.referenceLoop, "a", five), (.referenceStores, "a", five), (.referenceMemory, "a", five)],
      [
        (.referenceLoop, "a", five), (.referenceStores, "a", five.map { $0 * 1.15 }),
        (.referenceMemory, "a", five.map { $0 * 1.02 }),
      ])
    let loop = try #require(slower.unusualLoop(for: time, slower: true))
    #expect(loop.loop == "reference_stores")
    #expect(abs(loop.excess - (log(1.15) - MachineDrift.usualLoopChange)) < 1e-12)
    #expect(slower.unusualLoop(for: time, slower: false) == nil)
    // A processor at a higher frequency runs all loops faster:
    // as much as the arithmetic one did says nothing of memory.
    let faster = machine(
      [(.referenceLoop, "a", five), (.referenceStores, "a", five)],
      [(.referenceLoop, "a", five.map { $0 / 2 }), (.referenceStores, "a", five.map { $0 / 2 })])
    #expect(faster.unusualLoop(for: time, slower: false) == nil)
  }

  @Test func severalThreadsAreThoseThatBothSidesTell() {
    let rows = [(Metric.foreignLoad, "a", five)]
    #expect(machine(rows, rows).isOfSeveralThreads(time) && !machine(rows, []).isOfSeveralThreads(time))
    let told = MachineDrift(base: [:], new: [:], processors: 2, severalThreads: ["a"], options: ComparisonOptions())
    #expect(told.isOfSeveralThreads(time) && told.foreignLoads(for: time) == nil)
  }

  @Test func theOtherRowsTellWhatAllDid() throws {
    let names = ["a", "b", "c", "d"]
    let drift = machine(
      names.map { (.time, $0, five) },
      zip(names, [7, 1.5, 1.5, 4]).map { name, factor in (.time, name, five.map { $0 * factor }) })
    let others = try #require(drift.otherRows(than: time))
    #expect(abs(others.lowerBound - log(1.5)) < 1e-12 && others.lowerBound == others.upperBound)
    #expect(drift.otherRows(than: time.of("latency_p50")) == nil)
    let two = machine([(.time, "a", five), (.time, "b", five)], [(.time, "a", five), (.time, "b", five)])
    #expect(two.otherRows(than: time) == nil)
  }

  @Test func theNearestChangeIsNoneWhereSignsDiffer() {
    #expect(nearest([0.3, 0.2]) == 0.2 && nearest([-0.3, -0.2]) == -0.2 && nearest([0.1, -0.1]) == 0)
  }

  /// The loads of two runs of one benchmark, or of two where the first has few launches.
  private func loads(
    _ base: [Double], _ new: [Double], others: ([Double], [Double]) = ([], []), processors: Int? = 4
  ) -> MachineDrift.ForeignLoads? {
    func run(_ own: [Double], _ others: [Double]) -> [ResultRow.Key: MeasuredRows] {
      var results = Results.run()
      results.add(.time, Array(repeating: 100, count: 5), to: "a")
      results.add(.foreignLoad, own, to: "a")
      results.add(.foreignLoad, others, to: "b")
      return MeasuredRows.grouped(results)
    }
    return MachineDrift(
      base: run(base, others.0), new: run(new, others.1), processors: processors, options: ComparisonOptions()
    ).foreignLoads(for: ResultRow.Key(benchmark: "a", parameters: "", metric: "time"))
  }

  @Test func loadsThatDifferByMoreThanATenthOfTheProcessorsAreTold() {
    let idle = [0.0, 0, 0, 0, 0.5]
    #expect(loads(idle, [2, 2, 2, 4, 5]) == MachineDrift.ForeignLoads(before: 0.1, after: 3, processors: 4))
    #expect(loads([2, 2, 2, 4, 5], idle) == MachineDrift.ForeignLoads(before: 3, after: 0.1, processors: 4))
    #expect(loads([1, 1, 1, 1, 1], [1.5, 1.5, 1.5, 1.5, 1.5]) != nil)
    #expect(loads([1, 1, 1, 1, 1], [1.5, 1.5, 1.5, 1.5, 1.5], processors: 8) == nil)
    // The mean counts, however single launches scatter.
    #expect(loads([0, 2, 0, 2, 1], [1, 1, 1, 1, 1]) == nil)
    // More than a third of the processors is too much, on both sides alike, too.
    #expect(loads([1.5, 1.5, 1.5, 1.5, 1.5], [1.5, 1.5, 1.5, 1.5, 1.5])?.after == 1.5)
  }

  @Test func withoutLoadsOnBothSidesNoneAreTold() {
    let (idle, busy) = ([0.0, 0, 0, 0, 0], [3.0, 3, 3, 3, 3])
    #expect(loads([], busy) == nil && loads(idle, []) == nil && loads([], []) == nil)
    #expect(loads([], [], others: (idle, busy)) == nil && loads([], busy, others: (idle, busy)) == nil)
    #expect(loads(idle, busy, processors: nil) == nil)
  }

  @Test func ofFewLaunchesTheWholeRunsLoadsAreTaken() {
    let quiet = Array(repeating: 0.0, count: 30)
    #expect(loads([0, 0], [4, 4], others: (quiet, quiet)) == nil)
    #expect(loads([0, 0], [0, 0], others: (quiet, quiet.map { $0 + 4 }))?.after == 3.75)
  }

  @Test func theOthersMedianIsThatOfAllOthers() throws {
    var noise = Noise(seed: 5)
    for count in [1, 2, 3, 4, 7, 8] {
      let names = (0..<count).map { "b\($0)" }
      let changes = names.map { _ in (noise.normal() * 2).rounded() }
      let rows = names.map { (Metric.time, $0, [1e9, 1e9]) }
      #expect(machine(rows, rows).otherRows(than: time) == (count < 2 ? nil : 0...0))
      let moved = machine(
        rows, zip(names, changes).map { name, change in (Metric.time, name, [1e9, 1e9].map { $0 * exp(change) }) })
      for (index, name) in names.enumerated() {
        var others = changes
        others.remove(at: index)
        let key = ResultRow.Key(benchmark: name, parameters: "", metric: "time")
        let told = moved.otherRows(than: key)
        #expect((told == nil) == (others.count < 2))
        guard let told else { continue }
        let sorted = others.sorted()
        let middle = (sorted[(others.count - 1) / 2], sorted[others.count / 2])
        #expect(
          abs(told.lowerBound - middle.0) < 1e-9 && abs(told.upperBound - middle.1) < 1e-9, "\(changes) \(index)")
      }
    }
  }

  /// Each time sorted those of all others, and the whole run's loops.
  @Test func manyRowsTakeNoLongerThanFew() {
    expectUnderAMinute {
      let names = (0..<10_000).map { "b\($0)" }
      func rows(_ factor: Double) -> [(Metric, String, [Double])] {
        names.flatMap { name in
          [
            (Metric.time, name, five.map { $0 * factor * 100 }), (.referenceLoop, name, [1.0]),
            (.foreignLoad, name, [0.01]),
          ]
        }
      }
      let drift = machine(rows(1), rows(2))
      for name in names {
        let key = ResultRow.Key(benchmark: name, parameters: "", metric: "time")
        #expect(drift.referenceChange(for: key) == 0 && drift.foreignLoads(for: key) == nil)
        #expect(abs((drift.otherRows(than: key)?.upperBound ?? 0) - log(2)) < 1e-9)
      }
    }
  }
}
