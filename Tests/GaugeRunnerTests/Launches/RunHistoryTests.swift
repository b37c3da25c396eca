// What the rows of an interrupted run say about its plan.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct RunHistoryTests {
  let plan = LaunchPlan.sample(
    [.sample("a", "n=1", passes: [.time, .latency]), .sample("b"), .sample("c")], launches: 2)

  /// A row of a launch of the plan.
  func row(_ launch: PlannedLaunch, _ outcome: Measurement.Outcome = .value(1)) -> ResultRow {
    .sample(
      launch.point.benchmark, parameters: launch.point.parameters, launch: launch.launch, sequence: launch.sequence,
      outcome)
  }

  func results(_ rows: [ResultRow], _ faults: [BenchmarkFault] = []) -> Results {
    var results = Results()
    results.rows = rows
    results.faults = faults
    return results
  }

  func fault(_ launch: PlannedLaunch) -> BenchmarkFault {
    BenchmarkFault(
      benchmark: launch.point.benchmark, parameters: launch.point.parameters, reason: "died", output: "",
      launch: launch.launch, sequence: launch.sequence)
  }

  @Test func `rows finish their launches, faults break their benchmarks`() throws {
    #expect(plan.launches.count == 8)
    let broken = try #require(plan.launches.first { $0.point.benchmark == "b" })
    let rows = plan.launches.prefix(3).filter { $0.point != broken.point }.map { row($0) }
    let history = try RunHistory(results(rows, [fault(broken)]), of: plan)
    #expect(history.finished == Set(rows.map(\.sequence) + [broken.sequence]))
    #expect(history.broken == [broken.point])
    #expect(history.faults == [fault(broken)])
    #expect(history.skipped.isEmpty)
    #expect(!history.completes(plan))
  }

  @Test func `a skipped pass is skipped for the rest, other reasons are not`() throws {
    let launch = try #require(plan.launches.first { $0.pass == .latency })
    let other = try #require(plan.launches.first { $0.pass == .time })
    let history = try RunHistory(
      results([row(launch, .unavailable("skipped: not today")), row(other, .unavailable("no clock"))]), of: plan)
    #expect(history.skipped == [PlannedPass(launch)])
  }

  @Test func `a run is complete when nothing is left to launch`() throws {
    #expect(!RunHistory().completes(plan))
    let all = try RunHistory(results(plan.launches.map { row($0) }), of: plan)
    #expect(all.completes(plan))
    let broken = try RunHistory(
      results([], ["a", "b", "c"].map { name in fault(plan.launches.first { $0.point.benchmark == name }!) }), of: plan)
    #expect(broken.completes(plan))
  }

  @Test func `what was made once more is none of what is left`() throws {
    let first = try #require(plan.launches.first { $0.pass == .time })
    var again = row(first)
    (again.launch, again.sequence) = (2, 8)
    let history = try RunHistory(results(plan.launches.map { row($0) } + [again]), of: plan)
    #expect(history.completes(plan) && history.finished == Set(0..<8))
    #expect(history.repeated.map(\.launch) == [2] && history.repeated.map(\.sequence) == [8])
    #expect(try !RunHistory(results([again]), of: plan).completes(plan))
  }

  @Test func `rows of another plan are refused`() throws {
    var foreign = row(plan.launches[0])
    foreign.benchmark = "x"
    #expect(
      throws: RunHistory.Mismatch(
        message: "launch 0 of the run is one of x\(foreign.parameters.isEmpty ? "" : "[n=1]"), where the same options "
          + "plan one of \(plan.launches[0].point.title)")
    ) { try RunHistory(results([foreign]), of: plan) }
    var late = row(plan.launches[0])
    late.sequence = 8
    #expect(
      throws: RunHistory.Mismatch(message: "launch 8 of the run is there, but the same options plan only 8")
    ) { try RunHistory(results([late]), of: plan) }
    var renumbered = row(plan.launches[0])
    renumbered.launch = 7
    #expect(throws: RunHistory.Mismatch.self) { try RunHistory(results([renumbered]), of: plan) }
  }
}
