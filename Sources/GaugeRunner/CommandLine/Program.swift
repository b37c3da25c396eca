// What the command `gauge` works with: where it prints, where it is, and what it calls.

import Foundation

/// The command `gauge`.
public struct Program {
  /// Version of the command.
  static let version = "0.1.0"

  /// Where it prints.
  var console: Console
  /// Its environment variables.
  var environment: [String: String]
  /// The folder that it works in; paths on the command line are relative to the process's own.
  var folder: String
  /// The package manager.
  var swift = "swift"
  /// The file that everything locks that measures on this machine, whoever's it is; `nil` locks nothing.
  var machineLock: String?
  /// Blocks the signals that end a run cleanly.
  var blockSignals: () -> PendingSignals = { PendingSignals() }

  /// What to do where something can't be written, and nothing better is known.
  static let makeRoom = "Make room there, or get the right to write; or name another place."

  /// Prints complaints of fixtures that can't be torn down. What those have printed stands on lines of its own.
  func tell(_ complaints: [String]) {
    for complaint in complaints { console.error.lines("gauge: \(complaint)") }
  }

  /// A new path for the files of one piece of work: two at once, also in one process, don't share a folder.
  static func scratchPath() -> String { NSTemporaryDirectory() + "gauge-\(UUID().uuidString)" }
}
