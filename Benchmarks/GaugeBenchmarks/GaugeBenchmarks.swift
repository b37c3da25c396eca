// The instrument measured with itself: what it reads for nothing, for one allocation, and for its own clock.

import Dispatch
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

    // A loop of known length: a turn takes what the cycle counter says (gauge/loop/cycles), within 1 %.
    Benchmark("gauge/loop", over: .values("turns", [10, 100, 1000, 10_000])) { run in
      let turns = run["turns"]
      run.elements = turns
      run.measure { InstrumentBenchmarks.loop(turns: turns) }
    }

    // What the instrument is held to by itself.
    InstrumentBenchmarks.benchmarks

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

    // One retain and one release per operation, seen by whoever counts them.
    Benchmark("gauge/retain") { run in
      let box = Box(opaque(1))
      run.measure { opaque(box) }
    }

    // Two system calls per operation, that is one page of memory taken and given back, and one page fault.
    Benchmark("gauge/page") { run in
      run.measure {
        let page = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
        page?.storeBytes(of: 1, as: UInt8.self)
        return munmap(page, 4096)
      }
    }

    // One voluntary context switch per operation.
    Benchmark("gauge/sleep") { run in
      run.countedOperations = 50
      run.measure { usleep(1) }
    }

    // What three publishers, a subscriber and a canceller at one desk do to each other: a score for each group.
    Benchmark("gauge/groups", threads: .several, passes: [.time, .latency, .resources]) { run in
      let desk = Desk()
      try run.measure(
        ThreadGroup("publishers", threads: 3) { desk.work(turns: 10) },
        ThreadGroup("subscribers") { desk.work(turns: 100) },
        ThreadGroup("cancellers") { desk.work(turns: 1) })
    }

    // How a lock scales: one to eight threads that want it.
    Benchmark("gauge/lock", over: .threads([1, 2, 4, 8]), threads: .several, passes: [.time, .resources]) {
      run in
      let desk = Desk()
      try run.measure(threads: run["threads"]) { desk.work(turns: 10) }
    }

    // One retain and one allocation more in a million operations, when asked for: what must still be told apart.
    Benchmark("gauge/rarely", passes: [.allocations, .references, .counts]) { run in
      run.countedOperations = 1_000_000
      let box = Box(opaque(1))
      let extra = environment("GAUGE_DEMONSTRATION_ONE_IN_A_MILLION")
      var turn = 0
      run.measure {
        turn &+= 1
        // Once within the counted operations, which come behind a tenth as many for warm-up.
        guard turn == 500_000 else { return }
        if extra == "allocation" { blackHole(opaque(Box(1))) }
        if extra == "retain" { blackHole(opaque(box)) }
      }
    }

    // What the instrument must read for operations whose cost is known.
    KnownCosts.benchmarks

    // What comparisons must find.
    SlowDowns.benchmarks

    // Fifty small programs whose reference counting is counted in two ways.
    ReferenceCorpus.benchmarks

    // What awaiting an operation that never suspends costs.
    Benchmark("gauge/await") { run in
      await run.measure { await nothing() }
    }

    // One object per operation, made in a function that goes on in whatever thread, and is awaited by another one: only
    // the contexts of the two say who has made it.
    Benchmark("gauge/resume", passes: [.allocations]) { run in
      await run.measure { await awaiting() }
    }
  }
}

/// A lock, with work to do while it is held.
private struct Desk: Sendable {
  private let lock = DispatchSemaphore(value: 1)

  func work(turns: Int) {
    lock.wait()
    for turn in 0..<turns { blackHole(turn) }
    lock.signal()
  }
}

/// An object of one word.
final class Box {
  let word: UInt

  init(_ word: UInt) {
    self.word = word
  }
}

@inline(never)
private func awaiting() async -> Box {
  let box = await resuming()
  blackHole(box.word)
  return box
}

@inline(never)
private func resuming() async -> Box {
  await Task.yield()
  return opaque(Box(opaque(1)))
}

@inline(never)
private func nothing() async {
  blackHole(())
}

/// The value of an environment variable, or `nil` where it is not set.
func environment(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}
