// What is printed of several variants, and what is written of them.
// No test file: VaryOptionTests and MatrixReportsTests look at what it prints and writes.

extension ReportFormat {
  /// Whether it has a place for several variants.
  var showsMatrix: Bool { [.text, .markdown, .html, .csv, .json].contains(self) }
}

extension Program {
  /// Prints a matrix, or prints it as text and writes its formats into a folder.
  ///
  /// - Parameters:
  ///   - matrix: What to report.
  ///   - runs: The launches of the base and of each variant, with their names.
  ///   - formats: The formats, all of which have a place for a matrix.
  ///   - folder: The folder, if there is one.
  /// - Returns: The exit code.
  func report(
    _ matrix: ComparisonMatrix, runs: [(name: String, results: Results)], formats: [ReportFormat], folder: String?
  ) throws(CommandFailure) -> Int32 {
    let width = console.output.columns ?? 100
    func file(_ format: ReportFormat) -> ReportFormat.File {
      switch format {
      case .markdown: ("matrix.md", matrix.markdown)
      case .html: ("matrix.html", matrix.html(title: "Variants compared", runs: runs))
      case .csv: ("matrix.csv", matrix.csv)
      case .json: ("matrix.json", matrix.json)
      default: ("matrix.txt", matrix.text(width: width))
      }
    }
    if let folder {
      console.output.write(matrix.text(width: width))
      for format in formats.isEmpty ? [.markdown] : formats {
        let file = file(format)
        try write(file.text, to: "\(folder)/\(file.name)")
      }
    } else {
      for format in formats.isEmpty ? [.text] : formats {
        if format == .text {
          console.output.write(matrix.text(width: width))
        } else {
          console.output.file(file(format).text)
        }
      }
    }
    return matrix.exitCode.rawValue
  }
}
