// `gauge bisect`: which commit changed a benchmark, between one that was good and one that is bad.

import Foundation
import Gauge

extension Verb {
  /// `gauge bisect`.
  static let bisect = Verb(
    name: "bisect", arguments: "GOOD BAD BENCHMARK",
    summary: "Finds the commit that changed a benchmark, for the worse or the better.",
    description: """
      Halves the commits between two revisions until one is left. GOOD is an ancestor of BAD; of merges the first parent
      is followed where that leads to GOOD. Each commit is built in .gauge/ab/tree. What builds is kept in .gauge/bisect
      by the content of the commit, BENCHMARK and the toolchain, and is not built again as long as there is room.
      Launches go to results/bisect.

      A metric that is counted is told by one launch of each commit. Of a time the counts are looked at first, too: a
      benchmark of one thread that counts the same as at a measured commit is not timed. Else launches of the commit and
      of both ends of what is left are made in turn, 20 to 1150 of each, until they say which end it is like: within a
      third of their difference. The chance of any wrong answer over the whole search is 1 %, or what --error says: a
      quarter of it each for the difference of GOOD and BAD, for all commits between, for the step, and for the rest.

      A commit that doesn't build, or doesn't have the benchmark, is skipped and named; it stays a suspect together with
      the next that does. One that is like neither end is stepped around, as what comes and goes is. At the end one more
      commit is built in the widest part behind the step, and launches of GOOD, of both sides of the step and of BAD in
      turn say whether the step accounts for the whole change. Where it doesn't, what is left is told with the commands
      that search for it; where there is no step of a quarter of the change, that came bit by bit.

      Answers are kept in .gauge/bisect.json: the same command with the same toolchain goes on with a search that was
      interrupted.
      """,
    options: [
      OptionSyntax(
        name: "--metric", placeholder: "NAME",
        help: "What has changed, as 'gauge run --metrics' takes it. Default: time."),
      OptionSyntax(
        name: "--error", placeholder: "PERCENT", help: "Chance of a wrong answer over the whole search. Default: 1."),
      Program.timeLimitOption,
      OptionSyntax(name: "--seed", placeholder: "N", help: "What the order is drawn from. Default: random."),
      OptionSyntax(name: "--restart", help: "Begin anew instead of going on with an interrupted search."),
    ] + Program.thresholdOptions + common,
    examples: [
      ("gauge bisect v1.0 HEAD 'words/split'", "Which commit changed the time of words/split since v1.0."),
      ("gauge bisect --metric allocations v1.0 HEAD 'words/split'", "... and which one its allocations."),
    ],
    exitCodes: [
      ("0", "a commit was found, or some of which one is it"),
      ("3", "GOOD or BAD can't be built, or the benchmark breaks there"),
      ("7", "there is no change between them, no commit accounts for it, or the launches don't tell which"),
      ("64", "the command line is wrong, or GOOD is no ancestor of BAD"),
      ("65", "something in .gauge may be a stranger's, or a file is damaged"),
      ("66", "no package, or no benchmarks in it"),
      ("73", "a file can't be written, or another comparison is at work in the package"),
      ("130", "interrupted (143: terminated)"),
    ],
    believesFolder: true,
    action: { program, arguments throws(CommandFailure) in try program.bisect(arguments) })
}

