// A folder that lives as long as a test, with files and small programs in it.

import Foundation

@testable import GaugeRunner

/// A fresh folder, removed with the value.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "gauge-tests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Path of something in the folder.
  func callAsFunction(_ name: String) -> String { path + "/" + name }

  /// Writes a text file, with the folders that it lies in.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    let file = self(name)
    try FileManager.default.createDirectory(
      atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    return file
  }

  /// Text of a file.
  func read(_ name: String) throws -> String {
    try String(contentsOfFile: self(name), encoding: .utf8)
  }

  /// Writes a shell script that can be started.
  ///
  /// A child process writes it: if this process held it open for writing while another test starts a child, that child
  /// could inherit the descriptor for a moment, and starting the script would fail with "Text file busy".
  func script(_ body: String, named name: String = "benchmarks") throws -> String {
    let file = self(name)
    let run = try ProcessRun.capturing(
      Command(
        program: "/bin/sh",
        arguments: ["-c", #"printf '%s' "$1" > "$2" && chmod +x "$2""#, "sh", "#!/bin/sh\n" + body, file]))
    precondition(run.succeeded, run.output)
    return file
  }
}
