// `gauge compare`: what got worse or better from one result file to another.

extension Program {
  /// Runs `gauge compare`.
  func compare(_ arguments: Arguments) throws(CommandFailure) -> Int32 {
    let formats = try arguments.words("--format", as: ReportFormat.self)
    guard arguments.plain.count == 2 else {
      throw .usage("expected two result files, found \(arguments.plain.count): gauge compare BASE.csv NEW.csv")
    }
    let base = try compared(arguments.plain[0])
    let new = try compared(arguments.plain[1])
    do throws(ResultFile.Failure) {
      try new.expectDirections(of: base)
    } catch {
      throw CommandFailure(error)
    }
    var options = ComparisonOptions()
    options.thresholds = try thresholds(arguments)
    var comparison = Comparison(base: base, new: new, earlier: try readEarlierRuns(arguments), options: options)
    if arguments.has("--explain") {
      try explain(
        &comparison,
        base: executables(
          of: base, given: arguments.all("--base-executable"), side: "BASE", advice: Self.naming("--base-executable")),
        new: executables(
          of: new, given: arguments.all("--new-executable"), side: "NEW", advice: Self.naming("--new-executable")))
    }
    return try report(comparison, base: base, new: new, formats: formats, folder: arguments.last("--output"))
  }

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
