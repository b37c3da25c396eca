// JSON as text, with the members of an object in the order that they are given. Ours, as Foundation's encoder keeps no
// order of members.

import GaugeStatistics

/// A JSON value.
indirect enum JSONText {
  case null
  case boolean(Bool)
  case string(String)
  /// A number; `null` where it is not finite, which JSON has no word for.
  case number(Double)
  case array([JSONText])
  case object([(name: String, value: JSONText)])

  /// The value with two spaces of indentation per level; arrays of plain values stay on one line.
  func text(indent: String = "") -> String {
    let inner = indent + "  "
    switch self {
    case .null: return "null"
    case .boolean(let value): return value ? "true" : "false"
    case .string(let text): return Self.quoted(text)
    case .number(let number):
      guard number.isFinite else { return "null" }
      return number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
    case .array(let values):
      if values.allSatisfy(\.isPlain) { return "[" + values.map { $0.text() }.joined(separator: ", ") + "]" }
      return "[\n" + values.map { inner + $0.text(indent: inner) }.joined(separator: ",\n") + "\n\(indent)]"
    case .object(let members):
      if members.isEmpty { return "{}" }
      // Readers keep one of two members of a name: a stranger's would hide one of the format's own.
      var names = UnlikeNames()
      let lines = members.map { "\(inner)\(Self.quoted(names.give($0.name))): \($0.value.text(indent: inner))" }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
    }
  }

  private var isPlain: Bool {
    switch self {
    case .array, .object: false
    case .null, .boolean, .string, .number: true
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

extension JSONText: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  init(stringLiteral value: String) { self = .string(value) }
  init(integerLiteral value: Int) { self = .number(Double(value)) }

  /// An object of texts.
  init(_ fields: [(name: String, value: String)]) {
    self = .object(fields.map { ($0.name, .string($0.value)) })
  }

  /// An estimate: the value and the ends of its interval.
  static func estimate(_ estimate: Estimate) -> [(name: String, value: JSONText)] {
    [
      ("value", .number(estimate.value)), ("lower", .number(estimate.interval.lower)),
      ("upper", .number(estimate.interval.upper)),
    ]
  }
}
