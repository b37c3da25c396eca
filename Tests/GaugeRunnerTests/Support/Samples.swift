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

extension BenchmarkPoint {
  /// A point of an executable.
  static func sample(
    _ benchmark: String = "a", _ parameters: String = "", passes: [LaunchRequest.Pass] = [.time],
    executable: String = "/bin/benchmarks"
  ) -> BenchmarkPoint {
    BenchmarkPoint(executable: executable, benchmark: benchmark, parameters: parameters, passes: passes)
  }
}

extension LaunchPlan {
  /// A plan with the same number of launches of everything.
  static func sample(
    _ points: [BenchmarkPoint], launches: Int = 3, budget: Int = 10, selection: MetricSelection = .everything,
    seed: UInt64 = 1
  ) -> LaunchPlan {
    LaunchPlan(points: points, selection: selection, seed: seed) { _, _ in
      Effort.Share(launches: launches, budget: budget)
    }
  }
}
