// Texts that others wrote, as people may be shown them: on one line, with nothing that moves a cursor or turns the
// direction of reading.

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
/// character, and no command to a service that reads a log.
func legible(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: \.isControl) else { return inert(text) }
  var line = ""
  var last: Unicode.Scalar?
  for scalar in text.unicodeScalars {
    defer { last = scalar }
    if scalar == "\n", last == "\r" { continue }
    line.unicodeScalars.append(scalar.endsLine || scalar == "\t" ? " " : scalar.isControl ? "\u{fffd}" : scalar)
  }
  return inert(line)
}

/// The beginning of a text as a complaint quotes it: legible, and no longer than a limit in characters, as a file that
/// isn't what it should be may hold what nobody should read in a log.
func excerpt(of text: String, atMost limit: Int = 60) -> String {
  let scalars = text.unicodeScalars
  let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex) ?? scalars.endIndex
  return legible(String(scalars[..<end])) + (end < scalars.endIndex ? "…" : "")
}

/// The lines of a text, each of them legible.
func legibleLines(_ text: String) -> [String] {
  text.unicodeScalars.split(whereSeparator: \.endsLine).map { legible(String($0)) }
}

/// A text of lines as a terminal may get it: of all control characters, line feeds and tabulators are left.
func plainText(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: { $0.isControl && $0 != "\n" }) else { return text }
  var kept = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    kept.append(scalar == "\n" || scalar == "\t" || !scalar.isControl ? scalar : "\u{fffd}")
  }
  return String(kept)
}

/// A line that GitHub, GitLab, Azure and TeamCity don't take for a command where it stands in a log: `::error::` at its
/// beginning, and `##[error]`, `##vso[` and `##teamcity[` anywhere, get an invisible character.
func inert(_ line: String) -> String {
  let scalars = line.unicodeScalars
  let begins = scalars.drop { $0.properties.isWhitespace }.starts(with: "::".unicodeScalars)
  guard begins || scalars.contains("##".unicodeScalars) else { return line }
  var text = ""
  var isWithin = !begins
  for (index, scalar) in zip(scalars.indices, scalars) {
    text.unicodeScalars.append(scalar)
    if !isWithin, scalar == ":" {
      isWithin = true
      text += "\u{200b}"
    } else if scalar == "#", beginsCommand(scalars[index...]) {
      text += "\u{200b}"
    }
  }
  return text
}

/// Whether a text begins with `##`, a word of ASCII letters or none, and `[`.
private func beginsCommand(_ text: Substring.UnicodeScalarView) -> Bool {
  guard text.starts(with: "##".unicodeScalars) else { return false }
  return text.dropFirst(2).first { !($0.isASCII && $0.properties.isAlphabetic) } == "["
}
