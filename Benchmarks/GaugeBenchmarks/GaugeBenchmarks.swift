// The instrument measured with itself: what it reads for nothing, for one allocation, and for its own clock.

import Gauge

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@main struct GaugeBenchmarks: BenchmarkSuite {
  @BenchmarkBuilder static var benchmarks: [Benchmark] {
    // The floor: 0 ± 1 ns and no allocation, or every other number is wrong by as much.
    Benchmark("gauge/empty") { run in
      run.measure {}
    }

    // One class instance per operation: exactly one allocation and one free.
    Benchmark("gauge/allocate") { run in
      run.measure { opaque(Box(opaque(1))) }
    }

    // A small honest workload that gets worse on demand, so that a comparison can be shown to notice: with the
    // environment variable GAUGE_DEMONSTRATION_EXTRA_ALLOCATION set to 1, each operation allocates one object more.
    Benchmark("gauge/demonstration", over: .values("words", [64])) { run in
      let words = (0..<run["words"]).map { UInt(truncatingIfNeeded: $0 &* 0x9E37_79B9) }
      let allocatesMore = environment("GAUGE_DEMONSTRATION_EXTRA_ALLOCATION") == "1"
      run.elements = words.count
      run.measure {
        if allocatesMore { blackHole(opaque(Box(1))) }
        return Box(words.reduce(0) { ($0 ^ $1) &* 0x0100_0000_01B3 })
      }
    }

    // What the time pass pays for each of its two clock readings.
    Benchmark("gauge/clock") { run in
      run.measure {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return now.tv_nsec
      }
    }

    // What awaiting an operation that never suspends costs.
    Benchmark("gauge/await") { run in
      await run.measure { await nothing() }
    }
  }
}

/// An object of one word.
private final class Box {
  let word: UInt

  init(_ word: UInt) {
    self.word = word
  }
}

@inline(never)
private func nothing() async {
  blackHole(())
}

/// The value of an environment variable, or `nil` where it is not set.
private func environment(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}
