// What the instrument is held to (scripts/checks/check-instrument): its times against the cycle counter, and what it
// does itself between two samples and for each value that it keeps.

import CMachine
import Gauge
import GaugeStatistics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The instrument's own cost and truth.
enum InstrumentBenchmarks {
  @BenchmarkBuilder static var benchmarks: [Benchmark] {
    // What a turn of gauge/loop's loop takes by the cycle counter alone: the shortest of many runs over 10,000 turns,
    // at a rate that is measured over a tenth of a second. The time that gauge/loop reads must be the same within 1 %.
    Benchmark("gauge/loop/cycles", passes: [.custom], metrics: [turn]) { run in
      run.measure {}
      guard let rate = CycleRate.measured else { try run.skip("the machine has no cycle counter") }
      let turns = 10_000
      var shortest = UInt64.max
      for _ in 0..<400 {
        let start = machine_cycles()
        blackHole(loop(turns: turns))
        shortest = min(shortest, machine_cycles() &- start)
      }
      run.record(turn, Double(shortest) * rate / Double(turns))
    }

    // What lies between two samples: from the end of an operation that is long enough to be a sample by itself to the
    // start of the next one, less what two readings of the cycle counter take. The lower quartile, as a busy machine
    // adds to many.
    Benchmark("gauge/bookkeeping", passes: [.custom], metrics: [bookkeeping]) { run in
      guard let rate = CycleRate.measured else { try run.skip("the machine has no cycle counter") }
      let length = UInt64(4e5 / rate)
      var gaps = [UInt64](repeating: 0, count: 4096)
      var count = 0
      var end: UInt64 = 0
      run.measure {
        let start = machine_cycles()
        if end != 0 {
          gaps[count & 4095] = start &- end
          count &+= 1
        }
        var now = start
        while now &- start < length { now = machine_cycles() }
        end = machine_cycles()
      }
      let readings = (0..<1000).map { _ in
        let start = machine_cycles()
        return machine_cycles() &- start
      }
      let gap = quantile(0.25, ofSorted: gaps.prefix(min(count, 4096)).map { Double($0) }.sorted())
      run.record(bookkeeping, (gap - Double(readings.min() ?? 0)) * rate)
    }

    // Allocations of several kinds, so many operations of them that another instrument can tell two launches apart
    // (scripts/checks/check-heap): an array that grows, a string, an object.
    Benchmark("gauge/heap", over: .values("operations", [1000, 9000]), passes: [.allocations]) { run in
      run.countedOperations = run["operations"]
      run.measure {
        var numbers: [Int] = []
        for number in 0..<opaque(20) { numbers.append(number) }
        let text = String(repeating: "heap", count: numbers.count)
        return (numbers, text, opaque(Node(text)))
      }
    }

    // A value kept in a histogram of three digits, of those that latencies have.
    Benchmark("gauge/histogram/record") { run in
      var histogram = HdrHistogram()
      var random = Xoshiro256(seed: 1)
      let values = (0..<1024).map { _ in UInt64(20 + 1e6 * random.unit() * random.unit() * random.unit()) }
      run.elements = values.count
      run.measure { for value in values { histogram.record(value) } }
      blackHole(histogram.totalCount)
    }
  }

  private static let turn = Metric("turn", unit: "ns/turn")
  private static let bookkeeping = Metric("bookkeeping", unit: "ns/sample")

  /// Turns that wait for each other: a chain of multiplications.
  @inline(__always)
  static func loop(turns: Int) -> UInt {
    var state = opaque(1 as UInt)
    for _ in 0..<turns { state = opaque(state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407) }
    return state
  }
}

/// An object that holds a string.
private final class Node {
  let text: String

  init(_ text: String) {
    self.text = text
  }
}

/// How long a step of the cycle counter is.
private enum CycleRate {
  /// Nanoseconds of a step, by the monotonic clock over 100 ms; `nil` where there is no such counter.
  static var measured: Double? {
    guard machine_has_cycle_counter() != 0 else { return nil }
    let start = both()
    while both().nanoseconds - start.nanoseconds < 100_000_000 {}
    let end = both()
    return (end.nanoseconds - start.nanoseconds) / Double(end.cycles &- start.cycles)
  }

  /// Both clocks at nearly the same moment: the tightest of several attempts, so that an interruption does not count.
  private static func both() -> (nanoseconds: Double, cycles: UInt64) {
    var best = (nanoseconds: 0.0, cycles: UInt64(0))
    var width = UInt64.max
    for _ in 0..<8 {
      let before = machine_cycles()
      var now = timespec()
      clock_gettime(CLOCK_MONOTONIC, &now)
      let after = machine_cycles()
      if after &- before < width {
        width = after &- before
        best = (Double(now.tv_sec) * 1e9 + Double(now.tv_nsec), before &+ width / 2)
      }
    }
    return best
  }
}
