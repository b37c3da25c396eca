// The machine's drift between and within runs.

import Foundation
import Gauge
import Testing

@testable import GaugeRunner

@Suite struct MachineDriftTests {
  private func ratio(_ base: [(String, [Double])], _ new: [(String, [Double])], of benchmark: String) -> Double {
    func run(_ loops: [(String, [Double])]) -> [ResultRow.Key: MeasuredRows] {
      var results = Results.run()
      for (benchmark, values) in loops { results.add(.referenceLoop, values, to: benchmark) }
      return MeasuredRows.grouped(results)
    }
    let key = ResultRow.Key(benchmark: benchmark, parameters: "", metric: "time")
    return MachineDrift(base: run(base), new: run(new), processors: 2, options: ComparisonOptions()).ratio(for: key)
  }

  @Test func usesTheBenchmarksOwnLaunches() {
    let slower = ratio(
      [("a", [1, 1, 1, 1, 1]), ("b", [1, 1, 1, 1, 1])], [("a", [1.2, 1.2, 1.2, 1.2, 9]), ("b", [1, 1, 1, 1, 1])],
      of: "a")
    #expect(slower == 1.2)
  }

  @Test func usesAllLaunchesWhereTheOwnAreTooFew() {
    let base = [("a", [1.0, 1]), ("b", [1, 1, 1, 1, 1])]
    #expect(ratio(base, [("a", [5, 5]), ("b", [1.1, 1.1, 1.1, 1.1, 1.1])], of: "a") == 1.1)
    #expect(ratio(base, [("a", [5, 5]), ("b", [1.1, 1.1, 1.1, 1.1, 1.1])], of: "absent") == 1.1)
  }

  @Test func withinTheToleranceThereIsNoDrift() {
    #expect(ratio([("a", [1, 1, 1, 1, 1])], [("a", [1.01, 1.01, 1.01, 1.01, 1.01])], of: "a") == 1)
    #expect(ratio([("a", [1, 1, 1, 1, 1])], [("a", [0.97, 0.97, 0.97, 0.97, 0.97])], of: "a") == 0.97)
  }

  @Test func withoutLoopsThereIsNoDrift() {
    #expect(ratio([], [("a", [1, 2])], of: "a") == 1)
  }

  @Test func ofSeveralLoopsTheFarthestCounts() {
    let stores = Metric("reference_stores", unit: "ns/turn", polarity: .neither)
    var (base, new) = (Results.run(), Results.run())
    for (metric, before, after) in [(Metric.referenceLoop, 1.0, 1.0), (stores, 19, 28.5), (.time, 10, 90)] {
      base.add(metric, Array(repeating: before, count: 5))
      new.add(metric, Array(repeating: after, count: 5))
    }
    let drift = MachineDrift(
      base: MeasuredRows.grouped(base), new: MeasuredRows.grouped(new), processors: 2, options: ComparisonOptions())
    #expect(drift.ratio(for: base.rows[0].key) == 1.5)
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

  @Test func theSuiteShiftIsWhatMostBenchmarksDo() {
    var (base, new) = (Results.run(), Results.run())
    for index in 0..<20 {
      base.add(.time, [100, 100], to: "b\(index)")
      // Half of the suite 5 % up, half 5 % down, and all of it twice as slow.
      new.add(.time, [200 * (index.isMultiple(of: 2) ? 1.05 : 1 / 1.05)], to: "b\(index)")
      base.add(.allocations, [1], to: "b\(index)")
      new.add(.allocations, [Double(index)], to: "b\(index)")
      if index < 9 { base.add(.latencyMaximum, [1], to: "b\(index)") }
    }
    let drift = MachineDrift(
      base: MeasuredRows.grouped(base), new: MeasuredRows.grouped(new), processors: 2, options: ComparisonOptions())
    let shift = drift.suiteShift(of: "time")
    #expect(abs(shift.centre - 0.6931) < 1e-4)
    #expect(abs(shift.scatter - 1.4826 * 0.04879) < 1e-4)
    #expect(shift.reach == shift.centre + 4 * shift.scatter)
    for metric in ["allocations", "latency_max"] { #expect(drift.suiteShift(of: metric).reach == 0) }
  }

  @Test func comparesTheHalvesOfARun() {
    #expect(MachineDrift.withinRun([1, 1, 1, 7, 3, 3, 3]) == 2)
    #expect(MachineDrift.withinRun([3, 1]) == 2)
    #expect(MachineDrift.withinRun([3]) == 0)
    #expect(MachineDrift.withinRun([]) == 0)
  }

  /// A few rows: what the others did, and four deviations of the row's own launches.
  @Test func ofFewRowsTheLaunchesThemselvesTellWhatIsOrdinary() {
    var (base, new) = (Results.run(), Results.run())
    let times = [100.0, 100 * exp(0.1)]
    for (index, factor) in [1.0, 1.5, 1.5].enumerated() {
      base.add(.time, times, to: "b\(index)")
      new.add(.time, times.map { $0 * factor }, to: "b\(index)")
    }
    let drift = MachineDrift(
      base: MeasuredRows.grouped(base), new: MeasuredRows.grouped(new), processors: 2, options: ComparisonOptions())
    let key = ResultRow.Key(benchmark: "b0", parameters: "", metric: "time")
    #expect(drift.isOfFewRows("time"))
    // The median of 1.5 and 1.5, and the deviation of two values 0.1 apart.
    #expect(abs(drift.ordinaryChange(of: key) - (log(1.5) + 4 * 0.1 / 2.0.squareRoot())) < 1e-9)
    #expect(drift.ordinaryChange(of: ResultRow.Key(benchmark: "b9", parameters: "", metric: "time")) == 0)
  }
}
