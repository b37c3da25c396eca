// What a verb takes, and its help page made from that.

/// A verb of `gauge`, as its user sees it.
struct VerbSyntax: Sendable {
  /// The verb.
  var name: String
  /// Its plain arguments, for the usage line.
  var arguments: String
  /// One line about it.
  var summary: String
  /// Paragraphs about it.
  var description: String
  /// Its options, those of every verb included.
  var options: [OptionSyntax]
  /// Command lines, each with what it does.
  var examples: [(line: String, meaning: String)]
  /// Exit codes, each with what it means.
  var exitCodes: [(code: String, meaning: String)]

  /// The usage line.
  var usage: String {
    "gauge \(name) [OPTIONS]" + (arguments.isEmpty ? "" : " \(arguments)")
  }

  /// The help page.
  func help(_ stream: Console.Stream) -> String {
    var sections = [
      "\(usage)\n\n\(summary)", description,
      "\(stream.bold("OPTIONS"))\n" + options.map(Self.text).joined(separator: "\n"),
    ]
    sections.append(
      "\(stream.bold("EXAMPLES"))\n"
        + examples.map { "  \(stream.bold($0.line))\n      \($0.meaning)" }.joined(separator: "\n"))
    let width = exitCodes.map(\.code.count).max() ?? 0
    sections.append(
      "\(stream.bold("EXIT CODES"))\n"
        + exitCodes.map { "  " + Self.pad($0.code, to: width + 2) + $0.meaning }.joined(separator: "\n"))
    return sections.joined(separator: "\n\n") + "\n"
  }

  private static func text(_ option: OptionSyntax) -> String {
    let head = "  " + option.name + (option.placeholder.map { " " + $0 } ?? "")
    let lines = option.help.split(separator: "\n").map(String.init)
    let column = 26
    if head.count + 2 > column {
      return ([head] + lines.map { pad("", to: column) + $0 }).joined(separator: "\n")
    }
    return (["\(pad(head, to: column))\(lines[0])"] + lines.dropFirst().map { pad("", to: column) + $0 })
      .joined(separator: "\n")
  }

  /// A text with spaces behind it up to a width.
  static func pad(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
