// What `gauge bisect` asks of commits: that they are built, and launched in turn.
// No test file: BisectVerbTests runs it.

import Foundation
import Gauge
import GaugeStatistics

/// The commits of a search, each built when it is first asked for, with a benchmark and a metric of it.
final class CommitBench {
  /// What is measured.
  struct Aim {
    /// The benchmark, as the command line names it.
    var benchmark: String
    /// The metric.
    var metric: String
    /// Its pass.
    var pass: LaunchRequest.Pass
    /// Time after which a launch is killed, if not the default.
    var timeLimit: Duration?
  }

  /// Why a commit can't be measured.
  private struct Unusable: Error {
    var reason: String
  }

  /// A commit that can be measured.
  private struct Ready {
    var point: BenchmarkPoint
    var side: AbSide
  }

  private let program: Program
  private let home: String
  private let commits: [Revisions.Commit]
  private let builds: CommitBuilds
  private let aim: Aim
  private let signals: PendingSignals
  private let scratch = Program.scratchPath()
  private var random: Xoshiro256
  private var sequence = 0
  private var ready: [Int: Ready] = [:]
  private var counts: [Int: Results] = [:]
  /// The benchmark's name with parameters, once a commit has told it.
  var title: String?
  /// The signal that ended the work in hand.
  private(set) var interruption: Int32?

  /// - Parameters:
  ///   - program: What is around.
  ///   - home: The package's folder.
  ///   - commits: The commits, the good one first.
  ///   - builds: What builds them.
  ///   - aim: What is measured.
  ///   - seed: What the order of launches is drawn from.
  init(
    _ program: Program, home: String, commits: [Revisions.Commit], builds: CommitBuilds, aim: Aim, seed: UInt64
  ) {
    self.program = program
    self.home = home
    self.commits = commits
    self.builds = builds
    self.aim = aim
    signals = program.blockSignals()
    random = Xoshiro256(seed: seed)
  }

  /// Tears down what launches needed, and removes what was laid out for them.
  func close() {
    for commit in ready.keys.sorted() { program.tell(ready[commit]?.side.tearDown() ?? []) }
    // Where that fails the system clears its folder for temporary files.
    try? FileManager.default.removeItem(atPath: scratch)
    builds.clear()
  }

  /// The benchmark of the good commit, which a search begins with.
  ///
  /// - Returns: `nil` where a signal ended it.
  /// - Throws: `CommandFailure` where it can't be measured there.
  func subject() throws(CommandFailure) -> SearchState.Subject? {
    switch try find(0) {
    case nil: return nil
    case .failure(let unusable)?:
      throw CommandFailure(
        code: .broke, message: "the good commit \(commits[0].hash.prefix(12)) can't be measured: \(unusable.reason)")
    case .success(let ready)?:
      var isExact = !ready.point.hasThreads && (Metric.heap + Metric.counted).contains { $0.name == aim.metric }
      for end in [0, commits.count - 1] where isExact {
        guard let repeats = try repeats(end) else { return nil }
        isExact = repeats
      }
      return SearchState.Subject(
        benchmark: ready.point.benchmark, parameters: ready.point.parameters, isExact: isExact)
    }
  }

