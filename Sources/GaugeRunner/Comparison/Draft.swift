// An entry of a comparison before the whole suite is known, and its verdict afterwards.

import Gauge
import GaugeStatistics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// One row on its way to a verdict: exact rows have theirs at once, sampled ones when all p-values are known.
struct Draft {
  /// The row as far as it is decided.
  private(set) var entry: ComparisonEntry
  /// The evidence of a sampled row that takes part in the suite's correction.
  private(set) var sampled: SampledChange?
  private let launches: Int
  /// Whether it is what rare operations add to the mean, of all threads or of a group.
  private let isOfRareOperations: Bool
  /// Why a change that is neither worse nor better is none, by what two runs of one build differ by; `nil` if it isn't.
  private var usual: String?
  /// Why a change may be none of the code's; `nil` if it is one.
  private var doubt: String?
  /// What launches that decide nothing leave open.
  private var leftOpen = ""

  /// Compares the two sides of a row.
  ///
  /// - Parameters:
  ///   - key: Benchmark, parameters and metric.
  ///   - old: The baseline's launches.
  ///   - now: The new side's launches.
  ///   - drift: What the machine did meanwhile.
  ///   - scatter: What two runs of one build differ by.
  ///   - group: The built-in metric that this is of one group of threads; `nil` for another.
  ///   - alike: Whether times may be compared.
  ///   - allocators: What served the allocations of the sides, where that differs.
  ///   - options: Thresholds and levels.
  init(
    _ key: ResultRow.Key, _ old: MeasuredRows, _ now: MeasuredRows, drift: MachineDrift,
    scatter: RunScatter = RunScatter(), ofGroup group: String? = nil,
    alike: Bool, allocators: (before: String, after: String)? = nil, options: ComparisonOptions
  ) {
    let metric = now.metric
    let exactOnBothSides = old.metric.kind == .exact && metric.kind == .exact
    let wasExact = old.metric.kind == .exact && old.repeats
    let repeats = exactOnBothSides && old.repeats && now.repeats
    let rule = JudgingRule(metric, of: key, ofGroup: group, repeats: repeats, wasExact: wasExact, options: options)
    isOfRareOperations = (group ?? metric.name) == Metric.meanByMedian.name
    launches = min(old.values.count, now.values.count)
    entry = ComparisonEntry(
      key: key, metric: metric, before: old.estimate(confidence: options.confidence),
      after: now.estimate(confidence: options.confidence), change: nil,
      judgement: .judged(.notEnoughData), reason: "")

    guard let before = entry.before?.value, let after = entry.after?.value else {
      let reasons = [("before", old), ("after", now)].filter { $1.values.isEmpty }
        .map { side, rows in (side: side, text: rows.unavailable ?? "no value") }
      let isSame = reasons.count == 2 && reasons[0].text == reasons[1].text
      entry.reason =
        isSame
        ? "unavailable: \(reasons[0].text)"
        : reasons.map { "unavailable \($0.side): \($0.text)" }.joined(separator: "; ")
      if reasons.count == 2 || metric.polarity == .neither { entry.judgement = .shown }
      return
    }
    guard old.metric.unit == metric.unit else {
      entry.reason = "unit was \(old.metric.unit), is \(metric.unit)"
      return
    }
    if !wasExact && metric.isTime && metric.polarity != .neither && !alike {
      entry.judgement = .refused
      return
    }
    if let allocators, metric.dependsOnAllocator, old.values != now.values,
      !(repeats && MeasuredRows.equal(before, after))
    {
      entry.judgement = .refused
      entry.reason = "\(allocators.before) before, \(allocators.after) after"
      return
    }
    switch rule {
    case .exact(let threshold, let resolution):
      entry.change = Self.exactChange(before, after)
      if MeasuredRows.equal(before, after) {
        entry.judgement = .judged(.same)
      } else if abs(after - before) <= max(threshold * abs(before), resolution) {
        entry.judgement = .judged(.same)
        entry.reason = "within the project's own threshold"
      } else if metric.isCount, Self.mayBeRareWork(of: metric, abs(after - before), old, now) {
        entry.reason = "counted over \(old.describedOperations) before, \(now.describedOperations) after"
      } else {
        entry.judgement = .judged(Self.verdict(grew: after > before, metric))
      }
    case .shown(let reason):
      entry.change = repeats ? Self.exactChange(before, after) : evidence(old, now, 0, 0, options).change
      entry.judgement = .shown
      entry.reason = reason
    case .time(let threshold, let resolution):
      guard isJudged(old, now, options), !othersDecide(drift) else { return }
      let time = TimeChange(
        key, old, now, drift: drift, scatter: scatter, threshold: threshold, difference: resolution,
        resolution: options.resolution(of: metric, named: group))
      (entry.change, entry.judgement) = (time.change, .judged(time.verdict))
      entry.sameWithin = time.within
      note(time.reason)
    case .sampled(var threshold, let resolution):
      let fewest = min(old.operationsOfEach.lowerBound, now.operationsOfEach.lowerBound)
      if isOfRareOperations, fewest < Self.fewestForMean {
        threshold = max(threshold, TimeChange.widestSame)
      }
      if wasExact {
        entry.reason = exactOnBothSides ? "differs from launch to launch, and didn't before" : "was exact before"
      } else if metric.kind == .exact {
        entry.reason = exactOnBothSides ? "counts differ from launch to launch" : "was not exact before"
      }
      // Each launch by itself shows what an exact count would: it needs no others, and no correction for other rows.
      let isBeyond = wasExact && Self.liesBeyond(before, now, max(threshold * abs(before), resolution))
      guard isJudged(old, now, options, needed: isBeyond ? 1 : options.minimumLaunches) else { return }
      if metric.isCount && Self.mayBeRareWork(of: metric, abs(after - before), old, now)
        || metric.isKeptMemory && Self.mayBeKeptByMoreOperations(before, after, old, now)
      {
        doubt = "counted over \(old.describedOperations) before, \(now.describedOperations) after"
      }
      if isBeyond {
        if let doubt { note(doubt) } else { entry.judgement = .judged(Self.verdict(grew: after > before, metric)) }
        return
      }
      let evidence = evidence(old, now, threshold, resolution, options)
      entry.change = evidence.change
      let isOfSeveralThreads = drift.isOfSeveralThreads(key)
      if isOfSeveralThreads, !alike, !wasExact {
        note("several threads meet in another way on another machine")
        return
      }
      // How often threads meet, and what waits meanwhile, is decided by what else runs, too; and each wait of a thread
      // for a processor is a rare long operation.
      if othersDecide(drift, largest: options.foreignLoadTolerance) { return }
      if isOfRareOperations {
        let change = UsualChange(
          key, old, now, isOfSeveralThreads: isOfSeveralThreads, scatter: scatter, threshold: threshold)
        usual = change.verdict == .same ? change.reason : nil
        if let slowedSide = drift.slowedSide {
          doubt = doubt ?? slowedSide
        } else if let bar = change.usualBar, change.verdict != .worse, change.verdict != .better {
          doubt = doubt ?? "two runs of one build may differ by \(TimeChange.percent(bar))"
        }
        // Launches of one run are alike in how its threads meet, and those of the next in another way.
        if isOfSeveralThreads {
          entry.judgement = .judged(change.verdict)
          note(change.reason)
          return
        }
      }
      sampled = evidence
      leftOpen = "the launches leave open whether it is more than \(digits(100 * threshold)) %"
      if evidence.resolutionDecides { note("the medians differ by no more than \(quantity(resolution, of: metric))") }
      if evidence.isSameByResolution { note("the launches differ by no more than \(quantity(resolution, of: metric))") }
      if evidence.driftDecides { note("drifts within a run: interval widened") }
    }
  }

