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
  /// What each thread did in all windows that count.
  private var totals: [GroupShare]

  /// - Parameters:
  ///   - budget: Measuring time in nanoseconds; the warm-up comes before it.
  ///   - groups: Name and number of threads of each group.
  init(budget: Double, groups: [(name: String, threads: Int)]) {
    self.groups = groups
    window = UInt64(max(Self.shortestWindow, budget / Double(Self.windows)))
    rates = groups.map { _ in [] }
    totals = groups.enumerated().flatMap { index, group in
      Array(repeating: GroupShare(group: index, operations: 0, nanoseconds: 0), count: group.threads)
    }
  }

  /// Whether the next window is the first that counts.
  var isWarm: Bool { seen == Self.warmUpWindows }

  /// Length of the next window in nanoseconds; `nil` when enough is known.
  func nextWindow() -> UInt64? {
    seen < Self.warmUpWindows + Self.windows ? window : nil
  }

  /// Takes what the threads did in a window, those of a group behind those of the groups before it.
  mutating func record(_ shares: [GroupShare]) {
    seen += 1
    guard seen > Self.warmUpWindows else { return }
    for (thread, share) in shares.enumerated() {
      totals[thread].operations += share.operations
      totals[thread].nanoseconds += share.nanoseconds
    }
    for group in groups.indices { rates[group].append(Self.rate(of: shares.filter { $0.group == group })) }
  }

  /// Operations per second of some threads together.
  private static func rate(of threads: [GroupShare]) -> Double {
    threads.reduce(0) { $0 + Double($1.operations) * 1e9 / max($1.nanoseconds, 1) }
  }

  /// The scores: those of all threads together, then, where groups have names, those of each.
  ///
  /// - Parameters:
  ///   - elements: Elements per operation.
  ///   - overhead: Nanoseconds that a turn of the loop adds to each operation.
  ///   - waits: What the threads waited for a processor, where somebody wants to know of it.
  func measurements(elements: Int, overhead: Double, waits: ReadyWait? = nil) -> [Measurement] {
    let all = (0..<(rates.first?.count ?? 0)).map { window in rates.reduce(0) { $0 + $1[window] } }
    var measurements = scores(all, threads: totals, elements, overhead) { $0 }
    let done = totals.reduce(0) { $0 + $1.operations }
    if let waits, done > 0 { measurements.append(waits.measurement(operations: done, samples: all.count)) }
    for (index, group) in groups.enumerated() where !group.name.isEmpty {
      let threads = totals.filter { $0.group == index }
      measurements += scores(rates[index], threads: threads, elements, overhead) { $0.of(group: group.name) }
    }
    return measurements
  }

  /// The median time, the mean time, what the one is of the other, and the throughput.
  ///
  /// - Parameters:
  ///   - rates: Operations per second of the threads together, in each window.
  ///   - threads: What each of the threads did in all windows.
  ///   - metric: Makes of a score of all threads that of these ones.
  private func scores(
    _ rates: [Double], threads: [GroupShare], _ elements: Int, _ overhead: Double, of metric: (Metric) -> Metric
  ) -> [Measurement] {
    guard !rates.isEmpty, case let usual = median(of: rates), usual > 0 else {
      return [Metric.time, .meanTime, .meanByMedian, .throughput].map {
        Measurement(metric($0), .unavailable("the budget held no operation"))
      }
    }
    // A window of a thread lasts until its last operation has ended: the mean is of all operations by all time.
    let rate = Self.rate(of: threads)
    let time = Double(threads.count) * 1e9 / usual - overhead
    let mean = Double(threads.count) * 1e9 / rate - overhead
    // As for a single thread: a quotient of times within the overhead's own variation is noise.
    let isShort = min(time, mean) <= max(overhead, 0)
    let outcomes: [(metric: Metric, outcome: Measurement.Outcome)] = [
      (.time, .duration(time)), (.meanTime, .duration(mean)),
      (.meanByMedian, isShort ? TimeSampler.tooShort : .value(mean / time)),
      (.throughput, .value(rate * Double(elements))),
    ]
    let operations = threads.reduce(0) { $0 + $1.operations }
    return outcomes.map {
      if case .unavailable = $0.outcome { return Measurement(metric($0.metric), $0.outcome) }
      return Measurement(metric($0.metric), $0.outcome, iterations: operations, samples: rates.count)
    }
  }
}
