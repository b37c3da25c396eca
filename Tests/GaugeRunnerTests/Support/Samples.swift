// Rows that tests write, read and compare.

import Gauge

@testable import GaugeRunner

extension ResultRow {
  /// A row of a time launch.
  static func sample(
    _ benchmark: String = "subject/send", parameters: String = "", metric: Metric = .time, launch: Int = 0,
    sequence: Int = 0, _ outcome: Measurement.Outcome = .value(12.5)
  ) -> ResultRow {
    ResultRow(
      benchmark: benchmark, parameters: parameters, metric: metric, launch: launch, sequence: sequence,
      iterations: 1000, samples: 25, outcome: outcome)
  }
}
