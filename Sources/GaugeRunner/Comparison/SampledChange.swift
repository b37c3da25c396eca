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
  /// The p-value of the change lying within the threshold: small where it lies beyond.
  let pValue: Double
  /// What the launches say before other rows of the suite are taken into account.
  let plainVerdict: Verdict
  /// Whether there would be a verdict but for the drift within the runs.
  let driftDecides: Bool

  /// How many standard deviations of the suite's scatter a change must exceed: beyond 4, one row in 16,000 would by
  /// chance.
  static let scatterMultiple = 4.0

  /// Compares two sides.
  ///
  /// - Parameters:
  ///   - base: One value per launch in time order, not empty.
  ///   - new: The same of the new side.
  ///   - threshold: The relative change that does not matter.
  ///   - resolution: The absolute difference that does not matter, in the unit of the values.
  ///   - machineRatio: How much slower the machine was on the new side; 1 for not noticeably.
  ///   - scatter: How the suite's changes scatter from run to run, as a standard deviation of logarithms.
  ///   - lowerIsBetter: Whether smaller values are better.
  ///   - confidence: Confidence of the interval.
  init(
    base: [Double], new: [Double], threshold: Double, resolution: Double, machineRatio: Double, scatter: Double,
    lowerIsBetter: Bool, confidence: Double
  ) {
    let isRatio = (base + new).allSatisfy { $0 > 0 }
    let before = isRatio ? base.map { log($0) } : base
    let after = isRatio ? new.map { log($0) } : new
    let scale = isRatio ? 1 : max(abs(median(of: base)), abs(median(of: new)))
    let limit = isRatio ? log(1 + threshold) : threshold * abs(median(of: base)) + resolution
    let machine = log(machineRatio) * scale

    let withinRun = hypot(MachineDrift.withinRun(before), MachineDrift.withinRun(after))
    let estimate = HodgesLehmann(before, after)
    let launchesAlone = estimate.interval(confidence: confidence)
    let plain = Estimate(estimate.shift, launchesAlone.widened(by: withinRun))
    change = Change(
      scale: isRatio ? .ratio : .difference,
      estimate: isRatio ? Estimate(exp(plain.value), plain.interval.mapped { exp($0) }) : plain)

    // A change counts only if it is one both as measured and as measured against the reference loop.
    let views = machine == 0 ? [0] : [0, -machine]
    let drifted = max(limit + abs(machine), Self.scatterMultiple * scatter * scale)
    let unresolved = abs(median(of: new) - median(of: base)) <= resolution
    let (sortedBefore, sortedAfter) = (before.sorted(), after.sorted())
    let exact = base.count * new.count <= MannWhitneyDistribution.largestProduct
    func tail(_ shift: Double, _ alternative: MannWhitney.Alternative) -> Double {
      MannWhitney(sorted: sortedBefore, sortedAfter.map { $0 + shift }, method: exact ? .exact : .asymptotic)
        .pValue(alternative)
    }
    func withinThreshold(_ view: Double) -> Double {
      let beyond = drifted + withinRun
      return min(1, 2 * min(tail(view - beyond, .greater), tail(view + beyond, .less)))
    }
    pValue = unresolved ? 1 : views.map(withinThreshold).max()!

    func verdict(_ interval: Interval, _ view: Double) -> Verdict {
      let moved = interval.shifted(by: view)
      let strict = Equivalence.verdict(change: moved, threshold: limit, lowerIsBetter: lowerIsBetter)
      let wide = Equivalence.verdict(change: moved, threshold: drifted, lowerIsBetter: lowerIsBetter)
      return strict == .same || wide != .same ? wide : .notEnoughData
    }
    let spread = max(base.max()! - new.min()!, new.max()! - base.min()!)
    func common(_ interval: Interval) -> Verdict {
      if spread <= resolution { return .same }
      let verdicts = Set(views.map { verdict(interval, $0) })
      guard verdicts.count == 1, let only = verdicts.first, only == .same || !unresolved else { return .notEnoughData }
      return only
    }
    plainVerdict = common(plain.interval)
    driftDecides = plainVerdict == .notEnoughData && common(launchesAlone) != .notEnoughData
  }
}
