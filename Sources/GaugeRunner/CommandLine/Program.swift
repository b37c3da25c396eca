// The command `gauge`: finds the verb, runs it, and turns failures into messages and exit codes.

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

  /// Runs `gauge` with the arguments and streams of this process, and ends the process.
  public static func main() -> Never {
    let environment = ProcessInfo.processInfo.environment
    let program = Program(
      console: .standard(environment: environment), environment: environment,
      folder: FileManager.default.currentDirectoryPath, machineLock: FolderLock.machineFile)
    exit(program.run(Array(CommandLine.arguments.dropFirst())))
  }

  /// Runs one command line.
  ///
  /// - Parameter arguments: The arguments, without the program's name.
  /// - Returns: The exit code.
  func run(_ arguments: [String]) -> Int32 {
    guard let first = arguments.first else {
      console.error.write(overview(console.error))
      return ExitCode.usage.rawValue
    }
    switch first {
    case "help", "--help", "-h": return help(Array(arguments.dropFirst()))
    case "version", "--version":
      console.output.line("gauge \(Self.version)")
      return ExitCode.same.rawValue
    default: break
    }
    guard let syntax = Verbs.all.first(where: { $0.name == first }) else {
      return tell(unknownVerb(first), verb: nil)
    }
    do throws(CommandFailure) {
      return try run(syntax, Array(arguments.dropFirst()))
    } catch {
      return tell(error, verb: syntax.name)
    }
  }

  private func run(_ syntax: VerbSyntax, _ words: [String]) throws(CommandFailure) -> Int32 {
    if words.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
      console.output.write(syntax.help(console.output))
      return ExitCode.same.rawValue
    }
    let arguments = try Arguments(words, options: syntax.options)
    var program = self
    if let choice = try arguments.words("--color", as: Console.ColourChoice.self).last {
      program.console = console.choosing(choice)
    }
    if Self.believing.contains(syntax.name) {
      do throws(PackageFailure) {
        try OwnFolder.check(in: program.resultsHome)
      } catch {
        throw CommandFailure(error)
      }
    }
    switch syntax.name {
    case "init": return try program.makeBenchmarks(arguments)
    case "list": return try program.list(arguments)
    case "run": return try program.measure(arguments)
    case "compare": return try program.compare(arguments)
    case "ab": return try program.ab(arguments)
    case "baseline": return try program.baseline(arguments)
    case "check": return try program.check(arguments)
    case "history": return try program.history(arguments)
    case "merge": return try program.merge(arguments)
    case "report": return try program.report(arguments)
    case "scaling": return try program.scaling(arguments)
    case "profile": return try program.profile(arguments)
    case "completions": return try program.completions(arguments)
    default: preconditionFailure("the verb \(syntax.name) has no handler")
    }
  }

  /// Commands that run or believe what is in the folder `.gauge`.
  private static let believing: Set = ["list", "run", "compare", "ab", "baseline", "check", "history", "profile"]

  private func unknownVerb(_ word: String) -> CommandFailure {
    let kind = word.hasPrefix("-") ? "option" : "command"
    return .usage(
      "unknown \(kind) '\(word)'", unknown: word, known: Verbs.all.map(\.name) + ["help", "--help", "--version"])
  }

  /// What to do where something can't be written, and nothing better is known.
  static let makeRoom = "Make room there, or get the right to write; or name another place."

  /// Prints a failure.
  ///
  /// - Returns: Its exit code.
  private func tell(_ failure: CommandFailure, verb: String?) -> Int32 {
    let name = verb.map { "gauge \($0)" } ?? "gauge"
    // What a tool has printed stands on lines of its own; of anything else a line feed is in a name.
    let message = failure.code == .broke ? legibleLines(failure.message) : [legible(failure.message)]
    console.error.line(marked: "\(name): \(console.error.red("error:")) ", message.first ?? "")
    for line in message.dropFirst() { console.error.line(line) }
    let advice = failure.advice.isEmpty && failure.code == .cannotWrite ? Self.makeRoom : failure.advice
    if !advice.isEmpty { console.error.lines(advice) }
    if failure.code == .usage {
      console.error.line("See 'gauge help\(verb.map { " " + $0 } ?? "")'.")
    }
    return failure.code.rawValue
  }

  /// Prints complaints that don't change how the command ends: of fixtures that can't be torn down. What those have printed
  /// stands on lines of its own.
  func tell(_ complaints: [String]) {
    for complaint in complaints { console.error.lines("gauge: \(complaint)") }
  }

  private func help(_ words: [String]) -> Int32 {
    let names = words.filter { $0 != "--long" && $0 != "--man" }
    guard let word = names.first else {
      console.output.write(words.contains("--man") ? manualPage(Verbs.all) : overview(console.output))
      return ExitCode.same.rawValue
    }
    guard let syntax = Verbs.all.first(where: { $0.name == word }) else { return tell(unknownVerb(word), verb: nil) }
    console.output.write(syntax.help(console.output, words.contains("--long") ? .long : .short))
    return ExitCode.same.rawValue
  }

  private func overview(_ stream: Console.Stream) -> String {
    """
    gauge: measures Swift benchmarks, and tells a change from noise.

    \(stream.bold("USAGE"))
      gauge COMMAND [OPTIONS] [ARGUMENTS]

    \(stream.bold("COMMANDS"))
    \(Verbs.all.map { "  \(padded($0.name, to: 13))\($0.summary)" }.joined(separator: "\n"))
      help         Explains a command: gauge help [--long] COMMAND. The manual page: gauge help --man.

    \(stream.bold("START HERE"))
      gauge init                                  a first benchmark, in Benchmarks/
      gauge list                                  what can be measured
      gauge run --quick                           a first look, into results/latest.csv
      gauge compare OLD.csv results/latest.csv    what has changed

    """
  }

  /// A new path for the files of one piece of work: two at once, also in one process, don't share a folder.
  static func scratchPath() -> String { NSTemporaryDirectory() + "gauge-\(UUID().uuidString)" }
}
