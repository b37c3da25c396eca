// How much the machine changed under a comparison: between the runs, by the reference loop; within a run, by its halves.

import Gauge
import GaugeStatistics

/// The speed of the machine on both sides as their launches' reference loops saw it.
struct MachineDrift {
  private struct Benchmark: Hashable {
    var benchmark: String
    var parameters: String
  }

  private let base: [Benchmark: [Double]]
  private let new: [Benchmark: [Double]]
  private let options: ComparisonOptions

  init(base: Results, new: Results, options: ComparisonOptions) {
    func loops(_ results: Results) -> [Benchmark: [Double]] {
      var loops: [Benchmark: [Double]] = [:]
      for row in results.rows where row.metric.name == Metric.referenceLoop.name {
        guard case .value(let value) = row.outcome, value > 0 else { continue }
        loops[Benchmark(benchmark: row.benchmark, parameters: row.parameters), default: []].append(value)
      }
      return loops
    }
    self.base = loops(base)
    self.new = loops(new)
    self.options = options
  }

  /// The ratio of the reference loop's time, new over base, while this benchmark was measured; 1 within the tolerance.
  ///
  /// The benchmark's own launches are asked where they are enough for a median, else those of the whole run.
  func ratio(for key: ResultRow.Key) -> Double {
    let benchmark = Benchmark(benchmark: key.benchmark, parameters: key.parameters)
    var (before, after) = (base[benchmark] ?? [], new[benchmark] ?? [])
    if min(before.count, after.count) < options.minimumLaunches {
      (before, after) = (base.values.flatMap { $0 }, new.values.flatMap { $0 })
    }
    guard !before.isEmpty && !after.isEmpty else { return 1 }
    let ratio = median(of: after) / median(of: before)
    return abs(ratio - 1) > options.referenceTolerance ? ratio : 1
  }

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
