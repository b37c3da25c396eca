// What `gauge top` shows on a terminal, and what its keys do.

/// A key, or what it is there for.
enum LiveKey: Hashable {
  case up, down, open, back, order, quit, interrupt

  /// The keys that some bytes of a terminal stand for; what is none of them is left out.
  static func keys(in bytes: [UInt8]) -> [LiveKey] {
    var keys: [LiveKey] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      switch byte {
      case 0x03: keys.append(.interrupt)
      case UInt8(ascii: "q"), UInt8(ascii: "Q"): keys.append(.quit)
      case UInt8(ascii: "s"), UInt8(ascii: "S"): keys.append(.order)
      case UInt8(ascii: "\r"), UInt8(ascii: "\n"): keys.append(.open)
      case UInt8(ascii: "k"): keys.append(.up)
      case UInt8(ascii: "j"): keys.append(.down)
      case 0x08, 0x7f: keys.append(.back)
      case 0x1b:
        // An arrow is three bytes; the key itself is one, with nothing behind it.
        guard let second = rest.first else {
          keys.append(.back)
          continue
        }
        guard second == UInt8(ascii: "[") || second == UInt8(ascii: "O") else { continue }
        rest.removeFirst()
        let parameters = rest.prefix { (0x20...0x3f).contains($0) }
        rest = rest.dropFirst(parameters.count)
        switch rest.popFirst() {
        case UInt8(ascii: "A"): keys.append(.up)
        case UInt8(ascii: "B"): keys.append(.down)
        case UInt8(ascii: "C"): keys.append(.open)
        case UInt8(ascii: "D"): keys.append(.back)
        default: break
        }
      default: break
      }
    }
    return keys
  }
}

/// The state of the view: the order, the marked stream, and whether its graph is shown.
struct LiveScreen {
  /// Whose streams these are.
  var title: String
  /// What they are ordered by.
  var order: LiveOrder
  /// Seconds between two looks, as they were asked for.
  var interval: String
  /// Whether colours may be used.
  var colour = false
  /// The marked stream, by the subscription at its end; `nil` marks the first one.
  private(set) var marked: Int?
  /// Whether the marked stream's graph is shown rather than the table.
  private(set) var isOpen = false
  /// The first line of the graph that is shown.
  private(set) var scrolled = 0

  init(title: String, order: LiveOrder, interval: String, colour: Bool = false, opening stream: Int? = nil) {
    self.title = title
    self.order = order
    self.interval = interval
    self.colour = colour
    marked = stream
    isOpen = stream != nil
  }

  /// Does what a key is for.
  mutating func press(_ key: LiveKey, _ streams: LiveStreams) {
    let rows = streams.ordered(by: order)
    let place = rows.firstIndex { $0.id == marked } ?? 0
    switch key {
    case .up where isOpen: scrolled = max(0, scrolled - 1)
    case .down where isOpen: scrolled += 1
    case .up: if rows.indices.contains(place - 1) { marked = rows[place - 1].id }
    case .down: if rows.indices.contains(place + 1) { marked = rows[place + 1].id }
    case .order: if !isOpen { order = order.next }
    case .open:
      if !isOpen, rows.indices.contains(place) { (marked, isOpen, scrolled) = (rows[place].id, true, 0) }
    case .back: isOpen = false
    case .quit, .interrupt: break
    }
  }

  /// The screen's lines, from the first one to the last.
  mutating func lines(_ streams: LiveStreams, width: Int, height: Int) -> [String] {
    let rows = streams.ordered(by: order)
    let room = max(1, height - 3)
    var lines: [String]
    if isOpen {
      lines = graph(streams, width: width, height: room)
    } else if rows.isEmpty {
      lines = wrapped(LiveText.nothing, indent: 2, width: width)
    } else {
      let present = rows.contains { $0.id == marked } ? marked : rows[0].id
      lines = LiveTable(streams: rows, order: order, marked: present, colour: colour).lines(width: width, height: room)
    }
    lines += Array(repeating: "", count: max(0, room - lines.count))
    let head = "\(title): " + LiveText.summary(streams, rows)
    let all =
      [Table.cut(legible(head), to: width, inMiddle: false), ""] + lines.prefix(room)
      + [Table.cut(isOpen ? Self.keysOfGraph : keysOfTable, to: width, inMiddle: false)]
    return Array(all.prefix(max(1, height)))
  }

  private var keysOfTable: String { "by \(order.rawValue), each \(interval) s   q quit  s order  ↑↓ mark  ⏎ graph" }
  private static let keysOfGraph = "q quit  ↑↓ scroll  ← streams"

  private mutating func graph(_ streams: LiveStreams, width: Int, height: Int) -> [String] {
    guard let marked, let tree = streams.tree(of: marked) else { return ["  the stream has gone"] }
    scrolled = min(scrolled, max(0, tree.count - height))
    return tree[scrolled...].prefix(height).map { Table.cut($0, to: width, inMiddle: false) }
  }
}

/// Sentences about live streams.
enum LiveText {
  /// What stands for a table without a row.
  static let nothing =
    "No stream is alive that was made since inspection was switched on (WEIR_INSPECT=serve, or WeirInspector.isOn)."

  /// How much there is.
  static func summary(_ streams: LiveStreams, _ rows: [LiveStream]) -> String {
    let subscriptions = streams.graph?.subscriptions.count ?? 0
    let suspects = rows.count { !$0.findings.isEmpty }
    return counted(rows.count, "stream") + ", " + counted(subscriptions, "subscription")
      + (suspects > 0 ? ", \(suspects) with findings" : "")
  }

  private static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
