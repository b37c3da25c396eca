// A history as a site: a start page, a page for each benchmark, and the data that their script draws. All of it is
// files that link to each other, so that it works from a folder as from a server.

import Foundation
import Gauge
import GaugeStatistics

/// A static site over a history. The same history gives the same files, byte for byte.
struct HistorySite {
  /// A file: its name within the folder, and its text.
  typealias File = (name: String, text: String)

  private let history: History
  private let courses: [Course]
  private let commits: String?
  private let runs: [Int: Int]
  private let pages: [(title: String, courses: [Course])]
  private let names: [String: String]
  private let severalPlaces: Bool

  /// Rows of each list on the start page.
  static let listed = 50

  /// Finds what changed.
  ///
  /// - Parameters:
  ///   - history: The history.
  ///   - series: Its series, those of each toolchain apart.
  ///   - commits: Where commits are shown, to be followed by a commit's name; `nil` where nobody shows them.
  init(_ history: History, _ series: [HistorySeries], commits: String?) {
    self.history = history
    self.commits = commits
    courses = Course.all(of: series)
    runs = Dictionary(
      history.runs.enumerated().map { ($0.element.number, $0.offset) }, uniquingKeysWith: { first, _ in first })
    pages = Dictionary(grouping: courses) { $0.series.key.title }.sorted { $0.key < $1.key }
      .map { (title: $0.key, courses: $0.value) }
    names = UnlikeNames.ofFiles(for: pages.map(\.title))
    severalPlaces =
      Set(series.map(\.toolchain)).count > 1 || Set(series.map(\.machine).filter { !$0.isEmpty }).count > 1
  }

  /// All files, the start page last: what it leads to is there before it is.
  var files: [File] {
    let ofPages = atOnce(pages) { page -> [File] in
      let name = names[page.title] ?? ""
      return [
        ("benchmarks/\(name).html", benchmarkPage(page.title, page.courses, data: "../data/\(name).js")),
        ("data/\(name).js", data(page.title, page.courses)),
      ]
    }
    return [(Self.scriptName, SiteScript.file), ("runs.js", dataOfRuns)] + ofPages.flatMap { $0 }
      + [(Self.startName, startPage)]
  }

  /// Name of the start page.
  static let startName = "index.html"
  private static let scriptName = "site.js"

  /// Whether a file's bytes are the start page of a site, and may be replaced by another one.
  static func isStartPage(_ bytes: [UInt8]) -> Bool {
    String(decoding: bytes, as: UTF8.self).contains("<script src=\"\(scriptName)\"></script>")
  }

  // MARK: - Pages

  /// What changed lately, what is worst, and everything.
  private var startPage: String {
    let (changes, losses) = (changeTable, lossTable)
    let dates = history.runs.compactMap { $0.environment["date"]?.prefix(10) }
    let span = dates.isEmpty ? "" : ", measured from \(dates.min() ?? "") to \(dates.max() ?? "")"
    let count = "\(pages.count) \(pages.count == 1 ? "benchmark" : "benchmarks")"
    let over = "\(history.runs.count) \(history.runs.count == 1 ? "run" : "runs")"
    var body: [Markup] = []
    body += section(
      "Changed lately", changes, Self.listed, none: "Nothing has changed for good.",
      more: { "\($0) more are on the pages of the benchmarks." })
    body += section(
      "Worst", losses, Self.listed, none: "Everything is as good as it ever was for a while.",
      more: { "\($0) more are worse than they were." })
    body += ["<h2>All benchmarks</h2>", htmlTable(courseTable)]
    return htmlPage(
      title: "Benchmarks",
      lead: ["<p class=\"summary\">\(count) over \(over)\(span).</p>"], body: body,
      files: [Self.scriptName], style: SiteScript.style)
  }

  private func section(
    _ title: String, _ table: Table, _ most: Int, none: String, more: (Int) -> String
  ) -> [Markup] {
    guard !table.rows.isEmpty else { return ["<h2>\(title)</h2>", "<p>\(none)</p>"] }
    var shown = table
    shown.rows = Array(table.rows.prefix(most))
    let left = table.rows.count - shown.rows.count
    return ["<h2>\(title)</h2>", htmlTable(shown)] + (left > 0 ? ["<p class=\"faint\">\(more(left))</p>"] : [])
  }

