// What changed, told by benchmark: its time first, then what explains it, one line a cause.

import Gauge
import GaugeStatistics

/// Rows of one benchmark that changed together for one reason.
struct ComparisonCause: Hashable {
  /// The row that stands for them.
  var entry: ComparisonEntry
  /// The others, which follow from it: fewer allocations are fewer frees and bytes.
  var others: [ComparisonEntry] = []

  /// The metrics that changed: that of the row and, behind a plus sign, the others.
  var metrics: String { ([entry] + others).map(\.key.metric).joined(separator: " + ") }

  /// The metrics of each cause, in the order in which causes are told;
  /// the first of them that changed stands for the cause.
  private static let causes: [[Metric]] = [
    [.time, .meanTime, .meanByMedian, .timePerElement, .throughput, .bandwidth],
    [.instructions, .hardwareInstructions, .hardwareCycles],
    [.allocations, .allocatedBytes, .frees, .peakHeap, .objectAllocations],
    [.retains, .releases, .arcRetains, .arcReleases],
  ]

  /// The cause that a metric belongs to: its place, and the name that it shares with others.
  static func place(of metric: String) -> (rank: Int, name: String) {
    for (rank, metrics) in causes.enumerated() where metrics.contains(where: { $0.name == metric }) {
      return (rank, metrics[0].name)
    }
    for (offset, beginning) in ["time_", "latency_", "open_latency_"].enumerated() where metric.hasPrefix(beginning) {
      return (causes.count + offset, beginning)
    }
    return (causes.count + 3, metric)
  }

  /// The place of a metric within its cause.
  private static func order(of metric: String) -> Int {
    causes.joined().enumerated().first { $1.name == metric }?.offset ?? .max
  }

  /// Rows of one benchmark by cause.
  static func all(of entries: [ComparisonEntry]) -> [ComparisonCause] {
    var causes: [ComparisonCause] = []
    let ordered = entries.sorted { left, right in
      let (first, second) = (place(of: left.key.metric), place(of: right.key.metric))
      guard first == second else { return first < second }
      // A row with a verdict stands for those without.
      let (judged, other) = (left.verdict != nil, right.verdict != nil)
      guard judged == other else { return judged }
      return (order(of: left.key.metric), left.key.metric) < (order(of: right.key.metric), right.key.metric)
    }
    // Causes of one place stand together: which verdicts the ones of the last place have.
    var last: (place: (rank: Int, name: String), causes: [Verdict?: Int], latest: Int)?
    for entry in ordered {
      let place = Self.place(of: entry.key.metric)
      if let known = last, known.place == place,
        let cause = entry.verdict == nil ? known.latest : known.causes[entry.verdict]
      {
        causes[cause].others.append(entry)
        continue
      }
      var known: [Verdict?: Int] = [:]
      if let before = last, before.place == place { known = before.causes }
      known[entry.verdict] = causes.count
      last = (place, known, causes.count)
      causes.append(ComparisonCause(entry: entry))
    }
    return causes
  }
}

extension Comparison {
  /// What changed, by benchmark: those with something worse first, and of these those whose time is worse, the largest
  /// change first.
  var changes: [[ComparisonCause]] {
    let changed = Dictionary(
      grouping: entries.filter { $0.verdict == .worse || $0.verdict == .better }, by: \.key.title)
    // Counts that changed explain a time even where they have no verdict of their own.
    let counts = Dictionary(
      grouping: entries.filter {
        $0.judgement == .shown && $0.metric.kind == .exact && ($0.change?.magnitude ?? 0) > 0
      }, by: \.key.title)
    return changed.map { title, entries in ComparisonCause.all(of: entries + (counts[title] ?? [])) }.sorted {
      Self.gravity(of: $1) < Self.gravity(of: $0)
    }
  }

  /// What a benchmark is ranked by.
  private static func gravity(of causes: [ComparisonCause]) -> Gravity {
    let worse = causes.map(\.entry).filter { $0.verdict == .worse }
    let leading = worse.first { $0.key.metric == Metric.time.name } ?? worse.first ?? causes[0].entry
    let isTime = leading.key.metric == Metric.time.name
    return Gravity(
      kind: worse.isEmpty ? 0 : isTime ? 2 : 1,
      magnitude: (worse.isEmpty ? causes.map(\.entry) : isTime ? [leading] : worse)
        .map { $0.change?.magnitude ?? 0 }.max() ?? 0,
      title: leading.key.title)
  }

  private struct Gravity: Comparable {
    var kind: Int
    var magnitude: Double
    var title: String

    static func < (left: Self, right: Self) -> Bool {
      // Of two that are alike the first by name is told first.
      (left.kind, left.magnitude, right.title) < (right.kind, right.magnitude, left.title)
    }
  }
}
