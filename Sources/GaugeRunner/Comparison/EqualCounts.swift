// Which benchmarks do the same on both sides as far as counts tell, so that their time need not be measured.

import Gauge

/// The benchmarks whose exact counts agree.
enum EqualCounts {
  /// Finds them.
  ///
  /// A benchmark is among them where callgrind has counted both sides, which it does for those of a single thread
  /// alone: counts can't see threads wait for each other or for the same line of memory. Its instructions, retains and
  /// releases must agree, and so must every other exact metric that either side has.
  ///
  /// - Returns: Their titles.
  static func titles(_ base: Results, _ new: Results) -> Set<String> {
    let (before, after) = (MeasuredRows.grouped(base), MeasuredRows.grouped(new))
    let exact = Dictionary(
      grouping: Set(before.keys).union(after.keys).filter { key in
        [before[key], after[key]].contains { $0?.metric.kind == .exact }
      }, by: \.title)
    let titles = exact.filter { _, keys in
      Set(keys.map(\.metric)).isSuperset(of: Metric.counted.map(\.name))
        && keys.allSatisfy {
          agrees(before[$0], after[$0], mustBeThere: Metric.counted.map(\.name).contains($0.metric))
        }
    }
    return Set(titles.keys)
  }

  private static func agrees(_ old: MeasuredRows?, _ new: MeasuredRows?, mustBeThere: Bool) -> Bool {
    guard let old, let new else { return false }
    guard let first = old.values.first, let second = new.values.first else {
      // What neither side can measure here tells no difference.
      return !mustBeThere && old.values.isEmpty && new.values.isEmpty
    }
    return old.repeats && new.repeats && MeasuredRows.equal(first, second)
  }
}
