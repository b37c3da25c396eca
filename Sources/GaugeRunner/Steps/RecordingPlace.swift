// Where launches that record stacks do it: a folder for their files, the fixtures, and what names addresses.
// No test file: the tests of the verbs profile and timeline use all of it.

import Foundation

/// What launches that record stacks need besides.
struct RecordingPlace {
  /// A folder for files of the launches.
  let scratch: String
  /// The environment that they run in.
  let environment: [String: String]
  /// Signals that stop them.
  let signals: PendingSignals
  /// What names addresses.
  let symboliser: Symboliser
}

/// A form that what was recorded is shown in.
protocol RecordedFormat: RawRepresentable<String> {
  /// Whether its file is one document, which can't follow another one on the same stream.
  var isDocument: Bool { get }
}

extension Program {
  /// Refuses to print several documents on one stream.
  ///
  /// - Parameters:
  ///   - formats: What is asked for.
  ///   - files: How many files there are, where so many of the formats are documents.
  ///   - folder: The folder for files; `nil` to print them.
  /// - Throws: `CommandFailure` with code `usage`.
  func check<Format: RecordedFormat>(
    _ formats: [Format], files: (Int) -> Int, folder: String?
  ) throws(CommandFailure) {
    let files = files(formats.count(where: \.isDocument))
    guard folder == nil, files > 1, let format = formats.first(where: \.isDocument) else { return }
    throw .usage("format '\(format.rawValue)' has \(files) files: name a folder by --output DIR")
  }

  /// Records launches of benchmarks, with what they need around them.
  ///
  /// - Parameters:
  ///   - points: The benchmarks.
  ///   - body: Runs the launches; returns the exit code.
  /// - Throws: `CommandFailure` with code `cannotWrite` where there is no room for temporary
  ///   files, and what `body` throws.
  func recording(
    _ points: [BenchmarkPoint], _ body: (RecordingPlace) throws(CommandFailure) -> Int32
  ) throws(CommandFailure) -> Int32 {
    let scratch = Self.scratchPath()
    // Where that fails the system clears its folder for temporary files.
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    do throws(SystemError) {
      try Files.makeFolder(scratch)
    } catch {
      throw CommandFailure(
        code: .cannotWrite, message: "\(error)", advice: "TMPDIR names another folder for temporary files.")
    }
    let signals = blockSignals()
    return try withFixtures(of: points, in: scratch, stoppingOn: signals) { (fixtures) throws(CommandFailure) in
      try body(
        RecordingPlace(
          scratch: scratch, environment: fixtures.environment, signals: signals,
          symboliser: Symboliser(
            lines: SourceLines(besides: swift, path: environment["PATH"] ?? ""), scratch: scratch + "/addresses")))
    }
  }
}
