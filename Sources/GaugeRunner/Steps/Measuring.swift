// A run from its plan to its result file: locks, fixtures, launches, and what is said about them.
// No test file: RunVerbTests, ResumeTests and RunFixturesTests run it.

import Foundation
import Gauge

extension Program {
  /// Locks the folder of a file for what is written there.
  ///
  /// - Throws: `CommandFailure` with code `cannotWrite` where another process has it, or where it can't be made.
  func lock(folderOf output: String) throws(CommandFailure) -> FolderLock? {
    let parent = Files.folder(of: output)
    let folder = parent.isEmpty ? "." : parent
    do throws(SystemError) {
      try Files.makeFolder(folder)
    } catch {
      throw CommandFailure(code: .cannotWrite, message: "\(output): cannot be written: \(error.reason)")
    }
    do throws(FolderLock.Taken) {
      return try FolderLock.take(folder)
    } catch {
      let process = error.process.map { ", process \($0)" } ?? ""
      throw CommandFailure(
        code: .cannotWrite, message: "another gauge is writing into \(folder)\(process)",
        advice: "Two at once would disturb each other: wait for it, or end it.")
    }
  }

  /// Locks the machine for what this process measures; where another process has it, says so and goes on.
  func lockMachine() -> FolderLock? {
    guard let path = machineLock else { return nil }
    do throws(FolderLock.Taken) {
      return try FolderLock.takeFile(path)
    } catch {
      let process = error.process.map { " (process \($0))" } ?? ""
      console.error.line(
        "gauge: warning: something else is being measured on this machine\(process): each disturbs the other")
      return nil
    }
  }

  /// Path of the result file: as given, or in the package.
  func outputPath(_ arguments: Arguments) throws(CommandFailure) -> String {
    let home = try home(arguments)
    return arguments.last("--output") ?? home + "/results/latest.csv"
  }

  /// Sets up what benchmarks need to stand.
  ///
  /// - Parameters:
  ///   - points: What is to be measured.
  ///   - scratch: A folder for their files.
  ///   - signals: Signals on which a fixture in hand is killed.
  /// - Throws: `CommandFailure` with code `broke`, or `cannotWrite`.
  func setUpFixtures(
    of points: [BenchmarkPoint], in scratch: String, stoppingOn signals: PendingSignals
  ) throws(CommandFailure) -> RunFixtures {
    var fixtures = RunFixtures(of: points, folder: scratch + "/run", environment: environment)
    fixtures.signals = signals
    do throws(RunFixtures.Failure) {
      try fixtures.setUp()
    } catch {
      throw CommandFailure(error)
    }
    return fixtures
  }

  /// The command line that goes on with a run: with what its result file doesn't record.
  static func resuming(_ arguments: Arguments) -> String {
    let words = ["--executable", "--output", "--earlier"].flatMap { option in
      arguments.all(option).flatMap { [option, shellWord($0)] }
    }
    return (["gauge run --resume"] + words).joined(separator: " ")
  }

  /// Sets up what benchmarks need to stand, does something, and tears it down, however that ends.
  ///
  /// - Returns: The exit code of what was done, but `broke` where that went well and a fixture can't be torn down.
  func withFixtures(
    of points: [BenchmarkPoint], in scratch: String, stoppingOn signals: PendingSignals,
    _ body: (RunFixtures) throws(CommandFailure) -> Int32
  ) throws(CommandFailure) -> Int32 {
    let fixtures = try setUpFixtures(of: points, in: scratch, stoppingOn: signals)
    let code: Int32
    do throws(CommandFailure) {
      code = try body(fixtures)
    } catch {
      tell(fixtures.tearDown())
      throw error
    }
    let complaints = fixtures.tearDown()
    tell(complaints)
    return complaints.isEmpty || code != ExitCode.same.rawValue ? code : ExitCode.broke.rawValue
  }