  private func benchmarkPage(_ title: String, _ courses: [Course], data: String) -> String {
    let changes = changes(of: courses)
    var table = Table(
      columns: [
        Table.Column(title: "metric"), Table.Column(title: "commit"), Table.Column(title: "subject"),
        Table.Column(title: "behind"), Table.Column(title: "measured by"),
        Table.Column(title: "before", isNumber: true), Table.Column(title: "after", isNumber: true),
        Table.Column(title: "change", isNumber: true), Table.Column(title: "verdict"),
      ])
    table.rows = changes.map { change in
      let former = change.course.series.entries[change.change.index - 1]
      return row(
        [
          change.entry.key.metric, self.title(of: change.entry), subject(of: change.entry), self.title(of: former),
          place(change.course.series),
        ], change, links: [nil, link(to: change.entry), nil, link(to: former)])
    }
    let body: [Markup] = [
      "<noscript><p>The courses are drawn by a script. What changed is below.</p></noscript>",
      "<div id=\"drawn\" hidden>",
      "<h2>Course</h2>",
      "<div class=\"bar\"><label>Metric <select id=\"metric\"></select></label></div>",
      "<div id=\"courses\"></div>",
      "<h2>Two commits</h2>",
      """
      <div class="bar"><label>Before <select id="before"></select></label>
      <label>After <select id="after"></select></label></div>
      """,
      "<div id=\"comparison\"></div>",
      "</div>",
      "<h2>Changes that last</h2>",
      table.rows.isEmpty ? "<p>Nothing has changed for good.</p>" : htmlTable(table),
    ]
    return htmlPage(
      title: title, lead: ["<p><a href=\"../index.html\">All benchmarks</a></p>"], body: body,
      files: ["../runs.js", data, "../site.js"], style: SiteScript.style)
  }

  // MARK: - Tables

  /// A change, the course that it is in, and the first entry behind it.
  private typealias Found = (course: Course, change: HistorySeries.Change, entry: History.Entry)

  /// The changes of courses, the newest first, and of one run the largest.
  private func changes(of courses: [Course]) -> [Found] {
    let found = courses.flatMap { course in
      course.changes.map { (course: course, change: $0, entry: course.series.entries[$0.index]) }
    }
    func magnitude(_ change: HistorySeries.Change) -> Double {
      min(change.before, change.after) > 0
        ? max(change.before / change.after, change.after / change.before) : .infinity
    }
    return found.enumerated().sorted { left, right in
      let runs = (self.runs[left.element.entry.run] ?? 0, self.runs[right.element.entry.run] ?? 0)
      let sizes = (magnitude(left.element.change), magnitude(right.element.change))
      return (runs.1, sizes.1, left.offset) < (runs.0, sizes.0, right.offset)
    }.map(\.element)
  }

  /// A row of a change, with the change itself behind other cells.
  private func row(_ cells: [String], _ found: Found, links: [String?]) -> Table.Row {
    let (change, metric) = (found.change, found.entry.metric)
    let relative = change.before > 0 && change.after > 0
    return Table.Row(
      cells: cells + [
        quantity(change.before, of: metric), quantity(change.after, of: metric),
        Self.changeText(change.before, change.after, of: metric), change.verdict.rawValue,
      ],
      values: [Double?](repeating: nil, count: cells.count)
        + [change.before, change.after, relative ? change.after / change.before - 1 : change.after - change.before],
      links: links, emphasis: change.verdict == .worse ? .bad : .good)
  }

  private var changeTable: Table {
    var table = self.table(
      [Table.Column(title: "commit"), Table.Column(title: "subject"), Table.Column(title: "date")],
      [
        Table.Column(title: "before", isNumber: true), Table.Column(title: "after", isNumber: true),
        Table.Column(title: "change", isNumber: true), Table.Column(title: "verdict"),
      ])
    table.rows = changes(of: courses).map { found in
      row(
        [
          found.entry.key.title, found.entry.key.metric, title(of: found.entry), subject(of: found.entry),
          date(of: found.entry),
        ] + places(found.course.series), found,
        links: [page(of: found.entry.key), nil, link(to: found.entry)])
    }
    return table
  }

