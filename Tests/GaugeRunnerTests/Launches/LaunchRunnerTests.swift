// Whole runs over real processes, good and broken ones.

import Foundation
import Gauge
import Testing

@testable import GaugeRunner

@Suite struct LaunchRunnerTests {
  let folder: TemporaryFolder
  let executable: String

  init() throws {
    folder = try TemporaryFolder()
    executable = try folder.fakeBenchmarks()
  }

  /// Runs the benchmarks of these names three times each per pass.
  func run(
    _ names: String..., selection: MetricSelection = .everything, libraries: [String: CountingLibraries] = [:],
    limit: Duration? = nil, signals: PendingSignals? = nil
  ) throws -> (summary: LaunchRunner.Summary, results: Results) {
    let points = try BenchmarkList.points(of: [executable]).filter { names.contains($0.benchmark) }
    let plan = LaunchPlan.sample(points, selection: selection)
    let runner = LaunchRunner(
      plan: plan, selection: selection, libraries: libraries, environment: ["PATH": "/usr/bin:/bin"],
      timeLimit: limit, signals: signals)
    let file = try ResultFileWriter.replacing(folder("f.csv"), environment: [])
    var progress = ProgressDisplay(plan, style: .log(every: .seconds(1000))) { _ in }
    let summary = try runner.run(into: file, progress: &progress)
    let contents = try ResultFile.read(folder("f.csv"))
    #expect(contents.warnings.isEmpty)
    return (summary, contents.results)
  }

  @Test func `every launch leaves its rows`() throws {
    let (summary, results) = try run("good", "good/grid")
    #expect(summary == LaunchRunner.Summary(measured: 15, referenceTurns: Array(repeating: 1, count: 9)))
    #expect(results.faults.isEmpty)
    #expect(results.rows.count == 3 * 4 + 2 * 3 * 2)
    let grid = results.rows.filter { $0.parameters == "n=2" && $0.metric == .time }
    #expect(grid.map(\.launch) == [0, 1, 2])
    #expect(grid.allSatisfy { $0.outcome == .value(2.5) && $0.iterations == 1000 && $0.samples == 10 })
    #expect(Set(results.rows.map(\.sequence)) == Set(0..<15))
    #expect(results.rows.map(\.sequence) == results.rows.map(\.sequence).sorted())
    #expect(folder.launches().count == 15)
  }

  @Test(arguments: [
    ("traps", "killed by signal 4 (Illegal instruction)", "Fatal error: index out of range"),
    ("throws", "the benchmark threw: oops", ""),
    ("breaks-off", "ended before its report was whole", ""),
    ("babbles", "line 2 of its report is damaged: an unknown record or the wrong number of fields in 'hello'", ""),
    ("dies-late", "exited with code 9 after its report", ""),
  ])
  func `a broken benchmark is told once, and the others go on`(name: String, reason: String, output: String) throws {
    let (summary, results) = try run(name, "good/grid")
    #expect(results.faults.map(\.benchmark) == [name])
    #expect(results.faults.map(\.reason) == [reason])
    #expect(results.faults.map(\.output) == [output])
    #expect(summary.faults == results.faults)
    #expect(summary.dropped == 8)
    #expect(summary.measured == 6)
    #expect(folder.launches().filter { $0.hasPrefix(name) }.count == 1)
    #expect(results.rows.allSatisfy { $0.benchmark == "good/grid" })
  }

  @Test func `a benchmark that hangs is killed at its limit and told once`() throws {
    // On a busy machine the child may not have come to its output.
    for (limit, said) in [(Duration.milliseconds(300), "0.3 s"), (.seconds(3), "3 s"), (.seconds(300), "300 s")] {
      let (summary, results) = try run("hangs", limit: limit)
      let fault = try #require(results.faults.first)
      #expect(fault.reason == "did not end within \(said) (--time-limit allows more)")
      #expect(summary == LaunchRunner.Summary(dropped: 8, faults: [fault]))
      if fault.output == "still here" { return }
    }
    Issue.record("its output was lost")
  }

