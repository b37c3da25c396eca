// The comparison of two runs: which rows changed, for the worse or the better, and how sure that is.

import Foundation
import Gauge
import GaugeStatistics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Two runs of a suite, judged row by row. Pure: the same runs and options give the same comparison.
///
/// - Exact metrics whose launches agree within each side are compared as they are: any difference is a verdict, and
///   from 0 any increase is one. Where the base is so and the new side isn't, it is one, too, that all launches of
///   the new side lie on one side of the base's value; else the rule for counts that vary holds with the thresholds of
///   exact ones: what a run says of itself doesn't loosen its verdict.
/// - Times of one machine are judged by their fastest launch against the reference loop, and by their slow ones, beyond
///   what two runs of one build have differed by on it (`TimeChange`, `RunScatter`, `MachineDrift`). Those of unlike
///   machines are not compared. Times of several threads are not judged where other processes kept busy more of the
///   machine on one side than on the other.
/// - Counts that vary are judged by the interval of Hodges-Lehmann's shift over launches against a practical threshold.
///   `worse` and `better` must hold for the whole suite at once (Holm 1979), `same` for the row alone.
public struct Comparison: Sendable {
  /// Every benchmark and metric that both sides have, ordered by key.
  public private(set) var entries: [ComparisonEntry] = []
  /// What was not compared and why, in words.
  public private(set) var refusals: [String] = []
  /// Earlier runs of one build that times are judged by; `nil` where none is judged.
  private(set) var knownRuns: Int?
  /// What the verdicts are held against, where another than this comparison has judged.
  private(set) var ownTerms: String?
  /// What the new side has otherwise than the base, where that isn't its sources.
  var varied: String?
  /// Why benchmarks got worse, by title, where that was looked into.
  var explanations: [String: Explanation] = [:]
  /// Benchmarks that broke on the new side; where both sides were measured for the comparison, on either.
  public private(set) var faults: [BenchmarkFault]
  /// Sides whose run was cut short, or may have been, in words.
  let incompleteSides: [String]
  /// Rows that the new side lacks.
  public private(set) var onlyInBase: [ResultRow.Key]
  /// Rows that the baseline lacks.
  public private(set) var onlyInNew: [ResultRow.Key]
  /// What the comparison was made with.
  public let options: ComparisonOptions

  /// Compares two runs.
  ///
  /// - Parameters:
  ///   - base: The run that is compared with.
  ///   - new: The run that is judged.
  ///   - earlier: Runs that tell what two runs of one build differ by; those of other machines are left out.
  ///   - options: Thresholds and levels.
  ///   - now: When they are compared, in seconds since 1970.
  /// - Complexity: O(rows · (launches² · log launches + runs²)).
  init(
    base: Results, new: Results, earlier: [EarlierRun], options: ComparisonOptions = ComparisonOptions(),
    now: Double = Date().timeIntervalSince1970
  ) {
    self.options = options
    faults = new.faults
    // The calmer run tells what is calm: the other one may have been disturbed throughout.
    let calmStores = [base, new].compactMap { MeasuredRows.calmStores($0) }.min()
    let (before, after) = (
      MeasuredRows.grouped(base, calmStores: calmStores), MeasuredRows.grouped(new, calmStores: calmStores)
    )
    incompleteSides = [
      Self.incompleteness("the base", base, before, than: ("the new run", after)),
      Self.incompleteness("the new run", new, after, than: ("the base", before)),
    ].compactMap { $0 }
    onlyInBase = before.keys.filter { after[$0] == nil }.sorted()
    onlyInNew = after.keys.filter { before[$0] == nil }.sorted()

    let differences = Likeness.differences(base, new)
    // Times are compared only where the sides agree in it.
    let processors = new.environment("cpu_count").flatMap { Int($0) }
    let dates = [base, new].compactMap { EarlierRun.seconds($0.environment("date")) }
    let severalThreads = SeveralThreads.titles(of: before, line: base.environment(SeveralThreads.field))
      .intersection(SeveralThreads.titles(of: after, line: new.environment(SeveralThreads.field)))
    let earlier = earlier.filter { Likeness.isLike($0.environment, new.environment) }
    let scatter = Self.scatter(
      before, after, severalThreads, earlier,
      // A run may say any date of itself; more time than since the base hasn't passed. How much has since one of the
      // future, nobody knows.
      interval: dates.count == 2 ? now < dates[0] ? .infinity : min(abs(dates[1] - dates[0]), now - dates[0]) : nil,
      build: EarlierRun.build(base.environment), options)
    let drift = MachineDrift(
      base: before, new: after, processors: processors, scatter: scatter, severalThreads: severalThreads,
      slowedSide: CalmStores.slowedSide(before, after, earlier: earlier), options: options)
    // By the base: what the new side reports besides makes no rule more lenient.
    let groups = GroupScores(before)
    var drafts: [Draft] = []
    for key in before.keys.sorted() {
      guard let old = before[key], let now = after[key] else { continue }
      drafts.append(
        Draft(
          key, old, now, drift: drift, scatter: scatter, ofGroup: groups.name(key), alike: differences.isEmpty,
          allocators: Likeness.allocators(base, new), options: options))
    }

    let tested = drafts.indices.filter { drafts[$0].sampled != nil }
    let adjusted = Holm.adjusted(tested.compactMap { drafts[$0].sampled?.pValue })
    for (index, pValue) in zip(tested, adjusted) {
      drafts[index].decide(pValue: pValue, family: tested.count, options: options)
    }
    for index in drafts.indices where drafts[index].entry.key.metric == Metric.meanByMedian.name {
      var key = drafts[index].entry.key
      key.metric = Metric.meanTime.name
      guard [.same, .notEnoughData].contains(drafts[index].entry.verdict) else { continue }
      drafts[index].tellMissingOperations([before[key], after[key]])
    }
    for index in drafts.indices {
      let key = drafts[index].entry.key
      if let old = before[key], let now = after[key] { drafts[index].takeBack(old, now) }
    }
    entries = drafts.map(\.entry)

    if entries.contains(where: { $0.metric.isTime && $0.verdict != nil }) {
      knownRuns = scatter.runs
    }

    let refused = entries.filter { $0.judgement == .refused }
    let times = refused.count { $0.metric.isTime }
    let counts = refused.count - times
    if times > 0 {
      refusals.append("\(times) \(times == 1 ? "time" : "times") not compared (\(Likeness.sentence(differences)))")
    }
    if counts > 0 {
      refusals.append("\(counts) \(counts == 1 ? "count" : "counts") of the heap not compared (allocator differs)")
    }
  }

