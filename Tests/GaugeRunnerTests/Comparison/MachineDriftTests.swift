// The machine's drift between and within runs.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct MachineDriftTests {
  private func ratio(_ base: [(String, [Double])], _ new: [(String, [Double])], of benchmark: String) -> Double {
    func run(_ loops: [(String, [Double])]) -> Results {
      var results = Results.run()
      for (benchmark, values) in loops { results.add(.referenceLoop, values, to: benchmark) }
      return results
    }
    let key = ResultRow.Key(benchmark: benchmark, parameters: "", metric: "time")
    return MachineDrift(base: run(base), new: run(new), options: ComparisonOptions()).ratio(for: key)
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
    #expect(ratio([("a", [1, 1, 1, 1, 1])], [("a", [1.02, 1.02, 1.02, 1.02, 1.02])], of: "a") == 1)
    #expect(ratio([("a", [1, 1, 1, 1, 1])], [("a", [0.97, 0.97, 0.97, 0.97, 0.97])], of: "a") == 0.97)
  }

  @Test func withoutLoopsThereIsNoDrift() {
    #expect(ratio([], [("a", [1, 2])], of: "a") == 1)
  }

  @Test func comparesTheHalvesOfARun() {
    #expect(MachineDrift.withinRun([1, 1, 1, 7, 3, 3, 3]) == 2)
    #expect(MachineDrift.withinRun([3, 1]) == 2)
    #expect(MachineDrift.withinRun([3]) == 0)
    #expect(MachineDrift.withinRun([]) == 0)
  }
}