extension Program {
  /// Runs `gauge bisect`.
  func bisect(_ arguments: Arguments) throws(CommandFailure) -> Int32 {
    try arguments.expect(plain: 3...3, usage: "gauge bisect GOOD BAD BENCHMARK")
    let error =
      (try arguments.number("--error", in: 0.0001...20, expected: "per cent above 0, at most 20") ?? 1.0) / 100
    let seed =
      try arguments.number("--seed", in: 0...UInt64.max, expected: "a whole number from 0")
      ?? UInt64.random(in: 0...UInt64(UInt32.max))
    let metric = arguments.last("--metric") ?? Metric.time.name
    guard let pass = MetricSelection.pass(ofMetric: metric) else {
      throw .usage("unknown metric '\(metric)'", unknown: metric, known: MetricSelection.names)
    }
    let thresholds = try thresholds(arguments)
    let home = try home(arguments)
    // A comparison would use the same folders.
    let lock = try lock(folderOf: home + "/results/ab/new.csv")
    defer { lock?.hold() }
    let builds = try commitBuilds(home)
    let commits = try Self.line(
      from: arguments.plain[0], to: arguments.plain[1], named: ("GOOD", "BAD"), of: builds.revisions)
    guard commits.count > 1 else {
      throw .usage("'\(arguments.plain[0])' and '\(arguments.plain[1])' are the same commit: nothing is between them")
    }
    let aim = CommitBench.Aim(
      benchmark: arguments.plain[2], metric: metric, pass: pass, timeLimit: try arguments.timeLimit())
    func terms(_ subject: SearchState.Subject) -> SearchState.Terms {
      let row = subject.row(of: metric)
      return SearchState.Terms(
        commits: commits.map(\.hash), toolchain: builds.toolchain, benchmark: aim.benchmark, metric: metric,
        threshold: thresholds.relative(row), resolution: thresholds.absolute(row), error: error)
    }
    let machine = lockMachine()
    defer { machine?.hold() }
    let bench = CommitBench(self, home: home, commits: commits, builds: builds, aim: aim, seed: seed)
    defer { bench.close() }
    return try search(bench, commits, terms, goesOn: !arguments.has("--restart"))
  }

  /// Searches, and tells what was found.
  private func search(
    _ bench: CommitBench, _ commits: [Revisions.Commit], _ terms: (SearchState.Subject) -> SearchState.Terms,
    goesOn: Bool
  ) throws(CommandFailure) -> Int32 {
    let path = resultsHome + "/.gauge/bisect.json"
    var state: SearchState
    if goesOn, let kept = SearchState(path, of: terms) {
      console.error.line("gauge: going on with the search of \(kept.answers.count) answers in \(path)")
      bench.title = kept.title
      state = kept
    } else {
      guard let subject = try bench.subject() else { return stopped(by: bench.interruption ?? 0) }
      state = SearchState(of: terms(subject), subject)
    }
    var search = state.search(Self.rules(state.terms, isExact: state.subject.isExact))
    while case .ask(let question) = search.next {
      if let answer = try bench.answer(question, of: search) {
        search.take(answer)
        state.answers = search.answers
        do throws(SystemError) {
          try state.write(to: path)
        } catch {
          throw CommandFailure(code: .cannotWrite, message: "\(error)")
        }
      }
      if bench.interruption != nil { return stopped(by: bench.interruption ?? 0) }
    }
    guard case .found(let finding) = search.next else { preconditionFailure("a search ends with what it found") }
    Files.remove(path)
    let text = BisectText(
      search: search, commits: commits, title: state.title,
      metric: Metric.builtIn(named: state.terms.metric) ?? Metric(state.terms.metric, unit: ""))
    let lines = text.lines(finding, width: console.output.columns ?? 120, colour: console.output.colour)
    console.output.marked(lines)
    switch finding {
    case .culprit: return ExitCode.same.rawValue
    case .unusable: return ExitCode.broke.rawValue
    case .identical, .unchanged, .drift, .unclear: return ExitCode.notEnoughData.rawValue
    }
  }

  /// The least of a metric other than time that is told from none.
  private static let leastCount = 0.001

  /// The rules of a search; counts of instructions differ by what a compiler moves about.
  private static func rules(_ terms: SearchState.Terms, isExact: Bool) -> SearchRules {
    let isTime = terms.metric == Metric.time.name
    let least = terms.metric == Metric.instructions.name ? AbMeasuring.instructionThreshold : 0
    return SearchRules(
      commits: terms.commits.count - 1, isExact: isExact,
      threshold: terms.threshold ?? (isExact ? least : SequentialJudge.usualThreshold),
      resolution: terms.resolution ?? (isTime ? SequentialJudge.usualResolution : 0),
      floor: isTime ? SequentialJudge.usualResolution : leastCount, error: terms.error)
  }
}
