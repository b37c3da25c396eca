// Whether what rare operations add to the mean changed by no more than it does between two runs of one build.

import Gauge
import GaugeStatistics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The change of a quotient of two times of one launch, held against what two runs of one build differ by.
///
/// Other processes make some launches' quotients larger, so that the fastest are compared, as those of a time are; a
/// reference loop says nothing of a quotient.
struct UsualChange {
  /// The verdict where nothing else is asked: beyond what two runs of one build differ by, within it, or neither.
  let verdict: Verdict
  /// What it was held against: empty where that is known from enough earlier runs, and the row is the same.
  let reason: String
  /// What two runs of one build differ by, as a logarithm; `nil` where too few earlier runs tell it of such launches.
  let usualBar: Double?

  /// Compares the two sides of a row.
  ///
  /// - Parameters:
  ///   - key: Benchmark, parameters and metric.
  ///   - old: The baseline's launches, not empty.
  ///   - now: The new side's launches, not empty.
  ///   - isOfSeveralThreads: Whether several threads wait for each other.
  ///   - scatter: What two runs of one build differ by.
  ///   - threshold: The relative change that does not matter.
  init(
    _ key: ResultRow.Key, _ old: MeasuredRows, _ now: MeasuredRows, isOfSeveralThreads: Bool, scatter: RunScatter,
    threshold: Double
  ) {
    let levels = [RunLevel(old)!, RunLevel(now)!]
    let spread = levels.map { $0.spread(isRate: false, 0) }.max()!
    let learnt = scatter.of(key, .fast).flatMap { spread <= max(1.5 * $0.spread, log(1 + threshold)) ? $0 : nil }
    let known = learnt ?? TimeChange.unknown(isOfSeveralThreads)
    // Launches that scatter make a verdict no easier, and what is the same no wider.
    let usual = scatter.of(key, .fast) ?? known
    let limit = max(min(usual.bar, log(1 + TimeChange.widestSame)), log(1 + threshold))
    let missing =
      scatter.of(key, .fast) == nil ? TimeChange.missing(scatter.count(key)) : TimeChange.scattering
    func change(_ part: RunLevel.Part) -> Double {
      levels[1].cost(part, isRate: false, resolution: 0) - levels[0].cost(part, isRate: false, resolution: 0)
    }
    let fast = change(.fast)
    usualBar = learnt.map { max($0.bar, limit) }
    if abs(fast) + 2 * known.scale <= limit, learnt != nil || abs(change(.slow)) <= limit {
      verdict = .same
      reason = learnt == nil ? "within \(TimeChange.percent(limit)): \(missing)" : ""
    } else if abs(fast) > max(known.bar, limit) {
      verdict = fast > 0 ? .worse : .better
      reason = "its fastest launch: beyond \(TimeChange.percent(max(known.bar, limit)))"
    } else {
      verdict = .notEnoughData
      reason =
        learnt == nil
        ? missing
        : "two runs of one build may differ by \(TimeChange.percent(max(known.bar, limit)))"
    }
  }
}
