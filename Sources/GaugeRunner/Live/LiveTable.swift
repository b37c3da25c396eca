// The table of live streams, on as many columns and lines as there are.

/// Values per second as people read them.
func rateText(_ rate: Double) -> String { quantity(rate, of: .throughput) }

/// A table of streams, each with what is wrong with it on lines below.
struct LiveTable {
  /// The streams, from the first line down.
  var streams: [LiveStream]
  /// What they are ordered by: its column is there however narrow the table is.
  var order = LiveOrder.rate
  /// The stream that is marked.
  var marked: Int?
  /// Whether colours may be used.
  var colour = false

  /// A column.
  private struct Column: Sendable {
    let title: String
    var order: LiveOrder?
    /// The fewest columns of a terminal with room for it.
    var room = 0
    let text: @Sendable (LiveStream) -> String
  }

  private static let unavailable = "unavailable"

  private static let columns = [
    Column(title: "ID") { "\($0.id)" },
    Column(title: "STREAM") { $0.path },
    Column(title: "RATE", order: .rate) { $0.rate.map(rateText) ?? unavailable },
    Column(title: "WAITING", order: .waiting) { $0.waiting.map(String.init) ?? "-" },
    Column(title: "DROPPED", order: .dropped, room: 64) { $0.dropped.map(String.init) ?? "-" },
    Column(title: "LATENCY", order: .latency, room: 76) { stream in
      stream.latency.map { quantity($0, of: .time) } ?? unavailable
    },
    Column(title: "AGE", order: .age, room: 56) { briefTime($0.age) },
  ]

  /// The table as lines of at most `width` characters.
  ///
  /// - Parameters:
  ///   - width: Characters of a line.
  ///   - height: Lines at most; `nil` for any number. Streams that find no room are counted on the last line, and the
  ///     marked one is among those that do.
  func lines(width: Int, height: Int? = nil) -> [String] {
    let columns = Self.columns.filter { $0.room <= width || $0.order == order }
    let table = Table(
      columns: columns.map { column in
        Table.Column(
          title: column.order == order ? column.title + "▾" : column.title, isNumber: column.title != "STREAM",
          minimum: column.title == "STREAM" ? 6 : nil, isName: column.title == "STREAM")
      }, rows: streams.map { stream in Table.Row(cells: columns.map { $0.text(stream) }) })
    let all = table.text(width: max(1, width - 2), colour: false)
    let blocks = zip(streams, all.dropFirst()).map { stream, line in block(stream, line, width) }
    let head = Self.cut("  " + (all.first ?? ""), width)
    guard let height else { return [head] + blocks.flatMap { $0 } }
    return Array(([head] + shown(blocks, within: height - 1, width)).prefix(max(0, height)))
  }

  /// What is there of one stream.
  private func block(_ stream: LiveStream, _ line: String, _ width: Int) -> [String] {
    let notes = stream.findings.flatMap { wrapped($0, indent: 4, width: width) }
    let first = Self.cut((stream.id == marked ? "> " : "  ") + line, width)
    guard colour else { return [first] + notes }
    let end = Table.Emphasis.end
    return [stream.id == marked ? "\u{1b}[1m\(first)\(end)" : first]
      + notes.map { Table.Emphasis.bad.rawValue + $0 + end }
  }

  /// The blocks that there is room for, with the marked one among them.
  private func shown(_ blocks: [[String]], within height: Int, _ width: Int) -> [String] {
    guard blocks.reduce(0, { $0 + $1.count }) > height else { return blocks.flatMap { $0 } }
    // The last line counts the others.
    var room = height - 1
    let place = streams.firstIndex { $0.id == marked } ?? 0
    // From the first one on as long as the marked one is reached; else those that end with it.
    var first = place
    var needed = blocks[place].count
    while first > 0, needed + blocks[first - 1].count <= room {
      first -= 1
      needed += blocks[first].count
    }
    var lines: [String] = []
    var count = 0
    for block in blocks[first...] {
      guard block.count <= room || count == 0 else { break }
      lines += block.prefix(max(0, room))
      room -= block.count
      count += 1
    }
    return lines + [Self.cut("  … and \(blocks.count - count) more", width)]
  }

  private static func cut(_ line: String, _ width: Int) -> String { Table.cut(line, to: width, inMiddle: false) }
}
