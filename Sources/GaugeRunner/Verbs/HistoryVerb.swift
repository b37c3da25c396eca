// `gauge history`: results over many commits, and where they changed.

import Foundation

extension Verb {
  /// `gauge history`.
  static let history = Verb(
    name: "history", arguments: "add|backfill|learn|show|changes [RESULTS.csv | GLOB ... | REV..REV]",
    summary: "Keeps results over many commits, and finds where they changed.",
    description: """
      'add' appends the medians of a run, of results/latest.csv where no file is given; the same file is added once.
      'backfill' measures commits of the past. 'show' draws each metric's course. 'changes' finds changes that last: of
      counts every one, of times those that E-divisive means (Matteson and James) find at a level of 0.5 % and that exceed
      1 %, each machine by itself. 'learn' remembers result files of this machine for 'gauge compare', as 'gauge run'
      does: complete runs with times, the newest 60.

      'backfill' takes the commits between two revisions, both included, or every N-th of them; of merges the first parent
      is followed where that leads to the older one. The newest is measured first. Each is built in .gauge/ab/tree and
      kept in .gauge/bisect, as by 'gauge bisect', and measured by the options of 'gauge run'; its launches go to
      results/backfill, and it takes its place in the history by the order of the commits. A commit that doesn't build, or
      has no such benchmark, is named and left out. What the history has of a commit by the same options, or by 'gauge
      run', is not measured again: the same command goes on with what was interrupted, and loses no more than the commit
      that was being measured. 'gauge report --site' draws all of it.
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
        help: "backfill, show, changes: only benchmarks that fit; may be\nrepeated."),
      OptionSyntax(
        name: "--every", placeholder: "N",
        help: "backfill: every N-th commit from the oldest on, and the newest.\nDefault: 1."),
      OptionSyntax(name: "--again", help: "backfill: try again what could not be measured before."),
      OptionSyntax(name: "--quick", help: "backfill: as 'gauge run --quick'."),
      OptionSyntax(name: "--counts", help: "backfill: as 'gauge run --counts'."),
      OptionSyntax(name: "--metrics", placeholder: "A,B", help: "backfill: as 'gauge run --metrics'."),
      OptionSyntax(name: "--launches", placeholder: "N", help: "backfill: as 'gauge run --launches'."),
    ] + common,
    examples: [
      ("gauge history add", "Append results/latest.csv."),
      ("gauge history backfill --every 10 v1.0..HEAD", "Measure every tenth commit since v1.0."),
      ("gauge history show 'subject/*'", "The course of one family."),
      ("gauge history changes", "What changed, in which commit."),
    ],
    exitCodes: [
      ("0", "done"), ("3", "backfill: no commit could be measured"), ("7", "changes: every series is too short"),
      ("64", "the command line is wrong, or a filter fits nothing"),
      ("65", "a file is not of its format, or damaged"), ("66", "a file is missing"),
      ("73", "a file can't be written, or is full, or another gauge is writing into its folder"),
      ("130", "backfill: interrupted (143: terminated)"),
    ],
    believesFolder: true,
    action: { program, arguments throws(CommandFailure) in try program.history(arguments) })
}

extension Program {
  /// Actions of `gauge history`.
  private enum HistoryAction: String, CaseIterable {
    case add, backfill, learn, show, changes

    /// The options that have a meaning for it, those of every verb apart.
    var options: [String] {
      switch self {
      case .add: ["--history"]
      case .backfill:
        ["--history", "--filter", "--every", "--again", "--quick", "--counts", "--metrics", "--launches"]
      case .learn: ["--earlier"]
      case .show, .changes: ["--history", "--filter"]
      }
    }
  }

  /// Runs `gauge history`.
  func history(_ arguments: Arguments) throws(CommandFailure) -> Int32 {
    let action = try arguments.action(as: HistoryAction.self)
    let known = action.options + Verb.common.map(\.name)
    for option in arguments.options.map(\.name) where arguments.has(option) && !known.contains(option) {
      throw .usage("'history \(action.rawValue)' takes no option '\(option)'")
    }
    if action == .learn {
      try arguments.expect(plain: 2...Int.max, usage: "gauge history learn RESULTS.csv ...")
      let runs = earlierRuns(arguments)
      let files = Array(arguments.plain.dropFirst())
      let refused = try remember(files, in: runs)
      for file in refused { console.error.line("gauge: warning: \(file.path) is not remembered: \(file.reason)") }
      console.output.line("\(files.count - refused.count) of \(files.count) remembered in \(runs.folder)")
      return ExitCode.same.rawValue
    }
    let given = arguments.last("--history")
    let path = given ?? resultsFolder + "/history.csv"
    if action == .add {
      try arguments.expect(plain: 1...2, usage: "gauge history add [RESULTS.csv]")
      return try add(arguments.plain.count > 1 ? arguments.plain[1] : nil, to: path, isTyped: given != nil)
    }
    if action == .backfill { return try backfill(arguments, path, isTyped: given != nil) }
    let history = try readHistory(path, isTyped: given != nil, mayBeMissing: false)
    let series = try series(of: history, Array(arguments.plain.dropFirst()) + arguments.all("--filter"), path: path)
    return action == .show ? show(series, of: history) : changes(series, of: history)
  }

  private func add(_ file: String?, to path: String, isTyped: Bool) throws(CommandFailure) -> Int32 {
    let source = file ?? resultsFolder + "/latest.csv"
    let (results, bytes) = try readAll(source, isTyped: file != nil)
    let added = try add(results, hash: EarlierRuns.hash(bytes), to: path, isTyped: isTyped)
    console.output.line(
      added.isNew
        ? "run \(added.number): \(source) added to \(path)"
        : "\(source) is run \(added.number) of \(path) already")
    return ExitCode.same.rawValue
  }

  /// The series of a history that fit filters.
  ///
  /// - Parameters:
  ///   - history: The history.
  ///   - byToolchain: Whether each toolchain has its own.
  ///   - filters: Patterns of benchmarks; none takes all.
  ///   - path: The history's file.
  /// - Throws: `CommandFailure` with code `usage` where nothing fits.
  func series(
    of history: History, byToolchain: Bool = false, _ filters: [String], path: String
  ) throws(CommandFailure) -> [HistorySeries] {
    let globs = filters.map(Glob.init)
    let series = HistorySeries.all(of: history, byToolchain: byToolchain).filter { series in
      globs.isEmpty || globs.contains { $0.matches(series.key.benchmark) || $0.matches(series.key.title) }
    }
    guard !series.isEmpty || globs.isEmpty else { throw .usage("nothing in \(path) fits the filters") }
    return series
  }

  private func backfill(_ arguments: Arguments, _ path: String, isTyped: Bool) throws(CommandFailure) -> Int32 {
    let usage = "gauge history backfill REV..REV"
    try arguments.expect(plain: 2...2, usage: usage)
    let ends = arguments.plain[1].components(separatedBy: "..")
    guard ends.count == 2, !ends[0].isEmpty, !ends[1].isEmpty, !ends[1].hasPrefix(".") else {
      throw .usage("which commits? \(usage)")
    }
    let every = try arguments.number("--every", in: 1...1_000_000, expected: "a whole number from 1") ?? 1
    let options = try RunOptions(arguments, filters: arguments.all("--filter"))
    let home = try home(arguments)
    // A comparison would use the same folders.
    let lock = try lock(folderOf: home + "/results/ab/new.csv")
    defer { lock?.hold() }
    let builds = try commitBuilds(home)
    let line = try Self.line(from: ends[0], to: ends[1], named: ("the first", "the second"), of: builds.revisions)
    // Counted from the oldest, so that those of today are among those of tomorrow; the newest in any case.
    let commits = line.indices.filter { $0.isMultiple(of: every) || $0 == line.count - 1 }.reversed().map { line[$0] }
    let machine = lockMachine()
    defer { machine?.hold() }
    let backfill = try Backfill(
      self, home: home, builds: builds, newest: line[line.count - 1].hash, options: options, path: path,
      isTyped: isTyped, triesAgain: arguments.has("--again"))
    return try backfill.measure(commits)
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
    for (series, changes) in Course.all(of: series).map({ ($0.series, $0.changes) }) {
      for change in changes {
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