  private var lossTable: Table {
    var table = self.table(
      [Table.Column(title: "best since")],
      [
        Table.Column(title: "best", isNumber: true), Table.Column(title: "now", isNumber: true),
        Table.Column(title: "change", isNumber: true),
      ])
    let losses = courses.enumerated().compactMap { place, course in
      course.loss.map { (place: place, course: course, loss: $0) }
    }
    table.rows = losses.sorted {
      ($1.loss.magnitude, $0.place) < ($0.loss.magnitude, $1.place)
    }.map { _, course, loss in
      let (best, last) = (course.series.entries[loss.index], course.series.entries[course.series.entries.count - 1])
      let names = [last.key.title, last.key.metric, title(of: best)] + places(course.series)
      return Table.Row(
        cells: names + [
          quantity(loss.best, of: last.metric), quantity(loss.now, of: last.metric),
          Self.changeText(loss.best, loss.now, of: last.metric),
        ],
        values: [Double?](repeating: nil, count: names.count) + [loss.best, loss.now, loss.magnitude],
        links: [page(of: last.key), nil, link(to: best)], emphasis: .bad)
    }
    return table
  }

  private var courseTable: Table {
    var table = self.table(
      [],
      [
        Table.Column(title: "runs", isNumber: true), Table.Column(title: "first", isNumber: true),
        Table.Column(title: "last", isNumber: true), Table.Column(title: "changes", isNumber: true),
        Table.Column(title: "course"),
      ])
    table.rows = courses.map { course in
      let entries = course.series.entries
      let (first, last) = (entries[0], entries[entries.count - 1])
      let names = [last.key.title, last.key.metric] + places(course.series)
      let counts = [Double(entries.count), first.estimate.value, last.estimate.value, Double(course.changes.count)]
      return Table.Row(
        cells: names + [
          "\(entries.count)", quantity(first.estimate.value, of: first.metric),
          quantity(last.estimate.value, of: last.metric), "\(course.changes.count)",
          sparkline(entries.map(\.estimate.value)),
        ],
        values: [Double?](repeating: nil, count: names.count) + counts.map(Optional.some),
        links: [page(of: last.key)])
    }
    return table
  }

  /// A table of the start page: benchmark and metric, and where it was measured if there are several places.
  private func table(_ front: [Table.Column], _ back: [Table.Column]) -> Table {
    let names = [Table.Column(title: "benchmark", isName: true), Table.Column(title: "metric")]
    return Table(columns: names + front + (severalPlaces ? [Table.Column(title: "measured by")] : []) + back)
  }

  private func places(_ series: HistorySeries) -> [String] { severalPlaces ? [place(series)] : [] }

  /// A change without an interval.
  private static func changeText(_ before: Double, _ after: Double, of metric: Metric) -> String {
    let change =
      before > 0 && after > 0
      ? Change(scale: .ratio, estimate: .exact(after / before))
      : Change(scale: .difference, estimate: .exact(after - before))
    return GaugeRunner.changeText(change, of: metric)
  }

  // MARK: - What is said of a run

  private func run(of entry: History.Entry) -> History.Run { history.runs[runs[entry.run] ?? 0] }
  private func title(of entry: History.Entry) -> String { legible(run(of: entry).title) }
  private func subject(of entry: History.Entry) -> String { Self.field(History.subjectField, of: run(of: entry)) }
  private func date(of entry: History.Entry) -> String { String(Self.field("date", of: run(of: entry)).prefix(10)) }

  private static func field(_ name: String, of run: History.Run) -> String { legible(run.environment[name] ?? "") }

  /// Where a run's commit is shown.
  private func link(to entry: History.Entry) -> String? {
    let hash = Self.hash(of: run(of: entry))
    return hash.isEmpty ? nil : commits.map { $0 + hash }
  }

  /// The commit's whole name; empty where the run has none.
  private static func hash(of run: History.Run) -> String {
    run.environment["commit"].flatMap { Revisions.isHash($0) ? $0 : nil } ?? ""
  }

  /// The page of a benchmark, at one of its metrics.
  private func page(of key: ResultRow.Key) -> String {
    let metric = legible(key.metric).addingPercentEncoding(withAllowedCharacters: Self.unescaped) ?? ""
    return "benchmarks/\(names[key.title] ?? "").html#\(metric)"
  }

  /// What `encodeURIComponent` leaves as it is.
  private static var unescaped: CharacterSet {
    CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!~*'()")
  }

  private func place(_ series: HistorySeries) -> String {
    [machine(of: series), toolchain(of: series)].filter { !$0.isEmpty }.joined(separator: ", ")
  }

