// A verb as one value: what it takes, its help pages made from that, and what it does.

/// A verb of `gauge`.
struct Verb: Sendable {
  /// The verb.
  var name: String
  /// Its plain arguments, for the usage line.
  var arguments: String
  /// One line about it.
  var summary: String
  /// Paragraphs about it; the first is also on the short page.
  var description: String
  /// Its options, those of every verb included.
  var options: [OptionSyntax]
  /// Command lines, each with what it does.
  var examples: [(line: String, meaning: String)]
  /// Exit codes, each with what it means.
  var exitCodes: [(code: String, meaning: String)]
  /// Whether it runs or believes what is in the folder `.gauge`.
  var believesFolder = false
  /// What it does.
  var action: @Sendable (Program, Arguments) throws(CommandFailure) -> Int32

  /// Options of every verb.
  static let common = [
    OptionSyntax(
      name: "--color", placeholder: "WHEN",
      help: "Use colours: always, never, or auto (on a terminal, unless\nNO_COLOR is set). Default: auto.",
      words: Console.ColourChoice.allCases.map(\.rawValue)),
    OptionSyntax(name: "--help", help: "Print this page."),
  ]

  /// The usage line.
  var usage: String {
    "gauge \(name) [OPTIONS]" + (arguments.isEmpty ? "" : " \(arguments)")
  }

  /// The words that the first plain argument must be one of; empty where it may be anything.
  var actions: [String] {
    let first = arguments.prefix { $0 != " " }
    return first.contains("|") ? first.split(separator: "|").map(String.init) : []
  }

  /// How much a help page tells.
  enum Extent {
    /// What fits a screen.
    case short
    /// Everything.
    case long
  }

  /// A help page.
  ///
  /// - Parameters:
  ///   - stream: Where it is printed.
  ///   - extent: Whether it has to fit a screen.
  func help(_ stream: Console.Stream, _ extent: Extent = .short) -> String {
    let isShort = extent == .short
    let paragraphs = description.split(separator: "\n\n").map(String.init)
    let more = isShort ? " More: gauge help --long \(name)" : ""
    var sections = [usage + "\n" + summary + more, isShort ? paragraphs[0] : description]
    sections.append("\(stream.bold("OPTIONS"))\n" + (isShort ? shortOptions : longOptions))
    sections.append("\(stream.bold("EXAMPLES"))\n" + (isShort ? shortExamples(stream) : longExamples(stream)))
    let width = exitCodes.map(\.code.count).max() ?? 0
    sections.append(
      "\(stream.bold("EXIT CODES"))\n"
        + exitCodes.map { "  " + padded($0.code, to: width + 2) + $0.meaning }.joined(separator: "\n"))
    return sections.joined(separator: "\n\n") + "\n"
  }

  private var longOptions: String { options.map(Self.text).joined(separator: "\n") }

  /// An option a line, with the first sentence about it.
  private var shortOptions: String {
    let width = (options.map { Self.head($0).count }.max() ?? 0) + 4
    return options.map { option in
      let text = option.firstSentence
      let fits = width + text.count <= Self.columns
      return padded("  " + Self.head(option), to: width) + (fits ? text : option.firstClause)
    }.joined(separator: "\n")
  }

  private func longExamples(_ stream: Console.Stream) -> String {
    examples.map { "  \(stream.bold($0.line))\n      \($0.meaning)" }.joined(separator: "\n")
  }

  /// An example a line where that fits.
  private func shortExamples(_ stream: Console.Stream) -> String {
    let width = examples.map(\.line.count).max() ?? 0
    let longest = examples.map(\.meaning.count).max() ?? 0
    guard width + longest + 4 <= Self.columns else { return longExamples(stream) }
    return examples.map { line, meaning in
      "  \(stream.bold(line))" + padded("", to: width - line.count + 2) + meaning
    }.joined(separator: "\n")
  }

  /// Columns of a help page.
  private static let columns = 120

  private static func head(_ option: OptionSyntax) -> String {
    option.name + (option.placeholder.map { " " + $0 } ?? "")
  }

  private static func text(_ option: OptionSyntax) -> String {
    let head = "  " + head(option)
    let lines = option.help.split(separator: "\n").map(String.init)
    let column = 26
    if head.count + 2 > column {
      return ([head] + lines.map { padded("", to: column) + $0 }).joined(separator: "\n")
    }
    return (["\(padded(head, to: column))\(lines[0])"] + lines.dropFirst().map { padded("", to: column) + $0 })
      .joined(separator: "\n")
  }
}

extension OptionSyntax {
  /// The first sentence about it, on one line.
  var firstSentence: String { beginning(upTo: [". "]) }

  /// The first sentence about it, or what of it stands alone.
  var firstClause: String { beginning(upTo: [". ", ": ", "; "]) }

  private func beginning(upTo ends: [String]) -> String {
    let text = help.split(separator: "\n").joined(separator: " ")
    guard let end = ends.compactMap({ text.firstRange(of: $0) }).min(by: { $0.lowerBound < $1.lowerBound }) else {
      return text
    }
    return text[..<end.lowerBound] + "."
  }
}
