// Waits on a terminal: what was waited for, with the chains that lead there, and where the time of each thread went.

/// A report of waits as text.
struct WaitText {
  /// The report.
  let report: WaitReport
  /// Entries and threads that are shown.
  var limit = 10

  /// Why the waits of tasks are not among those of threads.
  static let tasks =
    "unavailable: tasks that wait for others: such a task holds no thread, and Swift's runtime tells nobody of it; what "
    + "its pool's threads wait for is shown"

  /// The text as lines.
  ///
  /// - Parameters:
  ///   - width: Characters of the terminal's line.
  ///   - colour: Whether ANSI colours are used.
  func text(width: Int, colour: Bool) -> [String] {
    head(width) + report.entries.prefix(limit).enumerated().flatMap { entry($1, number: $0 + 1, width: width) }
      + (report.entries.count > limit ? ["  and \(report.entries.count - limit) more"] : [])
      + table(width: width, colour: colour) + notes(width)
  }

  private func head(_ width: Int) -> [String] {
    let time = "\(Self.milliseconds(report.waited)) of \(Self.milliseconds(report.span))"
    let whose = report.isOfMeasuringThread ? "the thread that measures" : "all threads together"
    let what = report.entries.isEmpty ? "" : ", by what they are due to:"
    return Self.hanging("waits: \(time) in \(whose)\(what)", indent: 2, width: width)
  }

  private func entry(_ entry: WaitReport.Entry, number: Int, width: Int) -> [String] {
    let share = Self.share(entry.time, of: report.waited)
    var lines = Self.hanging("\(number). \(share) \(Self.words(entry.site))", indent: 2, width: width)
    // Its own wait stands above; who waits for it follows from the inside out.
    for site in entry.chain.reversed() where site != entry.site {
      lines += Self.hanging("meanwhile \(Self.words(site))", indent: 5, width: width)
    }
    return lines
  }

  private static func hanging(_ text: String, indent: Int, width: Int) -> [String] {
    wrapped(text, indent: indent + 3, width: width).enumerated().map { $0 == 0 ? String($1.dropFirst(3)) : $1 }
  }

  /// What happens at a place, in words: "f (a.swift:3) waits for the mutex that g (a.swift:9) holds".
  static func words(_ site: WaitReport.Site) -> String {
    var who = site.function.map(place) ?? "a function without a name"
    if let caller = site.caller, caller.function != site.function?.function { who += ", called by \(caller.function)," }
    let waker = site.waker.map(place)
    switch (site.cause, waker) {
    case ("sleep", _): return "\(who) sleeps"
    case ("mutex", let waker?), ("rwlock", let waker?):
      return "\(who) waits for the \(site.cause) that \(waker) holds"
    case ("join", _): return "\(who) waits for a thread to end (join)"
    case ("I/O", nil), ("process", nil), ("signal", nil): return "\(who) waits (\(site.cause))"
    case (_, nil) where site.isEndedByPool:
      let work = site.poolWaker.map { ", which \(place($0)) had woken" } ?? ""
      return "\(who) waits (\(site.cause)) until a thread of a pool ends it\(work)"
    case ("barrier", nil): return "\(who) waits (barrier) until somebody unknown ends it"
    // Nobody ends a wait that had a limit and reached it.
    case (_, nil): return "\(who) waits (\(site.cause)) until its time is up or somebody unknown ends it"
    case (_, let waker?): return "\(who) waits (\(site.cause)) until \(waker) ends it"
    }
  }

  private static func place(_ frame: ProfileFrame) -> String {
    guard let file = frame.file else { return frame.function }
    return "\(frame.function) (\(file)\(frame.line.map { ":\($0)" } ?? ""))"
  }

  private func table(width: Int, colour: Bool) -> [String] {
    var table = Table(columns: [
      Table.Column(title: "thread", minimum: 12, isName: true), Table.Column(title: "span", isNumber: true),
      Table.Column(title: "running", isNumber: true), Table.Column(title: "ready", isNumber: true),
      Table.Column(title: "waiting", isNumber: true), Table.Column(title: "not seen", isNumber: true),
      Table.Column(title: "waiting for", minimum: 24),
    ])
    for thread in report.threads.prefix(limit) { table.rows.append(row(thread)) }
    table.rows.append(row(report.allThreads))
    let more = report.threads.count - limit
    return ["  where the time of threads went:"] + table.text(width: width - 2, colour: colour).map { "  " + $0 }
      + (more > 0 ? ["  all threads are these and \(more) more"] : [])
  }

  private func row(_ thread: WaitReport.ThreadTime) -> Table.Row {
    let waiting = thread.waiting.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return Table.Row(cells: [
      thread.name, Self.milliseconds(thread.span), Self.share(thread.running, of: thread.span),
      report.unaccounted == 0 ? Self.share(thread.ready, of: thread.span) : "unavailable",
      Self.share(thread.waiting.values.reduce(0, +), of: thread.span), Self.share(thread.unseen, of: thread.span),
      waiting.map { "\($0.key) \(Self.share($0.value, of: thread.span))" }.joined(separator: ", "),
    ])
  }

  private func notes(_ width: Int) -> [String] {
    var notes = [Self.tasks]
    if report.unaccounted != 0 {
      notes.append(
        "unavailable: time that threads stood ready without a processor: "
          + SystemError.words(for: report.unaccounted) + "; it is part of the waits")
    }
    if report.unlisted > 0 {
      notes.append("\(report.unlisted) waits were too many to follow: the list of waits is of those before")
    }
    return notes.flatMap { wrapped("note: \($0)", indent: 2, width: width) }
  }

  private static func share(_ part: Double, of total: Double) -> String {
    ProfileTable.percent(boundedCount(part), of: boundedCount(total))
  }

  private static func milliseconds(_ nanoseconds: Double) -> String {
    "\(ProfileTable.quantity(nanoseconds / 1e6)) ms"
  }
}
