// `gauge list`: what there is to measure.

extension Verb {
  /// `gauge list`.
  static let list = Verb(
    name: "list", arguments: "[GLOB ...]",
    summary: "Lists benchmarks, one a line, with their parameters and passes.",
    description: """
      Builds the benchmarks of the package around the current folder first (every executable target under Benchmarks/),
      in release mode, into .gauge/build. Each line is NAME or NAME[PARAMETERS], then the passes that it takes part in and
      its tags.

      With a filter only executables are built that it needs, as far as lists from earlier builds of the same sources
      tell. One that doesn't compile is named and left out.
      """,
    options: Program.choosingOptions + common,
    examples: [
      ("gauge list", "Everything that can be measured."),
      ("gauge list 'subject/*'", "One family."),
    ],
    exitCodes: [
      ("0", "listed"), ("3", "the benchmarks can't be built or don't list themselves"),
      ("64", "the command line is wrong, or a filter fits no benchmark"),
      ("65", ".gauge is a link, or tracked by git"),
      ("66", "no package, no benchmarks in it, or no such executable"), ("73", "the list can't be written"),
    ],
    believesFolder: true,
    action: { program, arguments throws(CommandFailure) in try program.list(arguments) })
}

extension Program {
  /// Runs `gauge list`.
  func list(_ arguments: Arguments) throws(CommandFailure) -> Int32 {
    let points = try choose(arguments).points
    let width = points.map(\.title.count).max() ?? 0
    for point in points {
      let passes = point.passes.map(\.rawValue).joined(separator: ",")
      let tags = point.tags.isEmpty ? "" : "  #" + point.tags.joined(separator: " #")
      console.output.line("\(padded(point.title, to: width))  \(passes)\(tags)")
    }
    return ExitCode.same.rawValue
  }
}
