// `gauge compare`: what got worse or better from one result file to another.

extension Verb {
  /// `gauge compare`.
  static let compare = Verb(
    name: "compare", arguments: "BASE.csv NEW.csv",
    summary: "Compares two result files and says what got worse or better.",
    description: """
      Exact metrics (allocations, frees, bytes) are compared exactly. Times are compared where both files come from the
      same machine: worse or better is what exceeds the threshold, and what two runs of one build have differed by on this
      machine; same is what clearly stays within, anything else is not enough data.

      What runs of one build differ by is learnt from earlier ones: each 'gauge run' is remembered in .gauge/earlier of the
      package, two numbers a row, the newest 60 runs. With fewer than 20 runs of one build only changes of more than two
      fifths are told, and of several threads none; from 20 runs on, of several threads those of more than a factor of
      three. 'gauge history learn' adds runs that were measured elsewhere.

      A file of thresholds has a line per threshold: changes of 'metric' of 'benchmark' (patterns both) by up to 'percent',
      or by up to 'absolute' in the metric's unit, don't matter. An empty field leaves that one as it is, the last line that
      fits holds, lines that begin with # are comments.
      """,
    options: [
      OptionSyntax(
        name: "--format", placeholder: "A,B",
        help: """
          What to print: text (the default), markdown, html, junit, csv,
          json. Or the new run in a format of 'gauge report'.
          """,
        words: ReportFormat.allCases.map(\.rawValue)),
      OptionSyntax(
        name: "--output", placeholder: "DIR",
        help: "Write the formats into this folder (default: markdown), and\nprint the text."),
      Program.earlierOption,
    ] + Program.thresholdOptions + [Program.explainOption] + Program.explainedExecutables + common,
    examples: [
      ("gauge compare results/baseline.csv results/latest.csv", "What changed since the baseline."),
      ("gauge compare main results/latest.csv", "What changed since the baseline that 'gauge baseline' has saved."),
      ("gauge compare --format markdown a.csv b.csv > comment.md", "A table for a pull request."),
    ],
    exitCodes: [
      ("0", "the same"), ("2", "something got worse"), ("3", "a benchmark of NEW broke"),
      ("4", "something got better, nothing worse"), ("6", "nothing in common that can be compared"),
      ("7", "not enough data for some verdicts"), ("64", "the command line is wrong"),
      ("65", "a file is not a result file, or damaged"), ("66", "a file is missing"),
      ("73", "a report can't be written"),
    ],
    believesFolder: true,
    action: { program, arguments throws(CommandFailure) in try program.compare(arguments) })
}

extension Program {
  /// Runs `gauge compare`.
  func compare(_ arguments: Arguments) throws(CommandFailure) -> Int32 {
    let formats = try arguments.words("--format", as: ReportFormat.self)
    guard arguments.plain.count == 2 else {
      throw .usage("expected two result files, found \(arguments.plain.count): gauge compare BASE.csv NEW.csv")
    }
    for option in Self.explainedExecutables.map(\.name) where arguments.has(option) && !arguments.has("--explain") {
      throw .usage("option '\(option)' says what --explain runs: add --explain")
    }
    let base = try compared(arguments.plain[0])
    let new = try compared(arguments.plain[1])
    do throws(ResultFile.Failure) {
      try new.expectDirections(of: base)
    } catch {
      throw CommandFailure(error)
    }
    var options = ComparisonOptions()
    options.thresholds = try thresholds(arguments)
    var comparison = Comparison(base: base, new: new, earlier: try readEarlierRuns(arguments), options: options)
    if arguments.has("--explain") {
      try explain(
        &comparison,
        base: executables(
          of: base, given: arguments.all("--base-executable"), side: "BASE", advice: Self.naming("--base-executable")),
        new: executables(
          of: new, given: arguments.all("--new-executable"), side: "NEW", advice: Self.naming("--new-executable")))
    }
    return try report(comparison, base: base, new: new, formats: formats, folder: arguments.last("--output"))
  }
}