  private func machine(of series: HistorySeries) -> String {
    guard !series.machine.isEmpty, let entry = series.entries.last else { return "" }
    let model = Self.field("cpu_model", of: run(of: entry))
    let isKnown = !series.machine.hasPrefix("unavailable")
    let machine = isKnown ? "machine " + legible(String(series.machine.prefix(8))) : "an unknown machine"
    return [model, machine].filter { !$0.isEmpty }.joined(separator: ", ")
  }

  private func toolchain(of series: HistorySeries) -> String { legible(series.toolchain) }

  // MARK: - Data

  private var dataOfRuns: String {
    // Runs whose times may be compared have one number; one of a machine that isn't known is like no other.
    var machines: [[String]: Int] = [:]
    let runs = history.runs.enumerated().map { place, run -> JSONText in
      let environment = run.environment.map { (name: $0.key, value: $0.value) }
      let fields = Likeness.fields.map { run.environment[$0] ?? "" }
      let alike = Likeness.isLike(environment, environment) ? machines[fields] ?? place : place
      machines[fields] = alike
      return .array([
        .number(Double(run.number)), .string(legible(run.title)), .string(Self.hash(of: run)),
        .string(Self.field("date", of: run)), .string(Self.field(History.subjectField, of: run)),
        .number(Double(alike)), .string(legible(Likeness.allocators(named: run.environment["allocator"] ?? ""))),
      ])
    }
    return Self.assignment(
      "gaugeRuns", [("commits", commits.map(JSONText.string) ?? .null), ("runs", .array(runs))])
  }

  private func data(_ title: String, _ courses: [Course]) -> String {
    let metrics = Dictionary(grouping: courses) { $0.series.key.metric }
    // The time first, which the page begins with.
    let ordered = metrics.sorted {
      ($0.key == Metric.time.name ? 0 : 1, $0.key) < ($1.key == Metric.time.name ? 0 : 1, $1.key)
    }
    return Self.assignment(
      "gaugeBenchmark",
      [("title", .string(legible(title))), ("metrics", .array(ordered.compactMap { data(of: $0.value) }))])
  }

  private static func assignment(_ name: String, _ members: [(name: String, value: JSONText)]) -> String {
    "var \(name) = \(JSONText.object(members).text());\n"
  }

  /// A metric with its courses.
  private func data(of courses: [Course]) -> JSONText? {
    guard let metric = courses.last?.series.entries.last?.metric else { return nil }
    func units(_ kind: Metric.Kind) -> JSONText {
      var metric = metric
      metric.kind = kind
      return .array(GaugeRunner.units(of: metric).map { .array([.string($0.name), .number($0.size)]) })
    }
    return .object([
      ("name", .string(legible(metric.name))), ("polarity", .string(metric.polarity.rawValue)),
      ("isTime", .boolean(metric.isTime)), ("isOfHeap", .boolean(metric.dependsOnAllocator)),
      ("hasRests", .boolean(withoutRest(1e-10, of: metric) == 0)), ("units", units(.sampled)),
      ("exactUnits", units(.exact)), ("courses", .array(courses.map { data(of: $0) })),
    ])
  }

  private func data(of course: Course) -> JSONText {
    func numbers(_ value: (History.Entry) -> Double) -> JSONText {
      .array(course.series.entries.map { .number(value($0)) })
    }
    // Where all counts are exact there is nothing but the counts.
    let isExact = course.series.isExact
    let deciles = course.series.entries.map { entry -> JSONText in
      entry.deciles.isEmpty ? .null : .array(entry.deciles.map { .number($0) })
    }
    let changes = course.changes.map { change -> JSONText in
      .array([
        .number(Double(change.index)), .number(change.before), .number(change.after), .string(change.verdict.rawValue),
      ])
    }
    return .object([
      ("machine", .string(machine(of: course.series))), ("toolchain", .string(toolchain(of: course.series))),
      ("runs", numbers { Double(runs[$0.run] ?? 0) }), ("medians", numbers(\.estimate.value)),
      ("lows", isExact ? .null : numbers(\.estimate.interval.lower)),
      ("highs", isExact ? .null : numbers(\.estimate.interval.upper)),
      ("launches", numbers { Double($0.launches) }), ("exact", numbers { $0.metric.kind == .exact ? 1 : 0 }),
      ("deciles", isExact ? .null : .array(deciles)), ("changes", .array(changes)),
    ])
  }
}
