// The change of a sampled metric: Hodges-Lehmann's shift on a logarithmic scale, held against a threshold that the
// machine's drift widens.

import GaugeStatistics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the launches of two sides say about the change between them.
///
/// Hodges-Lehmann on logarithms is used and not a bootstrap of medians because its level holds with five launches and
/// at the confidence that a whole suite's correction asks for, where the bootstrap has no resamples left in the tails.
struct SampledChange {
  /// The change with its plain interval, widened by the drift within the runs.
  let change: Change

  /// One value per launch in rising order, as logarithms where all are positive.
  private let before: [Double]
  private let after: [Double]
  private let distribution: MannWhitneyDistribution?
  /// The interval of the shift as the launches alone give it.
  private let interval: Interval
  /// By how much the halves of the runs differ.
  private let withinRun: Double
  /// What is added to the shift to see it: nothing, and what takes the machine's change out of it.
  private let views: [Double]
  /// The shift that does not matter, and the one that the machine's drift may have brought about.
  private let limit: Double
  private let drifted: Double
  private let lowerIsBetter: Bool
  /// Whether the medians, and whether any two launches, are too close to tell.
  private let mediansAreUnresolved: Bool
  private let launchesAreUnresolved: Bool

  /// Compares two sides.
  ///
  /// - Parameters:
  ///   - base: One value per launch in time order, not empty.
  ///   - new: The same of the new side.
  ///   - threshold: The relative change that does not matter.
  ///   - resolution: The absolute difference that does not matter, in the unit of the values.
  ///   - machineRatio: How much slower the machine was on the new side; 1 for not noticeably.
  ///   - ordinary: The change, as a logarithm, that is not out of the ordinary between two runs of one build.
  ///   - lowerIsBetter: Whether smaller values are better.
  ///   - confidence: Confidence of the interval.
  init(
    base: [Double], new: [Double], threshold: Double, resolution: Double, machineRatio: Double, ordinary: Double,
    lowerIsBetter: Bool, confidence: Double
  ) {
    let isRatio = (base + new).allSatisfy { $0 > 0 }
    let (old, now) = isRatio ? (base.map { log($0) }, new.map { log($0) }) : (base, new)
    let size = isRatio ? 1 : max(abs(median(of: base)), abs(median(of: new)))
    let machine = log(machineRatio) * size
    limit = isRatio ? log(1 + threshold) : threshold * abs(median(of: base)) + resolution
    drifted = max(limit + abs(machine), ordinary * size)
    views = machine == 0 ? [0] : [0, -machine]
    withinRun = hypot(MachineDrift.withinRun(old), MachineDrift.withinRun(now))
    before = old.sorted()
    after = now.sorted()
    self.lowerIsBetter = lowerIsBetter
    mediansAreUnresolved = abs(median(of: new) - median(of: base)) <= resolution
    launchesAreUnresolved = max(base.max()! - new.min()!, new.max()! - base.min()!) <= resolution

    distribution =
      base.count * new.count <= MannWhitneyDistribution.largestProduct
      ? MannWhitneyDistribution(base.count, new.count) : nil
    let estimate = HodgesLehmann(old, now, distribution: distribution)
    interval = estimate.interval(confidence: confidence)
    let plain = Estimate(estimate.shift, interval.widened(by: withinRun))
    change = Change(
      scale: isRatio ? .ratio : .difference,
      estimate: isRatio ? Estimate(exp(plain.value), plain.interval.mapped { exp($0) }) : plain)
  }

  /// The p-value of the change lying within the threshold: small where it lies beyond.
  ///
  /// A change counts only if it is one both as measured and as measured against the reference loop: the larger p-value.
  var pValue: Double {
    if mediansAreUnresolved { return 1 }
    let beyond = drifted + withinRun
    return views.map { view in
      min(1, 2 * min(tail(view - beyond, .greater), tail(view + beyond, .less)))
    }.max()!
  }

  /// The p-value of no change at all, of the launches as they were measured.
  var shiftPValue: Double { tail(0, .different) }

  /// The p-value of the new side, moved, being no larger or no smaller than the base.
  private func tail(_ shift: Double, _ alternative: MannWhitney.Alternative) -> Double {
    MannWhitney(
      sorted: before, after.map { $0 + shift }, method: distribution == nil ? .asymptotic : .exact,
      distribution: distribution
    ).pValue(alternative)
  }

  /// What the launches say before other rows of the suite are taken into account.
  var plainVerdict: Verdict { verdict(interval.widened(by: withinRun)) }

  /// Whether there would be a verdict but for the drift within the runs.
  var driftDecides: Bool { plainVerdict == .notEnoughData && verdict(interval) != .notEnoughData }

  /// Whether there would be a change but for what two runs of one build may differ by.
  var ordinaryDecides: Bool {
    let strict = verdict(interval.widened(by: withinRun), beyond: limit)
    return plainVerdict == .notEnoughData && (strict == .worse || strict == .better)
  }

  /// Whether there would be a verdict if the instrument resolved the difference of the medians.
  var resolutionDecides: Bool { plainVerdict == .notEnoughData && mediansAreUnresolved }

  /// The verdict that holds in every view of the change.
  private func verdict(_ interval: Interval, beyond: Double? = nil) -> Verdict {
    if launchesAreUnresolved { return .same }
    let verdicts = Set(
      views.map { view in
        let moved = interval.shifted(by: view)
        let strict = Equivalence.verdict(change: moved, threshold: limit, lowerIsBetter: lowerIsBetter)
        let wide = Equivalence.verdict(change: moved, threshold: beyond ?? drifted, lowerIsBetter: lowerIsBetter)
        return strict == .same || wide != .same ? wide : .notEnoughData
      })
    guard verdicts.count == 1, let only = verdicts.first, only == .same || !mediansAreUnresolved else {
      return .notEnoughData
    }
    return only
  }
}
