// `gauge compare`: what got worse or better from one result file to another.

extension Program {
  /// Formats of `gauge compare`.
  private enum ComparisonFormat: String, CaseIterable {
    case text
    case markdown
  }

  /// Runs `gauge compare`.
  func compare(_ arguments: Arguments) throws(CommandFailure) -> Int32 {
    let formats = try arguments.words("--format", as: ComparisonFormat.self)
    guard arguments.plain.count == 2 else {
      throw .usage("expected two result files, found \(arguments.plain.count): gauge compare BASE.csv NEW.csv")
    }
    let comparison = Comparison(
      base: try read(comparedFile(arguments.plain[0])), new: try read(comparedFile(arguments.plain[1])))
    func text(colour: Bool) -> String {
      comparisonText(comparison, colour: colour, width: console.output.columns ?? 120)
    }
    guard let folder = arguments.last("--output") else {
      for format in formats.isEmpty ? [.text] : formats {
        console.output.write(
          format == .text ? text(colour: console.output.colour) : comparisonMarkdown(comparison))
      }
      return comparison.exitCode.rawValue
    }
    console.output.write(text(colour: console.output.colour))
    for format in formats.isEmpty ? [.markdown] : formats {
      switch format {
      case .text: try write(text(colour: false), to: folder + "/comparison.txt")
      case .markdown: try write(comparisonMarkdown(comparison), to: folder + "/comparison.md")
      }
    }
    return comparison.exitCode.rawValue
  }
}