  /// Whether launches that vary can be judged; else the entry says why they can't.
  ///
  /// - Parameter needed: Fewest launches a side; as the options say where not given.
  private mutating func isJudged(
    _ old: MeasuredRows, _ now: MeasuredRows, _ options: ComparisonOptions, needed: Int? = nil
  ) -> Bool {
    let needed = needed ?? options.minimumLaunches
    let plain = evidence(old, now, 0, 0, options)
    (entry.change, entry.pValue, entry.launches) = (plain.change, plain.shiftPValue, [old.values, now.values])
    if old.values == now.values {
      entry.judgement = .judged(.same)
      note("identical data")
      return false
    }
    if launches < needed { note("\(launches) launches on a side, \(needed) are needed") }
    return launches >= needed
  }

  /// Whether other processes decide what several threads took; then the entry says so.
  private mutating func othersDecide(_ drift: MachineDrift, largest: Double? = nil) -> Bool {
    guard let loads = drift.foreignLoads(for: entry.key, largest: largest) else { return false }
    note(
      "other processes kept \(digits(loads.before)) of \(loads.processors) processors busy before and "
        + "\(digits(loads.after)) after, and several threads wait for them: measure again on a quiet machine, or "
        + "judge counts")
    return true
  }

  /// Gives a sampled row its verdict.
  ///
  /// - Parameters:
  ///   - pValue: The row's p-value, adjusted for the whole suite.
  ///   - family: Number of rows that the adjustment covers.
  ///   - options: Thresholds and levels.
  mutating func decide(pValue: Double, family: Int, options: ComparisonOptions) {
    guard let sampled else { return }
    if pValue <= 1 - options.suiteConfidence {
      if let doubt { return note(doubt) }
      let change = sampled.change
      let grew = change.estimate.value > (change.scale == .ratio ? 1 : 0)
      entry.judgement = .judged(Self.verdict(grew: grew, entry.metric))
      return
    }
    if sampled.plainVerdict == .notEnoughData, let usual {
      entry.judgement = .judged(.same)
      note(usual)
      return
    }
    entry.judgement = .judged(sampled.plainVerdict == .same ? .same : .notEnoughData)
    if sampled.plainVerdict == .worse || sampled.plainVerdict == .better {
      let needed = Self.launchesNeeded(family: family, confidence: options.suiteConfidence)
      note(
        "\(sampled.plainVerdict) by itself, but not among \(family) judged rows"
          + (launches < needed ? "; needs at least \(needed) launches a side" : ""))
    } else if entry.verdict == .notEnoughData, entry.reason.isEmpty {
      note(leftOpen)
    }
  }

