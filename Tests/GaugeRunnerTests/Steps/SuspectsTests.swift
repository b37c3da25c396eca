// Rows whose time grew most, and what `gauge ab --suspects` times of them.

import Foundation
import Gauge
import Testing

@testable import GaugeRunner

@Suite struct SuspectsTests {
  private func run(_ times: [String: [Double]]) -> Results {
    var results = Results()
    for (name, values) in times {
      for (launch, value) in values.enumerated() {
        results.rows.append(
          ResultRow(
            benchmark: name, parameters: "", metric: .time, launch: launch, sequence: launch, iterations: 1, samples: 1,
            outcome: .value(value)))
      }
    }
    return results
  }

  @Test func `the fastest launches tell what grew`() {
    let suspects = Suspects(
      base: run(["a": [10, 30], "b": [10], "c": [10], "gone": [1], "zero": [0]]),
      new: run(["a": [99, 10], "b": [12, 40], "c": [9], "new": [1], "zero": [1]]))
    #expect(suspects.ordered(["a", "b", "c", "new"]) == ["b", "a", "c"])
    #expect(
      suspects.drift
        == "by the fastest launches of 3 rows, the median row is 0 %, half of them are between 0 % and +20.0 %")
    #expect(Suspects(base: run([:]), new: run([:])).drift == nil)
  }

  /// The defect: a single launch of 0.388 ns among those of 5.2 ns and more made its row the one that had grown most.
  @Test func `a launch far below all others is left out on both sides`() {
    let suspects = Suspects(
      base: run(["a": [5.2, 0.388, 5.3, 5.4], "b": [10, 11, 12]]), new: run(["a": [5.2, 5.3, 5.4], "b": [12, 1, 13]]))
    #expect(suspects.growth["a"] == 0 && suspects.ordered(["a", "b"]) == ["b", "a"])
  }

  /// The defect: beside a busy machine eight rows with threads, which had taken twice as long by chance, were timed,
  /// and not the one whose code was slower by a tenth.
  @Test func `what runs other code comes first, and leaves a quarter to what isn't known`() {
    let titles = ["t1", "t2", "c1", "t3", "c2", "t4"]
    func chosen(_ count: Int, _ changed: Set<String>) -> [String] {
      Suspects.chosen(count, of: titles, changed: changed)
    }
    #expect(chosen(4, ["c1", "c2"]) == ["c1", "c2", "t1", "t2"])
    #expect(chosen(2, ["c1", "c2"]) == ["c1", "c2"])
    #expect(chosen(4, ["t2", "c1", "t3", "c2", "t4"]) == ["t2", "c1", "t3", "t1"])
    #expect(chosen(9, ["c2"]) == ["c2", "t1", "t2", "c1", "t3", "t4"])
    #expect(chosen(3, []) == ["t1", "t2", "c1"])
  }

  @Test func `there are as many as can be decided in the time, and at least one`() {
    #expect(Suspects.count(within: 0.001) == 1)
    #expect(Suspects.count(within: 60) > 2 * Suspects.count(within: 20))
  }

  @Test func `only suspects are timed, and the drift is told`() throws {
    let fixture = try TwoRevisions()
    let gauge = CapturedProgram(in: fixture.folder("package"), swift: fixture.package.swift)
    func executable(_ times: [Int]) throws {
      try fixture.folder.write(
        #"""
        #!/bin/sh
        if [ "$1" = list ]; then printf 'benchmark\ta\t\ttime\nbenchmark\tb\t\ttime\n'; exit; fi
        case "$3" in a) time=\#(times[0]) ;; b) time=\#(times[1]) ;; esac
        printf 'gauge-launch\t1\nmetric\ttime\tns/op\tlower\tsampled\t1\t1\t%s\ndone\n' $time >&3
        """#, to: "package/Fast")
    }
    try executable([20, 20])
    #expect(gauge("run", "--metrics", "time") == 0, "\(gauge.error)")
    #expect(gauge("baseline", "accept") == 0, "\(gauge.error)")
    let latest = fixture.folder("package/results/latest.csv")
    let words = ["ab", "--base", "baseline:accepted", "--suspects", latest]
    #expect(gauge(arguments: words) == 0, "\(gauge.error)")
    #expect(gauge.output.contains("2 same"), "\(gauge.output)")

    try executable([20, 30])
    #expect(gauge("run", "--metrics", "time") == 0, "\(gauge.error)")
    #expect(gauge(arguments: words) == 2, "\(gauge.error)")
    #expect(gauge.output.hasPrefix("Drift since "), "\(gauge.output)")
    #expect(gauge.output.contains("the fastest launches of 2 rows"))
    #expect(gauge.output.contains("1 worse, 0 better, 1 same"), "\(gauge.output)")
    #expect(!gauge.error.contains("counting"))
    let some = fixture.folder("some.csv")
    #expect(gauge("run", "--metrics", "time", "b", "--output", some) == 0, "\(gauge.error)")
    #expect(gauge("ab", "--base", "baseline:accepted", "--suspects", some) == 2, "\(gauge.error)")
    #expect(gauge.error.contains("gauge: timing 1 of 2 rows whose time grew most"), "\(gauge.error)")
    #expect(gauge(arguments: words + ["--affected"]) != 64, "\(gauge.error)")

    #expect(gauge("ab", "--base", "HEAD", "--suspects", latest) == 64)
    _ = try ResultFileWriter.replacing(fixture.folder("empty.csv"), environment: [])
    #expect(gauge("ab", "--base", "baseline:accepted", "--suspects", fixture.folder("empty.csv")) == 6)
    #expect(gauge.output.contains("no time is in both runs"))
  }
}
