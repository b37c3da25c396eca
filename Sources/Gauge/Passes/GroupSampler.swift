// Scores of thread groups from windows of time: warm-up, then as many windows as the budget holds.

import GaugeStatistics

/// Decides about the windows of a group measurement, and keeps what the threads did in them.
///
/// A pure state machine, so that tests can play the threads.
struct GroupSampler {
  /// Windows that are not counted: the threads find their stride, and caches and queues their working state.
  static let warmUpWindows = 2
  /// Windows that count.
  static let windows = 10
  /// No window is shorter, in nanoseconds: the threads don't start at exactly the same time.
  static let shortestWindow = 1e6

  private let groups: [(name: String, threads: Int)]
  private let window: UInt64
  private var seen = 0
  /// Operations per second of each group in each window that counts.
  private var rates: [[Double]]
  private var operations: [Int]

  /// - Parameters:
  ///   - budget: Measuring time in nanoseconds; the warm-up comes before it.
  ///   - groups: Name and number of threads of each group.
  init(budget: Double, groups: [(name: String, threads: Int)]) {
    self.groups = groups
    window = UInt64(max(Self.shortestWindow, budget / Double(Self.windows)))
    rates = groups.map { _ in [] }
    operations = groups.map { _ in 0 }
  }

  /// Whether the next window is the first that counts.
  var isWarm: Bool { seen == Self.warmUpWindows }

  /// Length of the next window in nanoseconds; `nil` when enough is known.
  func nextWindow() -> UInt64? {
    seen < Self.warmUpWindows + Self.windows ? window : nil
  }

  /// Takes what the threads did in a window.
  mutating func record(_ shares: [GroupShare]) {
    seen += 1
    guard seen > Self.warmUpWindows else { return }
    for group in groups.indices {
      let members = shares.filter { $0.group == group }
      operations[group] += members.reduce(0) { $0 + $1.operations }
      rates[group].append(members.reduce(0) { $0 + Double($1.operations) * 1e9 / max($1.nanoseconds, 1) })
    }
  }

  /// The scores: those of all threads together, then, where groups have names, those of each.
  ///
  /// - Parameters:
  ///   - elements: Elements per operation.
  ///   - overhead: Nanoseconds that a turn of the loop adds to each operation.
  ///   - waits: What the threads waited for a processor, where somebody wants to know of it.
  func measurements(elements: Int, overhead: Double, waits: ReadyWait? = nil) -> [Measurement] {
    let all = (0..<(rates.first?.count ?? 0)).map { window in rates.reduce(0) { $0 + $1[window] } }
    let done = operations.reduce(0, +)
    var measurements = scores(
      all, threads: groups.reduce(0) { $0 + $1.threads }, done, [.time, .meanTime, .throughput], elements, overhead)
    if let waits, done > 0 { measurements.append(waits.measurement(operations: done, samples: all.count)) }
    for (index, group) in groups.enumerated() where !group.name.isEmpty {
      measurements += scores(
        rates[index], threads: group.threads, operations[index],
        [.time(ofGroup: group.name), .meanTime(ofGroup: group.name), .throughput(ofGroup: group.name)], elements,
        overhead)
    }
    return measurements
  }

  /// The median time, the mean time and the throughput, as the metrics that they are here.
  private func scores(
    _ rates: [Double], threads: Int, _ operations: Int, _ metrics: [Metric], _ elements: Int, _ overhead: Double
  ) -> [Measurement] {
    guard !rates.isEmpty, case let rate = median(of: rates), rate > 0 else {
      return metrics.map { Measurement($0, .unavailable("the budget held no operation")) }
    }
    // Windows are of one length: the mean of their rates is that of all operations by all time.
    let total = rates.reduce(0, +) / Double(rates.count)
    let outcomes: [Measurement.Outcome] = [
      .duration(Double(threads) * 1e9 / rate - overhead), .duration(Double(threads) * 1e9 / total - overhead),
      .value(total * Double(elements)),
    ]
    return zip(metrics, outcomes).map { Measurement($0, $1, iterations: operations, samples: rates.count) }
  }
}
