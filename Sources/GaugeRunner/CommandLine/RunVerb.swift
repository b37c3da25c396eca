// `gauge run`: measures benchmarks and writes a result file.

import Foundation
import Gauge

/// What the options of `gauge run` ask for.
struct RunOptions {
  /// How much time the run is given.
  var effort: Effort
  /// Which metrics are taken.
  var selection: MetricSelection
  /// Launches of each point for time and latency, if not as the effort says.
  var launches: Int?
  /// Time after which a launch is killed, if not the default.
  var timeLimit: Duration?
  /// What the order of the launches is drawn from.
  var seed: UInt64
  /// The options as one would type them, the seed included.
  var text: String

  /// Reads the options.
  ///
  /// - Throws: `CommandFailure` with code `usage`.
  init(_ arguments: Arguments) throws(CommandFailure) {
    if arguments.has("--quick"), arguments.has("--full") {
      throw .usage("options '--quick' and '--full' exclude each other")
    }
    effort = arguments.has("--quick") ? .quick : arguments.has("--full") ? .full : .normal
    do throws(MetricSelection.UnknownName) {
      let names = arguments.list("--metrics")
      selection = names.isEmpty ? .everything : try MetricSelection(names: names)
    } catch {
      throw .usage("unknown metric '\(error.name)'", unknown: error.name, known: MetricSelection.names)
    }
    launches = try arguments.number("--launches", in: 1...100_000, expected: "a whole number from 1")
    let seconds: Double? = try arguments.number("--time-limit", in: 0.001...1e6, expected: "seconds above 0")
    timeLimit = seconds.map { .milliseconds(Int($0 * 1000)) }
    seed =
      try arguments.number("--seed", in: 0...UInt64.max, expected: "a whole number from 0")
      ?? UInt64.random(in: 0...UInt64(UInt32.max))

    var words: [String] = []
    if effort != .normal { words.append("--\(effort.rawValue)") }
    for option in ["--filter", "--metrics", "--launches", "--time-limit"] {
      words += arguments.all(option).map { "\(option) \($0)" }
    }
    words += arguments.plain.map { "--filter \($0)" }
    text = (words + ["--seed \(seed)"]).joined(separator: " ")
  }
}

extension Program {
  /// Runs `gauge run`.
  func measure(_ arguments: Arguments) throws(CommandFailure) -> Int32 {
    let options = try RunOptions(arguments)
    let home = try home(arguments)
    let output = arguments.last("--output") ?? home + "/results/latest.csv"
    do throws(ResultFile.Failure) {
      try ResultFileWriter.check(output)
    } catch {
      throw CommandFailure(error)
    }
    let choice = try choose(arguments)
    let libraries = Dictionary(
      uniqueKeysWithValues: Set(choice.executables).map { ($0, CountingLibraries(beside: $0)) })
    let plan = plan(choice.points, options, libraries)
    guard !plan.launches.isEmpty else {
      throw .usage("none of the \(choice.points.count) benchmarks takes part in a pass that '--metrics' asks for")
    }
    let runner = LaunchRunner(
      plan: plan, selection: options.selection, libraries: libraries, environment: environment,
      timeLimit: options.timeLimit, signals: blockSignals())
    let allocators = choice.executables.compactMap { libraries[$0]?.description }
    let fields = Fingerprint().fields(
      folder: choice.folder, executables: choice.executables, options: options.text,
      allocator: Array(Set(allocators)).sorted().joined(separator: "; "))
    return try carryOut(runner, into: output, environment: fields)
  }

  /// The plan of a run. Where nothing can be counted, one counting launch says so.
  private func plan(
    _ points: [BenchmarkPoint], _ options: RunOptions, _ libraries: [String: CountingLibraries]
  ) -> LaunchPlan {
    var counts: [LaunchRequest.Pass: Int] = [:]
    for point in points {
      for pass in point.passes where options.selection.takes(pass) { counts[pass, default: 0] += 1 }
    }
    let shares = options.effort.shares(points: counts)
    return LaunchPlan(points: points, selection: options.selection, seed: options.seed) { point, pass in
      var share = shares[pass]!
      if pass != .allocations {
        share.launches = options.launches ?? share.launches
      } else if libraries[point.executable]?.hooks == nil {
        share.launches = 1
      }
      return share
    }
  }

  private func carryOut(
    _ runner: LaunchRunner, into output: String, environment: [(name: String, value: String)]
  ) throws(CommandFailure) -> Int32 {
    if Files.stamp(of: output) != nil { console.error.line("gauge: replacing \(output)") }
    let style = console.error.columns.map { ProgressDisplay.Style.terminal(columns: $0) } ?? .log(every: .seconds(5))
    let start = ContinuousClock.now
    let summary: LaunchRunner.Summary
    do throws(ResultFile.Failure) {
      let file = try ResultFileWriter.replacing(output, environment: environment)
      var progress = ProgressDisplay(runner.plan, style: style, write: console.error.write)
      summary = try runner.run(into: file, progress: &progress)
    } catch {
      throw CommandFailure(error)
    }
    tell(summary.faults)
    let elapsed = ProgressDisplay.clock(start.duration(to: .now))
    if let signal = summary.interruption {
      console.error.line(
        "gauge: stopped by \(SystemError.words(forSignal: signal)) after \(elapsed); \(output) holds "
          + "\(summary.measured) of \(runner.plan.launches.count) launches")
      return 128 + signal
    }
    let benchmarks = Set(runner.plan.launches.map(\.point)).count
    console.output.line(
      "\(Self.count(benchmarks, "benchmark")), \(Self.count(summary.measured, "launch", "launches")) in \(elapsed): "
        + output)
    return summary.faults.isEmpty ? ExitCode.same.rawValue : ExitCode.broke.rawValue
  }

  /// Tells of broken benchmarks, with what they printed.
  private func tell(_ faults: [BenchmarkFault]) {
    guard !faults.isEmpty else { return }
    console.error.line(console.error.red("\(Self.count(faults.count, "benchmark")) broke:"))
    for fault in faults {
      console.error.line("  \(console.error.bold(fault.title)): \(fault.reason)")
      for line in fault.output.split(separator: "\n", omittingEmptySubsequences: false) where !fault.output.isEmpty {
        console.error.line("    | \(line)")
      }
    }
  }

  /// A number with its noun.
  private static func count(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(number) " + (number == 1 ? noun : plural ?? noun + "s")
  }
}
