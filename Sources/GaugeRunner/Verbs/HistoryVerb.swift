// `gauge history`: results over many commits, and where they changed.

import Foundation

extension Verb {
  /// `gauge history`.
  static let history = Verb(
    name: "history", arguments: "add|learn|show|changes [RESULTS.csv | GLOB ...]",
    summary: "Keeps results over many commits, and finds where they changed.",
    description: """
      'add' appends the medians of a run, of results/latest.csv where no file is given; the same file is added once.
      'show' draws each metric's course. 'changes' finds changes that last: of counts every one, of times those that
      E-divisive means (Matteson and James) find at a level of 0.5 % and that exceed 1 %, each machine by itself. 'learn'
      remembers result files of this machine for 'gauge compare', as 'gauge run' does of its own.
      """,
    options: [
      OptionSyntax(
        name: "--earlier", placeholder: "DIR",
        help: "learn: the folder of earlier runs. Default: .gauge/earlier in\nthe package."),
      OptionSyntax(
        name: "--history", placeholder: "FILE",
        help: "The history; not of learn. Default: results/history.csv in the\npackage."),
      OptionSyntax(
        name: "--filter", placeholder: "GLOB",
        help: "show, changes: only benchmarks that fit; may be repeated."),
    ] + common,
    examples: [
      ("gauge history add", "Append results/latest.csv."),
      ("gauge history show 'subject/*'", "The course of one family."),
      ("gauge history changes", "What changed, in which commit."),
    ],
    exitCodes: [
      ("0", "done"), ("7", "changes: every series is too short"),
      ("64", "the command line is wrong, or a filter fits nothing"),
      ("65", "a file is not of its format, or damaged"), ("66", "a file is missing"),
      ("73", "a file can't be written, or is full, or another gauge is writing into its folder"),
    ],
    believesFolder: true,
    action: { program, arguments throws(CommandFailure) in try program.history(arguments) })
}

extension Program {
  /// Actions of `gauge history`.
  private enum HistoryAction: String, CaseIterable {
    case add, learn, show, changes

    /// The options that have a meaning for it, those of every verb apart.
    var options: [String] {
      switch self {
      case .add: ["--history"]
      case .learn: ["--earlier"]
      case .show, .changes: ["--history", "--filter"]
      }
    }
  }

  /// Runs `gauge history`.
  func history(_ arguments: Arguments) throws(CommandFailure) -> Int32 {
    let action = try arguments.action(as: HistoryAction.self)
    for option in ["--earlier", "--history", "--filter"] where arguments.has(option) {
      guard action.options.contains(option) else {
        throw .usage("'history \(action.rawValue)' takes no option '\(option)'")
      }
    }
    if action == .learn {
      try arguments.expect(plain: 2...Int.max, usage: "gauge history learn RESULTS.csv ...")
      let runs = earlierRuns(arguments)
      let files = Array(arguments.plain.dropFirst())
      let count = try remember(files, in: runs)
      let others = files.count - count
      console.output.line(
        "\(count) remembered in \(runs.folder)"
          + (others == 0 ? "" : "; \(others) without times, or without a build, \(others == 1 ? "is" : "are") not"))
      return ExitCode.same.rawValue
    }
    let given = arguments.last("--history")
    let path = given ?? resultsFolder + "/history.csv"
    if action == .add {
      try arguments.expect(plain: 1...2, usage: "gauge history add [RESULTS.csv]")
      return try add(arguments.plain.count > 1 ? arguments.plain[1] : nil, to: path, isTyped: given != nil)
    }
    let history = try readHistory(path, isTyped: given != nil, mayBeMissing: false)
    let globs = (arguments.plain.dropFirst() + arguments.all("--filter")).map(Glob.init)
    let series = HistorySeries.all(of: history).filter { series in
      globs.isEmpty || globs.contains { $0.matches(series.key.benchmark) || $0.matches(series.key.title) }
    }
    guard !series.isEmpty || globs.isEmpty else { throw .usage("nothing in \(path) fits the filters") }
    return action == .show ? show(series, of: history) : changes(series, of: history)
  }

