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
      Table.Column(title: "by operation", isNumber: true), Table.Column(title: "function", minimum: 24, isName: true),
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
            Self.quantity(Double(weight.own) / Double(max(1, profile.operations))), function.function,
            lines[function].map { "\(function.file ?? ""):\($0)" } ?? function.file ?? function.object,
          ], note: note(function.function)))
    }
    var text = [head(total)] + table.text(width: width - 2, colour: colour).map { "  " + $0 }
    if functions.count > limit { text.append("  and \(functions.count - limit) more functions") }
    return text + notes(width)
  }

  private func head(_ total: Int) -> String {
    let operations = max(1, profile.operations)
    return
      "\(profile.kind.rawValue): \(Self.quantity(Double(total) / Double(operations))) \(profile.kind.unit) by operation, "
      + "\(operations) operations"
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

  /// The line of each function that weighs most by itself.
  private func heaviestLines() -> [ProfileFrame: Int] {
    var weights: [ProfileFrame: [Int: Int]] = [:]
    for (stack, weight) in profile.weights {
      guard let leaf = stack.last, let line = leaf.line else { continue }
      weights[leaf.withoutLine, default: [:]][line, default: 0] += weight
    }
    return weights.compactMapValues { $0.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key }
  }

  /// A part in per cent, with one decimal.
  static func percent(_ part: Int, of total: Int) -> String {
    let tenths = (Double(part) * 1000 / Double(max(1, total))).rounded()
    return "\(Int(tenths) / 10).\(abs(Int(tenths)) % 10) %"
  }

  /// A number with three digits that count.
  static func quantity(_ value: Double) -> String {
    let size = abs(value)
    if size >= 100 || value == value.rounded() { return "\(Int(value.rounded()))" }
    let factor: Double = size >= 10 ? 10 : size >= 1 ? 100 : 1000
    return "\((value * factor).rounded() / factor)"
  }
}
