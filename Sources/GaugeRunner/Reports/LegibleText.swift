// Texts that others wrote, as people may be shown them: on one line, with nothing that moves a cursor or turns the direction
// of reading.

extension Unicode.Scalar {
  /// Whether any program takes it for the end of a line.
  var endsLine: Bool {
    switch value {
    case 0x0a...0x0d, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }

  /// Whether it is a control character, or one that turns the direction of reading.
  var isControl: Bool {
    switch value {
    case 0..<0x20, 0x7f..<0xa0, 0x61c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}

/// A text on one line: a space for each end of a line and each tabulator, the replacement character for each control
/// character.
func legible(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: \.isControl) else { return text }
  var line = ""
  var last: Unicode.Scalar?
  for scalar in text.unicodeScalars {
    defer { last = scalar }
    if scalar == "\n", last == "\r" { continue }
    line.unicodeScalars.append(scalar.endsLine || scalar == "\t" ? " " : scalar.isControl ? "\u{fffd}" : scalar)
  }
  return line
}

/// The lines of a text, each of them legible.
func legibleLines(_ text: String) -> [String] {
  text.unicodeScalars.split(whereSeparator: \.endsLine).map { legible(String($0)) }
}

/// A text as a terminal gets it: of all that steers a terminal, line feeds, tabulators and this program's own marks are left.
func terminalText(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: { $0.isControl && $0 != "\n" }) else { return text }
  var kept = String.UnicodeScalarView()
  var rest = text.unicodeScalars[...]
  while let scalar = rest.first {
    if let mark = ownMarks.first(where: { rest.starts(with: $0.unicodeScalars) }) {
      kept += mark.unicodeScalars
      rest = rest.dropFirst(mark.unicodeScalars.count)
      continue
    }
    kept.append(scalar == "\n" || scalar == "\t" || !scalar.isControl ? scalar : "\u{fffd}")
    rest = rest.dropFirst()
  }
  return String(kept)
}

/// What this program steers terminals with: colours, and a line that is written over.
private let ownMarks =
  ["\r\u{1b}[K", "\u{1b}[1m"] + Table.Emphasis.allCases.map(\.rawValue).filter { !$0.isEmpty } + [
    Table.Emphasis.end
  ]
