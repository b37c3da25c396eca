// `gauge report`: result files as pages to read.

import Foundation

extension Program {
  /// Formats of `gauge report`.
  private enum ReportFormat: String, CaseIterable {
    case markdown
  }

  /// Runs `gauge report`.
  func report(_ arguments: Arguments) throws(CommandFailure) -> Int32 {
    _ = try arguments.words("--format", as: ReportFormat.self)
    guard !arguments.plain.isEmpty else { throw .usage("which result file? gauge report FILE.csv") }
    var pages: [String] = []
    for path in arguments.plain {
      let title = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
      pages.append(resultsMarkdown(try read(path), title: title))
    }
    let page = pages.joined(separator: "\n")
    if let folder = arguments.last("--output") {
      try write(page, to: folder + "/report.md")
    } else {
      console.output.write(page)
    }
    return ExitCode.same.rawValue
  }

  /// Reads a result file, and tells what is odd about it.
  func read(_ path: String) throws(CommandFailure) -> Results {
    do throws(ResultFile.Failure) {
      let contents = try ResultFile.read(path)
      for warning in contents.warnings { console.error.line("gauge: warning: \(warning)") }
      return contents.results
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Writes a text file, and says where it is.
  func write(_ text: String, to path: String) throws(CommandFailure) {
    do throws(SystemError) {
      try Files.makeFolder((path as NSString).deletingLastPathComponent)
      try Descriptor.appending(to: path, emptied: true).append(Array(text.utf8))
    } catch {
      throw CommandFailure(code: .cannotWrite, message: "\(path): cannot be written: \(error.reason)")
    }
    console.error.line("gauge: wrote \(path)")
  }
}
