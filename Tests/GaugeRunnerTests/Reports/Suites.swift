// A small suite for the reports' tests.

import Gauge
import GaugeRunner

/// Thirty benchmarks that scatter by 1 %; the first may be changed.
func reportedSuite(
  seed: UInt64, benchmarks: Int = 30, factor: Double = 1, allocations: Double = 0, machine: String = "a1"
) -> Results {
  var noise = Noise(seed: seed)
  var results = Results.run(machine: machine)
  for index in 0..<benchmarks {
    let isChanged = index == 0
    let times = noise.launches(12, around: 100 * (isChanged ? factor : 1), spread: 0.01)
    results.add(.time, times, to: "subject/send", parameters: "sinks=\(index)")
    results.add(.throughput, times.map { 1e9 / $0 }, to: "subject/send", parameters: "sinks=\(index)")
    results.add(.allocations, [isChanged ? allocations : 0], to: "subject/send", parameters: "sinks=\(index)")
  }
  return results
}

/// A fault with output.
let reportedFault = BenchmarkFault(
  benchmark: "queue/push", parameters: "n=2", reason: "killed by signal 4 (Illegal instruction)",
  output: "Fatal error: index | out of range\n```")
