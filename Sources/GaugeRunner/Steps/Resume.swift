// `gauge run --resume`: goes on with the result file of a run that was interrupted.

import Foundation

extension Program {
  /// Runs `gauge run --resume`.
  ///
  /// The plan is made anew from the options that the file records, and what the file has of it is left out. Launches
  /// belong together only where machine and executables are the same: anything else is refused,
  /// and the file stays as it is.
  func resume(_ arguments: Arguments) throws(CommandFailure) -> Int32 {
    let output = try outputPath(arguments)
    let lock = try lock(folderOf: output)
    defer { lock?.hold() }
    let whole: WholeLaunches
    do throws(ResultFile.Failure) {
      whole = try WholeLaunches(output)
      try ResultFileWriter.check(output)
    } catch {
      var failure = CommandFailure(error)
      if failure.code != .cannotWrite { failure.advice = Self.startAnew }
      throw failure
    }
    let options = try recordedOptions(whole.results, in: output, arguments.options)
    try options.check(arguments, against: output)
    let run = try PlannedRun(self, arguments, options, recorded: recordedLaunches(whole.results, in: output))
    let differences = Self.differences(whole.results, run.environment)
    guard differences.isEmpty else {
      throw CommandFailure(
        code: .badFile, message: "\(output) can't be gone on with: " + differences.joined(separator: "; "),
        advice: Self.startAnew)
    }
    let history: RunHistory
    do throws(RunHistory.Mismatch) {
      history = try RunHistory(whole.results, of: run.plan)
    } catch {
      throw CommandFailure(
        code: .badFile, message: "\(output) can't be gone on with: \(error.message)", advice: Self.startAnew)
    }
    var disturbed = DisturbedLaunches(of: run.plan, options.selection, after: history)
    if history.completes(run.plan), whole.results.hasEnd || !run.repeatsDisturbed || disturbed.again().isEmpty {
      if !whole.results.hasEnd {
        do throws(ResultFile.Failure) {
          try ResultFileWriter.continuing(output, from: whole.length).end(after: run.plan.launches.count)
        } catch {
          throw CommandFailure(error)
        }
      }
      tell(history.faults)
      console.output.line("nothing is left to do: \(output) is complete")
      return history.faults.isEmpty && run.choice.uncompiled.isEmpty ? ExitCode.same.rawValue : ExitCode.broke.rawValue
    }
    console.error.line(
      "gauge: going on with \(output), which holds \(history.finished.count) of \(run.plan.launches.count) launches")
    let resuming = Self.resuming(arguments)
    return try carryOut(run, history, into: output, resuming: resuming) { () throws(ResultFile.Failure) in
      try ResultFileWriter.continuing(output, from: whole.length)
    }
  }

  private static let startAnew = "Without --resume a new run takes its place."

  /// The benchmarks that get more launches than others, as a file records them, and where it does.
  private func recordedLaunches(
    _ results: Results, in path: String
  ) throws(CommandFailure) -> (needed: NeededLaunches, place: String) {
    guard let line = results.environment.firstIndex(where: { $0.name == NeededLaunches.field }) else {
      return (NeededLaunches(), path)
    }
    let (text, place) = (results.environment[line].value, "\(path):\(line + 2)")
    guard let needed = NeededLaunches(text: text) else {
      throw CommandFailure(
        code: .badFile,
        message: "\(place): field '\(NeededLaunches.field)': expected TITLE=LAUNCHES, found '\(excerpt(of: text))'",
        advice: Self.startAnew)
    }
    return (needed, place)
  }

  /// The options that a file records, among those of `gauge run`.
  private func recordedOptions(
    _ results: Results, in path: String, _ options: [OptionSyntax]
  ) throws(CommandFailure) -> RunOptions {
    guard let recorded = results.environment("gauge_options") else {
      throw CommandFailure(
        code: .badFile, message: "\(path): there is no line '# gauge_options: ...', so its plan is not known",
        advice: Self.startAnew)
    }
    do throws(CommandFailure) {
      return try RunOptions(recorded: recorded, options: options)
    } catch {
      let line = 2 + (results.environment.firstIndex { $0.name == "gauge_options" } ?? 0)
      throw CommandFailure(
        code: .badFile, message: "\(path):\(line): field 'gauge_options': \(error.message)", advice: Self.startAnew)
    }
  }

  /// What is another machine or another build than when the file was begun, in words.
  private static func differences(
    _ results: Results, _ environment: [(name: String, value: String)]
  ) -> [String] {
    (Likeness.fields + ["executables", "allocator"]).compactMap { field in
      let before = results.environment(field) ?? "missing"
      let now = environment.first { $0.name == field }?.value ?? "missing"
      return before == now ? nil : "\(field) was '\(before)', is '\(now)'"
    }
  }
}