  @Test func `a benchmark that isn't there to be started is a fault`() throws {
    let points = [BenchmarkPoint.sample(executable: folder("none"))]
    let plan = LaunchPlan.sample(points)
    let runner = LaunchRunner(
      plan: plan, selection: .everything, libraries: [:], environment: [:], timeLimit: nil, signals: nil)
    let file = try ResultFileWriter.replacing(folder("f.csv"), environment: [])
    var progress = ProgressDisplay(plan, style: .log(every: .seconds(1000))) { _ in }
    let summary = try runner.run(into: file, progress: &progress)
    #expect(summary.faults.map(\.reason) == ["cannot start \(folder("none")): No such file or directory"])
  }

  @Test func `a skipped pass is told once per pass`() throws {
    let (summary, results) = try run("skips")
    #expect(summary == LaunchRunner.Summary(skipped: 9))
    #expect(Set(results.rows.map(\.metric.name)) == ["time", "latency_p50", "allocations"])
    #expect(results.rows.allSatisfy { $0.outcome == .unavailable("skipped: not today") })
    #expect(folder.launches().count == 3)
  }

  @Test func `only the metrics that are asked for are written`() throws {
    let (_, results) = try run("good", selection: MetricSelection(names: ["reference_loop"]))
    #expect(Set(results.rows.map(\.metric.name)) == ["reference_loop"])
    #expect(folder.launches().allSatisfy { $0.contains(" time ") })
  }

  @Test func `libraries are preloaded into counting launches alone`() throws {
    let present = try folder.script("", named: CountingLibraries.hooksName)
    let libraries = CountingLibraries(beside: executable, cache: "", exists: { $0 == present })
    _ = try run("good", libraries: [executable: libraries])
    for launch in folder.launches() {
      #expect(launch.hasSuffix(launch.contains("allocations") ? present : "nothing"))
    }
    #expect(folder.launches().count == 9)
  }

  @Test func `where mean and median part in the middle of the launches is said, and nowhere else`() {
    let remarks = LaunchRunner.remarks(onMeans: [
      "z/rare": [1, 2.85, 90], "a/bound": [1.2], "even": [1.01, 0.99], "a/once": [1, 1.19, 30],
    ])
    #expect(
      remarks
        == ["a/bound: its operations take ×1.20", "z/rare: its operations take ×2.85"].map {
          $0 + " their median on average: a few are long (mean_time and throughput are of all, time is of most)"
        })
    #expect(LaunchRunner.remarks(onMeans: [:]) == [])
  }

  @Test func `a pending signal ends the run before its next launch`() throws {
    let signals = PendingSignals(blocking: [SIGWINCH])
    pthread_kill(pthread_self(), SIGWINCH)
    let (summary, results) = try run("good", signals: signals)
    #expect(summary == LaunchRunner.Summary(interruption: SIGWINCH))
    #expect(results.rows.isEmpty)
    #expect(folder.launches().isEmpty)
    var set = sigset_t()
    var taken: Int32 = 0
    sigemptyset(&set)
    sigaddset(&set, SIGWINCH)
    sigwait(&set, &taken)
  }

  @Test func `a file that takes no more ends the run`() throws {
    let plan = LaunchPlan.sample([.sample("good", executable: executable)])
    let runner = LaunchRunner(
      plan: plan, selection: .everything, libraries: [:], environment: [:], timeLimit: nil, signals: nil)
    let file = ResultFileWriter(file: try Descriptor.appending(to: "/dev/full", emptied: false), path: "/dev/full")
    var progress = ProgressDisplay(plan, style: .log(every: .seconds(1000))) { _ in }
    #expect(throws: ResultFile.Failure.unwritable(path: "/dev/full", reason: "No space left on device")) {
      try runner.run(into: file, progress: &progress)
    }
    #expect(folder.launches().count == 1)
  }
}
