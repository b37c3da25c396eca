// `gauge top`: which streams of a running program are alive, what passes them, and which have stalled.

extension Verb {
  /// `gauge top`.
  static let top = Verb(
    name: "top", arguments: "PID",
    summary: "Shows the live streams of a running program: rate, queue, latency, drops.",
    description: """
      Asks a program that is built on Weir for its live streams, and shows them as they change: how many values pass
      each a second, how many wait in it, what it has dropped, and how long values take from its origin to its end.
      Below a stream stands what is wrong with it, as values that wait while nobody asks for them.

      The program serves its streams if it is built with the package's trait Inspection and started with
      WEIR_INSPECT=serve, or calls WeirInspector.serve(). Nothing is open otherwise. Other users are refused. In place
      of the process's number the path of its socket may be given.

      On a terminal the view is refreshed until q is typed: s changes the order, the arrows mark a stream, and the
      return key shows its graph. Elsewhere, and with --once, two looks are taken and one table is printed.

      Where several streams join, the name is that of the way that has brought most. A latency is the mean of the values
      that were timed between two looks; it is 'unavailable' where none was. What is dropped is counted where an
      operator tells, as 'buffer' does; '-' is for streams without one.
      """,
    options: [
      OptionSyntax(
        name: "--interval", placeholder: "SECONDS", help: "Time between two looks, 0.1 to 3600. Default: 1."),
      OptionSyntax(
        name: "--sort", placeholder: "ORDER",
        help: "What comes first: most of rate (the default), waiting,\ndropped, age or latency.",
        words: LiveOrder.allCases.map(\.rawValue)),
      OptionSyntax(name: "--once", help: "Print one table, of two looks, and end."),
      OptionSyntax(
        name: "--stream", placeholder: "ID", help: "Show the graph of one stream, by the number in its row."),
      OptionSyntax(
        name: "--format", placeholder: "FORMAT", help: "table (the default), or json: printed once.",
        words: LiveFormat.allCases.map(\.rawValue)),
    ] + common,
    examples: [
      ("gauge top 4711", "The streams of a process, until q is typed."),
      ("gauge top --once --sort waiting 4711", "Where most values wait, as one table."),
      ("gauge top --stream 12 4711", "One stream, from its origins to its end."),
      ("gauge top --format json /run/app.sock", "For other programs; of a socket in another place."),
    ],
    exitCodes: [
      ("0", "shown, also if the program has ended while it was watched"), ("64", "the command line is wrong"),
      ("65", "what answers is no program with Weir, or speaks another version"),
      ("66", "no such process or stream, it serves nothing, has ended, or is another user's"),
      ("73", "what is shown can't be written"), ("130", "interrupted (143: terminated)"),
    ],
    action: { program, arguments throws(CommandFailure) in try program.top(arguments) })
}

extension Program {
  /// Runs `gauge top`.
  func top(_ arguments: Arguments) throws(CommandFailure) -> Int32 {
    try arguments.expect(plain: 1...1, usage: "the number of a process: gauge top PID")
    let format = try arguments.words("--format", as: LiveFormat.self).last ?? .table
    let seconds = try arguments.number("--interval", in: 0.1...3600.0, expected: "seconds from 0.1 to 3600") ?? 1
    let stream = try arguments.number("--stream", in: 0...Int.max, expected: "the number of a stream")
    let order = try arguments.words("--sort", as: LiveOrder.self).last ?? .rate
    let isWatched =
      format == .table && !arguments.has("--once") && console.output.columns != nil
      && Terminal.isTerminal(Terminal.input) && Terminal.isTerminal(Terminal.output) && environment["TERM"] != "dumb"
    // Whatever ends the view gives the terminal back as it was.
    let signals = isWatched ? blockSignals().adding(PendingSignals.quit) : blockSignals()
    var session = LiveSession(
      console: console, order: order, interval: .milliseconds(Int(seconds * 1000)), words: allDigits(seconds),
      stream: stream, format: format, signals: signals)
    do throws(LiveProcess.Failure) {
      let process = try LiveProcess(arguments.plain[0], environment: environment) { signals.first != nil }
      return try isWatched ? session.watch(process) : session.look(process)
    } catch {
      if isWatched, case .ended(let title) = error {
        console.error.line("gauge: \(title) has ended")
        return ExitCode.same.rawValue
      }
      if case .interrupted = error { return console.tellStopped(by: signals.first ?? PendingSignals.interrupt) }
      throw CommandFailure(error)
    }
  }
}
