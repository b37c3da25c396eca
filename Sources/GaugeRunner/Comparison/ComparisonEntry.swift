// One compared row: a metric of a benchmark before and after, the change, and what is made of it.

import Gauge
import GaugeStatistics

/// A change with its interval.
public struct Change: Hashable, Sendable {
  /// What the numbers of a change are.
  public enum Scale: Sendable {
    /// After divided by before: 1.1 is 10 % more.
    case ratio
    /// After minus before in the metric's unit, where a ratio means nothing because values reach 0.
    case difference
  }

  /// What `estimate` is.
  public var scale: Scale
  /// The change and its interval.
  public var estimate: Estimate

  /// How far the change is from none, for ranking: 0 for no change, alike for doubling and halving.
  public var magnitude: Double {
    switch scale {
    case .ratio: max(estimate.value, 1 / estimate.value) - 1
    case .difference: estimate.value == 0 ? 0 : .infinity
    }
  }
}

/// A metric of a benchmark on both sides.
public struct ComparisonEntry: Hashable, Sendable {
  /// What became of an entry.
  public enum Judgement: Hashable, Sendable {
    /// It was compared.
    case judged(Verdict)
    /// It is shown, and no verdict is sought.
    case shown
    /// It is a time, and the machines are unlike; or a count of the heap, and the allocators are.
    case refused
  }

  /// Benchmark, parameters and metric.
  public var key: ResultRow.Key
  /// What was measured, as the new side describes it.
  public var metric: Metric
  /// The median over the baseline's launches with its interval; `nil` where it could not be measured.
  public var before: Estimate?
  /// The same of the new side.
  public var after: Estimate?
  /// The change; `nil` where a side has no value or the sides may not be compared.
  public var change: Change?
  /// The chance of launches that differ so much if nothing had changed, for this row alone;
  /// `nil` where nothing was tested.
  public var pValue: Double?
  /// The launches of both sides in time order, where they differ among each other.
  public var launches: [[Double]] = []
  /// What became of the entry.
  public var judgement: Judgement
  /// What a reader must know besides; empty where the numbers say it all.
  public var reason: String
  /// The relative change that the verdict `same` of a time leaves open: 0.04 for up to 4 %. `nil` for other
  /// verdicts, and where nothing was measured or the values are equal.
  public var sameWithin: Double?

  /// The verdict, if one was sought.
  public var verdict: Verdict? { if case .judged(let verdict) = judgement { verdict } else { nil } }
}
