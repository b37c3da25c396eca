// `gauge check`: static limits that are kept in git.

import Foundation
import Gauge

extension Verb {
  /// `gauge check`.
  static let check = Verb(
    name: "check", arguments: "[RESULTS.csv]",
    summary: "Holds a run against static limits that are kept in git.",
    description: """
      A file of limits has a line per limit: 'metric' of 'benchmark' at 'parameters', less that of 'less' at
      'less_parameters' where one is named, divided by 'divisor', may be at most 'limit'; lines that begin with # are
      comments. Of a count the least of the launches is taken, as chance can only add to it; of anything else the
      median. Without RESULTS.csv the benchmarks and metrics that the limits name are measured first. What broke, or was
      not measured any more after a signal, is missing then: what there is is judged all the same.
      """,
    options: [
      OptionSyntax(
        name: "--limits", placeholder: "FILE", help: "The limits. Default: Benchmarks/limits.csv in the package."),
      Program.executableOption,
    ] + common,
    examples: [
      ("gauge check", "Count what the limits name, and check it."),
      ("gauge check --limits limits.csv counts.csv", "Check a run that was measured before."),
    ],
    exitCodes: [
      ("0", "everything is within its limit"), ("2", "something is above"),
      ("3", "a benchmark or a fixture broke, the run is incomplete, or the benchmarks can't be built"),
      ("7", "a value is missing"),
      ("64", "the command line is wrong"), ("65", "a file is not of its format, or damaged"),
      ("66", "a file is missing"),
      ("73", "a file can't be written"), ("130", "interrupted (143: terminated)"),
    ],
    believesFolder: true,
    action: { program, arguments throws(CommandFailure) in try program.check(arguments) })
}

extension Program {
  /// Runs `gauge check`.
  func check(_ arguments: Arguments) throws(CommandFailure) -> Int32 {
    try arguments.expect(plain: 0...1, usage: "gauge check [--limits FILE] [RESULTS.csv]")
    if !arguments.plain.isEmpty, arguments.has("--executable") {
      throw .usage("either RESULTS.csv, which was measured before, or --executable PATH")
    }
    let path: String
    if let given = arguments.last("--limits") {
      path = given
    } else {
      path = try home(arguments) + "/Benchmarks/limits.csv"
    }
    let limits: [CostLimit]
    do throws(ResultFile.Failure) {
      limits = try CostLimit.parse(TableFile.contents(of: path, isTyped: arguments.has("--limits")), path: path)
    } catch {
      throw CommandFailure(error)
    }
    let (results, measured): (Results, Int32)
    if let file = arguments.plain.first {
      (results, measured) = (try read(file), ExitCode.same.rawValue)
    } else {
      (results, measured) = try measure(limits, arguments)
    }
    let code = report(limits, MeasuredRows.grouped(results), from: path)
    console.output.marked(faultLines(results.faults, width: console.output.columns ?? 120))
    if let incompleteness = results.incompleteness { console.output.line("the run is incomplete: \(incompleteness)") }
    if measured != ExitCode.same.rawValue { return measured }
    return results.faults.isEmpty && results.incompleteness == nil ? code : ExitCode.broke.rawValue
  }

  /// Measures what the limits name, as far as there is such a thing: the rest is missing in the results.
  ///
  /// - Returns: What was measured, and the exit code of measuring.
  private func measure(
    _ limits: [CostLimit], _ arguments: Arguments
  ) throws(CommandFailure) -> (results: Results, code: Int32) {
    let choice = try choose(arguments)
    let built = (choice.uncompiled.isEmpty ? ExitCode.same : .broke).rawValue
    var metrics: [String] = []
    for name in Set(limits.map(\.key.metric)).sorted() {
      if (try? MetricSelection(names: [name])) != nil { metrics.append(name) }
      // What is none of gauge's own may be an author's.
      if !MetricSelection.names.contains(name) { metrics.append(LaunchRequest.Pass.custom.rawValue) }
    }
    let selection = try? MetricSelection(names: metrics)
    let names = Set(limits.flatMap { [$0.key.benchmark] + ($0.less.map { [$0.benchmark] } ?? []) })
    let points = choice.points.filter { point in
      names.contains(point.benchmark) && point.passes.contains { selection?.takes($0) == true }
    }
    guard !points.isEmpty else { return (Results(), built) }
    let scratch = Self.scratchPath()
    // Where that fails the system clears its folder for temporary files.
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    let file = scratch + "/counts.csv"
    let words =
      ["--metrics", metrics.joined(separator: ","), "--output", file]
      + Set(points.map(\.benchmark)).sorted().flatMap { ["--filter", $0] }
      + choice.executables.flatMap { ["--executable", $0] }
    do throws(CommandFailure) {
      let code = try measure(Arguments(words, options: Verb.run.options), isKept: false)
      return (try read(file), code == ExitCode.same.rawValue ? built : code)
    } catch {
      var failure = error
      guard failure.code == .cannotWrite else { throw failure }
      failure.advice = "TMPDIR names another folder for temporary files."
      // What was measured before is judged all the same.
      guard Files.kind(of: file) != nil, let results = try? read(file) else { throw failure }
      console.error.line("gauge check: error: \(failure.message)")
      console.error.line(failure.advice)
      return (results, failure.code.rawValue)
    }
  }

  private func report(_ limits: [CostLimit], _ rows: [ResultRow.Key: MeasuredRows], from path: String) -> Int32 {
    var table = Table(columns: [
      Table.Column(title: ""), Table.Column(title: "measured", isNumber: true),
      Table.Column(title: "limit", isNumber: true), Table.Column(title: "what", minimum: 20),
    ])
    var (above, missing) = (0, 0)
    for limit in limits {
      let (word, value, note): (String, String, String)
      switch limit.outcome(in: rows) {
      case .within(let number): (word, value, note) = ("ok", allDigits(number), "")
      case .above(let number):
        (word, value, note) = ("ABOVE", allDigits(number), "")
        above += 1
      case .missing(let reason):
        (word, value, note) = ("MISSING", "-", reason)
        missing += 1
      }
      table.rows.append(Table.Row(cells: [word, value, allDigits(limit.limit), limit.what], note: note))
    }
    console.output.marked(table.text(width: console.output.columns ?? 120, colour: false))
    let verdict = "\(above) above, \(missing) missing, \(limits.count - above - missing) within the limits of \(path)"
    console.output.line(verdict)
    return (above > 0 ? ExitCode.worse : missing > 0 ? .notEnoughData : .same).rawValue
  }
}
