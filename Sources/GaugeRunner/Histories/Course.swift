// A series of a history with its changes, which take a while to find and are looked for once.

import Gauge

/// A series and where it changed.
struct Course: Sendable {
  /// The series.
  let series: HistorySeries
  /// Its changes that last, in the order of the runs.
  let changes: [HistorySeries.Change]

  /// Finds the changes of series, of several at once where there are processors.
  static func all(of series: [HistorySeries]) -> [Course] {
    atOnce(series) { Course(series: $0, changes: $0.changes) }
  }

  /// How far what is measured now is from the best that it was for a while.
  struct Loss: Hashable {
    /// Index of the first entry of the time when it was best.
    var index: Int
    /// The median then.
    var best: Double
    /// The median since the last change.
    var now: Double

    /// For ranking: 0 for nothing lost, alike for doubling and halving.
    var magnitude: Double { min(best, now) > 0 ? max(best / now, now / best) - 1 : .infinity }
  }

  /// What was lost since the best time between two changes; `nil` where it is as good as ever, or neither direction is
  /// the better one.
  var loss: Loss? {
    guard let polarity = series.entries.last?.metric.polarity, polarity != .neither, let first = changes.first else {
      return nil
    }
    let levels = [(index: 0, median: first.before)] + changes.map { (index: $0.index, median: $0.after) }
    let now = levels[levels.count - 1].median
    // Of several that are as good the last: what came and went since is over.
    guard let best = levels.reversed().min(by: { polarity == .lower ? $0.median < $1.median : $0.median > $1.median }),
      best.index != levels[levels.count - 1].index,
      !MeasuredRows.equal(best.median, now),
      series.isExact || abs(best.median - now) > HistorySeries.threshold * abs(best.median)
    else { return nil }
    return Loss(index: best.index, best: best.median, now: now)
  }
}
