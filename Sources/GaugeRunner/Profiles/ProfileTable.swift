// The functions that weigh most, as a table on a terminal.

/// A profile as a table.
struct ProfileTable {
  /// The profile.
  let profile: Profile
  /// Functions that are shown.
  var limit = 15
  /// What was counted, by function and by name of the type.
  var types: [String: [String: Int]] = [:]

  /// The table, its head and the profile's notes, as lines.
  ///
  /// - Parameters:
  ///   - width: Characters of the terminal's line.
  ///   - colour: Whether ANSI colours are used.
  func text(width: Int, colour: Bool) -> [String] {
    let total = profile.total
    guard total > 0 else { return [head(total), "  nothing"] + notes(width) }
    var table = Table(columns: [
      Table.Column(title: "own", isNumber: true), Table.Column(title: "with calls", isNumber: true),
      Table.Column(title: profile.isOfWhole ? "in all" : "by \(profile.per)", isNumber: true),
      Table.Column(title: "function", minimum: 24, isName: true),
      Table.Column(title: "where", minimum: 12),
    ])
    let root = profile.weights.keys.first?.first
    let functions = profile.weightsByFunction().filter { $0.key != root?.withoutLine || $0.value.own > 0 }.sorted {
      ($0.value.own, $0.value.inclusive, $1.key.function) > ($1.value.own, $1.value.inclusive, $0.key.function)
    }
    let lines = heaviestLines()
    for (function, weight) in functions.prefix(limit) {
      table.rows.append(
        Table.Row(
          cells: [
            Self.percent(weight.own, of: total), Self.percent(weight.inclusive, of: total),
            Self.quantity(Double(weight.own) / profile.amount), function.function,
            lines[function].map { "\(function.file ?? ""):\($0)" } ?? function.file ?? function.object,
          ], note: note(function.function)))
    }
    var text = [head(total)] + table.text(width: width - 2, colour: colour).map { "  " + $0 }
    if functions.count > limit { text.append("  and \(functions.count - limit) more functions") }
    return text + sites(width: width, colour: colour) + notes(width)
  }

  /// The lines of the program that what was counted began at, the heaviest first; time has none.
  private func sites(width: Int, colour: Bool) -> [String] {
    guard profile.kind != .cpu, profile.kind != .instructions else { return [] }
    var weights: [ProfileFrame: Int] = [:]
    for (stack, weight) in profile.weights {
      if let site = stack.dropFirst().last(where: { !$0.isLibrary && $0.line != nil }) {
        weights[site, default: 0] += weight
      }
    }
    guard !weights.isEmpty else { return [] }
    var table = Table(columns: [
      Table.Column(title: profile.kind.unit, isNumber: true), Table.Column(title: "line", minimum: 12),
      Table.Column(title: "of the program", minimum: 24, isName: true),
    ])
    let sites = weights.map { (site: $0, place: Self.place(of: $0), weight: $1) }
      .sorted { ($1.weight, $0.place) < ($0.weight, $1.place) }
    for (site, place, weight) in sites.prefix(limit) {
      let amount = Self.quantity(Double(weight) / profile.amount)
      table.rows.append(Table.Row(cells: [amount, place, site.function]))
    }
    return table.text(width: width - 2, colour: colour).map { "  " + $0 }
      + (sites.count > limit ? ["  and \(sites.count - limit) more lines"] : [])
  }

  private static func place(of frame: ProfileFrame) -> String {
    "\(frame.file ?? frame.object)\(frame.line.map { ":\($0)" } ?? "")"
  }

  private func head(_ total: Int) -> String {
    if profile.isOfWhole { return "\(profile.kind.rawValue): \(total) \(profile.kind.unit) in all" }
    return
      "\(profile.kind.rawValue): \(Self.quantity(Double(total) / profile.amount)) \(profile.kind.unit) "
      + "by \(profile.per), \(Self.quantity(profile.amount)) \(profile.per)s"
  }

  private func notes(_ width: Int) -> [String] {
    profile.notes.flatMap { wrapped("note: \($0)", indent: 2, width: width) }
  }

  /// What a function has counted the most of.
  private func note(_ function: String) -> String {
    guard let counted = types[function], counted.count > 1 || counted.keys.first != nil else { return "" }
    let names = counted.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(3).map(\.key)
    return "of " + names.joined(separator: ", ")
  }

  /// The line of each function that weighs most by itself, or with what it calls where it weighs nothing by itself.
  private func heaviestLines() -> [ProfileFrame: Int] {
    var (own, inclusive): ([ProfileFrame: [Int: Int]], [ProfileFrame: [Int: Int]]) = ([:], [:])
    for (stack, weight) in profile.weights {
      for (index, frame) in stack.enumerated() {
        guard let line = frame.line else { continue }
        inclusive[frame.withoutLine, default: [:]][line, default: 0] += weight
        if index == stack.count - 1 { own[frame.withoutLine, default: [:]][line, default: 0] += weight }
      }
    }
    return inclusive.merging(own) { $1 }.compactMapValues { $0.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key }
  }

  /// A part in per cent, with one decimal. It may be any multiple of the whole, where parts outweigh each other.
  static func percent(_ part: Int, of total: Int) -> String {
    let tenths = boundedCount(Double(part) * 1000 / Double(max(1, total)))
    return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10) %"
  }

  /// A number with three digits that count.
  static func quantity(_ value: Double) -> String {
    let size = abs(value)
    if size >= 100 || value == value.rounded() { return "\(boundedCount(value))" }
    let factor: Double = size >= 10 ? 10 : size >= 1 ? 100 : 1000
    return "\((value * factor).rounded() / factor)"
  }
}
