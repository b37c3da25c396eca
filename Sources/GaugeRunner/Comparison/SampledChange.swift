// The change of a sampled count: Hodges-Lehmann's shift on a logarithmic scale, held against a threshold.

import GaugeStatistics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the launches of two sides say about the change of a count that varies from launch to launch.
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
  /// The shift that does not matter.
  private let limit: Double
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
  ///   - lowerIsBetter: Whether smaller values are better.
  ///   - drifts: Whether a machine that becomes slower changes the values: then the drift within the runs is noise.
  ///   - confidence: Confidence of the interval.
  init(
    base: [Double], new: [Double], threshold: Double, resolution: Double, lowerIsBetter: Bool, drifts: Bool = true,
    confidence: Double
  ) {
    let isRatio = (base + new).allSatisfy { $0 > 0 }
    let (old, now) = isRatio ? (base.map { log($0) }, new.map { log($0) }) : (base, new)
    limit = isRatio ? log(1 + threshold) : threshold * abs(median(of: base)) + resolution
    withinRun = drifts ? hypot(Self.drift(old), Self.drift(now)) : 0
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

  /// By how much the second half of a run's launches lies off the first.
  ///
  /// - Parameter values: One value per launch in time order.
  /// - Returns: The distance of the halves' medians; the middle launch of an odd number belongs to neither.
  private static func drift(_ values: [Double]) -> Double {
    let half = values.count / 2
    guard half > 0 else { return 0 }
    return abs(median(of: values.suffix(half)) - median(of: values.prefix(half)))
  }

  /// The p-value of the change lying within the threshold: small where it lies beyond.
  var pValue: Double {
    if mediansAreUnresolved { return 1 }
    let beyond = limit + withinRun
    return min(1, 2 * min(tail(-beyond, .greater), tail(beyond, .less)))
  }

  /// The p-value of no change at all.
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

  /// Whether there would be a verdict if the instrument resolved the difference of the medians.
  var resolutionDecides: Bool { plainVerdict == .notEnoughData && mediansAreUnresolved }

  /// Whether the launches would differ if the instrument resolved the largest difference of theirs.
  var isSameByResolution: Bool {
    launchesAreUnresolved
      && Equivalence.verdict(change: interval, threshold: limit, lowerIsBetter: lowerIsBetter) != .same
  }

  private func verdict(_ interval: Interval) -> Verdict {
    if launchesAreUnresolved { return .same }
    let verdict = Equivalence.verdict(change: interval, threshold: limit, lowerIsBetter: lowerIsBetter)
    return verdict == .same || !mediansAreUnresolved ? verdict : .notEnoughData
  }
}
