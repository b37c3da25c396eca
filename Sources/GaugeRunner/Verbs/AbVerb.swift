// `gauge ab`: what a change of the sources does to the benchmarks, by launches of both builds in turn.

import Foundation
import Gauge
import GaugeStatistics

extension Verb {
  /// `gauge ab`.
  static let ab = Verb(
    name: "ab", arguments: "[GLOB ...]",
    summary: "Compares two revisions, or a baseline and today, by launches of both in turn.",
    description: """
      Builds both revisions, and runs pairs of launches, one of each side in random order, until verdicts are certain.

      One is built after the other in .gauge/ab/tree, so that unchanged code gives identical binaries, which need no
      timing where resources and libraries are identical, too. The launches go to results/ab/base.csv and new.csv.

      Where --base names a baseline whose executables 'gauge baseline' has kept on this machine, these are measured beside
      today's build, and nothing of the past is built. A name of both a baseline and a revision is taken for the baseline;
      'baseline:NAME' and 'revision:REV' say which. Kept executables are refused where they speak another launch protocol,
      share the runtime of another toolchain, or need another processor (code 6), and where their content has changed (65).
      With --executable they are measured beside that one. Two versions of Gauge's own code in the sides are told of.

      Only executables are built that the filters need, as far as lists of benchmarks from earlier builds of the same
      sources tell. One that doesn't compile is named and left out, and the command ends with 3.

      Both sides of the others are counted first: where instructions, retains, releases and allocations of a benchmark of
      one thread are the same, it is not timed either (counts need valgrind; threads that disturb each other are not seen
      by counts, and always timed). After 20, 30, 45, 68, 100 and 150 pairs each row is looked at: it is decided, or goes
      on. The chance of any false change of a time over all rows and looks is 0.1 %; that of any false change of a count
      that varies, or of what rare operations add, is 0.1 %, too. A change of a time counts from 0.1 % on, one of the
      instructions from 0.5 %; thresholds say otherwise, as for 'gauge compare'.

      With --affected a launch of each benchmark of the base is recorded under valgrind, from its start to its end. A
      benchmark is left out where every function that was executed is the same on both sides, wherever it lies, and so is all
      data that these functions and the runtime's lists of types lead to. Benchmarks that start a thread or a process, read a
      clock, wait or draw random numbers are always measured, and so is everything where resources or libraries of the
      package differ. Not covered: where code and data lie in memory, and what is executed only with more operations,
      other variables of the environment or extensions of the processor that valgrind lacks. What was left out is listed at
      the end. Recordings are kept in .gauge/recordings. x86-64 only.

      A benchmark that breaks on either side is told of, and the command ends with 3. What only one side has is named.
      """,
    options: [
      OptionSyntax(
        name: "--base", placeholder: "NAME",
        help: "The baseline or revision to compare with: NAME,\nbaseline:NAME or revision:REV."),
      OptionSyntax(
        name: "--new", placeholder: "REV",
        help: "The revision that is judged. Default: the folder as it is,\nwithout files that git doesn't know."),
      OptionSyntax(
        name: "--base-executable", placeholder: "PATH", help: "Compare with this executable; may be repeated."),
      Program.executableOption,
      OptionSyntax(
        name: "--filter", placeholder: "GLOB", help: "Take only benchmarks that fit; may be repeated."),
      OptionSyntax(
        name: "--budget", placeholder: "SECONDS",
        help: "Time, counting included, after which no pair is begun\nand open rows stay undecided. Default: 300."),
      Program.timeLimitOption,
      Program.affectedOption,
      OptionSyntax(name: "--time-all", help: "Time also what counts the same on both sides."),
      OptionSyntax(
        name: "--suspects", placeholder: "FILE",
        help: """
          Time only rows whose time grew most since the baseline's run.
          FILE is a run of today. As many as the budget can decide are
          timed, nothing is counted, and the drift of the suite is told.
          With --affected those are timed first that run other code.
          """),
      OptionSyntax(name: "--seed", placeholder: "N", help: "What the order is drawn from. Default: random."),
      Program.explainOption,
      OptionSyntax(
        name: "--format", placeholder: "A,B", help: "What to print or write, as for 'gauge compare'. Default: text.",
        words: ReportFormat.allCases.map(\.rawValue)),
      OptionSyntax(
        name: "--output", placeholder: "DIR", help: "Write the formats into this folder, and print the text."),
    ] + Program.thresholdOptions + common,
    examples: [
      ("gauge ab --base baseline:main", "What changed since the baseline 'main' was saved here.")
    ],
    exitCodes: [
      ("0", "the same"), ("2", "something got worse"),
      ("3", "a benchmark broke on either side, or a side can't be built"),
      ("4", "something got better, nothing worse"),
      ("6", "nothing in common that can be compared, or kept executables can't run here"),
      ("7", "not enough data for some verdicts"), ("64", "the command line is wrong, or a filter fits no benchmark"),
      ("65", "a kept executable is damaged, or of another run than the baseline"),
      ("66", "no package, no benchmarks in it, no such executable or baseline"),
      ("73", "a file can't be written, or another comparison is at work in the package"),
      ("130", "interrupted (143: terminated)"),
    ],
    believesFolder: true,
    action: { program, arguments throws(CommandFailure) in try program.ab(arguments) })
}

