// Changes in how often something is done.

import Gauge

@BenchmarkBuilder var orderBenchmarks: [Benchmark] {
  Benchmark("corpus/repeated-sort") { run in
    let series = Series(values: numbers(40))
    run.measure { digest(series.values) &+ series.summary() }
  }
  Benchmark("corpus/length-in-loop") { run in
    let text = String(repeating: "gauge ", count: opaque(10))
    run.measure { checksum(of: text) }
  }
  Benchmark("corpus/smaller-buffer") { run in
    let values = numbers(200, below: 256)
    var writer = Writer()
    run.measure {
      for value in values { writer.write(UInt8(truncatingIfNeeded: value)) }
      return writer.written
    }
  }
  Benchmark("corpus/recursion") { run in
    let steps = opaque(12)
    run.measure {
      var known = [Int](repeating: 0, count: 64)
      return ways(steps, &known)
    }
  }
  Benchmark("corpus/division") { run in
    let values = numbers(100, below: 1_000_000)
    let table = Table(size: opaque(64))
    run.measure { table.fill(values) }
  }
}

struct Series {
  var values: [Int]

  func rank(_ percent: Int, of sorted: [Int]) -> Int { sorted[sorted.count * percent / 100] }

  func summary() -> Int {
    #if REGRESSED
      return rank(10, of: values.sorted()) &+ rank(50, of: values.sorted()) &+ rank(90, of: values.sorted())
    #else
      let sorted = values.sorted()
      return rank(10, of: sorted) &+ rank(50, of: sorted) &+ rank(90, of: sorted)
    #endif
  }
}

func checksum(of text: String) -> Int {
  var sum = 0
  var place = 0
  let bytes = text.utf8
  #if REGRESSED
    while place < text.count {
      sum = sum &* 31 &+ place
      place += 1
    }
  #else
    let count = text.count
    while place < count {
      sum = sum &* 31 &+ place
      place += 1
    }
  #endif
  return sum &+ bytes.count
}

struct Writer {
  var buffer: [UInt8] = []
  var written = 0
  #if REGRESSED
    static let capacity = 2
  #else
    static let capacity = 100
  #endif

  mutating func write(_ byte: UInt8) {
    buffer.append(byte)
    if buffer.count >= Self.capacity { flush() }
  }

  @inline(never) mutating func flush() {
    var sum: UInt8 = 0
    for byte in buffer { sum ^= byte }
    written &+= buffer.count &+ Int(sum & 1)
    for round in 0..<20 { written ^= opaque(round) }
    buffer.removeAll(keepingCapacity: true)
  }
}

func ways(_ steps: Int, _ known: inout [Int]) -> Int {
  if steps <= 1 { return 1 }
  #if !REGRESSED
    if known[steps] > 0 { return known[steps] }
  #endif
  let result = ways(steps - 1, &known) &+ ways(steps - 2, &known)
  known[steps] = result
  return result
}

struct Table {
  let size: Int

  func slot(_ hash: Int) -> Int {
    #if REGRESSED
      hash % size
    #else
      hash & (size &- 1)
    #endif
  }

  func fill(_ values: [Int]) -> Int {
    var taken = 0
    for value in values { taken ^= 1 &<< (slot(value) & 63) }
    return taken
  }
}
