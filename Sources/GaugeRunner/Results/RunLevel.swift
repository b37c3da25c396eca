// What the launches of a row come to in one run: how long the fastest takes, and how long the slow ones.

import Gauge
import GaugeStatistics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A row of one run by its fastest launch and by a quantile of its slow ones.
///
/// What other processes do makes launches slower, and hardly any faster. So the fastest one tells most of the code, and
/// stays where it is while the median doubles: on a machine that works at two speeds, runs of one build differ by 8
/// to 23 % in the quantile of a fifth, and by 0.3 to 3.3 % in their fastest launches. Chen and Revels ("Robust
/// benchmarking in noisy environments", 2016) take the minimum for the same reason. A single launch far below all
/// others is odd, and is left out. What happens to only some launches is not seen by the fastest, and is looked for in
/// the slow ones.
///
/// A neighbour on the same core of the host can slow down nearly all launches of a row. The loop of stores beside each
/// launch notices it, so that the fastest is one of those that were calm, if they are enough.
struct RunLevel: Hashable, Sendable {
  /// Some of the launches.
  enum Part: CaseIterable, Hashable, Sendable {
    /// The fastest launch.
    case fast
    /// The launch that three quarters are no slower than.
    case slow
  }

  /// Launches with a value that the fastest was taken of.
  var launches: Int
  /// The fastest launch, in the metric's unit: a small time, or a large rate.
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
    let isRate = rows.metric.polarity == .higher
    let slow = isRate ? 1 - Self.slowShare : Self.slowShare
    self.init(
      launches: rows.calm.count, fast: Self.fastest(rows.calm, isRate: isRate),
      slow: quantile(slow, ofSorted: rows.values.sorted()))
  }

  /// The share of launches that are no slower than the quantile of the slow ones.
  private static let slowShare = 0.75
  /// How many times faster than the next a launch is that is left out as odd.
  private static let oddFactor = 2.0

  /// The fastest of some launches, without one that is more than twice as fast as all others; of two neither is odd.
  ///
  /// - Parameters:
  ///   - launches: Their values, not empty.
  ///   - isRate: Whether more is faster.
  static func fastest(_ launches: [Double], isRate: Bool) -> Double {
    let sorted = isRate ? launches.sorted(by: >) : launches.sorted()
    guard sorted.count > 2 else { return sorted[0] }
    let (slower, faster) = isRate ? (sorted[0], sorted[1]) : (sorted[1], sorted[0])
    return slower > oddFactor * faster ? sorted[1] : sorted[0]
  }

  /// The logarithm of what an operation takes: of a time, or of a rate's inverse.
  ///
  /// - Parameters:
  ///   - part: Which launches.
  ///   - isRate: Whether more is faster.
  ///   - resolution: The smallest value that can be told from 0.
  func cost(_ part: Part, isRate: Bool, resolution: Double) -> Double {
    Self.cost(of: part == .fast ? fast : slow, isRate: isRate, resolution: resolution)
  }

  /// The logarithm of what an operation takes in a launch.
  ///
  /// - Parameters:
  ///   - value: The launch's time, or its rate.
  ///   - isRate: Whether more is faster.
  ///   - resolution: The smallest value that can be told from 0.
  static func cost(of value: Double, isRate: Bool, resolution: Double) -> Double {
    let cost = log(max(value, resolution, 1 / ResultFormat.largestValue))
    return isRate ? -cost : cost
  }
}
