// `gauge scaling`: how what was measured grows with sizes and threads.

extension Verb {
  /// `gauge scaling`.
  static let scaling = Verb(
    name: "scaling", arguments: "FILE.csv",
    summary: "Says how time grows with sizes, and throughput with threads.",
    description: """
      For every axis of numbers that a benchmark was measured along, the law that its values bear out: constant, log n, n,
      n log n or n², by least squares of relative errors and the Bayesian information criterion. Over the axis 'threads'
      it is the universal scalability law, with the parts of contention and of coherence and the number of threads beyond
      which the throughput falls. Needs four sizes; takes what is in the file, all its launches.
      """,
    options: [
      OptionSyntax(
        name: "--metric", placeholder: "NAME",
        help: "The metric. Default: throughput over threads, time over\nanything else.")
    ] + common,
    examples: [
      ("gauge scaling results/latest.csv", "The laws of everything in the last run."),
      ("gauge scaling --metric instructions counts.csv", "How the number of instructions grows."),
    ],
    exitCodes: [
      ("0", "told"), ("6", "nothing was measured along an axis of numbers"), ("64", "the command line is wrong"),
      ("65", "the file is not a result file, or damaged"), ("66", "the file is missing"),
      ("73", "what is told can't be written"),
    ],
    action: { program, arguments throws(CommandFailure) in try program.scaling(arguments) })
}

extension Program {
  /// Runs `gauge scaling`.
  func scaling(_ arguments: Arguments) throws(CommandFailure) -> Int32 {
    guard arguments.plain.count == 1 else {
      throw .usage("expected a result file, found \(arguments.plain.count): gauge scaling FILE.csv")
    }
    let name = arguments.last("--metric")
    let series = ScalingSeries.all(in: try read(arguments.plain[0]), metric: name)
    guard !series.isEmpty else {
      throw CommandFailure(
        code: .incomparable, message: "\(arguments.plain[0]): nothing in it was measured at several numbers",
        advice: name.map { "Is '\($0)' a metric of the file?" }
          ?? "Declare benchmarks over an axis of numbers: Benchmark(\"name\", over: .values(\"count\", [1, 10, 100, 1000]))"
      )
    }
    console.output.write(scalingText(series))
    return ExitCode.same.rawValue
  }
}
