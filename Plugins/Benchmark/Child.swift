// A child process whose output people see as it comes, with colours and progress where they look at a terminal.

import Foundation

/// A program to be run to its end.
struct Child {
  private let program: URL
  private let arguments: [String]
  private let work: String?

  /// - Parameters:
  ///   - program: The program.
  ///   - arguments: Its arguments.
  ///   - work: What it does, for a build, whose words are held back and shown where it fails; meanwhile this says how
  ///     far it is. `nil` shows what it prints.
  init(_ program: URL, _ arguments: [String], work: String? = nil) {
    self.program = program
    self.arguments = arguments
    self.work = work
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
    if work != nil {
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
    let text = work.map { Self.text(from: held, of: $0) } ?? Data()
    process.waitUntilExit()
    let code = (process.terminationReason == .uncaughtSignal ? 128 : 0) + process.terminationStatus
    if code != 0 { print(String(decoding: text, as: UTF8.self)) }
    return code
  }

  /// What a build prints, to its end; meanwhile how far it is: on a line of a terminal that changes, else on one now
  /// and then.
  private static func text(from pipe: Pipe, of work: String) -> Data {
    // The child alone holds it open then, so that reading ends with the child.
    try? pipe.fileHandleForWriting.close()
    let reading = pipe.fileHandleForReading
    let terminal = terminal()
    let interval: TimeInterval = terminal == nil ? 15 : 1
    let start = Date()
    var shown = start
    var text = Data()
    while true {
      var entry = pollfd(fd: reading.fileDescriptor, events: Int16(POLLIN), revents: 0)
      if poll(&entry, 1, 500) > 0 {
        let piece = reading.availableData
        if piece.isEmpty { break }
        text.append(piece)
      }
      guard -shown.timeIntervalSinceNow >= interval else { continue }
      shown = Date()
      let line = "benchmark: \(work): " + progress(of: text, seconds: Int(-start.timeIntervalSinceNow))
      if let terminal { terminal.write(Data("\r\u{1B}[K\(line)".utf8)) } else { print(line) }
    }
    terminal?.write(Data("\r\u{1B}[K".utf8))
    return text
  }

  /// How far a build is by the last step that it has printed, `[12/345] Compiling ...`, and how long it has taken.
  private static func progress(of text: Data, seconds: Int) -> String {
    let time = "\(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
    let lines = String(decoding: text.suffix(4096), as: UTF8.self).split(separator: "\n")
    guard let step = lines.last(where: { $0.hasPrefix("[") })?.dropFirst().prefix(while: { $0 != "]" }) else {
      return time
    }
    return "\(step), \(time)"
  }

  /// The terminal that the package manager prints to, if it does: what a plugin prints goes there through a pipe, which
  /// has neither colours nor a line that changes.
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