extension Program {
  /// Runs `gauge ab`.
  func ab(_ arguments: Arguments) throws(CommandFailure) -> Int32 {
    let formats = try arguments.words("--format", as: ReportFormat.self)
    let seconds: Double = try arguments.number("--budget", in: 0.001...1e6, expected: "seconds above 0") ?? 300
    let seed =
      try arguments.number("--seed", in: 0...UInt64.max, expected: "a whole number from 0")
      ?? UInt64.random(in: 0...UInt64(UInt32.max))
    let home = try abHome(arguments)
    // A second comparison would use the same folders and files.
    let lock = try lock(folderOf: home + "/results/ab/new.csv")
    defer { lock?.hold() }
    let sides = try sides(arguments, home: home)
    let matched = try matchedRows(sides, filters: arguments.all("--filter") + arguments.plain)
    var rows = matched.rows
    var unaffected: Unaffected?
    if arguments.has("--suspects") {
      rows = try suspects(rows, sides, arguments, within: seconds)
      if rows.isEmpty { return ExitCode.incomparable.rawValue }
    } else if arguments.has(Self.affectedOption.name) {
      unaffected = try self.unaffected(rows, sides)
    }
    // The builds are not part of the time.
    let terms = Terms(
      deadline: .now + .milliseconds(Int(seconds * 1000)), thresholds: try thresholds(arguments), seed: seed,
      timesAll: arguments.has("--time-all"), counts: !arguments.has("--suspects"), timeLimit: try arguments.timeLimit(),
      unaffected: unaffected?.rows ?? [], command: Self.command(arguments))
    let ending = try measure(rows, sides, terms)
    switch ending {
    case .interrupted(let signal): return 128 + signal
    case .judged(var comparison, let base, let new):
      comparison.add(
        faults: Self.faults(of: base, sides), onlyInBase: matched.onlyInBase.map(Self.key),
        onlyInNew: matched.onlyInNew.map(Self.key))
      if arguments.has("--explain") {
        try explain(&comparison, base: .success(sides.base.executables), new: .success(sides.new.executables))
      }
      let code = try report(comparison, base: base, new: new, formats: formats, folder: arguments.last("--output"))
      for line in unaffected.map({ Self.affectedText($0, of: rows.count) }) ?? [] { console.error.line(line) }
      return code
    }
  }

  /// How the measuring of `gauge ab` ended.
  private enum Ending {
    /// By a signal; the files hold what was measured.
    case interrupted(Int32)
    /// With verdicts, and the launches that they are of.
    case judged(Comparison, base: Results, new: Results)
  }

  /// What broke besides the benchmarks of the new side: those of the base side, of which nothing tells whether they got
  /// worse, and executables that don't compile.
  private static func faults(of base: Results, _ sides: AbSides) -> [BenchmarkFault] {
    let onBase = base.faults.map { fault -> BenchmarkFault in
      var fault = fault
      fault.reason = "on the base side: " + fault.reason
      return fault
    }
    let uncompiled = [("base", sides.base), ("new", sides.new)].flatMap { name, side -> [BenchmarkFault] in
      side.uncompiled.map {
        BenchmarkFault(benchmark: $0, parameters: "", reason: "doesn't compile on the \(name) side", output: "")
      }
    }
    return onBase + uncompiled
  }

  /// What decides how `gauge ab` measures.
  private struct Terms {
    /// When no further pair is begun.
    var deadline: SuspendingClock.Instant
    /// What the project says about its own rows.
    var thresholds: [Threshold]
    /// What the order is drawn from.
    var seed: UInt64
    /// Whether rows are timed, too, whose counts are identical.
    var timesAll: Bool
    /// Whether both sides are counted first.
    var counts: Bool
    /// Time after which a launch is killed, if not the default.
    var timeLimit: Duration?
    /// Rows that a change can't have touched.
    var unaffected: Set<InterleavedRun.Row>
    /// The command line that measures the same two sides again, without filters and budget.
    var command: String
  }

