// The measuring of `gauge ab`: counts of all sides, then launches in turn of what these leave open, then verdicts.
// No test file: AbVerbTests and VaryOptionTests look at what it measures and says.

import Foundation
import Gauge
import GaugeStatistics

/// What `gauge ab` measures, and how.
struct AbMeasuring {
  /// A new side and its rows.
  struct Pair {
    /// The base, which all pairs have, and the new side.
    var sides: AbSides
    /// Name of the new side's file, without its extension.
    var name: String
    /// Benchmarks that both sides have.
    var rows: [InterleavedRun.Row]
    /// Rows that a change can't have touched.
    var unaffected: Set<InterleavedRun.Row> = []
  }

  /// What decides how it is measured.
  struct Terms {
    /// When no further pair is begun.
    var deadline: SuspendingClock.Instant
    /// What the project says about its own rows.
    var thresholds: [Threshold]
    /// What the order is drawn from.
    var seed: UInt64
    /// Whether rows are timed, too, whose counts are identical.
    var timesAll: Bool
    /// Whether all sides are counted first.
    var counts: Bool
    /// Time after which a launch is killed, if not the default.
    var timeLimit: Duration?
    /// The command line that measures the same sides again, without filters and budget.
    var command: String
  }

  /// How the measuring ended.
  enum Ending {
    /// By a signal; the files hold what was measured.
    case interrupted(Int32)
    /// With verdicts on each new side, and the launches that they are of.
    case judged([Judged], base: Results, terms: String)
  }

  /// A new side with its verdicts.
  struct Judged {
    /// The verdicts.
    var comparison: Comparison
    /// Its launches.
    var new: Results
  }

  /// Where it prints, and what it starts.
  let program: Program
  /// The new sides, one at least.
  let pairs: [Pair]
  /// What decides how it is measured.
  let terms: Terms

  /// Relative change of the instructions that is no verdict of its own: what a compiler moves about while the code
  /// stays the same.
  static let instructionThreshold = 0.005

  /// A row that is the same without a time, and why.
  private typealias Settled = (row: InterleavedRun.Row, reason: String)

