// What the loop of stores takes where nobody slows it, and which runs somebody slowed throughout.

import Gauge
import GaugeStatistics

/// What a turn of the loop of stores takes beside each benchmark of some runs of a machine where nobody slows it.
///
/// A neighbour on the same core of the host makes rows take 1.3 to 1.8 times as long, and no counter of the machine
/// shows it; the loop of stores takes longer, too. It runs between the batches of a launch, not during them: of a run
/// in which it was slow throughout beside more than a quarter of the rows, the others are not believed, either.
/// Benchmarks of several threads are none of these: nothing of theirs is made once more, and the loop runs before and
/// behind their batches only.
struct CalmStores {
  /// The limits by the key of the loop beside a benchmark.
  private let limits: [ResultRow.Key: Double]

  /// The share of a run's rows beside which the loop may be slow throughout: beyond it none of its rows is believed.
  static let mostSlowed = 0.25

  /// Learns from runs, half of which nobody slowed.
  ///
  /// - Complexity: O(rows · runs · log runs).
  init(_ runs: some Sequence<[ResultRow.Key: RunLevel]>) {
    var times: [ResultRow.Key: [Double]] = [:]
    for levels in runs {
      for (key, level) in levels where key.metric == Metric.referenceStores.name {
        times[key, default: []].append(level.fast)
      }
    }
    limits = times.mapValues { median(of: $0) * MeasuredRows.disturbingFactor }
  }

  /// Whether nobody slowed the loop beside a benchmark throughout a run, as far as that is known.
  func isCalm(_ levels: [ResultRow.Key: RunLevel], beside key: ResultRow.Key) -> Bool {
    let stores = key.of(Metric.referenceStores.name)
    guard let level = levels[stores], let limit = limits[stores] else { return true }
    return level.fast <= limit
  }

  /// That somebody slowed one of two runs throughout, in words; `nil` where nobody did.
  ///
  /// - Parameters:
  ///   - base: The rows of the run that is compared with.
  ///   - new: The rows of the run that is judged.
  ///   - earlier: Runs of this machine; without them the mean of both sides tells what is slow.
  static func slowedSide(
    _ base: [ResultRow.Key: MeasuredRows], _ new: [ResultRow.Key: MeasuredRows], earlier: [EarlierRun]
  ) -> String? {
    let telling = [Metric.referenceStores.name, Metric.foreignLoad.name]
    let sides = [base, new].map { rows in
      rows.filter { telling.contains($0.key.metric) }.compactMapValues { RunLevel($0) }
    }
    let calm = CalmStores(earlier.map(\.levels) + sides)
    guard let slowed = sides.firstIndex(where: { calm.isSlowed($0) }) else { return nil }
    let (count, known) = calm.slowed(in: sides[slowed])
    return "somebody slowed the loop of stores beside \(count) of \(known) benchmarks of the "
      + "\(slowed == 0 ? "base" : "new run") throughout: measure again"
  }

  /// Beside how many benchmarks of a run the loop was slow throughout, and of how many that is known; those of several
  /// threads, which tell a foreign load, left out.
  private func slowed(in levels: [ResultRow.Key: RunLevel]) -> (slowed: Int, known: Int) {
    let known = levels.keys.filter { limits[$0] != nil && levels[$0.of(Metric.foreignLoad.name)] == nil }
    return (known.count { !isCalm(levels, beside: $0) }, known.count)
  }

  /// Whether the loop was slow throughout beside so many benchmarks of a run that none of its rows is believed: of a
  /// single one it may be the code that slowed it.
  func isSlowed(_ levels: [ResultRow.Key: RunLevel]) -> Bool {
    let (slowed, known) = slowed(in: levels)
    return slowed > 1 && Double(slowed) > Self.mostSlowed * Double(known)
  }
}
