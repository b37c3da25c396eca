// Heap calls per operation: warm-up, then a fixed number of operations between two readings of the preloaded counters.

/// One counted batch of operations.
struct AllocationSampler: Sampler {
  private let operations: Int
  private var isWarm = false
  /// What the counted operations did to the heap; `nil` until they ran.
  private(set) var counts: HeapCounts?

  /// - Parameter operations: Operations to count, after a tenth as many, but one at least, for warm-up.
  init(operations: Int) {
    self.operations = operations
  }

  func nextCount() -> Int? {
    if !isWarm { return max(1, operations / 10) }
    return counts == nil ? operations : nil
  }

  mutating func record(from start: HeapCounts, to end: HeapCounts) {
    if isWarm {
      counts = end - start
    } else {
      isWarm = true
    }
  }

  /// The quantities that the counts tell.
  func measurements(threads: Benchmark.Threads) -> [Measurement] {
    guard let counts else { return [] }
    func measurement(_ metric: Metric, _ count: UInt64) -> Measurement {
      Measurement(
        metric.counted(in: threads), .value(Double(count) / Double(operations)), iterations: operations, samples: 1)
    }
    return [
      measurement(.allocations, counts.allocations), measurement(.frees, counts.frees),
      measurement(.allocatedBytes, counts.bytes),
    ]
  }

  /// The same quantities where the hooks are not there.
  static func unavailable(threads: Benchmark.Threads, because reason: String) -> [Measurement] {
    [Metric.allocations, .frees, .allocatedBytes].map {
      Measurement($0.counted(in: threads), .unavailable(reason))
    }
  }
}

extension Metric {
  /// The metric with the kind that it has where `threads` take part: what several threads count depends on their timing.
  fileprivate func counted(in threads: Benchmark.Threads) -> Metric {
    var metric = self
    if threads == .several { metric.kind = .sampled }
    return metric
  }
}
