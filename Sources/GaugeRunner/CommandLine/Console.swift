// Where a command prints, and whether people look at it.

import Foundation

/// Standard output and standard error, or stand-ins for them.
struct Console {
  /// One of the two streams.
  struct Stream {
    /// Takes text as it is: this program's own words and marks, with nothing of a stranger's that isn't legible.
    var write: (String) -> Void
    /// Columns where the stream is a terminal, else `nil`.
    var columns: Int?
    /// Whether colours may be used.
    var colour: Bool
    /// What kept text from being written; `nil` where all is written, or who reads has gone.
    var failure: () -> SystemError? = { nil }
  }

  /// For what was asked for.
  var output: Stream
  /// For everything said about it: progress, warnings, errors.
  var error: Stream

  /// Columns of a line where nobody says how many there are.
  static let usualColumns = 80

  /// When to use colours.
  enum ColourChoice: String, CaseIterable {
    /// Always.
    case always
    /// Never.
    case never
    /// On terminals, unless the environment says no.
    case auto
  }

  /// The process's own streams. Colours are used on terminals, unless `NO_COLOR` is set and not empty or the terminal
  /// is a dumb one.
  static func standard(environment: [String: String]) -> Console {
    let plain = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
    func stream(_ descriptor: Int32) -> Stream {
      let isTerminal = Terminal.isTerminal(descriptor)
      let written = WrittenText(descriptor)
      return Stream(
        write: { written.append($0) }, columns: isTerminal ? Terminal.width(descriptor) ?? usualColumns : nil,
        colour: isTerminal && !plain, failure: { written.failure })
    }
    return Console(output: stream(Terminal.output), error: stream(Terminal.error))
  }

  /// What is written to a descriptor, up to the first failure: nothing is left out in the middle.
  private final class WrittenText {
    private let descriptor: Int32
    private(set) var failure: SystemError?

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    func append(_ text: String) {
      guard failure == nil else { return }
      do throws(SystemError) {
        try Terminal.send(Array(text.utf8), to: descriptor)
      } catch {
        // Who reads has closed the stream, and wants no more.
        if error.code != EPIPE { failure = error }
      }
    }
  }

  /// The same console with colours as chosen.
  func choosing(_ choice: ColourChoice) -> Console {
    var console = self
    guard choice != .auto else { return console }
    console.output.colour = choice == .always
    console.error.colour = choice == .always
    return console
  }
}

extension Console {
  /// Tells that a benchmark broke, with what it printed.
  func tellBroken(_ title: String, _ reason: String, printed: String) {
    error.line(marked: "gauge: \(error.red("\(title) broke")): ", reason)
    for line in printed.split(separator: "\n") { error.line("    | \(line)") }
  }

  /// Tells that a signal stopped the command.
  ///
  /// - Returns: The exit code.
  func tellStopped(by signal: Int32) -> Int32 {
    error.line("gauge: stopped by \(SystemError.words(forSignal: signal))")
    return 128 + signal
  }
}

extension Console.Stream {
  /// Prints one line. Whatever names are in it, it stays one, and nothing of it steers a terminal, also where a log is
  /// shown on one later.
  ///
  /// - Parameters:
  ///   - marked: What stands in front, by `bold` or `red`.
  ///   - text: The line.
  func line(marked: String = "", _ text: String = "") { write(marked + legible(text) + "\n") }

  /// Prints lines, each as `line` does.
  func lines(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) { self.line(String(line)) }
  }

  /// Prints lines that are legible already, with this program's own marks in them.
  func marked(_ lines: [String]) { write(lines.map { $0 + "\n" }.joined()) }

  /// Prints a file for programs: as it is, but for what steers a terminal where this is one.
  func file(_ text: String) { write(columns == nil ? text : plainText(text)) }

  /// Shows what is in hand, on one line of a terminal; `nil` takes the line away.
  func passing(_ text: String?) {
    if let columns {
      write("\r\u{1B}[K" + legible(text ?? "").prefix(max(0, columns - 1)))
    } else if let text {
      line(text)
    }
  }

  /// Text in bold, where colours may be used, on one line.
  func bold(_ text: String) -> String { colour ? "\u{1B}[1m\(legible(text))\u{1B}[0m" : legible(text) }

  /// Text in red, where colours may be used, on one line.
  func red(_ text: String) -> String { colour ? "\u{1B}[31m\(legible(text))\u{1B}[0m" : legible(text) }
}