  /// Relative change of the instructions that is no verdict of its own: what a compiler moves about while the code
  /// stays the same.
  static let instructionThreshold = 0.005

  /// A row that is the same without a time, and why.
  private typealias Settled = (row: InterleavedRun.Row, reason: String)

  /// Measures both sides and judges them.
  private func measure(
    _ rows: [InterleavedRun.Row], _ sides: AbSides, _ terms: Terms
  ) throws(CommandFailure) -> Ending {
    let machine = lockMachine()
    defer { machine?.hold() }
    let signals = blockSignals()
    let scratch = Self.scratchPath()
    // Where that fails the system clears its folder for temporary files.
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    func side(_ side: Revisions.Side, _ name: String, _ points: [BenchmarkPoint]) throws(ResultFile.Failure) -> AbSide {
      try AbSide(
        "\(sides.home)/results/ab/\(name).csv",
        head: environment(of: side, sides.home, options: "ab --seed \(terms.seed)"), points: points,
        scratch: scratch + "/" + name, environment: environment, timeLimit: terms.timeLimit, signals: signals)
    }
    let (base, new): (AbSide, AbSide)
    do throws(ResultFile.Failure) {
      base = try side(sides.base, "base", rows.map(\.base))
      new = try side(sides.new, "new", rows.map(\.new))
    } catch {
      throw CommandFailure(error)
    }
    try base.setUp()
    defer { tell(base.tearDown()) }
    try new.setUp()
    defer { tell(new.tearDown()) }
    do throws(ResultFile.Failure) {
      return try measure(rows, base, new, terms)
    } catch {
      throw CommandFailure(error)
    }
  }

  private func measure(
    _ rows: [InterleavedRun.Row], _ base: AbSide, _ new: AbSide, _ terms: Terms
  ) throws(ResultFile.Failure) -> Ending {
    let begun = SuspendingClock.now
    var settled: [Settled] = []
    var differing: [InterleavedRun.Row] = []
    let identical = Self.identical(rows)
    for row in rows {
      if identical.contains(row) {
        settled.append((row, "the binaries are identical"))
      } else if terms.unaffected.contains(row) {
        settled.append((row, "all that it executes is the same"))
      } else {
        differing.append(row)
      }
    }
    // Counts first: a launch of each side, as they repeat.
    let counting = terms.counts ? differing : []
    if !counting.isEmpty { console.error.line("gauge: counting \(counting.count) rows of both sides") }
    let countings = [counting.map(\.base), counting.map(\.new)].map { points in
      LaunchPlan(points: points, selection: .exact, seed: terms.seed) { _, _ in
        Effort.Share(launches: 1, budget: Self.countingBudget)
      }
    }
    var sequence = countings.map(\.launches.count).max() ?? 0
    if let signal = try AbSide.carryOutAtOnce([(base, countings[0]), (new, countings[1])]) {
      return .interrupted(signal)
    }
    let counted = (try base.results, try new.results)
    try counted.1.expectDirections(of: counted.0)
    // What several threads allocate varies, and takes some launches to judge.
    let varying = Set((counted.0.rows + counted.1.rows).filter { $0.metric.isVaryingCount }.map(\.key.title))
    let again = differing.filter { varying.contains($0.new.title) }
    let launches = Self.launches(ofVarying: again.count, among: differing.count)
    let recountings = [again.map(\.base), again.map(\.new)].map { Self.recounting($0, launches, from: sequence) }
    sequence += recountings.map(\.launches.count).max() ?? 0
    if let signal = try AbSide.carryOutAtOnce([(base, recountings[0]), (new, recountings[1])]) {
      return .interrupted(signal)
    }
    let broken = Set((counted.0.faults + counted.1.faults).map(\.title))
    let equal = terms.timesAll ? [] : EqualCounts.titles(counted.0, counted.1)
    for row in differing where equal.contains(row.new.title) { settled.append((row, "the counts are identical")) }
    let timed = differing.filter {
      !equal.contains($0.new.title) && !broken.contains($0.new.title) && $0.new.passes.contains(.time)
        && $0.base.passes.contains(.time)
    }

    let judge = SequentialJudge(rows: timed.count, thresholds: terms.thresholds)
    let copies = ExecutableCopies(of: timed.flatMap { [$0.base.executable, $0.new.executable] })
    defer { copies.removeAll() }
    var complaint: String?
    let run = InterleavedRun(
      rows: timed, judge: judge, budget: InterleavedRun.launchBudget, deadline: terms.deadline,
      place: {
        guard complaint == nil else { return }
        complaint = copies.renew()
        if let complaint {
          console.error.line(
            "gauge: warning: \(complaint): a verdict may tell of where the executable lies in memory, not of its code")
        }
      },
      launch: { planned, isNew throws(ResultFile.Failure) in
        var planned = planned
        planned.point.executable = copies.path(of: planned.point.executable)
        return try (isNew ? new : base).carryOut(LaunchPlan([planned]))
      },
      times: { (isNew: Bool) throws(ResultFile.Failure) in try Self.times(of: isNew ? new : base) })
    var random = Xoshiro256(seed: terms.seed)
    let start = SuspendingClock.now
    let outcome = try run.run(&random, sequence: &sequence) { console.error.line("gauge: " + $0) }
    if let signal = outcome.interruption { return .interrupted(signal) }
    // Each row gets as many launches as it takes, and no number is planned: both files are whole.
    try base.end(after: sequence)
    try new.end(after: sequence)
    let pairSeconds = (SuspendingClock.now - start) / .seconds(1) / Double(max(1, outcome.pairs))
    let (before, after) = (try base.results, try new.results)
    try after.expectDirections(of: before)
    return .judged(
      comparison(
        before, after, outcome, judge, terms,
        missing: MissingPairs(outcome, pairSeconds: pairSeconds, countingSeconds: (start - begun) / .seconds(1)),
        timed: timed, settled: settled),
      base: before, new: after)
  }

