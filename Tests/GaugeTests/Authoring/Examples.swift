// The examples of the documentation, compiled: DocumentationTests holds them against the comments in the sources.

import Gauge

struct ArrayBenchmarks: BenchmarkSuite {
  @BenchmarkBuilder static var benchmarks: [Benchmark] {
    Benchmark("array/sum", over: .values("count", [10, 1000])) { run in
      let numbers = Array(0..<run["count"])
      run.elements = run["count"]
      run.measure { opaque(numbers).reduce(0, +) }
    }
  }
}

struct StoreBenchmarks: BenchmarkSuite {
  static var runFixture: Fixture? {
    Fixture(setUp: { try makeTestData(in: Fixture.folder) }, tearDown: {})
  }
  @BenchmarkBuilder static var benchmarks: [Benchmark] {
    Benchmark("store/open") { run in
      let path = Fixture.folder + "/data"
      run.measure { path.utf8.count }
    }
  }
}

struct Examples: BenchmarkSuite {
  @BenchmarkBuilder static var benchmarks: [Benchmark] {
    Benchmark("array/sort", over: .values("count", [10, 1000])) { run in
      let shuffled = (0..<run["count"]).map { ($0 &* 7919) % run["count"] }
      run.elements = run["count"]
      run.measure { shuffled.sorted() }
    }
    Benchmark("queue/round-trip", tags: ["slow"]) { run in
      let queue = try await EchoQueue.connect()
      try await run.measure { try await queue.echo(1) }
      await queue.close()
    }
    Benchmark("counter/contended", threads: .several) { run in
      let counter = LockedCounter()
      try run.measure(
        ThreadGroup("writers", threads: 3) { counter.add(1) },
        ThreadGroup("readers", threads: 1) { counter.value })
    }
    Benchmark("lock/contended", over: .threads([1, 2, 4, 8]), threads: .several) { run in
      let counter = LockedCounter()
      try run.measure(threads: run["threads"]) { counter.add(1) }
    }
    lookUp()
    Benchmark("cache/shared", threads: .several) { run in
      guard processors > 1 else { try run.skip("needs two processors") }
      let cache = Cache(capacity: 100)
      run.measure { cache.lookUp(7) }
    }
  }

  private static func lookUp() -> Benchmark {
    let hitRate = Metric("hit_rate", unit: "%", polarity: .higher)
    return Benchmark("cache/lookup", metrics: [hitRate]) { run in
      let cache = Cache(capacity: 100)
      run.measure { cache.lookUp(7) }
      run.record(hitRate, cache.hitRate * 100)
    }
  }
}

// MARK: What the examples measure

let processors = 1

func makeTestData(in folder: String) throws {}

actor EchoQueue {
  static func connect() async throws -> EchoQueue { EchoQueue() }
  func echo(_ number: Int) async throws -> Int { number }
  func close() {}
}

final class LockedCounter: Sendable {
  private let count = Locked(0)

  func add(_ amount: Int) { count.withLock { $0 += amount } }
  var value: Int { count.withLock { $0 } }
}

final class Cache {
  private var seen: Set<Int> = []
  private var lookUps = 0
  private var hits = 0

  init(capacity: Int) { seen.reserveCapacity(capacity) }

  func lookUp(_ key: Int) -> Bool {
    lookUps += 1
    if seen.insert(key).inserted { return false }
    hits += 1
    return true
  }

  var hitRate: Double { Double(hits) / Double(lookUps) }
}