  /// By how much the shares of launches without a value may differ.
  private static let tolerableMissing = 0.25

  /// Takes back a verdict that launches without a value may speak against. They may be the slow ones, of whose
  /// operations the budget holds too few: the others make a side look fast.
  ///
  /// - Parameters:
  ///   - old: The baseline's launches.
  ///   - now: The new side's launches.
  mutating func takeBack(_ old: MeasuredRows, _ now: MeasuredRows) {
    let missing = [old, now].map { Double($0.launches - $0.values.count) / Double($0.launches) }
    let (side, rows, standing) =
      missing[1] > missing[0] ? ("after", now, Verdict.worse) : ("before", old, Verdict.better)
    guard abs(missing[1] - missing[0]) > Self.tolerableMissing, !(old.repeats && now.repeats),
      let verdict = entry.verdict, verdict != standing, verdict != .notEnoughData
    else { return }
    (entry.judgement, entry.sameWithin) = (.judged(.notEnoughData), nil)
    note(
      "\(rows.launches - rows.values.count) of \(rows.launches) launches \(side): unavailable: "
        + (rows.unavailable ?? "no value"))
  }

  /// Names what a side lacks to show rare operations, of a row that did not change.
  ///
  /// - Parameter times: The mean times of the same benchmark, base and new.
  mutating func tellMissingOperations(_ times: [MeasuredRows?]) {
    let missing = times.compactMap { times -> Double? in
      guard let times, !times.values.isEmpty else { return nil }
      return Double(max(0, Self.operationsForRare - times.operations)) * median(of: times.values)
    }
    guard let nanoseconds = missing.max(), nanoseconds > 0 else { return }
    note(
      "one operation in \(Self.rarest) shows after \(quantity(nanoseconds, of: .meanTime)) more of measuring a side")
  }