  /// The complement of the chance of any false change of counts that vary, and of what rare operations add: that of a
  /// time is as small. They are tested once, when all times are decided.
  private static let suiteConfidence = 0.999

  /// The fewest launches of counts that vary with which each can get a verdict, whatever else is judged.
  ///
  /// - Parameters:
  ///   - rows: Benchmarks whose counts of the heap vary.
  ///   - all: Benchmarks that may be timed, of each of which what rare operations add is judged.
  static func launches(ofVarying rows: Int, among all: Int) -> Int {
    let family = rows * Metric.heap.count + all
    return max(
      ComparisonOptions().minimumLaunches, Draft.launchesNeeded(family: family, confidence: suiteConfidence))
  }

  /// The launches that count allocations, less the first, which has been made.
  private static func recounting(_ points: [BenchmarkPoint], _ count: Int, from sequence: Int) -> LaunchPlan {
    let launches = points.filter { $0.passes.contains(.allocations) }.flatMap { point in
      (1..<count).map { (point, $0) }
    }
    return LaunchPlan(
      launches.enumerated().map { index, launch in
        PlannedLaunch(
          point: launch.0, pass: .allocations, launch: launch.1, sequence: sequence + index, budget: countingBudget)
      })
  }

  /// The command line that measures the same sides by the same thresholds.
  private static func command(_ arguments: Arguments) -> String {
    let options = ["--base", "--new", "--base-executable", "--executable", "--suspects", "--threshold", "--thresholds"]
    let words = options.flatMap { option in arguments.all(option).flatMap { [option, shellWord($0)] } }
    return (["gauge ab"] + words + (arguments.has("--time-all") ? ["--time-all"] : [])).joined(separator: " ")
  }

  /// The benchmarks of both sides that fit the filters.
  private struct MatchedRows {
    /// Those that both have.
    var rows: [InterleavedRun.Row]
    /// Those that the new side lacks.
    var onlyInBase: [BenchmarkPoint]
    /// Those that the base lacks.
    var onlyInNew: [BenchmarkPoint]
  }

  private func matchedRows(_ sides: AbSides, filters: [String]) throws(CommandFailure) -> MatchedRows {
    let (old, new): ([BenchmarkPoint], [BenchmarkPoint])
    do throws(PackageFailure) {
      old = try BenchmarkList.points(of: sides.base.executables)
      new = try BenchmarkList.points(of: sides.new.executables)
    } catch {
      throw CommandFailure(error)
    }
    // A benchmark that the change has removed is one that a filter may name.
    let titles = Set(new.map(\.title))
    let removed = old.filter { !titles.contains($0.title) }
    let fitting = try Self.fitting(filters, new + removed)
    let known = Dictionary(old.map { ($0.title, $0) }, uniquingKeysWith: { first, _ in first })
    let chosen = fitting.filter { titles.contains($0.title) }
    return MatchedRows(
      rows: chosen.compactMap { point in known[point.title].map { InterleavedRun.Row(base: $0, new: point) } },
      onlyInBase: fitting.filter { !titles.contains($0.title) }, onlyInNew: chosen.filter { known[$0.title] == nil })
  }

