// One metric of one benchmark over the runs of a history, and where it changed.

import Gauge
import GaugeStatistics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A metric of a benchmark over comparable runs: all of them for counts, those of one machine for times.
struct HistorySeries {
  /// A change that lasts.
  struct Change: Hashable {
    /// Index of the first entry behind it.
    var index: Int
    /// The median before, since the change before that.
    var before: Double
    /// The median behind, up to the next change.
    var after: Double
    /// For the worse or the better.
    var verdict: Verdict
  }

  /// What is measured.
  let key: ResultRow.Key
  /// The entries, in the order of the runs.
  let entries: [History.Entry]
  /// The machine that it was measured on; empty for counts, which are those of all machines.
  var machine = ""
  /// The toolchain that it was built by; empty where those of all are one series.
  var toolchain = ""

  /// Smallest relative change of a sampled metric that is reported: the history sees less than a comparison of two
  /// runs, but what is smaller than this moves with the layout of the binary.
  static let threshold = 0.01
  /// Level of the test behind a change of a sampled metric.
  static let level = 0.005
  /// Random orders that a change is held against: one of them may reach it at this level, so that no single one
  /// decides. More would cost their time, and leave the chance of a false change as it is.
  static let permutations = 399

  /// The series of a history, ordered by key. Of several machines that measured times, each has its own.
  ///
  /// - Parameters:
  ///   - history: The history.
  ///   - byToolchain: Whether each toolchain has its own, too.
  static func all(of history: History, byToolchain: Bool = false) -> [HistorySeries] {
    struct Group: Hashable {
      var key: ResultRow.Key
      var machine: String
      var toolchain: String
    }
    let runs = Dictionary(history.runs.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    let groups = Dictionary(grouping: history.entries) { entry in
      let environment = runs[entry.run]?.environment
      return Group(
        key: entry.key, machine: entry.metric.kind == .sampled ? environment?["machine_id"] ?? "" : "",
        toolchain: byToolchain ? environment?["toolchain"] ?? "" : "")
    }
    return groups.sorted {
      ($0.key.key, $0.key.machine, $0.key.toolchain) < ($1.key.key, $1.key.machine, $1.key.toolchain)
    }.map { group, entries in
      HistorySeries(key: group.key, entries: entries, machine: group.machine, toolchain: group.toolchain)
    }
  }

  /// Whether there are enough runs to find a change in.
  var isLongEnough: Bool { isExact ? entries.count >= 2 : entries.count >= 6 }

  /// Whether every run counted exactly.
  var isExact: Bool { entries.allSatisfy { $0.metric.kind == .exact } }

  /// Where the series changed: at every other value for counts, by E-divisive means for what varies.
  var changes: [Change] {
    let values = entries.map(\.estimate.value)
    let indices: [Int]
    if isExact {
      indices = values.indices.dropFirst().filter { !MeasuredRows.equal(values[$0 - 1], values[$0]) }
    } else {
      guard isLongEnough else { return [] }
      let isRatio = values.allSatisfy { $0 > 0 }
      indices = ChangePoints(
        isRatio ? values.map { log($0) } : values, level: Self.level, permutations: Self.permutations
      ).changes.map(\.index)
    }
    let edges = [0] + indices + [values.count]
    return indices.indices.compactMap { place in
      let before = median(of: values[edges[place]..<edges[place + 1]])
      let after = median(of: values[edges[place + 1]..<edges[place + 2]])
      guard isExact || abs(after - before) > Self.threshold * abs(before) else { return nil }
      let grew = after > before
      let polarity = entries[indices[place]].metric.polarity
      return Change(
        index: indices[place], before: before, after: after, verdict: grew == (polarity == .lower) ? .worse : .better)
    }
  }
}
