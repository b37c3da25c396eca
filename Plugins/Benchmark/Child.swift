// A child process whose output people see as it comes, with colours and progress where they look at a terminal.

import Foundation

/// A program to be run to its end.
struct Child {
  private let program: URL
  private let arguments: [String]
  private let showsOnFailureOnly: Bool

  /// - Parameters:
  ///   - program: The program.
  ///   - arguments: Its arguments.
  ///   - showsOnFailureOnly: Whether what it prints is held back, and shown where it fails.
  init(_ program: URL, _ arguments: [String], showsOnFailureOnly: Bool) {
    self.program = program
    self.arguments = arguments
    self.showsOnFailureOnly = showsOnFailureOnly
  }

  /// Runs the program. Signals that would end this process are handed on, so that it ends cleanly.
  ///
  /// - Returns: Its exit code; 128 and the signal where one ended it; 127 where it can't be started.
  func run() -> Int32 {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    let held = Pipe()
    if showsOnFailureOnly {
      process.standardOutput = held
      process.standardError = held
    } else if let terminal = Self.terminal() {
      process.standardOutput = terminal
      process.standardError = terminal
    }
    let sources = [SIGINT, SIGTERM].map { number in
      // Not ignored: the program would inherit that.
      signal(number) { _ in }
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { if process.isRunning { kill(process.processIdentifier, number) } }
      source.resume()
      return source
    }
    defer { for source in sources { source.cancel() } }
    do {
      try process.run()
    } catch {
      print("\(program.path(percentEncoded: false)) can't be started: \(error)")
      return 127
    }
    let text = showsOnFailureOnly ? (try? held.fileHandleForReading.readToEnd()) ?? Data() : Data()
    process.waitUntilExit()
    let code = (process.terminationReason == .uncaughtSignal ? 128 : 0) + process.terminationStatus
    if code != 0 { print(String(decoding: text, as: UTF8.self)) }
    return code
  }

  /// The terminal that the package manager prints to, if it does: what a plugin prints goes there through a pipe, which has
  /// neither colours nor a line that changes.
  private static func terminal() -> FileHandle? {
    let parent = "/proc/\(getppid())/fd/"
    let names = ["1", "2"].compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: parent + $0) }
    guard names.count == 2, names[0] == names[1], names[0].hasPrefix("/dev/pts/") || names[0].hasPrefix("/dev/tty")
    else {
      return nil
    }
    return FileHandle(forWritingAtPath: names[0])
  }
}
