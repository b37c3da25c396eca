// One run as tables: a family of benchmarks each, a row per benchmark, a column per metric.

import Foundation
import Gauge
import GaugeStatistics

/// The tables of a run, before they are set for a terminal or a page.
struct ResultsTable {
  /// A column.
  struct Column: Hashable {
    /// What a column holds.
    enum Content: Hashable {
      /// The values of a metric.
      case values(Metric)
      /// How far the interval of the time reaches from it, relative to it.
      case spread
      /// How many times as long as its limit a benchmark takes.
      case distance
    }

    /// Its title on a page.
    var title: String
    /// Its title where space is short.
    var shortTitle: String
    /// What it holds.
    var content: Content

    /// Whether it holds a metric of this name.
    func holds(_ metric: Metric) -> Bool {
      if case .values(let own) = content { own.name == metric.name } else { false }
    }
  }

  /// A cell.
  enum Cell: Hashable {
    /// Nothing was to be measured.
    case none
    /// The median over so many launches, with its interval.
    case value(Estimate, launches: Int)
    /// Why there is no value.
    case unavailable(String)
    /// How many times as long as the named limit.
    case distance(Double, limit: String)

    /// The number in it.
    var value: Double? {
      switch self {
      case .value(let estimate, _): estimate.value
      case .distance(let ratio, _): ratio
      case .none, .unavailable: nil
      }
    }
  }

  /// A row.
  struct Row: Hashable {
    /// Name of the benchmark.
    var benchmark: String
    /// The point of its parameter grid.
    var parameters: String
    /// One cell per column.
    var cells: [Cell]

    /// The benchmark as people read it.
    var title: String { ResultRow.Key(benchmark: benchmark, parameters: parameters, metric: "").title }
  }

  /// The benchmarks whose names begin alike.
  struct Family: Hashable {
    /// The first part of their names.
    var name: String
    /// The columns, the most important first.
    var columns: [Column]
    /// How many of them a reader looks for first.
    var leading: Int
    /// How many metrics of an author's own have no column, as there are more than a table holds.
    var omitted = 0
    /// The rows, ordered by name, and by the parameters' numbers rather than their digits.
    var rows: [Row]
  }

  /// The families, ordered by name.
  let families: [Family]

  /// The tables of a run.
  init(_ results: Results) {
    let rows = MeasuredRows.grouped(results)
    let limits = Limits(in: results)
    let points = Limits.Points(rows)
    families = Dictionary(grouping: rows.keys) { Limits.family(of: $0.benchmark) }.sorted { $0.key < $1.key }
      .map { name, keys in Self.family(name, keys, rows, limits, points) }
  }

  private static func family(
    _ name: String, _ keys: [ResultRow.Key], _ rows: [ResultRow.Key: MeasuredRows], _ limits: Limits,
    _ points: Limits.Points
  ) -> Family {
    let benchmarks = Dictionary(grouping: keys, by: \.title).values.sorted { left, right in
      let (left, right) = (left[0], right[0])
      let order = left.benchmark.compare(right.benchmark, options: .numeric)
      guard order == .orderedSame else { return order == .orderedAscending }
      return left.parameters.compare(right.parameters, options: .numeric) == .orderedAscending
    }
    let distances = benchmarks.map { limits.distance(of: $0[0].benchmark, $0[0].parameters, at: points) }
    let metrics = Dictionary(
      keys.compactMap { rows[$0]?.metric }.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var (columns, leading, omitted) = columns(of: metrics)
    if distances.contains(where: { $0 != nil }) {
      columns.append(Column(title: "times its limit", shortTitle: "× limit", content: .distance))
    }
    return Family(
      name: name, columns: columns, leading: leading, omitted: omitted,
      rows: zip(benchmarks, distances).map { keys, distance in
        let measured = Dictionary(uniqueKeysWithValues: keys.map { ($0.metric, rows[$0]) })
        return Row(
          benchmark: keys[0].benchmark, parameters: keys[0].parameters,
          cells: columns.map { column in
            switch column.content {
            case .values(let metric): cell(measured[metric.name] ?? nil)
            case .spread: cell(measured[Metric.time.name] ?? nil)
            case .distance: distance.map { .distance($0.ratio, limit: $0.limit) } ?? .none
            }
          })
      })
  }

  private static func cell(_ rows: MeasuredRows?) -> Cell {
    guard let rows else { return .none }
    guard let estimate = rows.estimate(confidence: ComparisonOptions().confidence) else {
      return .unavailable(rows.unavailable ?? "no value")
    }
    return .value(estimate, launches: rows.values.count)
  }

  /// A metric's titles, on a page and where space is short.
  private typealias Titled = (title: String, short: String, metric: Metric)

  /// The metrics that a reader looks for first.
  private static let leading: [Titled] = [
    ("time", "time", .time), ("per element", "element", .timePerElement), ("throughput", "rate", .throughput),
    ("allocations", "allocs", .allocations), ("retains", "retains", .retains), ("retains", "retains", .arcRetains),
    ("instructions", "instrs", .instructions),
  ]

  /// The others that have a column: the percentiles in between, the maxima and what tells of the machine are left to
  /// the result file.
  private static let trailing: [Titled] =
    [("mean", "mean", .meanTime)] + ["50", "99", "99.9"].map { ("p\($0)", "p\($0)", .latency(percentile: $0)) }
    + ["50", "99", "99.9"].map { ("open p\($0)", "open p\($0)", .openLatency(percentile: $0)) } + [
      ("open rate", "open rate", .openLoopRate), ("bandwidth", "bandwidth", .bandwidth),
      ("bytes", "bytes", .allocatedBytes), ("frees", "frees", .frees), ("peak", "peak", .peakHeap),
      ("releases", "releases", .releases), ("releases", "releases", .arcReleases),
    ]

  /// Most columns of metrics of an author's own: each has a cell for each benchmark of the family.
  static let mostOthers = 50

  /// The columns of metrics by name: an author's own, and those that a run must ask for, stand in the middle.
  private static func columns(of metrics: [String: Metric]) -> (all: [Column], leading: Int, omitted: Int) {
    func columns(_ list: [Titled]) -> [Column] {
      list.compactMap { title, short, metric in
        metrics[metric.name].map { Column(title: title, shortTitle: short, content: .values($0)) }
      }
    }
    let known = Set(
      (leading + trailing).map(\.metric.name) + (Metric.machine + [.readyWait]).map(\.name))
    let others = metrics.values.filter {
      !known.contains($0.name) && !$0.name.hasPrefix("latency_") && !$0.name.hasPrefix("open_latency_")
        && !$0.name.hasPrefix(Metric.meanByMedian.name)
    }
    var first = columns(leading)
    var last =
      others.sorted { $0.name < $1.name }.prefix(mostOthers).map {
        Column(title: $0.name, shortTitle: $0.name, content: .values($0))
      } + columns(trailing)
    // The time per element says the same as the throughput.
    if metrics[Metric.timePerElement.name] != nil, let rate = first.firstIndex(where: { $0.holds(.throughput) }) {
      last.append(first.remove(at: rate))
    }
    if let time = first.firstIndex(where: { $0.holds(.time) }) {
      first.insert(Column(title: "±", shortTitle: "±", content: .spread), at: time + 1)
    }
    return (first + last, first.count, max(0, others.count - mostOthers))
  }
}
