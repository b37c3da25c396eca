// The scores of single groups of threads: which metrics of a run are some, and of what.

import Gauge

/// The metrics of a run that are scores of single groups of threads.
///
/// Such a metric is named as that of all threads, with the group's name behind it, and an author's own may be named so,
/// too. It counts as one of a group only where the run has all that a launch reports of a group, described as a launch
/// does: what stands alone is judged as strictly as any other metric. What rare operations add to a mean stands for
/// itself, as its name does.
struct GroupScores {
  private var names: [ResultRow.Key: String] = [:]

  /// What launches for time and for latency report of each group, together; the first is what groups are looked for by.
  private static let reported: [[Metric]] = [
    [.throughput, .time, .meanTime],
    [Metric.latencyMaximum] + ["50", "90", "99", "99.9", "99.99"].map { Metric.latency(percentile: $0) },
    [.meanByMedian],
  ]

  /// Looks for groups.
  ///
  /// - Parameter rows: All rows of the run.
  init(_ rows: [ResultRow.Key: MeasuredRows]) {
    for key in rows.keys {
      for scores in Self.reported where key.metric.hasPrefix(scores[0].name + "_") {
        let suffix = String(key.metric.dropFirst(scores[0].name.count))
        func has(_ score: Metric) -> Bool {
          var metric = score
          metric.name += suffix
          return rows[key.of(metric.name)]?.metric == metric
        }
        guard scores.allSatisfy(has) else { continue }
        for score in scores { names[key.of(score.name + suffix)] = score.name }
      }
    }
  }

  /// The built-in metric that a row is of one group of threads; `nil` for another row.
  func name(_ key: ResultRow.Key) -> String? { names[key] }
}