  private func add(_ file: String?, to path: String, isTyped: Bool) throws(CommandFailure) -> Int32 {
    let source = file ?? resultsFolder + "/latest.csv"
    let (results, bytes) = try readAll(source, isTyped: file != nil)
    let hash = EarlierRuns.hash(bytes)
    // Another one that adds meanwhile would take the same number.
    let lock = try lock(folderOf: path)
    defer { lock?.hold() }
    let history = try readHistory(path, isTyped: isTyped, mayBeMissing: true)
    if let run = history.run(of: hash) {
      console.output.line("\(source) is run \(run.number) of \(path) already")
      return ExitCode.same.rawValue
    }
    let lines = Array(history.lines(adding: results, hash: hash).utf8)
    if let obstacle = history.obstacle(toAdding: lines, behind: Files.stamp(of: path)?.size ?? 0) {
      throw CommandFailure(
        code: .cannotWrite, message: "\(path): the history would have \(obstacle), and could not be read any more",
        advice: "Move it away, or name another one by --history FILE: that begins anew.")
    }
    do throws(SystemError) {
      if Files.kind(of: path) == nil {
        // All of it or nothing: an empty file would be no history.
        try Files.replace(path, with: lines)
      } else {
        let file = try Descriptor.appending(to: path, emptied: false)
        // What a killed write has left of a line is cut off, so that every line stays whole.
        if let length = history.wholeLength { try file.cut(to: length) }
        try file.append(lines)
      }
    } catch {
      throw CommandFailure(code: .cannotWrite, message: "\(path): cannot be written: \(error.reason)")
    }
    console.output.line("run \(history.runs.count + 1): \(source) added to \(path)")
    return ExitCode.same.rawValue
  }

  private func show(_ series: [HistorySeries], of history: History) -> Int32 {
    var table = Table(columns: [
      Table.Column(title: "benchmark", minimum: 12, isName: true), Table.Column(title: "metric", minimum: 8),
      Table.Column(title: "runs", isNumber: true), Table.Column(title: "first", isNumber: true),
      Table.Column(title: "last", isNumber: true), Table.Column(title: "course"),
    ])
    for series in series {
      guard let first = series.entries.first, let last = series.entries.last else { continue }
      table.rows.append(
        Table.Row(cells: [
          series.key.title, series.key.metric, "\(series.entries.count)",
          quantity(first.estimate.value, of: first.metric), quantity(last.estimate.value, of: last.metric),
          sparkline(series.entries.map(\.estimate.value)),
        ]))
    }
    console.output.marked(table.text(width: console.output.columns ?? 120, colour: false))
    console.output.line("\(history.runs.count) runs, \(series.count) series")
    return ExitCode.same.rawValue
  }

  private func changes(_ series: [HistorySeries], of history: History) -> Int32 {
    let titles = Dictionary(history.runs.map { ($0.number, $0.title) }, uniquingKeysWith: { first, _ in first })
    var table = Table(columns: [
      Table.Column(title: "run", isNumber: true), Table.Column(title: "commit"),
      Table.Column(title: "benchmark", minimum: 12, isName: true), Table.Column(title: "metric", minimum: 8),
      Table.Column(title: "before", isNumber: true), Table.Column(title: "after", isNumber: true),
      Table.Column(title: "verdict"),
    ])
    var found: [(run: Int, row: Table.Row)] = []
    for series in series {
      for change in series.changes {
        let entry = series.entries[change.index]
        let cells = [
          "\(entry.run)", titles[entry.run] ?? "", series.key.title, series.key.metric,
          quantity(change.before, of: entry.metric), quantity(change.after, of: entry.metric), change.verdict.rawValue,
        ]
        found.append((entry.run, Table.Row(cells: cells, emphasis: change.verdict == .worse ? .bad : .good)))
      }
    }
    table.rows = found.sorted { $0.run > $1.run }.map(\.row)
    if !table.rows.isEmpty {
      let width = console.output.columns ?? 120
      console.output.marked(table.text(width: width, colour: console.output.colour))
    }
    let short = series.count { !$0.isLongEnough }
    console.output.line(
      "\(table.rows.count) changes in \(series.count - short) series of \(history.runs.count) runs"
        + (short > 0 ? "; \(short) series are too short" : ""))
    return (short == series.count ? ExitCode.notEnoughData : .same).rawValue
  }
}
