// The command `gauge`: finds the verb, runs it, and turns failures into messages and exit codes.

import Foundation

extension Program {
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
  /// - Returns: The exit code; that of a failure to write where what it prints couldn't be written to its end.
  func run(_ arguments: [String]) -> Int32 {
    let code = obey(arguments)
    guard let failure = console.output.failure() else { return code }
    return tell(
      CommandFailure(code: .cannotWrite, message: "standard output cannot be written: \(failure.reason)"),
      verb: Verbs.all.first { $0.name == arguments.first }?.name)
  }

  private func obey(_ arguments: [String]) -> Int32 {
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
    guard let verb = Verbs.all.first(where: { $0.name == first }) else {
      return tell(unknownVerb(first), verb: nil)
    }
    do throws(CommandFailure) {
      return try run(verb, Array(arguments.dropFirst()))
    } catch {
      return tell(error, verb: verb.name)
    }
  }

  private func run(_ verb: Verb, _ words: [String]) throws(CommandFailure) -> Int32 {
    if words.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
      console.output.write(verb.help(console.output))
      return ExitCode.same.rawValue
    }
    let arguments = try Arguments(words, options: verb.options)
    var program = self
    if let choice = try arguments.words("--color", as: Console.ColourChoice.self).last {
      program.console = console.choosing(choice)
    }
    if verb.believesFolder {
      do throws(PackageFailure) {
        try OwnFolder.check(in: program.resultsHome)
      } catch {
        throw CommandFailure(error)
      }
    }
    return try verb.action(program, arguments)
  }

  private func unknownVerb(_ word: String) -> CommandFailure {
    let kind = word.hasPrefix("-") ? "option" : "command"
    return .usage(
      "unknown \(kind) '\(word)'", unknown: word, known: Verbs.all.map(\.name) + ["help", "--help", "--version"])
  }

  /// Prints a failure.
  ///
  /// - Returns: Its exit code.
  func tell(_ failure: CommandFailure, verb: String?) -> Int32 {
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

  private func help(_ words: [String]) -> Int32 {
    let names = words.filter { $0 != "--long" && $0 != "--man" }
    guard let word = names.first else {
      console.output.write(words.contains("--man") ? manualPage(Verbs.all) : overview(console.output))
      return ExitCode.same.rawValue
    }
    guard let verb = Verbs.all.first(where: { $0.name == word }) else { return tell(unknownVerb(word), verb: nil) }
    console.output.write(verb.help(console.output, words.contains("--long") ? .long : .short))
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
}