  /// Carries out what is left of a run.
  ///
  /// - Parameters:
  ///   - run: What is to be done in all.
  ///   - history: What has been done before.
  ///   - output: Path of the result file.
  ///   - resuming: The command line that goes on with it; `nil` where nothing does, as the file is soon removed.
  ///   - file: Opens it.
  func carryOut(
    _ run: PlannedRun, _ history: RunHistory, into output: String, resuming: String?,
    file: () throws(ResultFile.Failure) -> ResultFileWriter
  ) throws(CommandFailure) -> Int32 {
    let machine = lockMachine()
    defer { machine?.hold() }
    let scratch = Self.scratchPath()
    // Where that fails the system clears its folder for temporary files.
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    let signals = blockSignals()
    let points = run.choice.points
    return try withFixtures(of: points, in: scratch, stoppingOn: signals) { (fixtures) throws(CommandFailure) in
      let runner = LaunchRunner(
        plan: run.plan, selection: run.options.selection, libraries: run.libraries, environment: fixtures.environment,
        timeLimit: run.options.timeLimit, signals: signals,
        callgrind: Callgrind(folder: scratch, path: environment["PATH"] ?? ""), history: history,
        repeatsDisturbed: run.repeatsDisturbed)
      return try carryOut(run, by: runner, into: output, resuming: resuming, file: file)
    }
  }

  private func carryOut(
    _ run: PlannedRun, by runner: LaunchRunner, into output: String, resuming: String?,
    file: () throws(ResultFile.Failure) -> ResultFileWriter
  ) throws(CommandFailure) -> Int32 {
    let history = runner.history
    let style = console.error.columns.map { ProgressDisplay.Style.terminal(columns: $0) } ?? .log(every: .seconds(5))
    let conditions = MachineConditions()
    let processorTime = conditions.processorTime
    if run.measuresTime { warn(conditions.warnings) }
    let start = ContinuousClock.now
    let summary: LaunchRunner.Summary
    var hasBegun = false
    do throws(ResultFile.Failure) {
      let file = try file()
      hasBegun = true
      var progress = ProgressDisplay(runner.plan, style: style, write: console.error.write)
      summary = try runner.run(into: file, progress: &progress)
      if summary.interruption == nil { try file.end(after: run.plan.launches.count) }
    } catch {
      var failure = CommandFailure(error)
      if hasBegun, let resuming {
        failure.advice = "It keeps what was measured before. To go on from there: \(resuming)"
      }
      throw failure
    }
    if run.measuresTime {
      warn(conditions.warnings(since: processorTime) + MachineConditions.drift(summary.referenceTurns))
    }
    let faults = history.faults + summary.faults
    tell(faults)
    let elapsed = ProgressDisplay.clock(start.duration(to: .now))
    if let signal = summary.interruption {
      let held = history.finished.count + summary.measured - summary.repeated
      console.error.line(
        "gauge: stopped by \(SystemError.words(forSignal: signal)) after \(elapsed)"
          + (resuming == nil ? "" : "; \(output) holds \(held) of \(run.plan.launches.count) launches"))
      if let resuming { console.error.line("gauge: to go on from there: \(resuming)") }
      return 128 + signal
    }
    console.output.write(
      resultsText(
        try read(output), colour: console.output.colour, width: console.output.columns ?? Console.usualColumns)
        + "\n")
    for remark in LaunchRunner.remarks(onMeans: summary.meansByMedian) { console.output.line(remark) }
    let benchmarks = Set(run.plan.launches.map(\.point)).count
    let earlier = history.finished.count + history.repeated.count
    let before = earlier == 0 ? "" : " and \(earlier) before"
    let again =
      summary.repeated == 0
      ? "" : ", \(summary.repeated) of them once more as somebody slowed \(summary.repeated == 1 ? "one" : "others")"
    console.output.line(
      "\(Self.count(benchmarks, "benchmark")), \(Self.count(summary.measured, "launch", "launches")) in \(elapsed)"
        + before + again + ": " + output)
    if run.measuresTime, let runs = run.earlier {
      do throws(CommandFailure) {
        try remember([output], in: runs)
      } catch {
        warn(["the run is not remembered for later comparisons: \(error.message)"])
      }
    }
    warn(uncompiled: run.choice.uncompiled)
    return faults.isEmpty && run.choice.uncompiled.isEmpty ? ExitCode.same.rawValue : ExitCode.broke.rawValue
  }

  /// Tells what makes the times of a run doubtful.
  private func warn(_ warnings: [String]) {
    for warning in warnings { console.error.line("gauge: warning: \(warning)") }
  }

  /// Tells of broken benchmarks, with what they printed.
  func tell(_ faults: [BenchmarkFault]) {
    guard !faults.isEmpty else { return }
    console.error.line(marked: console.error.red("\(Self.count(faults.count, "benchmark")) broke:"))
    for fault in faults {
      console.error.line(marked: "  \(console.error.bold(fault.title)): ", fault.reason)
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
