// `gauge report`: result files as pages to read.

import Foundation

extension Verb {
  /// `gauge report`.
  static let report = Verb(
    name: "report", arguments: "[FILE.csv ...]",
    summary: "Writes result files, or a history, as pages to read.",
    description: """
      A table per family of benchmarks, for each file in turn: on a terminal the columns that fit, else a page with all.
      HTML also has plots of the launches, of how benchmarks scale, and of their history.

      The other formats are those of tools that keep, chart or compare results:
      github (github-action-benchmark), google (google-benchmark), jmh, bencher, hgrm (HdrHistogram), influx,
      openmetrics, go (benchstat), hyperfine, otava.

      --site writes a site over a history: what changed lately and what is worst, a page for each benchmark with its
      course by machine and toolchain, the changes that last, how launches are distributed, and any two commits beside
      each other. It is a folder of files that needs no server, and nothing from outside.
      """,
    options: [
      OptionSyntax(
        name: "--format", placeholder: "A,B",
        help: """
          The formats: text (the default on a terminal), markdown (the
          default elsewhere), html, csv, json, or one of the tools named
          above.
          """,
        words: ReportFormat.allCases.map(\.rawValue)),
      OptionSyntax(name: "--filter", placeholder: "GLOB", help: "Report only benchmarks that fit; may be repeated."),
      OptionSyntax(
        name: "--history", placeholder: "FILE",
        help: """
          html: show the courses that 'gauge history add' has kept there.
          site: the history. Default: results/history.csv in the package.
          """),
      OptionSyntax(
        name: "--site", placeholder: "DIR",
        help: "Write a site over a history into this folder, with no result\nfile."),
      OptionSyntax(
        name: "--commits", placeholder: "URL",
        help: """
          site: where commits are shown, with a commit's name behind it:
          https://example.org/words/commit/.
          """),
      OptionSyntax(
        name: "--output", placeholder: "DIR", help: "Write the pages into this folder instead of printing them."),
    ] + common,
    examples: [
      ("gauge report results/latest.csv", "Print the tables."),
      ("gauge report results/latest.csv --output results/report", "Write results/report/report.md."),
      ("gauge report --site site", "Write site/index.html over results/history.csv."),
    ],
    exitCodes: [
      ("0", "reported"), ("64", "the command line is wrong"), ("65", "a file is not a result file, or damaged"),
      ("66", "a file is missing"), ("73", "the report can't be written"),
    ],
    action: { program, arguments throws(CommandFailure) in try program.report(arguments) })
}

extension Program {
  /// Runs `gauge report`.
  func report(_ arguments: Arguments) throws(CommandFailure) -> Int32 {
    if let folder = arguments.last("--site") { return try site(arguments, in: folder) }
    guard !arguments.has("--commits") else { throw .usage("option '--commits' is of a site: --site DIR") }
    var formats = try arguments.words("--format", as: ReportFormat.self)
    let isRead = console.output.columns != nil && arguments.last("--output") == nil
    if formats.isEmpty { formats = [isRead ? .text : .markdown] }
    if formats.contains(.junit) {
      throw .usage("format 'junit' is of comparisons: gauge compare BASE.csv NEW.csv")
    }
    if arguments.has("--history"), !formats.contains(.html) {
      throw .usage("option '--history' is of the format html: --format html")
    }
    guard !arguments.plain.isEmpty else { throw .usage("which result file? gauge report FILE.csv") }
    var series: [HistorySeries] = []
    if let path = arguments.last("--history") {
      series = HistorySeries.all(of: try readHistory(path, isTyped: true, mayBeMissing: false))
    }
    let globs = arguments.all("--filter").map(Glob.init)
    var runs: [(title: String, results: Results)] = []
    for path in arguments.plain {
      var results = try read(path)
      if let part = results.incompleteness, !ReportFormat.telling.isSuperset(of: formats) {
        console.error.line("gauge: warning: \(path) is incomplete: \(part)")
      }
      results.rows.removeAll { row in
        !globs.isEmpty && !globs.contains { $0.matches(row.benchmark) || $0.matches(row.key.title) }
      }
      guard !results.rows.isEmpty || globs.isEmpty else { throw .usage("nothing in \(path) fits the filters") }
      runs.append((((path as NSString).lastPathComponent as NSString).deletingPathExtension, results))
    }
    for format in formats {
      if format == .text, arguments.last("--output") == nil {
        show(runs)
        continue
      }
      let files = Self.files(format, runs, series)
      if let folder = arguments.last("--output") {
        for file in files { try write(file.text, to: "\(folder)/\(file.name)") }
      } else {
        for file in try single(format, files) { console.output.file(file.text) }
      }
    }
    return ExitCode.same.rawValue
  }

