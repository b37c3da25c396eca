// Operations of known cost: what each takes is named in Benchmarks/known-costs.csv before anybody measures it, and
// scripts/checks/check-instrument holds the instrument to that, on a quiet machine and on a busy one.

import Gauge

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The operations, each a benchmark `known/NAME`.
enum KnownCosts {
  static var benchmarks: [Benchmark] { work + counts + rarely + traced }

  // MARK: Time

  @BenchmarkBuilder private static var work: [Benchmark] {
    // So many turns of a loop whose turns wait for each other: cycles and instructions.
    Benchmark("known/work", over: .values("turns", [1000, 100_000]), passes: [.time, .latency, .resources, .counts]) {
      run in
      run.countedOperations = 20
      let turns = run["turns"]
      run.elements = turns
      run.measure { InstrumentBenchmarks.loop(turns: turns) }
    }

    // The same for longer than the system lets a thread run at a stretch where others wait.
    Benchmark("known/slices", over: .values("turns", [20_000_000]), passes: [.time]) { run in
      let turns = run["turns"]
      run.measure { InstrumentBenchmarks.loop(turns: turns) }
    }

    // Time without work.
    Benchmark("known/sleep", over: .values("ms", [10, 20]), passes: [.time, .latency, .resources]) { run in
      let nanoseconds = run["ms"] * 1_000_000
      run.measure { sleep(nanoseconds: nanoseconds) }
    }
  }

  // MARK: Counts

  @BenchmarkBuilder private static var counts: [Benchmark] {
    // Blocks of 16, 100 and 1000 bytes, all of them at once.
    Benchmark("known/blocks", passes: [.allocations]) { run in
      run.measure {
        let blocks = (opaque(malloc(opaque(16))), opaque(malloc(opaque(100))), opaque(malloc(opaque(1000))))
        free(blocks.0)
        free(blocks.1)
        free(blocks.2)
      }
    }

    // Two references kept, and the two that were kept before let go.
    Benchmark("known/references", passes: [.references, .counts]) { run in
      run.countedOperations = 100
      let holder = Holder()
      let (first, second) = (Referenced(), Referenced())
      run.measure { keep(first, second, in: holder) }
    }

    // Sixteen fresh pages taken, touched and given back.
    Benchmark("known/pages", passes: [.resources, .systemCalls]) { run in
      run.measure { touch(pages: 16) }
    }

    // Five calls of the kernel.
    Benchmark("known/calls", passes: [.systemCalls]) { run in
      run.measure { for _ in 0..<5 { blackHole(getppid()) } }
    }

    // Memory that is there while the operation runs, and not before or behind it.
    Benchmark("known/resident", over: .values("mib", [64]), passes: [.resources]) { run in
      let pages = run["mib"] * 256
      run.measure { touch(pages: pages) }
    }
  }

  // MARK: Rare work

  @BenchmarkBuilder private static var rarely: [Benchmark] {
    // A thousand turns, and every so many operations as many turns as all of them together have had.
    Benchmark("known/amortised", over: .values("every", [5000]), passes: [.time]) { run in
      let every = run["every"]
      measure(run, every: every, turns: 1000 * (every + 1))
    }

    // A thousand turns, and in one operation of so many a hundred times as many: with the environment variable
    // GAUGE_DEMONSTRATION_RARE set to 1, else none is longer than the others.
    Benchmark("known/rare", over: .values("every", [5000]), passes: [.time]) { run in
      let isLong = getenv("GAUGE_DEMONSTRATION_RARE").map { String(cString: $0) } == "1"
      measure(run, every: run["every"], turns: isLong ? 100_000 : 1000)
    }

    // What depends on the time of day: no count of it repeats.
    Benchmark("known/clock", passes: [.counts]) { run in
      run.measure {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return InstrumentBenchmarks.loop(turns: now.tv_sec % 2 == 0 ? 100 : 200)
      }
    }
  }

  // MARK: Tails

  /// Operations that write down themselves when they began and ended, for whoever names a folder in
  /// `GAUGE_KNOWN_TRACES`: tails are those of this machine at this moment, and a second launch has others.
  @BenchmarkBuilder private static var traced: [Benchmark] {
    Benchmark("known/traced", passes: [.latency, .openLatency], openLoopRate: 20_000) { run in
      var trace = Trace()
      run.measure {
        trace.begin()
        blackHole(InstrumentBenchmarks.loop(turns: 10_000))
        trace.end()
      }
      trace.write()
    }
  }

  /// Measures operations of a thousand turns of a loop; one in `every` has `turns` instead. Which of them comes first
  /// is drawn at random, so that launches don't all begin with the same share of slow ones.
  private static func measure(_ run: BenchmarkRun, every: Int, turns: Int) {
    var left = Int.random(in: 1...every)
    run.measure {
      left -= 1
      guard left == 0 else { return InstrumentBenchmarks.loop(turns: 1000) }
      left = every
      return InstrumentBenchmarks.loop(turns: opaque(turns))
    }
  }

  private static func sleep(nanoseconds: Int) {
    var left = timespec(tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
    var rest = timespec()
    while nanosleep(&left, &rest) != 0 { left = rest }
  }

  private static func touch(pages: Int) {
    guard let memory = mmap(nil, pages * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0),
      memory != MAP_FAILED
    else { fatalError("no memory: error \(errno)") }
    #if canImport(Glibc) || canImport(Musl)
      // A page is a page, however many of them there are.
      madvise(memory, pages * 4096, MADV_NOHUGEPAGE)
    #endif
    for page in 0..<pages { memory.storeBytes(of: 1, toByteOffset: page * 4096, as: UInt8.self) }
    munmap(memory, pages * 4096)
  }
}

private final class Referenced {}

private final class Holder {
  var first = Referenced()
  var second = Referenced()
}

@inline(never)
private func keep(_ first: Referenced, _ second: Referenced, in holder: Holder) {
  holder.first = first
  holder.second = second
}

/// Beginnings and ends of operations, in nanoseconds of the monotonic clock.
private struct Trace {
  private static let capacity = 1 << 18
  /// Both of each operation, one behind the other; the last ones where there are too many.
  private var moments = [UInt64](repeating: 0, count: 2 * capacity)
  private var count = 0

  mutating func begin() { moments[2 * (count % Self.capacity)] = Self.now() }

  mutating func end() {
    moments[2 * (count % Self.capacity) + 1] = Self.now()
    count += 1
  }

  private static func now() -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
  }

  /// Writes a file of the folder that the environment names, in the order of the operations.
  func write() {
    guard let folder = getenv("GAUGE_KNOWN_TRACES").map({ String(cString: $0) }) else { return }
    let kept = min(count, Self.capacity)
    let path = "\(folder)/\(Self.now()).trace"
    guard let file = fopen(path, "w") else { fatalError("can't write \(path): error \(errno)") }
    for number in (count - kept)..<count {
      let place = 2 * (number % Self.capacity)
      fputs("\(moments[place]) \(moments[place + 1])\n", file)
    }
    guard fclose(file) == 0 else { fatalError("can't write \(path): error \(errno)") }
  }
}
