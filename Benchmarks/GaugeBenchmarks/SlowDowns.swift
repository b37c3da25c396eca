// Work that takes longer on demand, for comparisons to find: see scripts/checks/validate-verdicts, live-power.

import Dispatch
import Gauge

/// A benchmark `slow-down/CLASS` for each class of work. With the environment variable GAUGE_DEMONSTRATION_SLOW_DOWN
/// set to 0.05, each operation does 5 % more of it; set to `compute=0.05`, those of that class do.
enum SlowDowns {
  @BenchmarkBuilder static var benchmarks: [Benchmark] {
    Benchmark("slow-down/compute", passes: [.time]) { run in
      let turns = try longer(20_000, "compute", run)
      run.measure { InstrumentBenchmarks.loop(turns: turns) }
    }

    Benchmark("slow-down/allocation", passes: [.time]) { run in
      let count = try longer(400, "allocation", run)
      run.measure { for number in 0..<count { blackHole(opaque(Box(UInt(number)))) } }
    }

    // Two threads, of which each waits for the other in turn.
    Benchmark("slow-down/cross-thread", threads: .several, passes: [.time]) { run in
      let count = try longer(200, "cross-thread", run)
      let (queue, answer) = (DispatchQueue(label: "slow-down"), DispatchSemaphore(value: 0))
      run.measure {
        for _ in 0..<count {
          queue.async { answer.signal() }
          answer.wait()
        }
      }
    }
  }

  /// So many, or as many more as the environment asks for.
  private static func longer(_ count: Int, _ work: String, _ run: BenchmarkRun) throws -> Int {
    guard let text = environment("GAUGE_DEMONSTRATION_SLOW_DOWN") else { return count }
    let parts = text.split(separator: "=")
    guard parts.count < 3, let share = parts.last.flatMap({ Double($0) }), 0...10 ~= share else {
      try run.skip("GAUGE_DEMONSTRATION_SLOW_DOWN is '\(text)', not [CLASS=]NUMBER with a number from 0 to 10")
    }
    guard parts.count == 1 || parts[0] == work else { return count }
    return Int((Double(count) * (1 + share)).rounded())
  }
}
