// Timelines as text: a table for a terminal, and a listing without times, which is the same for the same events.

/// A timeline as text.
struct TimelineText {
  /// The timeline.
  let timeline: Timeline
  /// Events that the table shows.
  var limit = 1000
  /// Characters of a line from which on the table has types.
  static let widthForTypes = 100

  // MARK: The table

  /// The table with its head and the timeline's notes, as lines.
  ///
  /// - Parameters:
  ///   - width: Characters of the terminal's line.
  ///   - colour: Whether ANSI colours are used.
  func text(width: Int, colour: Bool) -> [String] {
    var lines = head.flatMap { wrapped($0, indent: 2, width: width) }
    if timeline.threads.count > 1 {
      lines += timeline.threads.enumerated().flatMap { place, thread in
        wrapped(
          "thread \(place + 1): \(thread.name.isEmpty ? "ended" : thread.name) (\(thread.id))", indent: 2, width: width)
      }
    }
    if !timeline.events.isEmpty { lines += table(width: width, colour: colour) }
    let more = timeline.events.count - limit
    if more > 0 { lines.append("  and \(more) more events: --format events lists all") }
    return lines + timeline.notes.flatMap { wrapped("note: \($0)", indent: 2, width: width) }
  }

  /// What the events come to.
  var head: [String] {
    let operations = timeline.operations.count
    let first = timeline.firstOperation
    let what = operations == 1 ? "operation \(first)" : "operations \(first) to \(first + max(0, operations - 1))"
    let span = timeline.operations.reduce(0) { $0 + $1.count }
    var lines = [
      "\(what) behind the warm-up: \(Self.counted(timeline.events.count, "event")) in \(Self.time(span)), the time to "
        + "record them included"
    ]
    let heap = timeline.events.filter { $0.kind == .allocate }
    let blocks = timeline.blocks.filter { $0.begin != nil && $0.end == nil }
    let left =
      timeline.lost > 0
      ? "unavailable: \(Self.counted(timeline.lost, "event")) left out"
      : "\(Self.counted(blocks.count, "block")) (\(Self.counted(blocks.reduce(0) { $0 + ($1.size ?? 0) }, "byte")))"
    lines.append(
      [
        "\(Self.counted(heap.count, "allocation")) (\(Self.counted(heap.reduce(0) { $0 + $1.size }, "byte")))",
        Self.counted(timeline.count(.reallocate), "reallocation"), Self.counted(timeline.count(.free), "free"),
        "left: \(left)",
        Self.counted(timeline.count(.retain), "retain"), Self.counted(timeline.count(.release), "release"),
        Self.counted(timeline.waits.count, "wait"),
      ].joined(separator: ", "))
    return lines
  }

  private static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

  private func table(width: Int, colour: Bool) -> [String] {
    let hasThreads = timeline.threads.count > 1
    // In a narrow table lines of the program matter more.
    let hasTypes = width >= Self.widthForTypes && timeline.blocks.contains { $0.type != nil }
    var columns = [Table.Column(title: "#", isNumber: true), Table.Column(title: "time", isNumber: true)]
    if hasThreads { columns.append(Table.Column(title: "thread", isNumber: true)) }
    columns += [
      Table.Column(title: "what", minimum: 10), Table.Column(title: "block", isNumber: true),
      Table.Column(title: "bytes", isNumber: true),
    ]
    if hasTypes { columns.append(Table.Column(title: "type", minimum: 6, isName: true)) }
    columns.append(Table.Column(title: "site", minimum: 28))
    var table = Table(columns: columns)
    for (place, event) in timeline.events.prefix(limit).enumerated() {
      let block = event.block.map { timeline.blocks[$0] }
      var cells = ["\(place + 1)", Self.time(event.time)]
      if hasThreads { cells.append("\(event.thread + 1)") }
      cells += [what(event), block.map { "\($0.number)" } ?? "", Self.bytes(event)]
      if hasTypes { cells.append(block?.type ?? "") }
      table.rows.append(Table.Row(cells: cells + [Self.site(event)]))
    }
    return table.text(width: width - 2, colour: colour).map { "  " + $0 }
  }

  /// An event in words: "allocate", "wait: mutex 1", "resume: mutex 1, ended by thread 2".
  func what(_ event: Timeline.Event) -> String {
    var words = event.kind.rawValue
    if let object = event.object { words += ": \(object)" }
    if (event.kind == .retain || event.kind == .release), event.size > 1 { words += " ×\(event.size)" }
    if event.hasFailed { words += ", without memory" }
    if event.kind == .resume, let waker = event.wait.flatMap({ timeline.waits[$0].waker }) {
      words += ", ended by thread \(timeline.events[waker].thread + 1)"
    }
    return words
  }

  private static func bytes(_ event: Timeline.Event) -> String {
    guard event.kind.isOfHeap, event.size > 0 || event.kind == .allocate else { return "" }
    return event.oldSize.map { "\($0)→\(event.size)" } ?? "\(event.size)"
  }

  /// A place in the program: the line first, as that is what is looked for.
  static func site(_ event: Timeline.Event) -> String {
    guard let site = event.site else { return "" }
    guard let file = site.file else { return site.function }
    return "\(file)\(site.line.map { ":\($0)" } ?? "") \(site.function)"
  }

  /// A time with three digits that count.
  static func time(_ nanoseconds: Int) -> String {
    switch nanoseconds {
    case ..<10_000: "\(nanoseconds) ns"
    case ..<10_000_000: "\(ProfileTable.quantity(Double(nanoseconds) / 1e3)) µs"
    default: "\(ProfileTable.quantity(Double(nanoseconds) / 1e6)) ms"
    }
  }

  // MARK: The listing

  /// The events in order, without times: two launches of a benchmark that does the same have the same text.
  ///
  /// Fields are separated by tabulators: operation, thread, what, block, bytes (of retains and releases how often),
  /// type of the object, site.
  var listing: String {
    var lines = [
      "# gauge timeline 1: \(legible(timeline.title))", "# operation\tthread\twhat\tblock\tbytes\ttype\tsite",
    ]
    lines += timeline.events.map { event in
      let block = event.block.map { timeline.blocks[$0] }
      let size = event.oldSize.map { "\($0)→\(event.size)" } ?? "\(event.size)"
      return [
        "\(event.operation + timeline.firstOperation - 1)", "\(event.thread + 1)",
        event.kind.rawValue + (event.object.map { " \($0)" } ?? "") + (event.hasFailed ? " without memory" : ""),
        block.map { "\($0.number)" } ?? "", event.block == nil ? "" : size, legible(block?.type ?? ""),
        legible(Self.site(event)),
      ].joined(separator: "\t")
    }
    return (lines + timeline.notes.map { "# note: \(legible($0))" }).joined(separator: "\n") + "\n"
  }
}
