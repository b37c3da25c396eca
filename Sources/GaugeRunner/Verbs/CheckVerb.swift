// `gauge check`: static limits that are kept in git.

import Foundation

extension Verb {
  /// `gauge check`.
  static let check = Verb(
    name: "check", arguments: "[RESULTS.csv]",
    summary: "Holds a run against static limits that are kept in git.",
    description: """
      A file of limits has a line per limit: 'metric' of 'benchmark' at 'parameters', less that of 'less' at
      'less_parameters' where one is named, divided by 'divisor', may be at most 'limit'; lines that begin with # are
      comments. Without RESULTS.csv the benchmarks and metrics that the limits name are measured first.
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
      ("3", "a benchmark broke, the run is incomplete, or the benchmarks can't be built"), ("7", "a value is missing"),
      ("64", "the command line is wrong"), ("65", "a file is not of its format, or damaged"),
      ("66", "a file is missing"),
      ("73", "a file can't be written"),
    ],
    believesFolder: true,
    action: { program, arguments throws(CommandFailure) in try program.check(arguments) })
}

extension Program {
  /// Runs `gauge check`.
  func check(_ arguments: Arguments) throws(CommandFailure) -> Int32 {
    try arguments.expect(plain: 0...1, usage: "gauge check [--limits FILE] [RESULTS.csv]")
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
    let results: Results
    if let file = arguments.plain.first {
      results = try read(file)
    } else {
      let scratch = Self.scratchPath()
      // Where that fails the system clears its folder for temporary files.
      defer { try? FileManager.default.removeItem(atPath: scratch) }
      let code = try measure(limits, arguments, into: scratch + "/counts.csv")
      if code != ExitCode.same.rawValue { return code }
      results = try read(scratch + "/counts.csv")
    }
    let code = report(limits, MeasuredRows.grouped(results), from: path)
    console.output.marked(faultLines(results.faults, width: console.output.columns ?? 120))
    if let incompleteness = results.incompleteness { console.output.line("the run is incomplete: \(incompleteness)") }
    return results.faults.isEmpty && results.incompleteness == nil ? code : ExitCode.broke.rawValue
  }

  /// Measures what the limits name.
  private func measure(
    _ limits: [CostLimit], _ arguments: Arguments, into file: String
  ) throws(CommandFailure) -> Int32 {
    let names = Set(limits.flatMap { [$0.key.benchmark] + ($0.less.map { [$0.benchmark] } ?? []) })
    let metrics = Set(limits.map(\.key.metric))
    let words =
      ["--metrics", metrics.sorted().joined(separator: ","), "--output", file]
      + names.sorted().flatMap { ["--filter", $0] }
      + arguments.all("--executable").flatMap { ["--executable", $0] }
    return try measure(Arguments(words, options: Verb.run.options))
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
      case .within(let number): (word, value, note) = ("ok", String(format: "%.2f", number), "")
      case .above(let number):
        (word, value, note) = ("ABOVE", String(format: "%.2f", number), "")
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
