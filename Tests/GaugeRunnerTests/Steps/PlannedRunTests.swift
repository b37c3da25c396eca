// What a run plans.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct PlannedRunTests {
  let folder: TemporaryFolder
  let executable: String

  init() throws {
    folder = try TemporaryFolder()
    executable = try folder.fakeBenchmarks()
  }

  func planned(_ words: String...) throws -> PlannedRun {
    let arguments = try Arguments(["--executable", executable] + words, options: Verb.run.options)
    let stream = Console.Stream(write: { _ in }, columns: nil, colour: false)
    let program = Program(
      console: Console(output: stream, error: stream), environment: [:], folder: folder.path)
    return try PlannedRun(program, arguments, RunOptions(arguments))
  }

  func launches(_ run: PlannedRun, _ pass: LaunchRequest.Pass) -> Int {
    run.plan.launches.filter { $0.pass == pass }.count
  }

  @Test func `the launches asked for are of time and latency, counting takes its own number`() throws {
    let run = try planned("good", "--metrics", "time,latency,allocations,counts", "--launches", "4")
    #expect(launches(run, .time) == 4)
    #expect(launches(run, .latency) == 4)
    // There are no hooks: one launch says so.
    #expect(launches(run, .allocations) == 1)
    #expect(launches(run, .counts) == 1)
  }

  @Test func `the hooks beside the executable are taken`() throws {
    _ = try folder.script("", named: CountingLibraries.hooksName)
    let run = try planned("good", "--quick", "--counts")
    #expect(launches(run, .allocations) == 5)
    #expect(launches(run, .counts) == 1)
    #expect(run.libraries[executable]?.hooks == folder(CountingLibraries.hooksName))
  }

  /// The defect: two launches were planned of counts that vary, of which a verdict needs five.
  @Test func `what varies is planned as often as a verdict needs`() throws {
    _ = try folder.script("", named: CountingLibraries.hooksName)
    let names = (0..<400).map { "several/\($0)" }
    let list =
      names.map { "benchmark\\t\($0)\\t\\ttime,allocations,references,system_calls\\t\\t\\tthreads\\n" }.joined()
      + "benchmark\\tsingle\\t\\tallocations,references,system_calls\\n"
    let crowded = try folder.script("printf '\(list)'", named: "crowded")
    let stream = Console.Stream(write: { _ in }, columns: nil, colour: false)
    let program = Program(
      console: Console(output: stream, error: stream), environment: [:], folder: folder.path)
    let arguments = try Arguments(
      ["--executable", crowded, "--quick", "--metrics", "time,allocations,references,system_calls"],
      options: Verb.run.options)
    let plan = try PlannedRun(program, arguments, RunOptions(arguments)).plan
    func launches(_ benchmark: String, _ pass: LaunchRequest.Pass) -> Int {
      plan.launches.count { $0.point.benchmark == benchmark && $0.pass == pass }
    }
    #expect(launches("several/7", .time) == ComparisonOptions().minimumLaunches)
    for pass in [LaunchRequest.Pass.allocations, .references, .systemCalls] {
      #expect(launches("several/7", pass) == 10, "\(pass)")
    }
    for pass in [LaunchRequest.Pass.allocations, .references, .systemCalls] {
      #expect(launches("single", pass) == 2, "\(pass)")
    }
  }

  /// The defect: no option gave counts that vary more launches, or the file a word of which benchmarks these are.
  @Test(arguments: [("30", 30), ("4", 10)])
  func `counts that vary get the launches asked for where these are more`(asked: String, made: Int) throws {
    _ = try folder.script("", named: CountingLibraries.hooksName)
    let listed = try folder.script(
      #"""
      printf 'benchmark\tseveral\tn=1\tallocations,resources,hardware\t\t\tthreads\n'
      printf 'benchmark\tsingle\t\tallocations\n'
      """#, named: "listed")
    let stream = Console.Stream(write: { _ in }, columns: nil, colour: false)
    let program = Program(
      console: Console(output: stream, error: stream), environment: [:], folder: folder.path)
    let arguments = try Arguments(
      ["--executable", listed, "--metrics", "allocations,resources,hardware", "--launches", asked],
      options: Verb.run.options)
    let run = try PlannedRun(program, arguments, RunOptions(arguments))
    for pass in [LaunchRequest.Pass.allocations, .resources, .hardware] {
      #expect(run.plan.launches.count { $0.point.benchmark == "several" && $0.pass == pass } == made, "\(pass)")
    }
    // Of a single thread they repeat.
    #expect(run.plan.launches.count { $0.point.benchmark == "single" } == 5)
    #expect(run.environment.first { $0.name == "several_threads" }?.value == "several[n=1]")
  }

  @Test func `what differed much between earlier runs gets more launches`() throws {
    let words = ["--quick", "--metrics", "time", "--earlier", folder("earlier")]
    func times(_ run: PlannedRun, _ title: String) -> Int {
      run.plan.launches.count { $0.point.title == title }
    }
    let before = try planned("good*", "--quick", "--metrics", "time", "--earlier", folder("earlier"))
    #expect(before.needed == NeededLaunches() && times(before, "good") == 16)
    #expect(!before.environment.contains { $0.name == NeededLaunches.field })
    try folder.rememberRuns(ofWhich: "good", "", differsBy: 0.05, on: before.environment)
    let after = try planned("good*", words[0], words[1], words[2], words[3], words[4])
    #expect(times(after, "good") == 40 && times(after, "good/grid[n=1]") == 16)
    #expect(after.environment.first { $0.name == NeededLaunches.field }?.value == "good=40")
    // One that can't be read is told of, and keeps nothing from being measured.
    try folder.write("x\n", to: "earlier/9.csv")
    #expect(try planned("good*", words[0], words[1], words[2], words[3], words[4]).needed == NeededLaunches())
    // Who says how many gets so many.
    #expect(try planned("good*", "--launches", "4", "--earlier", folder("earlier")).needed == NeededLaunches())
  }

  @Test func `filters and environment are those of the options`() throws {
    let run = try planned("good/*", "--seed", "3")
    #expect(run.choice.points.map(\.title) == ["good/grid[n=1]", "good/grid[n=2]"])
    #expect(run.environment.first { $0.name == "gauge_options" }?.value == "--filter good/* --seed 3")
    #expect(run.plan.seed == 3)
  }
}
