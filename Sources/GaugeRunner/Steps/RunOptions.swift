// What decides the plan of a run: the options of `gauge run`,
// from a command line or as a result file has recorded them.

import Foundation
import Gauge

/// What the options of `gauge run` ask for.
struct RunOptions {
  /// How much time the run is given.
  var effort: Effort
  /// Which metrics are taken.
  var selection: MetricSelection
  /// Patterns of the benchmarks that are taken; none takes all.
  var filters: [String]
  /// Tags of which a benchmark must have one; none takes all.
  var tags: [String]
  /// Launches of each point for time and latency, if not as the effort says.
  var launches: Int?
  /// Time after which a launch is killed, if not the default.
  var timeLimit: Duration?
  /// The part of the suite that is measured; `nil` for all of it.
  var shard: Shard?
  /// The revision whose code a benchmark has to differ from; `nil` takes all.
  var affectedSince: String?
  /// What the order of the launches is drawn from.
  var seed: UInt64
  /// The options as one would type them, without the seed; empty where all are the default.
  var words: String
  /// Whether benchmarks may be measured whose times are worthless.
  var allowsDebug: Bool

  /// The options as one would type them, the seed included.
  var text: String { (words.isEmpty ? "" : words + " ") + "--seed \(seed)" }

  /// Reads the options.
  ///
  /// - Parameters:
  ///   - arguments: The command line.
  ///   - filters: Patterns of the benchmarks; the plain arguments are some, too, where not given.
  /// - Throws: `CommandFailure` with code `usage`.
  init(_ arguments: Arguments, filters: [String]? = nil) throws(CommandFailure) {
    if arguments.has("--quick"), arguments.has("--full") {
      throw .usage("options '--quick' and '--full' exclude each other")
    }
    effort = arguments.has("--quick") ? .quick : arguments.has("--full") ? .full : .normal
    do throws(MetricSelection.UnknownName) {
      let names = arguments.list("--metrics")
      selection = try names.isEmpty ? .usual : MetricSelection(names: names)
      if arguments.has("--counts") { selection = names.isEmpty ? .exact : selection.withExactPasses }
    } catch {
      throw .usage("unknown metric '\(error.name)'", unknown: error.name, known: MetricSelection.names)
    }
    self.filters = filters ?? arguments.all("--filter") + arguments.plain
    tags = arguments.list("--tag")
    // A result file of more can't be read.
    launches = try arguments.number(
      "--launches", in: 1...ResultFormat.mostLaunches, expected: "a whole number from 1 to \(ResultFormat.mostLaunches)"
    )
    timeLimit = try arguments.timeLimit()
    shard = try Shard(arguments)
    affectedSince = arguments.last(Program.affectedSinceOption.name)
    if affectedSince != nil, arguments.has("--executable") {
      throw .usage("--affected-since builds the package, so that it can't be beside --executable")
    }
    seed =
      try arguments.number("--seed", in: 0...UInt64.max, expected: "a whole number from 0")
      ?? UInt64.random(in: 0...UInt64(UInt32.max))

    allowsDebug = arguments.has("--allow-debug")

    var words: [String] = []
    if effort != .normal { words.append("--\(effort.rawValue)") }
    if allowsDebug { words.append("--allow-debug") }
    if arguments.has("--counts") { words.append("--counts") }
    for option in ["--metrics", "--launches", "--time-limit", "--shard", "--affected-since"] {
      words += arguments.all(option).map { "\(option) \($0)" }
    }
    words += tags.map { "--tag \($0)" }
    words += self.filters.map { "--filter \($0)" }
    self.words = words.joined(separator: " ")
  }

  /// Reads what `text` has written.
  ///
  /// - Parameters:
  ///   - recorded: The text. No option's value has a space in it: neither names of benchmarks nor of metrics do.
  ///   - options: The options of `gauge run`.
  /// - Throws: `CommandFailure` with code `usage` for another text.
  init(recorded: String, options: [OptionSyntax]) throws(CommandFailure) {
    let words = recorded.split(separator: " ").map(String.init)
    try self.init(Arguments(words, options: options))
  }

  /// Takes the commit in place of `affectedSince`'s name, which may soon be another's.
  mutating func pinRevision(_ commit: String) {
    guard let name = affectedSince else { return }
    let option = Program.affectedSinceOption.name
    words = words.replacing("\(option) \(name)", with: "\(option) \(commit)")
    affectedSince = commit
  }

  /// Refuses a command line that asks for something else than this.
  ///
  /// - Parameters:
  ///   - arguments: The command line; what it leaves out is as recorded.
  ///   - path: The file that this was recorded in.
  /// - Throws: `CommandFailure` with code `usage`.
  func check(_ arguments: Arguments, against path: String) throws(CommandFailure) {
    let given = try RunOptions(arguments)
    let sameWords = given.words.isEmpty || given.words == words
    guard sameWords, !arguments.has("--seed") || given.seed == seed else {
      let asked = arguments.has("--seed") ? given.text : given.words
      throw CommandFailure(
        code: .usage, message: "\(path) was begun with other options: '\(text)', not '\(asked)'",
        advice: "Leave them out: --resume takes them from the file. Without --resume a new run replaces it.")
    }
  }
}

extension Program {
  /// The option that says how long a launch may take.
  static let timeLimitOption = OptionSyntax(
    name: "--time-limit", placeholder: "SECONDS",
    help: """
      Time after which a launch counts as hanging and is killed.
      Default: 60 s for a benchmark's first launch, then ten times as
      long as its longest, 10 s at least.
      """)
}

extension Arguments {
  /// The value of `--time-limit`; `nil` where it isn't given.
  ///
  /// - Throws: `CommandFailure` with code `usage`.
  func timeLimit() throws(CommandFailure) -> Duration? {
    let seconds: Double? = try number("--time-limit", in: 0.001...1e6, expected: "seconds above 0")
    return seconds.map { .milliseconds(Int($0 * 1000)) }
  }
}
