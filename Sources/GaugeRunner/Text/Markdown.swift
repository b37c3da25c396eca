// GitHub's and GitLab's Markdown, told apart from text by its type:
// what is put into it is escaped, whoever has named it.

/// A piece of a Markdown document.
///
/// A literal is Markdown as it stands. A string put into it is text: on one line, scalar by scalar without anything
/// that sets type, links, shows a picture, mentions somebody or refers to something.
struct Markdown: ExpressibleByStringInterpolation, Hashable, Sendable {
  /// The Markdown.
  private(set) var text: String

  init(stringLiteral literal: String) { text = literal }
  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// Pieces in order.
  ///
  /// - Parameter separator: What stands between them.
  init(_ pieces: [Markdown], between separator: Markdown = "\n") {
    text = pieces.map(\.text).joined(separator: separator.text)
  }

  /// The piece as a cell of a table.
  var cell: Markdown {
    var cell: Markdown = ""
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      // In front of a bar that is escaped a backslash would count as escaped itself.
      if scalar == "|" { cell.text += last == "\\" ? "\(Self.nothing)\\" : "\\" }
      cell.text.unicodeScalars.append(scalar)
      last = scalar
    }
    return cell
  }

  /// Markdown with values in it.
  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ literal: String) { text += literal }

    /// Puts in text.
    mutating func appendInterpolation(_ plain: String) { text += Markdown.escaped(plain) }

    /// Puts in a number.
    mutating func appendInterpolation(_ number: Int) { text += "\(number)" }

    /// Puts in Markdown.
    mutating func appendInterpolation(_ markdown: Markdown) { text += markdown.text }

    /// Puts in text of which what stands between backticks is in code type, as commands are that are to be copied.
    mutating func appendInterpolation(prose: String) {
      for (index, part) in prose.split(separator: "`", omittingEmptySubsequences: false).enumerated() {
        text += index.isMultiple(of: 2) ? Markdown.escaped(String(part)) : Markdown.code(String(part))
      }
    }

    /// Puts in text in code type, in which nothing is live; nothing for an empty one.
    mutating func appendInterpolation(code: String) { text += Markdown.code(code) }

    /// Puts in a line of a block between lines of three backticks, none of which a line can be.
    mutating func appendInterpolation(line: String) { text += Markdown.line(line) }
  }

  /// An invisible character that keeps neighbours apart: what would be a mention or a link is none with it.
  private static let nothing = "\u{200b}"

  /// Text between runs of backticks that are longer than any within.
  private static func code(_ text: String) -> String {
    guard !text.isEmpty else { return "" }
    let line = legible(text).unicodeScalars
    let longest = line.split { $0 != "`" }.map(\.count).max() ?? 0
    let fence = String(repeating: "`", count: longest + 1)
    // A backtick at an end would lengthen the run there, and of spaces at both ends one is taken off each.
    let isTight = line.first != "`" && line.last != "`" && !(line.first == " " && line.last == " ")
    return isTight ? fence + String(line) + fence : "\(fence) \(String(line)) \(fence)"
  }

  /// Text of a block's line: three backticks or more become apostrophes.
  private static func line(_ text: String) -> String {
    let pieces = legible(text).unicodeScalars.chunked { ($0 == "`") == ($1 == "`") }
    return pieces.map { piece in
      piece.first == "`" && piece.count > 2 ? String(repeating: "'", count: piece.count) : String(piece)
    }.joined()
  }

  /// Text in which nothing is live.
  private static func escaped(_ text: String) -> String {
    let line = Array(legible(text).unicodeScalars)
    let hashes = hashes(in: line)
    var escaped = ""
    for (index, scalar) in line.enumerated() {
      let last = index > 0 ? line[index - 1] : " "
      let next = index + 1 < line.count ? line[index + 1] : " "
      switch scalar {
      case "\\", "`", "*", "<", "~", "$": escaped += "\\"
      // Between letters it sets no type.
      case "_" where !(last.isWord && next.isWord): escaped += "\\"
      case "[" where next == "[", "]" where next == "(" || next == "[": escaped += "\\"
      case "&" where next == "#" || next.isWord: escaped += "\\"
      default: break
      }
      escaped.unicodeScalars.append(scalar)
      let isReference =
        switch scalar {
        // Mentions, issues, requests, labels, milestones, snippets, and addresses;
        // GitLab's names may begin with a mark.
        case "@": next.isWord || ["\"", ".", "-"].contains(next)
        case "~": next.isWord || ["\"", ".", "-", "?", "&"].contains(next)
        case "%": next.isWord || ["\"", "-"].contains(next)
        case "#", "!", "$", "&", "^": next.isWord || next == "\""
        case ":": next == "/" || beginsPicture(line[(index + 1)...]) || isKind(line[..<index])
        // What GitLab shows as added or removed.
        case "{", "[": next == "+" || next == "-"
        case "-": next.isWord && ends(line[..<index], with: "gh")
        case "w", "W": next == "." && ends(line[...index], with: "www")
        default: false
        }
      if isReference || hashes.contains(index) { escaped += nothing }
    }
    return escaped
  }

  /// Where words begin that may be the hash of a commit: 7 to 40 hexadecimal digits.
  private static func hashes(in line: [Unicode.Scalar]) -> Set<Int> {
    var hashes: Set<Int> = []
    for word in line.indices.split(whereSeparator: { !line[$0].isWord })
    where (7...40).contains(word.count) && word.allSatisfy({ line[$0].properties.isASCIIHexDigit }) {
      hashes.insert(word.startIndex)
    }
    return hashes
  }

  /// Whether a text ends with a word in small letters, whatever the letters' size.
  private static func ends(_ text: ArraySlice<Unicode.Scalar>, with word: String) -> Bool {
    String(String.UnicodeScalarView(text.suffix(word.unicodeScalars.count))).lowercased() == word
  }

  /// Whether a text goes on as the name of a small picture does: `smile:`.
  private static func beginsPicture(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
    let name = text.prefix { $0.isWord || $0 == "+" || $0 == "-" }
    return name.contains { $0 != "_" } && text.dropFirst(name.count).first == ":"
  }

  /// Whether a text ends with an opening bracket and the kind of thing that GitLab links by such: `[vulnerability`.
  private static func isKind(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
    text.last(where: { !("a"..."z").contains($0) && $0 != "_" }) == "[" && text.last != "["
  }
}

extension Unicode.Scalar {
  /// Whether words are made of it.
  fileprivate var isWord: Bool { properties.isAlphabetic || properties.numericType != nil || self == "_" }
}

extension String.UnicodeScalarView {
  /// Runs of neighbours that belong together.
  fileprivate func chunked(_ belongTogether: (Unicode.Scalar, Unicode.Scalar) -> Bool) -> [Substring.UnicodeScalarView]
  {
    var chunks: [Substring.UnicodeScalarView] = []
    var start = startIndex
    for index in indices {
      let next = self.index(after: index)
      guard next == endIndex || !belongTogether(self[index], self[next]) else { continue }
      chunks.append(self[start..<next])
      start = next
    }
    return chunks
  }
}
