// Runs made up for tests, and the noise of launches.

import Gauge
import GaugeRunner
import GaugeStatistics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Results {
  /// A run without rows on a machine that is named in full.
  static func run(machine: String = "a1", kernel: String = "6.1") -> Results {
    var results = Results()
    results.environment = [
      ("date", "2025-01-01"), ("machine_id", machine), ("cpu_model", "Xeon"), ("cpu_count", "2"),
      ("microcode", "0x1"), ("kernel", kernel), ("libc", "glibc 2.39"),
    ]
    return results
  }

  /// Adds one launch per value.
  mutating func add(
    _ metric: Metric, _ values: [Double], to benchmark: String = "a/b", parameters: String = "", operations: Int = 100
  ) {
    for (launch, value) in values.enumerated() {
      add(metric, .value(value), launch: launch, to: benchmark, parameters: parameters, operations: operations)
    }
  }

  /// Adds one launch that could not measure.
  mutating func add(_ metric: Metric, unavailable reason: String, to benchmark: String = "a/b") {
    add(metric, .unavailable(reason), launch: 0, to: benchmark, parameters: "")
  }

  private mutating func add(
    _ metric: Metric, _ outcome: Measurement.Outcome, launch: Int, to benchmark: String, parameters: String,
    operations: Int = 100
  ) {
    rows.append(
      ResultRow(
        benchmark: benchmark, parameters: parameters, metric: metric, launch: launch, sequence: rows.count,
        iterations: operations, samples: min(operations, 10), outcome: outcome))
  }
}

/// Noise of launches from a fixed seed.
struct Noise {
  var generator: Xoshiro256

  init(seed: UInt64) { generator = Xoshiro256(seed: seed) }

  /// A normally distributed number.
  mutating func normal() -> Double { NormalDistribution.quantile(generator.unit() + 0x1p-54) }

  /// Launches that scatter log-normally.
  ///
  /// - Parameter spread: Standard deviation of the logarithm.
  mutating func launches(_ n: Int, around centre: Double, spread: Double = 0.02) -> [Double] {
    (0..<n).map { _ in centre * exp(spread * normal()) }
  }

  /// Launches that others have made slower, and nobody faster.
  ///
  /// - Parameter spread: Root of the mean square of the logarithm.
  mutating func slowedLaunches(_ n: Int, around centre: Double, spread: Double) -> [Double] {
    (0..<n).map { _ in centre * exp(spread * abs(normal())) }
  }
}
