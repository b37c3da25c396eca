// How much the machine changed under a comparison: between the runs, by the reference loops and by what the whole suite
// did; within a run, by its halves.

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
  /// What changed from run to run for most of a suite, as far as one metric tells.
  struct SuiteShift: Hashable {
    /// The median of the benchmarks' changes, as a logarithm of the ratio.
    var centre = 0.0
    /// Their scaled median absolute deviation from it: the standard deviation, if they are normally distributed.
    var scatter = 0.0

    /// The largest change that is not far out among the suite's: beyond four standard deviations, one row in 16,000
    /// would be by chance.
    var reach: Double { abs(centre) + 4 * scatter }
  }

  private let base: [ResultRow.Key: MeasuredRows]
  private let new: [ResultRow.Key: MeasuredRows]
  private let loops: [String]
  private let shifts: [String: SuiteShift]
  private let options: ComparisonOptions

  /// Fewest rows of a metric for an estimate of what the suite did.
  static let minimumRows = 10

  /// Looks at two runs.
  ///
  /// - Complexity: O(rows · log rows).
  init(base: [ResultRow.Key: MeasuredRows], new: [ResultRow.Key: MeasuredRows], options: ComparisonOptions) {
    self.base = base.filter { $0.value.isReference }
    self.new = new.filter { $0.value.isReference }
    loops = Set(self.base.keys.map(\.metric)).intersection(self.new.keys.map(\.metric)).sorted()
    self.options = options
    var ratios: [String: [Double]] = [:]
    for (key, rows) in base {
      guard rows.metric.isTime, let other = new[key], !rows.values.isEmpty, !other.values.isEmpty else { continue }
      let (before, after) = (median(of: rows.values), median(of: other.values))
      if before > options.timeResolution && after > options.timeResolution {
        ratios[key.metric, default: []].append(log(after / before))
      }
    }
    shifts = ratios.filter { $0.value.count >= Self.minimumRows }.compactMapValues { ratios in
      Summary(ratios).map { SuiteShift(centre: $0.median, scatter: 1.4826 * $0.medianAbsoluteDeviation) }
    }
  }

  /// The ratio of a reference loop's time, new over base, while this benchmark was measured; 1 within the tolerance.
  ///
  /// The benchmark's own launches are asked where they are enough for a median, else those of the whole run. Of several
  /// loops, which may strain different parts of the core, the one that changed most counts.
  func ratio(for key: ResultRow.Key) -> Double {
    let ratios = loops.map { loop in
      var own = key
      own.metric = loop
      var (before, after) = (base[own]?.values ?? [], new[own]?.values ?? [])
      if min(before.count, after.count) < options.minimumLaunches {
        before = base.filter { $0.key.metric == loop }.flatMap(\.value.values)
        after = new.filter { $0.key.metric == loop }.flatMap(\.value.values)
      }
      return median(of: after) / median(of: before)
    }
    let farthest = ratios.filter { $0 > 0 && $0.isFinite }.max { abs(log($0)) < abs(log($1)) } ?? 1
    return abs(farthest - 1) > options.referenceTolerance ? farthest : 1
  }

  /// How a time metric changed over the whole suite: an estimate of what differs from run to run of one build and is not
  /// seen by the launches within a run, above all another tenant on the same core.
  ///
  /// Medians, so that a change of code enters little as long as it reaches fewer than half of the benchmarks. One that
  /// slows all of them down alike can't be told from a slower machine by two separate runs.
  ///
  /// - Returns: No change for other metrics and with fewer than `minimumRows` rows.
  func suiteShift(of metric: String) -> SuiteShift { shifts[metric] ?? SuiteShift() }

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

extension MeasuredRows {
  /// Whether this is a loop of the instrument that times the machine.
  fileprivate var isReference: Bool {
    metric.name.hasPrefix("reference_") && metric.polarity == .neither && !values.isEmpty
  }
}
