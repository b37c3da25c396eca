// The instrument measured with itself: what it reads for nothing, for one allocation, and for its own clock.

import Gauge
import Synchronization

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

    // What three publishers, a subscriber and a canceller of one list do to each other: a score for each group.
    Benchmark("gauge/groups", threads: .several) { run in
      let list = LockedList()
      try run.measure(
        ThreadGroup("publishers", threads: 3) { list.publish(1) },
        ThreadGroup("subscribers") { list.add() },
        ThreadGroup("cancellers") { list.removeLast() })
    }

    // How a lock scales: one to eight threads that want it.
    Benchmark("gauge/lock", over: .threads([1, 2, 4, 8]), threads: .several) { run in
      let list = LockedList()
      try run.measure(threads: run["threads"]) { list.publish(1) }
    }

    // What awaiting an operation that never suspends costs.
    Benchmark("gauge/await") { run in
      await run.measure { await nothing() }
    }
  }
}

/// Numbers behind a lock, as many as there are subscribers.
private final class LockedList: Sendable {
  private let sums = Mutex<[Int]>([0, 0, 0])

  func publish(_ number: Int) {
    sums.withLock { sums in
      for index in sums.indices { sums[index] &+= number }
    }
  }

  func add() {
    sums.withLock { if $0.count < 64 { $0.append(0) } }
  }

  func removeLast() {
    sums.withLock { if $0.count > 3 { $0.removeLast() } }
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
