// What is printed of a comparison, and what is written of it.
// No test file: CompareVerbTests and ReportFormatTests look at what it prints and writes.

extension Program {
  /// Prints a comparison, or prints it as text and writes its formats into a folder.
  ///
  /// - Returns: The exit code of the comparison.
  func report(
    _ comparison: Comparison, base: Results, new: Results, formats: [ReportFormat], folder: String?
  ) throws(CommandFailure) -> Int32 {
    let width = console.output.columns ?? 120
    func show() { console.output.write(comparisonText(comparison, colour: console.output.colour, width: width)) }
    if let folder {
      show()
      for format in formats.isEmpty ? [.markdown] : formats {
        for file in format.files(comparison, base: base, new: new, width: width) {
          try write(file.text, to: "\(folder)/\(file.name)")
        }
      }
      let explanations = comparison.explanations.sorted { $0.key < $1.key }
      let names = UnlikeNames.ofFiles(for: explanations.map(\.key))
      for (title, explanation) in explanations {
        let graphs = explanation.flameGraphs()
        guard !graphs.isEmpty else { continue }
        try write(
          flameGraphPage(graphs, title: "What changed: \(title)"),
          to: "\(folder)/explained/\(names[title] ?? "").html")
      }
      return comparison.exitCode.rawValue
    }
    for format in formats.isEmpty ? [.text] : formats {
      if format == .text {
        show()
        continue
      }
      for file in try single(format, format.files(comparison, base: base, new: new, width: width)) {
        console.output.file(file.text)
      }
    }
    return comparison.exitCode.rawValue
  }

  /// The files of a format that can be printed one behind the other; those of others need a folder.
  func single(_ format: ReportFormat, _ files: [ReportFormat.File]) throws(CommandFailure) -> [ReportFormat.File] {
    guard files.count <= 1 else {
      throw .usage("format '\(format.rawValue)' has \(files.count) files: name a folder by --output DIR")
    }
    return files
  }
}
