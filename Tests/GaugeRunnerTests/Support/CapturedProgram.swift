// The command `gauge` with its streams captured.

@testable import GaugeRunner

/// Runs command lines and keeps what they print.
final class CapturedProgram {
  private(set) var output = ""
  private(set) var error = ""
  private let folder: String
  private let swift: String
  private let machineLock: String?
  private let columns: Int?
  private let path: String

  /// - Parameters:
  ///   - folder: The folder that it works in.
  ///   - swift: The package manager.
  ///   - machineLock: What is locked for measuring.
  ///   - columns: Columns of its standard output where that is a terminal.
  ///   - path: Folders of programs, joined by colons.
  init(
    in folder: String = "/nowhere", swift: String = "/nowhere/swift", machineLock: String? = nil, columns: Int? = nil,
    path: String = "/usr/bin:/bin"
  ) {
    self.machineLock = machineLock
    self.folder = folder
    self.columns = columns
    self.path = path
    self.swift = swift
  }

  /// Runs a command line.
  ///
  /// - Returns: The exit code.
  func callAsFunction(_ arguments: String...) -> Int32 { self(arguments: arguments) }

  /// Runs a command line.
  func callAsFunction(arguments: [String]) -> Int32 {
    output = ""
    error = ""
    let console = Console(
      output: Console.Stream(write: { self.output += $0 }, columns: columns, colour: false),
      error: Console.Stream(write: { self.error += $0 }, columns: nil, colour: false))
    var program = Program(console: console, environment: ["PATH": path], folder: folder)
    program.swift = swift
    program.machineLock = machineLock
    program.blockSignals = { PendingSignals(blocking: []) }
    return program.run(arguments)
  }
}
