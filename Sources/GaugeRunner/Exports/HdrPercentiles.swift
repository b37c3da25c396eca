// Latencies in the text that HdrHistogram prints of a percentile distribution, for its plotter.

import Foundation
import Gauge

extension RunSummary {
  /// Percentile distributions (`AbstractHistogram.outputPercentileDistribution`), one file per benchmark and kind of
  /// latency.
  ///
  /// The result file keeps percentiles and not histograms: a line stands for each percentile that it has, the median
  /// over launches, in nanoseconds. Mean and deviation are not known and not given.
  ///
  /// - Returns: Names of files with their texts.
  var hdrPercentiles: [(name: String, text: String)] {
    // Some file systems don't tell capital from small letters.
    var names = UnlikeNames { $0.lowercased() }
    return points.flatMap { point in
      [("latency_p", Metric.latencyMaximum), ("open_latency_p", Metric.openLatencyMaximum)].compactMap {
        prefix, maximum in
        let rows = point.rows.filter { $0.metric.name.hasPrefix(prefix) }.compactMap { row in
          latencyPercentile(of: row.metric.name).flatMap { 0..<100 ~= $0 ? (percentile: $0, row: row) : nil }
        }.sorted { $0.percentile < $1.percentile }
        guard let count = rows.first?.row.samples else { return nil }
        let titles = [("Value", 12), ("Percentile", 14), ("TotalCount", 10), ("1/(1-Percentile)", 14)]
        let head = titles.map { Self.padded($0.0, $0.1) }.joined(separator: " ") + "\n\n"
        var largest = 0.0
        var lines = rows.map { percentile, row in
          let share = percentile / 100
          // Medians over launches of neighbouring percentiles may cross by a little: a distribution can't.
          largest = max(largest, row.estimate.value)
          return String(
            format: "%12.3f %2.12f %10d %14.2f\n", largest, share, Int((share * Double(count)).rounded(.up)),
            1 / (1 - share))
        }
        if let row = point.row(maximum) {
          largest = max(largest, row.estimate.value)
          lines.append(String(format: "%12.3f %2.12f %10d\n", largest, 1.0, count))
        }
        let foot = String(format: "#[Max     = %12.3f, Total count    = %12d]\n", largest, count)
        let name = names.give((prefix.hasPrefix("open") ? "open-" : "") + Files.name(of: point.title))
        return (name + ".hgrm", head + lines.joined() + foot)
      }
    }
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
