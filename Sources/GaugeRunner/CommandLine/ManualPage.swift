// The manual page of `gauge`, made from its verbs: roff with the macros of man(7).

/// The manual page, to be kept as `gauge.1`.
///
/// - Parameter verbs: The verbs that it explains.
func manualPage(_ verbs: [Verb]) -> String {
  var lines = [
    ".TH GAUGE 1 \"\" \"gauge \(Program.version)\" \"Weir\"",
    ".SH NAME",
    "gauge \\- measures Swift benchmarks, and tells a change from noise",
    ".SH SYNOPSIS",
    ".B gauge",
    ".I COMMAND",
    "[\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]",
    ".SH DESCRIPTION",
  ]
  lines += roff(
    """
    Builds the benchmarks of the Swift package around the current folder (every executable target under Benchmarks/),
    runs each in many fresh processes, writes what was measured to a file, and compares such files. The exit code is the
    verdict.
    """)
  lines.append(".SH COMMANDS")
  for verb in verbs {
    lines += [".SS " + roffWords(verb.usage), roffWords(verb.summary)]
    for paragraph in verb.description.split(separator: "\n\n") { lines += [".PP"] + roff(String(paragraph)) }
    for option in verb.options {
      let placeholder = option.placeholder.map { " \\fI\(roffWords($0))\\fR" } ?? ""
      lines += [".TP", "\\fB\(roffWords(option.name))\\fR\(placeholder)"] + roff(option.help)
    }
    lines += [".PP", "Examples:"]
    for (line, meaning) in verb.examples { lines += [".TP", "\\fB\(roffWords(line))\\fR"] + roff(meaning) }
    lines += [".PP", "Exit codes:"]
    for (code, meaning) in verb.exitCodes { lines += [".TP", "\\fB\(code)\\fR"] + roff(meaning) }
  }
  lines.append(".SH FILES")
  for (path, meaning) in files { lines += [".TP", "\\fI\(roffWords(path))\\fR"] + roff(meaning) }
  lines.append(".SH ENVIRONMENT")
  lines += [".TP", "\\fBNO_COLOR\\fR"] + roff("Not empty: no colours, unless --color asks for them.")
  return lines.joined(separator: "\n") + "\n"
}

/// Files that `gauge` reads and writes, relative to the package.
private let files = [
  (".gauge/", "The build of the benchmarks, apart from .build; may be removed, and belongs into .gitignore."),
  ("results/latest.csv", "The last run."),
  ("results/baselines/NAME.csv", "A baseline of 'gauge baseline save NAME'."),
  ("results/ab/base.csv, new.csv", "The launches of both sides of the last 'gauge ab'."),
  ("results/bisect/", "The launches of the last 'gauge bisect', by commit."),
  ("results/history.csv", "Results over many commits, of 'gauge history add' and 'gauge history backfill'."),
  ("results/backfill/", "The launches of 'gauge history backfill', by commit."),
  ("Benchmarks/limits.csv", "Limits for 'gauge check'."),
]

/// Text as lines of roff.
private func roff(_ text: String) -> [String] {
  text.split(separator: "\n").map { line in
    let words = roffWords(String(line))
    // A line that begins with one of these would be a request.
    return words.hasPrefix(".") || words.hasPrefix("'") ? "\\&" + words : words
  }
}

/// Text with what means something to roff taken literally.
private func roffWords(_ text: String) -> String {
  text.map { character in
    switch character {
    case "\\": "\\e"
    case "-": "\\-"
    case "'": "\\(aq"
    case _ where character.isASCII: "\(character)"
    // By its code, whatever encoding the page is read in.
    default: character.unicodeScalars.map { "\\[u\(hexadecimal($0.value))]" }.joined()
    }
  }.joined()
}

/// A number as roff writes the codes of characters: four digits or more.
private func hexadecimal(_ value: UInt32) -> String {
  let digits = String(value, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
}