  /// Measures all sides and judges the new ones.
  func measure() throws(CommandFailure) -> Ending {
    let machine = program.lockMachine()
    defer { machine?.hold() }
    let signals = program.blockSignals()
    let scratch = Program.scratchPath()
    // Where that fails the system clears its folder for temporary files.
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    let names = pairs.reduce(into: Set<String>()) { $0.formUnion($1.sides.launchChange.names) }
    func side(
      _ side: Revisions.Side, _ name: String, _ points: [BenchmarkPoint], _ variant: Variant? = nil
    ) throws(ResultFile.Failure) -> AbSide {
      let home = pairs[0].sides.home
      return try AbSide(
        "\(home)/results/ab/\(name).csv",
        head: program.environment(of: side, home, options: "ab --seed \(terms.seed)", variant: variant),
        points: points, scratch: scratch + "/" + name, environment: program.environment,
        change: variant?.launch ?? LaunchChange(), handing: names, timeLimit: terms.timeLimit, signals: signals)
    }
    let base: AbSide
    var news: [AbSide] = []
    do throws(ResultFile.Failure) {
      base = try side(pairs[0].sides.base, "base", Self.bases(pairs.map(\.rows)))
      for pair in pairs { news.append(try side(pair.sides.new, pair.name, pair.rows.map(\.new), pair.sides.variant)) }
    } catch {
      throw CommandFailure(error)
    }
    var standing: [AbSide] = []
    defer { for side in standing { program.tell(side.tearDown()) } }
    for side in [base] + news {
      try side.setUp()
      standing.append(side)
    }
    do throws(ResultFile.Failure) {
      return try measure(base, news)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// The benchmarks of the base that rows are of, each once.
  private static func bases(_ rows: [[InterleavedRun.Row]]) -> [BenchmarkPoint] {
    var known: Set<String> = []
    return rows.joined().map(\.base).filter { known.insert($0.title).inserted }
  }

  private func measure(_ base: AbSide, _ news: [AbSide]) throws(ResultFile.Failure) -> Ending {
    let begun = SuspendingClock.now
    var settled: [[Settled]] = []
    var differing: [[InterleavedRun.Row]] = []
    for pair in pairs {
      // Launched otherwise, the same executables do something else.
      let identical = pair.sides.launchChange.isEmpty ? Program.identical(pair.rows) : []
      let same = pair.rows.compactMap { row -> Settled? in
        identical.contains(row)
          ? (row, "the binaries are identical")
          : pair.unaffected.contains(row) ? (row, "all that it executes is the same") : nil
      }
      let titles = Set(same.map(\.row))
      settled.append(same)
      differing.append(pair.rows.filter { !titles.contains($0) })
    }
    // Counts first: a launch of each side, as they repeat.
    let isCounted = pairs.map { terms.counts && Callgrind.obstacle(to: $0.sides.launchChange) == nil }
    for (pair, isCounted) in zip(pairs, isCounted) where terms.counts && !isCounted {
      let reason = Callgrind.obstacle(to: pair.sides.launchChange) ?? ""
      program.console.error.line("gauge: '\(pair.sides.variant?.text ?? "")' is timed only: \(reason)")
    }
    let counting = zip(differing, isCounted).map { $1 ? $0 : [] }
    let counted = Self.bases(counting)
    if !counted.isEmpty {
      program.console.error.line("gauge: counting \(counted.count) rows of \(pairs.count == 1 ? "both" : "all") sides")
    }
    let countings = ([counted] + counting.map { $0.map(\.new) }).map { points in
      LaunchPlan(points: points, selection: .exact, seed: terms.seed) { _, _ in
        Effort.Share(launches: 1, budget: Program.countingBudget)
      }
    }
    var sequence = countings.map(\.launches.count).max() ?? 0
    let sides = [base] + news
    if let signal = try AbSide.carryOutAtOnce(zip(sides, countings).map { (side: $0, plan: $1) }) {
      return .interrupted(signal)
    }
    let countedBase = try base.results
    var countedNews: [Results] = []
    for new in news {
      let results = try new.results
      try results.expectDirections(of: countedBase)
      countedNews.append(results)
    }
    // What several threads allocate varies, and takes some launches to judge.
    let again = zip(counting, countedNews).map { rows, results in
      let varying = Set((countedBase.rows + results.rows).filter { $0.metric.isVaryingCount }.map(\.key.title))
      return rows.filter { varying.contains($0.new.title) }
    }
    let launches =
      zip(again, differing).map {
        Self.launches(ofVarying: $0.count, among: $1.count, confidence: suiteConfidence)
      }.max() ?? 0
    let recountings = ([Self.bases(again)] + again.map { $0.map(\.new) }).map {
      Self.recounting($0, launches, from: sequence)
    }
    sequence += recountings.map(\.launches.count).max() ?? 0
    if let signal = try AbSide.carryOutAtOnce(zip(sides, recountings).map { (side: $0, plan: $1) }) {
      return .interrupted(signal)
    }
    var timed: [[InterleavedRun.Row]] = []
    for (index, results) in countedNews.enumerated() {
      let broken = Set((countedBase.faults + results.faults).map(\.title))
      // Counts don't see where data lies in memory, which is what an allocator decides.
      let isTimed = terms.timesAll || !isCounted[index] || !pairs[index].sides.launchChange.preloads.isEmpty
      let equal = isTimed ? [] : EqualCounts.titles(countedBase, results)
      for row in differing[index] where equal.contains(row.new.title) {
        settled[index].append((row, "the counts are identical"))
      }
      timed.append(
        differing[index].filter {
          !equal.contains($0.new.title) && !broken.contains($0.new.title) && $0.new.passes.contains(.time)
            && $0.base.passes.contains(.time)
        })
    }

    // What is judged together shares the error: all new sides do.
    let judge = SequentialJudge(rows: timed.map(\.count).reduce(0, +), thresholds: terms.thresholds)
    let copies = ExecutableCopies(of: timed.joined().flatMap { [$0.base.executable, $0.new.executable] })
    defer { copies.removeAll() }
    var complaint: String?
    let run = InterleavedRun(
      rows: timed, judge: judge, budget: InterleavedRun.launchBudget, deadline: terms.deadline,
      place: {
        guard complaint == nil else { return }
        complaint = copies.renew()
        if let complaint {
          program.console.error.line(
            "gauge: warning: \(complaint): a verdict may tell of where the executable lies in memory, not of its code")
        }
      },
      launch: { planned, side throws(ResultFile.Failure) in
        var planned = planned
        planned.point.executable = copies.path(of: planned.point.executable)
        return try sides[side].carryOut(LaunchPlan([planned]))
      },
      times: { (side: Int) throws(ResultFile.Failure) in try Self.times(of: sides[side]) })
    var random = Xoshiro256(seed: terms.seed)
    let start = SuspendingClock.now
    let outcomes = try run.run(&random, sequence: &sequence) { program.console.error.line("gauge: " + $0) }
    if let signal = outcomes.lazy.compactMap(\.interruption).first { return .interrupted(signal) }
    // Each row gets as many launches as it takes, and no number is planned: all files are whole.
    for side in sides { try side.end(after: sequence) }
    let pairSeconds = (SuspendingClock.now - start) / .seconds(1) / Double(max(1, outcomes.map(\.pairs).reduce(0, +)))
    let countingSeconds = (start - begun) / .seconds(1)
    let before = try base.results
    var judged: [Judged] = []
    var open: [(missing: MissingPairs, titles: [String])] = []
    for (index, outcome) in outcomes.enumerated() {
      let missing = MissingPairs(outcome, pairSeconds: pairSeconds, countingSeconds: countingSeconds)
      let after = try news[index].results
      let shared = pairs.count == 1 ? before : Self.part(of: before, beside: after, timed: timed[index])
      let comparison = comparison(
        shared, after, outcome, judge, missing: missing, timed: timed[index], settled: settled[index],
        mayLackCounts: !pairs[index].sides.launchChange.preloads.isEmpty)
      let titles = comparison.entries.filter {
        $0.key.metric == Metric.time.name && $0.verdict == .notEnoughData
      }.map(\.key.title)
      open.append((missing, titles))
      judged.append(Judged(comparison: comparison, new: after))
    }
    return .judged(
      judged, base: before,
      terms: words(for: judge) + MissingPairs.advice(of: open, command: terms.command))
  }

  /// What of a base that several sides share belongs to one of them: the launches that are as old as its own.
  static func part(of base: Results, beside new: Results, timed: [InterleavedRun.Row]) -> Results {
    let last = Dictionary(new.rows.map { ($0.key, $0.launch) }, uniquingKeysWith: max)
    let titles = Set(timed.map(\.new.title))
    let all = new.rows.reduce(into: [String: Int]()) { $0[$1.key.title] = max($0[$1.key.title] ?? 0, $1.launch) }
    var part = base
    part.rows = base.rows.filter { row in
      if let last = last[row.key] { return row.launch <= last }
      // What the new side never tells is only in the base, as far as both were launched.
      return titles.contains(row.key.title) && row.launch <= all[row.key.title] ?? -1
    }
    let measured = Set(new.rows.map(\.key.title)).union(new.faults.map(\.title)).union(titles)
    part.faults = base.faults.filter { measured.contains($0.title) }
    return part
  }

  /// The complement of the chance of any false change of counts that vary, and of what rare operations add, that of a
  /// time is as small. They are tested once for each new side, when all times are decided.
  private var suiteConfidence: Double { 1 - Self.suiteError / Double(pairs.count) }
  private static let suiteError = 0.001

  /// The fewest launches of counts that vary with which each can get a verdict, whatever else is judged.
  ///
  /// - Parameters:
  ///   - rows: Benchmarks whose counts of the heap vary.
  ///   - all: Benchmarks that may be timed, of each of which what rare operations add is judged.
  ///   - confidence: The complement of the chance of any false change among them.
  static func launches(ofVarying rows: Int, among all: Int, confidence: Double = 1 - suiteError) -> Int {
    let family = rows * Metric.heap.count + all
    return max(
      ComparisonOptions().minimumLaunches, Draft.launchesNeeded(family: family, confidence: confidence))
  }

  /// The launches that count allocations, less the first, which has been made.
  private static func recounting(_ points: [BenchmarkPoint], _ count: Int, from sequence: Int) -> LaunchPlan {
    let launches = points.filter { $0.passes.contains(.allocations) }.flatMap { point in
      (1..<count).map { (point, $0) }
    }
    return LaunchPlan(
      launches.enumerated().map { index, launch in
        PlannedLaunch(
          point: launch.0, pass: .allocations, launch: launch.1, sequence: sequence + index,
          budget: Program.countingBudget)
      })
  }

  /// The times of a side so far, by benchmark.
  private static func times(of side: AbSide) throws(ResultFile.Failure) -> [String: [Double]] {
    MeasuredRows.grouped(try side.results).reduce(into: [:]) { times, entry in
      if entry.key.metric == Metric.time.name { times[entry.key.title] = entry.value.values }
    }
  }

  /// The verdicts: counts as `gauge compare` gives them, times as they were decided.
  private func comparison(
    _ base: Results, _ new: Results, _ outcome: InterleavedRun.Outcome, _ judge: SequentialJudge,
    missing: MissingPairs, timed: [InterleavedRun.Row], settled: [Settled], mayLackCounts: Bool
  ) -> Comparison {
    var options = ComparisonOptions()
    options.suiteConfidence = suiteConfidence
    options.thresholds =
      [
        Threshold(
          benchmark: "*", metric: Metric.instructions.name, relative: Self.instructionThreshold, absolute: nil)
      ] + terms.thresholds
    var comparison = Comparison(base: base, new: new, options: options)
    var entries = comparison.entries
    for index in entries.indices where entries[index].key.metric == Metric.time.name {
      guard entries[index].judgement != .shown else { continue }
      let title = entries[index].key.title
      let judgement = outcome.judgements[title]
      entries[index].change = judgement?.change ?? entries[index].change
      entries[index].pValue = nil
      entries[index].judgement = .judged(judgement?.verdict ?? .notEnoughData)
      entries[index].sameWithin = judgement?.within
      entries[index].reason = [judgement?.reason ?? "", missing.reason(of: title)].filter { !$0.isEmpty }
        .joined(separator: "; ")
    }
    let timedTitles = Set(timed.map(\.new.title))
    let before = MeasuredRows.grouped(base)
    for index in entries.indices where timedTitles.contains(entries[index].key.title) {
      let metric = entries[index].metric
      if metric.kind == .sampled, metric.name != Metric.time.name, !metric.isVaryingCount,
        before[entries[index].key]?.metric.kind != .exact, entries[index].judgement == .judged(.notEnoughData)
      {
        // Pairs are made until the time is decided. What else they tell is told, and asks for no more of them.
        entries[index].judgement = .shown
        entries[index].reason = "the time decides how much is measured"
      }
      if mayLackCounts, entries[index].judgement == .judged(.notEnoughData),
        Metric.counted.contains(where: { $0.name == metric.name })
      {
        // What can't be counted beside a preloaded library, or varies with it, is told, and the time decides.
        entries[index].judgement = .shown
      }
    }
    // Rows that the time did not reach at all are undecided, not left out.
    let measured = Set(entries.filter { $0.key.metric == Metric.time.name }.map(\.key.title))
    entries += timed.filter { outcome.isOutOfTime && !measured.contains($0.new.title) }.map { row in
      ComparisonEntry(
        key: row.timeKey, metric: .time, before: nil, after: nil, change: nil, judgement: .judged(.notEnoughData),
        reason: missing.reason(of: row.new.title))
    }
    entries += settled.map { row, reason in
      ComparisonEntry(
        key: row.timeKey, metric: .time, before: nil, after: nil, change: nil, judgement: .judged(.same),
        reason: "not measured: \(reason)")
    }
    let open = entries.filter { $0.key.metric == Metric.time.name && $0.verdict == .notEnoughData }.map(\.key.title)
    comparison.replace(entries, terms: words(for: judge) + missing.advice(for: open, command: terms.command))
    return comparison
  }

  /// What the verdicts are held against, in some sentences.
  private func words(for judge: SequentialJudge) -> String {
    "Interleaved launches: a change counts from \(allDigits(judge.threshold * 100)) % and "
      + "\(allDigits(judge.resolution)) ns on, the same is within \(allDigits(judge.margin * 100)) % or "
      + "\(allDigits(SequentialJudge.deviationShare)) of what a row's launches deviate by; "
      + "any false change of a time in 1 of 1,000 suites, and any of what else varies in 1 of 1,000"
      + (pairs.count == 1 ? "." : ", all variants together.")
      + " Instructions count from \(allDigits(Self.instructionThreshold * 100)) % on."
      + (terms.thresholds.isEmpty ? "" : " The project's own thresholds prevail where they fit.")
  }
}

extension Metric {
  /// Whether this is a count of the heap's hooks that several threads make vary.
  fileprivate var isVaryingCount: Bool { kind == .sampled && Metric.heap.contains { $0.name == name } }
}