  /// Writes a site over a history.
  private func site(_ arguments: Arguments, in folder: String) throws(CommandFailure) -> Int32 {
    guard arguments.plain.isEmpty else {
      throw .usage("'--site' is over a history, and takes no result files: gauge history add FILE.csv")
    }
    for option in ["--format", "--output"] where arguments.has(option) {
      throw .usage("option '\(option)' has no meaning beside '--site'")
    }
    let commits = arguments.last("--commits")
    if let commits, !["https://", "http://"].contains(where: { commits.hasPrefix($0) }) {
      throw .usage("option '--commits' needs an address: https://example.org/words/commit/")
    }
    let given = arguments.last("--history")
    let path = given ?? resultsFolder + "/history.csv"
    let history = try readHistory(path, isTyped: given != nil, mayBeMissing: false)
    let series = try self.series(of: history, byToolchain: true, arguments.all("--filter"), path: path)
    let start = "\(folder)/\(HistorySite.startName)"
    if Files.kind(of: start) != nil, !((try? Files.plainContents(of: start)).map(HistorySite.isStartPage) ?? false) {
      throw CommandFailure(
        code: .cannotWrite, message: "\(start): it is no page of 'gauge report --site', and would be replaced",
        advice: "Name a folder that is the site's own, or move that file away.")
    }
    let files = HistorySite(history, series, commits: commits).files
    do throws(ResultFile.Failure) {
      try replace(files.map { (path: "\(folder)/\($0.name)", bytes: Array($0.text.utf8)) })
    } catch {
      throw CommandFailure(error)
    }
    console.error.line("gauge: wrote \(files.count) files: \(start)")
    return ExitCode.same.rawValue
  }

  /// Prints runs as tables, each under its title where there are several.
  private func show(_ runs: [(title: String, results: Results)]) {
    let width = console.output.columns ?? Console.usualColumns
    for (index, run) in runs.enumerated() {
      if runs.count > 1 { console.output.line(marked: (index > 0 ? "\n" : "") + console.output.bold(run.title)) }
      for line in faultLines(run.results.faults, width: width) { console.output.line(line) }
      console.output.write(resultsText(run.results, colour: console.output.colour, width: width))
    }
  }

  /// The files of several runs: one for all where the format allows that, else a folder for each.
  private static func files(
    _ format: ReportFormat, _ runs: [(title: String, results: Results)], _ series: [HistorySeries]
  ) -> [ReportFormat.File] {
    let files = runs.map { format.files($0.results, title: $0.title, series: series) }
    guard runs.count > 1 else { return files[0] }
    switch format {
    case .markdown: return [("report.md", files.flatMap { $0 }.map(\.text).joined(separator: "\n"))]
    case .otava: return [("otava.csv", RunSummary.otava(runs.map { RunSummary($0.results, title: $0.title) }))]
    default:
      // Files of one name in several folders are several runs.
      var names = UnlikeNames { $0.lowercased() }
      return zip(runs, files).flatMap { run, files in
        let folder = names.give(Files.name(of: run.title))
        return files.map { ("\(folder)/\($0.name)", $0.text) }
      }
    }
  }
}