  /// Compares two runs, of whose machine no other is known.
  ///
  /// - Parameters:
  ///   - base: The run that is compared with.
  ///   - new: The run that is judged.
  ///   - options: Thresholds and levels.
  /// - Complexity: O(rows · launches² · log launches).
  public init(base: Results, new: Results, options: ComparisonOptions = ComparisonOptions()) {
    self.init(base: base, new: new, earlier: [], options: options)
  }

  /// What a side lacks, in words: the rest of its launches, or a word of how many it planned where it has fewer than
  /// the other side. A file that was cut, and has lost that line, too, is not told from an old one otherwise.
  private static func incompleteness(
    _ side: String, _ results: Results, _ rows: [ResultRow.Key: MeasuredRows],
    than other: (side: String, rows: [ResultRow.Key: MeasuredRows])
  ) -> String? {
    if let part = results.incompleteness { return "\(side) is incomplete: \(part)" }
    guard !results.hasEnd else { return nil }
    let fewer = rows.count { key, rows in rows.values.count < other.rows[key]?.values.count ?? 0 }
    guard fewer > 0 else { return nil }
    return "\(side) doesn't say how many launches it planned, and has fewer than \(other.side) in \(fewer) "
      + (fewer == 1 ? "row" : "rows")
  }

  /// What two runs of one build differ by, of everything that is compared and of what tells of the machine.
  private static func scatter(
    _ before: [ResultRow.Key: MeasuredRows], _ after: [ResultRow.Key: MeasuredRows], _ severalThreads: Set<String>,
    _ earlier: [EarlierRun], interval: Double?, build: String, _ options: ComparisonOptions
  ) -> RunScatter {
    var rows: [ResultRow.Key: (metric: Metric, launches: Int, isOfSeveralThreads: Bool)] = [:]
    for (key, old) in before {
      guard old.metric.isTime || old.isOfScatter, let now = after[key], !old.values.isEmpty, !now.values.isEmpty else {
        continue
      }
      rows[key] = (old.metric, min(old.calm.count, now.calm.count), severalThreads.contains(key.title))
    }
    return RunScatter(earlier, rows: rows, interval: interval, base: build) {
      $0.isTime ? options.resolution(of: $0) : 0
    }
  }

  /// Takes the verdicts of another judge.
  ///
  /// - Parameters:
  ///   - entries: The judged rows.
  ///   - terms: What they were held against, in one paragraph.
  mutating func replace(_ entries: [ComparisonEntry], terms: String) {
    self.entries = entries.sorted { $0.key < $1.key }
    ownTerms = terms
  }

  /// Takes what else broke, and what only one side has and so was not measured.
  mutating func add(faults: [BenchmarkFault], onlyInBase: [ResultRow.Key], onlyInNew: [ResultRow.Key]) {
    self.faults += faults
    self.onlyInBase = Set(self.onlyInBase + onlyInBase).sorted()
    self.onlyInNew = Set(self.onlyInNew + onlyInNew).sorted()
  }

  /// How often a verdict was given.
  public func count(_ verdict: Verdict) -> Int { entries.count { $0.verdict == verdict } }

  /// The exit status of the comparison.
  public var exitCode: ExitCode {
    if !faults.isEmpty { return .broke }
    if count(.worse) > 0 { return .worse }
    if entries.allSatisfy({ $0.verdict == nil }) { return .incomparable }
    if count(.better) > 0 { return .better }
    return count(.notEnoughData) > 0 ? .notEnoughData : .same
  }
}
