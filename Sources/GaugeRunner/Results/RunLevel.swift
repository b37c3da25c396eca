// What the launches of a row come to in one run: how long the fast ones take, and how long the slow ones.

import Gauge
import GaugeStatistics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A row of one run by two quantiles of its launches.
///
/// What other processes do makes launches slower, and hardly any faster. So the fast ones tell most of the code, and stay
/// where they are while the median doubles; the very fastest is left out, as a single odd launch would decide. What happens
/// to only some launches is not seen by the fast ones, and is looked for in the slow ones.
///
/// A neighbour on the same core of the host can slow down nearly all launches of a row. The loop of stores beside each
/// launch notices it, so that the fast ones are taken of those that were calm, if they are enough.
struct RunLevel: Hashable, Sendable {
  /// Some of the launches.
  enum Part: CaseIterable, Hashable, Sendable {
    /// The launch that a fifth are no slower than.
    case fast
    /// The launch that three quarters are no slower than.
    case slow

    /// The share of launches that are no slower.
    var share: Double { self == .fast ? 0.2 : 0.75 }
  }

  /// Launches with a value that the fast ones were taken of.
  var launches: Int
  /// The quantile of the fast launches, in the metric's unit: a small time, or a large rate.
  var fast: Double
  /// The quantile of the slow launches, in the metric's unit.
  var slow: Double

  /// A level as it was remembered.
  init(launches: Int, fast: Double, slow: Double) {
    self.launches = launches
    self.fast = fast
    self.slow = slow
  }

  /// The level of a row's launches; `nil` where none has a value.
  init?(_ rows: MeasuredRows) {
    guard !rows.values.isEmpty else { return nil }
    func value(_ part: Part, of launches: [Double]) -> Double {
      quantile(rows.metric.polarity == .higher ? 1 - part.share : part.share, ofSorted: launches.sorted())
    }
    self.init(launches: rows.calm.count, fast: value(.fast, of: rows.calm), slow: value(.slow, of: rows.values))
  }

  /// The logarithm of what an operation takes: of a time, or of a rate's inverse.
  ///
  /// - Parameters:
  ///   - part: Which launches.
  ///   - isRate: Whether more is faster.
  ///   - resolution: The smallest value that can be told from 0.
  func cost(_ part: Part, isRate: Bool, resolution: Double) -> Double {
    let value = log(max(part == .fast ? fast : slow, resolution, 1 / ResultFormat.largestValue))
    return isRate ? -value : value
  }
}
