// `gauge ab`: what a change of the sources does to the benchmarks, by launches of both builds in turn.

import Foundation
import Gauge
import GaugeStatistics

extension Program {
  /// Both sides of `gauge ab`.
  private struct Sides {
    var base: Revisions.Side
    var new: Revisions.Side
    var home: String
  }

  /// Runs `gauge ab`.
  func ab(_ arguments: Arguments) throws(CommandFailure) -> Int32 {
    let formats = try arguments.words("--format", as: ReportFormat.self)
    let seconds = try arguments.number("--budget", in: 0.001...1e6, expected: "seconds above 0") ?? 300
    let percent = try arguments.number("--threshold", in: 0...100, expected: "per cent from 0 to 100") ?? 0.25
    let seed =
      try arguments.number("--seed", in: 0...UInt64.max, expected: "a whole number from 0")
      ?? UInt64.random(in: 0...UInt64(UInt32.max))
    let sides = try sides(arguments)
    let rows = try commonRows(sides, filters: arguments.all("--filter") + arguments.plain)
    let ending: Ending
    do throws(ResultFile.Failure) {
      ending = try measure(rows, sides, seconds: seconds, threshold: percent / 100, seed: seed)
    } catch {
      throw CommandFailure(error)
    }
    switch ending {
    case .interrupted(let signal): return 128 + signal
    case .judged(var comparison, let base, let new):
      if arguments.has("--explain") {
        try explain(&comparison, base: .success(sides.base.executables), new: .success(sides.new.executables))
      }
      return try report(comparison, base: base, new: new, formats: formats, folder: arguments.last("--output"))
    }
  }

  /// How the measuring of `gauge ab` ended.
  private enum Ending {
    /// By a signal; the files hold what was measured.
    case interrupted(Int32)
    /// With verdicts, and the launches that they are of.
    case judged(Comparison, base: Results, new: Results)
  }

  /// The file of a side, to be held by what runs launches.
  private final class SideFile {
    let writer: ResultFileWriter

    init(_ path: String, environment: [(name: String, value: String)]) throws(ResultFile.Failure) {
      writer = try ResultFileWriter.replacing(path, environment: environment)
    }
  }

  /// Measures both sides and judges them.
  private func measure(
    _ rows: [InterleavedRun.Row], _ sides: Sides, seconds: Double, threshold: Double, seed: UInt64
  ) throws(ResultFile.Failure) -> Ending {
    let folder = sides.home + "/results/ab"
    let paths = (base: folder + "/base.csv", new: folder + "/new.csv")
    let base = try SideFile(paths.base, environment: environment(of: sides.base, sides.home, seed))
    let new = try SideFile(paths.new, environment: environment(of: sides.new, sides.home, seed))
    let signals = blockSignals()
    let launch = { (planned: PlannedLaunch, isNew: Bool) throws(ResultFile.Failure) -> LaunchRunner.Summary in
      let plan = LaunchPlan(planned)
      let runner = LaunchRunner(
        plan: plan, selection: .everything,
        libraries: [planned.point.executable: CountingLibraries(beside: planned.point.executable, cache: "")],
        environment: environment, timeLimit: nil, signals: signals)
      var silence = ProgressDisplay(plan, style: .log(every: .seconds(1_000_000))) { _ in }
      let side = isNew ? new : base
      return try runner.run(into: side.writer, progress: &silence)
    }
    let (differing, identical) = Self.split(rows)
    var sequence = 0
    // Counts first: a launch of each side, as they repeat.
    for row in differing where row.new.passes.contains(.allocations) && row.base.passes.contains(.allocations) {
      for isNew in [false, true] {
        let point = isNew ? row.new : row.base
        let planned = PlannedLaunch(point: point, pass: .allocations, launch: 0, sequence: sequence, budget: 10)
        sequence += 1
        if let signal = try launch(planned, isNew).interruption { return .interrupted(signal) }
      }
    }
    let judge = SequentialJudge(
      rows: differing.count, threshold: threshold, resolution: ComparisonOptions().timeResolution)
    let run = InterleavedRun(
      rows: differing.filter { $0.new.passes.contains(.time) && $0.base.passes.contains(.time) }, judge: judge,
      budget: 25, deadline: .now + .milliseconds(Int(seconds * 1000)), launch: launch,
      times: { (isNew: Bool) throws(ResultFile.Failure) in try Self.times(in: isNew ? paths.new : paths.base) })
    var random = Xoshiro256(seed: seed)
    let outcome = try run.run(&random, sequence: &sequence) { console.error.line("gauge: " + $0) }
    if let signal = outcome.interruption { return .interrupted(signal) }
    let (before, after) = (try ResultFile.read(paths.base).results, try ResultFile.read(paths.new).results)
    return .judged(comparison(before, after, outcome, judge, identical: identical), base: before, new: after)
  }