  /// How often something rare must have come on a side for a verdict on it.
  private static let fewestRare = 20
  /// A rare operation is one in so many.
  private static let rarest = 5000
  private static let operationsForRare = rarest * fewestRare

  /// Operations of a launch below which a mean may differ from the median as one more or less of them is in it: of two
  /// the mean is the median, and of four of which the first is slow it is 5 % above it.
  private static let fewestForMean = 10

  private mutating func note(_ text: String) {
    entry.reason += (entry.reason.isEmpty || text.isEmpty ? "" : "; ") + text
  }

  private func evidence(
    _ old: MeasuredRows, _ now: MeasuredRows, _ threshold: Double, _ resolution: Double, _ options: ComparisonOptions
  ) -> SampledChange {
    SampledChange(
      base: old.values, new: now.values, threshold: threshold, resolution: resolution,
      lowerIsBetter: now.metric.polarity == .lower, drifts: !isOfRareOperations,
      confidence: options.confidence)
  }

  /// Happenings that are rare by themselves: fewer of them are in the operations of a launch.
  private static let mostRare = 16.0

  /// Whether a count may differ because something rare, as the growth of an array, is in a quotient of many operations
  /// and not in one of few. Of bytes and instructions it can make much, and a little more or less of many operations
  /// makes nothing; of happenings as many as are rare.
  private static func mayBeRareWork(
    of metric: Metric, _ difference: Double, _ old: MeasuredRows, _ now: MeasuredRows
  ) -> Bool {
    // Where both sides have launches of like numbers, an odd launch of one of them loosens nothing.
    guard !old.operationsOfEach.overlaps(now.operationsOfEach) else { return false }
    let numbers = [old, now].flatMap {
      [Double($0.operationsOfEach.lowerBound), Double($0.operationsOfEach.upperBound)]
    }
    let (fewest, most) = (numbers.min()!, numbers.max()!)
    if metric.unit.hasPrefix("B") || metric.name == Metric.instructions.name { return most > 2 * fewest }
    return difference < 1 && difference * fewest <= mostRare
  }

  /// Whether more memory is no more than in proportion to the operations of a launch: what each of them keeps adds up,
  /// and a faster build does more of them in the same time.
  private static func mayBeKeptByMoreOperations(
    _ before: Double, _ after: Double, _ old: MeasuredRows, _ now: MeasuredRows
  ) -> Bool {
    let (less, more) = before < after ? (old, now) : (now, old)
    let operations = Double(more.operationsOfEach.lowerBound) / Double(max(1, less.operationsOfEach.upperBound))
    return operations > 1 && max(before, after) <= operations * min(before, after)
  }

  /// Whether every launch of the new side lies on one side of the base's exact value, by more than does not matter.
  ///
  /// That the base repeats is taken for a promise of its build, as it is where the new side repeats, too: no launch of
  /// the same build lies elsewhere, and there is no chance of a false change for the rows of a suite to share.
  private static func liesBeyond(_ before: Double, _ now: MeasuredRows, _ least: Double) -> Bool {
    let least = max(least, MeasuredRows.exactTolerance * abs(before))
    return now.values.allSatisfy { $0 - before > least } || now.values.allSatisfy { before - $0 > least }
  }

  /// What a change is.
  private static func verdict(grew: Bool, _ metric: Metric) -> Verdict {
    grew == (metric.polarity == .lower) ? .worse : .better
  }

  private static func exactChange(_ before: Double, _ after: Double) -> Change {
    before > 0 && after > 0
      ? Change(scale: .ratio, estimate: .exact(after / before))
      : Change(scale: .difference, estimate: .exact(after - before))
  }

  /// The fewest launches a side with which one of several rows can get a verdict at all: the smallest two-sided p-value
  /// of two samples of n is 2 / (2n choose n).
  static func launchesNeeded(family: Int, confidence: Double) -> Int {
    var n = 1
    var orderings = 2.0
    while 2 / orderings * Double(family) > 1 - confidence {
      n += 1
      orderings *= Double(2 * n * (2 * n - 1)) / Double(n * n)
    }
    return n
  }
}