  /// The row that stands for a benchmark which only one side has: that of its first pass.
  private static func key(_ point: BenchmarkPoint) -> ResultRow.Key {
    ResultRow.Key(
      benchmark: point.benchmark, parameters: point.parameters,
      metric: LaunchRunner.metric(standingFor: point.passes.first ?? .time).name)
  }

  /// Recorded rows for each that there is time for: where most run the same code as before,
  /// so many have to be looked at.
  private static let lookedAtForEach = 20

  /// The rows of `gauge ab --suspects`: those whose time grew most since the base's run, as many as there is time for;
  /// with `--affected` those first that run other code, without those that don't.
  private func suspects(
    _ rows: [InterleavedRun.Row], _ sides: AbSides, _ arguments: Arguments, within seconds: Double
  ) throws(CommandFailure) -> [InterleavedRun.Row] {
    guard let accepted = sides.accepted, let path = arguments.last("--suspects") else {
      throw .usage("--suspects needs --base with the name of a baseline whose executables are kept")
    }
    let base = try results(of: accepted, in: KeptBuilds(package: sides.home))
    let suspects = Suspects(base: base, new: try read(path))
    console.output.line("Drift since \(accepted.saved): " + (suspects.drift ?? "no time is in both runs") + ".")
    let identical = Self.identical(rows)
    let differing = rows.filter { !identical.contains($0) }
    guard !differing.isEmpty else { return rows }
    let count = Suspects.count(within: seconds)
    var titles = suspects.ordered(differing.map(\.new.title))
    var which = "whose time grew most"
    if arguments.has(Self.affectedOption.name) {
      let looked = Set(titles.prefix(count * Self.lookedAtForEach))
      let found: Unaffected
      do throws(CommandFailure) {
        found = try unaffected(differing.filter { looked.contains($0.new.title) }, sides)
      } catch {
        // On other machines than x86-64, for one, there is a choice still.
        console.error.line("gauge: warning: \(error.message): what runs other code isn't known")
        found = Unaffected()
      }
      let same = Set(found.rows.map(\.new.title))
      console.error.line(
        "gauge: of the \(looked.count) rows whose time grew most \(found.changed.count) run other code, \(same.count) the "
          + "same, and of \(looked.count - found.changed.count - same.count) that isn't known")
      titles = titles.filter { looked.contains($0) && !same.contains($0) }
      titles = Suspects.chosen(count, of: titles, changed: Set(found.changed.map(\.new.title)))
      which = "that may have become slower"
    }
    let chosen = Set(titles.prefix(count))
    if chosen.count < differing.count {
      console.error.line(
        "gauge: timing \(chosen.count) of \(differing.count) rows \(which); --budget times more of them")
    }
    return rows.filter { chosen.contains($0.new.title) || identical.contains($0) }
  }

  /// The times of a side so far, by benchmark.
  private static func times(of side: AbSide) throws(ResultFile.Failure) -> [String: [Double]] {
    MeasuredRows.grouped(try side.results).reduce(into: [:]) { times, entry in
      if entry.key.metric == Metric.time.name { times[entry.key.title] = entry.value.values }
    }
  }

  /// The verdicts: counts as `gauge compare` gives them, times as they were decided.
  private func comparison(
    _ base: Results, _ new: Results, _ outcome: InterleavedRun.Outcome, _ judge: SequentialJudge, _ terms: Terms,
    missing: MissingPairs, timed: [InterleavedRun.Row], settled: [Settled]
  ) -> Comparison {
    var options = ComparisonOptions()
    options.suiteConfidence = Self.suiteConfidence
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
    comparison.replace(
      entries,
      terms: "Interleaved launches: a change counts from \(allDigits(judge.threshold * 100)) % and "
        + "\(allDigits(judge.resolution)) ns on, the same is within \(allDigits(judge.margin * 100)) % or "
        + "\(allDigits(SequentialJudge.deviationShare)) of what a row's launches deviate by; "
        + "any false change of a time in 1 of 1,000 suites, and any of what else varies in 1 of 1,000. "
        + "Instructions count from \(allDigits(Self.instructionThreshold * 100)) % on."
        + (terms.thresholds.isEmpty ? "" : " The project's own thresholds prevail where they fit.")
        + missing.advice(for: open, command: terms.command))
    return comparison
  }
}

extension Metric {
  /// Whether this is a count of the heap's hooks that several threads make vary.
  fileprivate var isVaryingCount: Bool { kind == .sampled && Metric.heap.contains { $0.name == name } }
}
