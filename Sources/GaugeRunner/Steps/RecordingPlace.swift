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

extension Program {
  /// Records launches of benchmarks, with what they need around them.
  ///
  /// - Parameters:
  ///   - points: The benchmarks.
  ///   - body: Runs the launches; returns the exit code.
  /// - Throws: `CommandFailure` with code `cannotWrite` where there is no room for temporary files, and what `body` throws.
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
