// Earlier runs made up for tests.

import Gauge

@testable import GaugeRunner

/// Runs of one build on one machine: launches that scatter, and runs that do.
struct MadeRuns {
  var noise: Noise
  /// Names of the benchmarks.
  var benchmarks = (0..<12).map { "b\($0)" }
  /// Launches of a row.
  var launches = 12
  /// By how much others slow the launches down: the root of the mean square of the logarithms.
  var spread = 0.02
  /// Standard deviation by which every row of a run lies off, as a logarithm.
  var offset = 0.004

  init(seed: UInt64) { noise = Noise(seed: seed) }

  /// A run.
  ///
  /// - Parameters:
  ///   - build: What tells the executables from others.
  ///   - factors: How much slower some benchmarks are.
  ///   - machine: How much slower the processor is.
  ///   - memory: How much slower the memory is.
  ///   - slowest: How much slower the slowest 40 % of the launches are.
  mutating func run(
    build: String = "E=1", factors: [String: Double] = [:], machine: Double = 1, memory: Double = 1,
    slowest: [String: Double] = [:], spread: Double? = nil
  ) -> Results {
    var results = Results.run()
    results.environment.append(("executables", build))
    for (index, benchmark) in benchmarks.enumerated() {
      let centre =
        Double(100 * (index + 1)) * (factors[benchmark] ?? 1) * machine * (1 + offset * noise.normal())
      let tail = slowest[benchmark] ?? 1
      let times = noise.slowedLaunches(launches, around: centre, spread: spread ?? self.spread).enumerated()
        .map { $0.offset % 5 < 2 ? $0.element * tail : $0.element }
      results.add(.time, times, to: benchmark)
      results.add(.referenceLoop, noise.launches(launches, around: machine, spread: 0.001), to: benchmark)
      results.add(.referenceMemory, noise.launches(launches, around: 90 * memory, spread: 0.02), to: benchmark)
    }
    return results
  }

  /// A run in which a neighbour on the same core of the host slows down a share of the launches, which the loop of
  /// stores beside them notices, but for some benchmarks.
  ///
  /// - Parameters:
  ///   - share: The share of the launches.
  ///   - factors: How much slower some benchmarks are.
  ///   - unnoticed: The benchmarks beside which the loop notices nothing.
  ///   - calm: How many launches of some benchmarks are left alone, whatever the share is.
  mutating func run(
    besideNeighbour share: Double, factors: [String: Double] = [:], unnoticed: Set<String> = [],
    calm: [String: Int] = [:]
  ) -> Results {
    var results = run(factors: factors)
    for (place, benchmark) in benchmarks.enumerated() {
      let slowed = (0..<launches).map { launch in
        calm[benchmark].map { launch >= $0 } ?? (noise.generator.unit() < share)
      }
      results.add(.referenceStores, slowed.map { $0 && !unnoticed.contains(benchmark) ? 0.38 : 0.2739 }, to: benchmark)
      for index in results.rows.indices where results.rows[index].benchmark == benchmark {
        let row = results.rows[index]
        results.rows[index].sequence = place * launches + row.launch
        if row.metric == .time, slowed[row.launch], case .value(let time) = row.outcome {
          results.rows[index].outcome = .value(1.6 * time)
        }
      }
    }
    return results
  }

  /// Some runs of one build, as they are remembered.
  mutating func earlier(_ count: Int = 20, build: String = "E=1") -> [EarlierRun] {
    (0..<count).map { _ in EarlierRun(run(build: build)) }
  }
}
