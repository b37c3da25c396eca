// How many launches the times of benchmarks need: more where earlier runs of one build differed much.

import Gauge
import GaugeStatistics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The benchmarks whose times need more launches than a run gives each, as earlier runs have shown.
///
/// What two runs differ by falls with the square root of their launches. From twenty earlier runs on the bar of each
/// row is known, and so the launches that bring it down to 3.5 %, where a change of 5 % is found nearly always. A
/// benchmark gets no more than three times the launches of others, and all together no more than half as many as are
/// planned anyway: where that isn't enough for all, none gets more than another that needs as many. Times of several
/// threads are left out, as launches don't bring their bar down.
struct NeededLaunches: Hashable {
  /// Launches for time by the benchmark's title, of those that get more than others.
  let launches: [String: Int]

  /// The field of a result file that holds them, so that an interrupted run is gone on with by the same plan.
  static let field = "more_launches"
  /// The bar that is aimed at, as a logarithm.
  static let wantedBar = log(1.035)
  /// How many times the launches of others a benchmark gets at most.
  static let most = 3
  /// The part of the planned launches that all get together at most.
  static let share = 0.5

  /// No benchmark gets more.
  init() { launches = [:] }

  /// Learns from earlier runs.
  ///
  /// - Parameters:
  ///   - earlier: Runs of this machine.
  ///   - points: The benchmarks whose time is measured.
  ///   - planned: Launches that each gets in any case.
  init(_ earlier: [EarlierRun], of points: [BenchmarkPoint], planned: Int) {
    var rows: [ResultRow.Key: (metric: Metric, launches: Int, isOfSeveralThreads: Bool)] = [:]
    for point in points where !point.hasThreads { rows[point.timeKey] = (.time, planned, false) }
    let resolution = ComparisonOptions().timeResolution
    let scatter = RunScatter(earlier, rows: rows) { _ in resolution }
    var wanting: [(title: String, more: Int)] = []
    for point in points {
      guard let known = scatter.of(point.timeKey, .fast), known.bar > Self.wantedBar else { continue }
      let ratio = known.bar / Self.wantedBar
      let launches = min(Double(planned) * ratio * ratio, Double(Self.most * planned)).rounded(.up)
      wanting.append((point.title, Int(launches) - planned))
    }
    var left = Int(Self.share * Double(points.count * planned))
    var granted: [String: Int] = [:]
    wanting.sort { ($0.more, $0.title) < ($1.more, $1.title) }
    for (index, (title, wanted)) in wanting.enumerated() {
      let more = min(wanted, left / (wanting.count - index))
      if more > 0 { granted[title] = planned + more }
      left -= more
    }
    launches = granted
  }

  /// Whether a run of these benchmarks may have been planned so.
  ///
  /// - Parameters:
  ///   - points: The benchmarks whose time is measured.
  ///   - planned: Launches that each gets in any case.
  func fits(_ points: [BenchmarkPoint], planned: Int) -> Bool {
    let titles = Set(points.map(\.title))
    return launches.allSatisfy { titles.contains($0.key) && (planned...Self.most * planned).contains($0.value) }
  }

  /// Reads what `text` has written; `nil` for another text.
  init?(text: String) {
    var launches: [String: Int] = [:]
    for entry in text.split(separator: " ") {
      guard let equals = entry.lastIndex(of: "="), let count = Int(entry[entry.index(after: equals)...]), count > 0,
        launches.updateValue(count, forKey: String(entry[..<equals])) == nil
      else { return nil }
    }
    self.launches = launches
  }

  /// The benchmarks with their launches, by title; names of benchmarks have no spaces.
  var text: String { launches.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ") }
}

extension BenchmarkPoint {
  /// The row of its time.
  fileprivate var timeKey: ResultRow.Key {
    ResultRow.Key(benchmark: benchmark, parameters: parameters, metric: Metric.time.name)
  }
}