  /// Builds both revisions, or takes the executables that are named.
  private func sides(_ arguments: Arguments) throws(CommandFailure) -> Sides {
    let given = (arguments.all("--base-executable"), arguments.all("--executable"))
    if !given.0.isEmpty || !given.1.isEmpty {
      guard !given.0.isEmpty, !given.1.isEmpty, !arguments.has("--base") else {
        throw .usage("either --base REV, or both --base-executable and --executable")
      }
      func side(_ paths: [String]) -> Revisions.Side {
        Revisions.Side(commit: "", executables: paths.map { URL(fileURLWithPath: $0).standardizedFileURL.path })
      }
      return Sides(base: side(given.0), new: side(given.1), home: folder)
    }
    guard let base = arguments.last("--base") else { throw .usage("against which revision? --base REV") }
    do throws(PackageFailure) {
      let revisions = Revisions(package: try BenchmarkPackage(around: folder, swift: swift))
      let before = try revisions.commit(of: base)
      let new: String
      if let name = arguments.last("--new") {
        new = try revisions.commit(of: name)
      } else {
        new = try revisions.workingTree()
      }
      return Sides(
        base: try revisions.build(before, as: "base"), new: try revisions.build(new, as: "new"),
        home: revisions.package.folder)
    } catch {
      throw CommandFailure(error)
    }
  }

  private func commonRows(_ sides: Sides, filters: [String]) throws(CommandFailure) -> [InterleavedRun.Row] {
    let (old, new): ([BenchmarkPoint], [BenchmarkPoint])
    do throws(PackageFailure) {
      old = try BenchmarkList.points(of: sides.base.executables)
      new = try BenchmarkList.points(of: sides.new.executables)
    } catch {
      throw CommandFailure(error)
    }
    let known = Dictionary(old.map { ($0.title, $0) }, uniquingKeysWith: { first, _ in first })
    return try Self.fitting(filters, new).compactMap { point in
      known[point.title].map { InterleavedRun.Row(base: $0, new: point) }
    }
  }

  /// Rows by whether their executables differ.
  private static func split(
    _ rows: [InterleavedRun.Row]
  ) -> (differing: [InterleavedRun.Row], identical: [InterleavedRun.Row]) {
    var contents: [String: [UInt8]] = [:]
    for path in Set(rows.flatMap { [$0.base.executable, $0.new.executable] }) {
      contents[path] = try? Files.contents(of: path)
    }
    let isIdentical = { (row: InterleavedRun.Row) in
      contents[row.base.executable] != nil && contents[row.base.executable] == contents[row.new.executable]
    }
    return (rows.filter { !isIdentical($0) }, rows.filter(isIdentical))
  }

  private func environment(of side: Revisions.Side, _ home: String, _ seed: UInt64) -> [(name: String, value: String)] {
    Fingerprint().fields(
      folder: home, executables: side.executables, options: "ab --seed \(seed)",
      allocator: side.executables.first.map { CountingLibraries(beside: $0, cache: "").description } ?? ""
    ).map { name, value in
      guard !side.commit.isEmpty else { return (name, value) }
      return (name, name == "commit" ? side.commit : name == "dirty" ? "no" : value)
    }
  }

  /// The times of a file so far, by benchmark.
  private static func times(in path: String) throws(ResultFile.Failure) -> [String: [Double]] {
    MeasuredRows.grouped(try ResultFile.read(path).results).reduce(into: [:]) { times, entry in
      if entry.key.metric == Metric.time.name { times[entry.key.title] = entry.value.values }
    }
  }

  /// The verdicts: counts as `gauge compare` gives them, times as they were decided.
  private func comparison(
    _ base: Results, _ new: Results, _ outcome: InterleavedRun.Outcome, _ judge: SequentialJudge,
    identical: [InterleavedRun.Row]
  ) -> Comparison {
    var comparison = Comparison(base: base, new: new)
    var entries = comparison.entries
    for index in entries.indices where entries[index].key.metric == Metric.time.name {
      guard entries[index].judgement != .shown else { continue }
      let judgement = outcome.judgements[entries[index].key.title]
      entries[index].change = judgement?.change ?? entries[index].change
      entries[index].pValue = nil
      entries[index].judgement = .judged(judgement?.verdict ?? .notEnoughData)
      entries[index].reason =
        judgement?.reason ?? (outcome.isOutOfTime ? "the time was up" : "no pairs of positive times")
    }
    entries += identical.map { row in
      ComparisonEntry(
        key: ResultRow.Key(
          benchmark: row.new.benchmark, parameters: row.new.parameters, metric: Metric.time.name),
        metric: .time, before: nil, after: nil, change: nil, judgement: .judged(.same),
        reason: "not measured: the binaries are identical")
    }
    comparison.replace(
      entries,
      terms: "Interleaved launches: a change counts from \(allDigits(judge.threshold * 100)) % and "
        + "\(allDigits(judge.resolution)) ns on, the same is within \(allDigits(judge.margin * 100)) %; "
        + "any false change in 1 of 1,000 suites."
        + (outcome.isOutOfTime ? " The time was up before every row was decided: --budget gives more." : ""))
    return comparison
  }
}
