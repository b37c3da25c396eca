// Which rows are worth timing again: those whose time grew most between a baseline's run and another.

import Foundation
import Gauge
import GaugeStatistics

/// Rows of two runs by how much their time grew.
struct Suspects {
  /// Logarithms of the growth, by benchmark.
  let growth: [String: Double]

  /// Compares the fastest launches of two runs: they tell most of the code and least of what else the machine did. What
  /// they are is what they are where files are compared: a launch far below all others is odd, and is left out.
  init(base: Results, new: Results) {
    let (before, after) = (Self.fastest(base), Self.fastest(new))
    growth = before.reduce(into: [:]) { growth, entry in
      if let now = after[entry.key] { growth[entry.key] = log(now / entry.value) }
    }
  }

  private static func fastest(_ results: Results) -> [String: Double] {
    MeasuredRows.grouped(results).reduce(into: [:]) { times, entry in
      guard entry.key.metric == Metric.time.name, let fast = RunLevel(entry.value)?.fast, fast > 0 else { return }
      times[entry.key.title] = fast
    }
  }

  /// How many rows can mostly be decided within some seconds: by their second look.
  static func count(within seconds: Double) -> Int {
    let pairs = Double(SequentialJudge.usualLooks[1])
    return max(1, Int(seconds * 1000 / (2 * pairs * Effort.duration(ofLaunch: InterleavedRun.launchBudget))))
  }

  /// The rows that are in both runs, those that grew most first.
  func ordered(_ titles: [String]) -> [String] {
    titles.filter { growth[$0] != nil }.sorted { (growth[$0] ?? 0, $1) > (growth[$1] ?? 0, $0) }
  }

  /// Chooses among rows of which some have certainly changed: these first, but a quarter of the places is for others,
  /// as where threads run nothing is known for certain.
  ///
  /// - Parameters:
  ///   - count: How many are wanted.
  ///   - titles: The rows, those that grew most first.
  ///   - changed: Those of them that execute something else than before.
  static func chosen(_ count: Int, of titles: [String], changed: Set<String>) -> [String] {
    let (certain, others) = (titles.filter { changed.contains($0) }, titles.filter { !changed.contains($0) })
    let kept = min(others.count, max(count / 4, count - certain.count))
    return Array(certain.prefix(count - kept)) + others.prefix(kept)
  }

  /// What became of the suite in all, in words; `nil` without rows.
  var drift: String? {
    let values = growth.values.sorted()
    guard !values.isEmpty else { return nil }
    func change(_ share: Double) -> String {
      let quantile = values[Int((share * Double(values.count - 1)).rounded())]
      return percentChange(exp(quantile))
    }
    return "by the fastest launches of \(values.count) rows, the median row is \(change(0.5)), half of them are "
      + "between \(change(0.25)) and \(change(0.75))"
  }
}
