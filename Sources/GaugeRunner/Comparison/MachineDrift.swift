// How much the machine changed under a comparison: between the runs, by the reference loop and by the scatter of the
// suite; within a run, by its halves.

import Gauge
import GaugeStatistics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What two runs tell about the machine they ran on.
struct MachineDrift {
  /// All launches' reference loops of one side.
  private typealias Loops = [ResultRow.Key: MeasuredRows]

  private let base: Loops
  private let new: Loops
  private let scatters: [String: Double]
  private let options: ComparisonOptions

  /// Fewest rows of a metric for an estimate of their scatter.
  static let minimumRows = 10

  /// Looks at two runs.
  ///
  /// - Complexity: O(rows · log rows).
  init(base: [ResultRow.Key: MeasuredRows], new: [ResultRow.Key: MeasuredRows], options: ComparisonOptions) {
    self.base = base.filter { $0.key.metric == Metric.referenceLoop.name && !$0.value.values.isEmpty }
    self.new = new.filter { $0.key.metric == Metric.referenceLoop.name && !$0.value.values.isEmpty }
    self.options = options
    var ratios: [String: [Double]] = [:]
    for (key, rows) in base {
      guard rows.metric.isTime, let other = new[key], !rows.values.isEmpty, !other.values.isEmpty else { continue }
      let (before, after) = (median(of: rows.values), median(of: other.values))
      if before > options.timeResolution && after > options.timeResolution {
        ratios[key.metric, default: []].append(log(after / before))
      }
    }
    scatters = ratios.filter { $0.value.count >= Self.minimumRows }
      .compactMapValues { Summary($0).map { 1.4826 * $0.medianAbsoluteDeviation } }
  }

  /// The ratio of the reference loop's time, new over base, while this benchmark was measured; 1 within the tolerance.
  ///
  /// The benchmark's own launches are asked where they are enough for a median, else those of the whole run.
  func ratio(for key: ResultRow.Key) -> Double {
    var own = key
    own.metric = Metric.referenceLoop.name
    var (before, after) = (base[own]?.values ?? [], new[own]?.values ?? [])
    if min(before.count, after.count) < options.minimumLaunches {
      (before, after) = (base.values.flatMap(\.values), new.values.flatMap(\.values))
    }
    guard !before.isEmpty && !after.isEmpty else { return 1 }
    let ratio = median(of: after) / median(of: before)
    return ratio > 0 && abs(ratio - 1) > options.referenceTolerance ? ratio : 1
  }

  /// How a time metric's changes scatter over the benchmarks of the suite: an estimate of what differs from run to run
  /// of one build and is not seen by the launches within a run.
  ///
  /// The scaled median absolute deviation of the logarithms of the ratios: what a code change does to fewer than half
  /// of the benchmarks hardly enters it, nor does what it does to all alike.
  ///
  /// - Returns: A standard deviation on the logarithmic scale; 0 for other metrics and with fewer than `minimumRows`
  ///   rows.
  func scatter(of metric: String) -> Double { scatters[metric] ?? 0 }

  /// By how much the second half of a run's launches lies off the first.
  ///
  /// - Parameter values: One value per launch in time order.
  /// - Returns: The distance of the halves' medians; the middle launch of an odd number belongs to neither.
  static func withinRun(_ values: [Double]) -> Double {
    let half = values.count / 2
    guard half > 0 else { return 0 }
    return abs(median(of: values.suffix(half)) - median(of: values.prefix(half)))
  }
}