  /// Whether some launches of a commit count the same: what varies, as by random numbers, is searched for like a time.
  ///
  /// - Returns: `nil` where a signal ended it.
  private func repeats(_ commit: Int) throws(CommandFailure) -> Bool? {
    // One that can't be measured says so when it is asked for.
    guard case .success(let ready)? = try find(commit) else { return interruption == nil ? true : nil }
    guard case .launched(_, let values)? = try launch([commit], rounds: Self.repetitions) else {
      return interruption == nil ? true : nil
    }
    do throws(ResultFile.Failure) {
      let rows = try ready.side.results.rows.filter { $0.metric.name == aim.metric }
      return rows.allSatisfy { $0.metric.kind == .exact } && values[0].allSatisfy { $0 == values[0][0] }
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Launches of a commit that show whether its counts repeat.
  private static let repetitions = 3

  /// Answers a question.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - search: Whose it is.
  /// - Returns: `nil` where a signal came before there was an answer.
  func answer(_ question: CommitSearch.Question, of search: CommitSearch) throws(CommandFailure) -> CommitSearch.Answer?
  {
    switch question {
    case .build(let commit):
      let number = "\(search.builds + 1)"
      program.console.error.line(
        "gauge: build \(number): \(commits[commit].hash.prefix(12)) \(excerpt(of: commits[commit].subject))")
      return try build(commit, beside: search.built)
    case .launch(let commits, let rounds):
      let names = commits.map { String(self.commits[$0].hash.prefix(12)) }.joined(separator: ", ")
      program.console.error.line("gauge: \(rounds) \(rounds == 1 ? "launch" : "launches") of \(names)")
      return try launch(commits, rounds: rounds)
    }
  }

  /// Builds a commit, and looks whether it does the same as another.
  private func build(_ commit: Int, beside others: [Int]) throws(CommandFailure) -> CommitSearch.Answer? {
    guard let found = try find(commit) else { return nil }
    guard case .success(let ready) = found else { return unusable(commit, found) }
    var same: Int?
    for other in others {
      guard case .success(let known)? = try find(other) else { continue }
      let row = InterleavedRun.Row(base: known.point, new: ready.point)
      if Program.identical([row]).contains(row) { return .built(commit, like: other, isIdentical: true) }
      if same == nil, let before = try counts(of: other, known), let after = try counts(of: commit, ready),
        EqualCounts.titles(before, after).contains(ready.point.title)
      {
        same = other
      }
    }
    return interruption == nil ? .built(commit, like: same, isIdentical: false) : nil
  }

  private func unusable(_ commit: Int, _ found: Result<Ready, Unusable>) -> CommitSearch.Answer? {
    guard case .failure(let unusable) = found else { return nil }
    program.console.error.line("gauge: \(commits[commit].hash.prefix(12)) is skipped: \(unusable.reason)")
    return .unusable(commit, reason: unusable.reason)
  }

  /// What callgrind and the hooks count of a commit's benchmark, by one launch of each; `nil` where that tells nothing.
  private func counts(of commit: Int, _ ready: Ready) throws(CommandFailure) -> Results? {
    // Where a count is searched for, a launch tells it as soon.
    guard aim.pass == .time, !ready.point.hasThreads else { return nil }
    if let known = counts[commit] { return known }
    let plan = LaunchPlan(points: [ready.point], selection: .exact, seed: 0) { _, _ in
      Effort.Share(launches: 1, budget: Program.countingBudget)
    }
    do throws(ResultFile.Failure) {
      interruption = try ready.side.carryOut(plan).interruption ?? interruption
      let results = try ready.side.results
      if interruption == nil { counts[commit] = results }
      return results
    } catch {
      throw CommandFailure(error)
    }
  }

  /// A commit's benchmark, built; or why it can't be measured.
  ///
  /// - Returns: `nil` where a signal ended it.
  private func find(_ commit: Int) throws(CommandFailure) -> Result<Ready, Unusable>? {
    if let known = ready[commit] { return .success(known) }
    let build: Revisions.Side
    let points: [BenchmarkPoint]
    do throws(PackageFailure) {
      build = try builds.build(commits[commit].hash, filters: [aim.benchmark])
      points = try BenchmarkList.points(of: build.executables)
    } catch {
      // The package manager has had the signal, too.
      interruption = signals.first
      guard interruption == nil else { return nil }
      return .failure(Unusable(reason: Self.words(for: error)))
    }
    interruption = signals.first
    guard interruption == nil else { return nil }
    let missing = build.uncompiled.isEmpty ? nil : "\(build.uncompiled.joined(separator: ", ")) doesn't build"
    let point: BenchmarkPoint
    if let title {
      guard let known = points.first(where: { $0.title == title }) else {
        return .failure(Unusable(reason: missing ?? "it doesn't have the benchmark"))
      }
      point = known
    } else {
      if let missing, !points.contains(where: Glob(aim.benchmark).matches) {
        return .failure(Unusable(reason: missing))
      }
      let fitting = try Program.fitting([aim.benchmark], points)
      guard fitting.count == 1 else {
        throw .usage("one benchmark is searched for, and \(fitting.count) fit '\(aim.benchmark)'")
      }
      point = fitting[0]
      title = point.title
    }
    guard point.passes.contains(aim.pass) else {
      return .failure(Unusable(reason: "the benchmark doesn't measure \(aim.metric) there"))
    }
    return try makeReady(commit, point, build)
  }

  /// Begins the file of a commit's launches, and sets up what they need.
  private func makeReady(
    _ commit: Int, _ point: BenchmarkPoint, _ build: Revisions.Side
  ) throws(CommandFailure) -> Result<Ready, Unusable> {
    let name = String(commits[commit].hash.prefix(12))
    let side: AbSide
    do throws(ResultFile.Failure) {
      side = try AbSide(
        "\(home)/results/bisect/\(name).csv", head: program.environment(of: build, home, options: "bisect"),
        points: [point], scratch: "\(scratch)/\(name)", environment: program.environment, timeLimit: aim.timeLimit,
        signals: signals)
    } catch {
      throw CommandFailure(error)
    }
    do throws(CommandFailure) {
      try side.setUp()
    } catch {
      return .failure(Unusable(reason: legibleLines(error.message).first ?? ""))
    }
    let ready = Ready(point: point, side: side)
    self.ready[commit] = ready
    return .success(ready)
  }

  /// Why a commit can't be built, in a line.
  static func words(for failure: PackageFailure) -> String {
    switch failure {
    case .buildFailed: return "it doesn't build"
    case .toolFailed(let what, let output):
      // What a tool prints ends with what stopped it.
      let cause = legibleLines(output).last { !$0.isEmpty }
      return legible("\(what) failed") + (cause.map { ": \($0)" } ?? "")
    default: return legibleLines("\(failure)").first ?? ""
    }
  }

  /// Launches commits in turn, in a new order each round.
  private func launch(_ commits: [Int], rounds: Int) throws(CommandFailure) -> CommitSearch.Answer? {
    var sides: [Ready] = []
    for commit in commits {
      guard let found = try find(commit) else { return nil }
      guard case .success(let ready) = found else { return unusable(commit, found) }
      sides.append(ready)
    }
    do throws(ResultFile.Failure) {
      return try launch(commits, sides, rounds: rounds)
    } catch {
      throw CommandFailure(error)
    }
  }

  private func launch(
    _ commits: [Int], _ sides: [Ready], rounds: Int
  ) throws(ResultFile.Failure) -> CommitSearch.Answer? {
    // Counts don't depend on where a file lies in memory, and what is preloaded is known by the original.
    let isPlaced = aim.pass != .counts && !LaunchRunner.preloads(aim.pass)
    let copies = ExecutableCopies(of: isPlaced ? sides.map(\.point.executable) : [])
    defer { copies.removeAll() }
    let budget = isPlaced ? InterleavedRun.launchBudget : Program.countingBudget
    let starts = try sides.map { ready throws(ResultFile.Failure) in try values(of: ready).count }
    var complete = 0
    var complaint: String?
    turns: for _ in 0..<rounds {
      if complaint == nil, let text = copies.renew() {
        complaint = text
        program.console.error.line("gauge: warning: \(text): launches tell of where it lies in memory, too")
      }
      for place in order(of: sides.count) {
        var point = sides[place].point
        point.executable = copies.path(of: point.executable)
        let planned = PlannedLaunch(point: point, pass: aim.pass, launch: sequence, sequence: sequence, budget: budget)
        sequence += 1
        let summary = try sides[place].side.carryOut(LaunchPlan([planned]))
        interruption = summary.interruption
        if interruption != nil { break turns }
        if let fault = summary.faults.first { return broken(commits[place], "it breaks there: \(fault.reason)") }
      }
      complete += 1
    }
    var launched: [[Double]] = []
    for (place, start) in starts.enumerated() {
      let values = try values(of: sides[place]).dropFirst(start).prefix(complete)
      guard values.count == complete else {
        return broken(commits[place], "no launch of it tells \(aim.metric)")
      }
      launched.append(Array(values))
    }
    return complete > 0 ? .launched(commits, launched) : nil
  }

  private func broken(_ commit: Int, _ reason: String) -> CommitSearch.Answer? {
    unusable(commit, .failure(Unusable(reason: reason)))
  }

  /// What the launches of a commit have measured so far.
  private func values(of ready: Ready) throws(ResultFile.Failure) -> [Double] {
    try ready.side.results.rows.compactMap { row in
      guard row.metric.name == aim.metric, case .value(let value) = row.outcome, value.isFinite else { return nil }
      return value
    }
  }

  /// The order of a round.
  private func order(of count: Int) -> [Int] {
    var order = Array(0..<count)
    for last in order.indices.dropFirst().reversed() { order.swapAt(last, random.index(below: last + 1)) }
    return order
  }
}

extension Program {
  /// What builds commits of the package in a folder.
  func commitBuilds(_ home: String) throws(CommandFailure) -> CommitBuilds {
    do throws(PackageFailure) {
      let revisions = Revisions(package: try BenchmarkPackage(around: home, swift: swift))
      return CommitBuilds(
        revisions: revisions, stripper: DebugStripper(besides: swift, path: environment["PATH"] ?? ""),
        toolchain: revisions.toolchain)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Tells that a signal came, and how to go on.
  func stopped(by signal: Int32) -> Int32 {
    console.error.line(
      "gauge: stopped by \(SystemError.words(forSignal: signal)); the same command goes on from there")
    return 128 + signal
  }

  /// The commits between two revisions, both included.
  ///
  /// - Parameters:
  ///   - first: The earlier revision.
  ///   - last: The later one.
  ///   - names: What a complaint calls them.
  ///   - revisions: The revisions.
  /// - Throws: `CommandFailure` where the second was not made on the first, or one of them is no commit.
  static func line(
    from first: String, to last: String, named names: (String, String), of revisions: Revisions
  ) throws(CommandFailure) -> [Revisions.Commit] {
    let advice: String
    do throws(PackageFailure) {
      let (start, end) = (try revisions.commit(of: first), try revisions.commit(of: last))
      let line = try revisions.line(from: start, to: end)
      guard line.isEmpty else { return line }
      if try !revisions.line(from: end, to: start).isEmpty {
        advice = "It is the other way round: '\(last)' comes first."
      } else {
        advice = try revisions.isShallow ? "Or \(PackageFailure.shallow)." : ""
      }
    } catch {
      throw CommandFailure(error)
    }
    throw CommandFailure(
      code: .usage, message: "'\(last)' was not made on '\(first)': \(names.0) has to be an ancestor of \(names.1)",
      advice: advice)
  }
}
