// Launches of two builds in turn, looked at now and then, until every row is decided or the time is up.

import Foundation
import Gauge
import GaugeStatistics

/// The measuring half of `gauge ab`.
struct InterleavedRun {
  /// Measuring time of a launch, in milliseconds.
  static let launchBudget = 25

  /// A benchmark that both sides have.
  struct Row: Hashable {
    /// The benchmark of the base side.
    var base: BenchmarkPoint
    /// The same of the new side.
    var new: BenchmarkPoint

    /// What its verdict is given to.
    var timeKey: ResultRow.Key {
      ResultRow.Key(benchmark: new.benchmark, parameters: new.parameters, metric: Metric.time.name)
    }
  }

  /// How a run ended.
  struct Outcome {
    /// Verdicts of rows that were decided or looked at, by title.
    var judgements: [String: SequentialJudge.Judgement] = [:]
    /// Whether the time was up before everything was decided.
    var isOutOfTime = false
    /// The signal that ended the run early.
    var interruption: Int32?
    /// Pairs that were made, of all rows.
    var pairs = 0
  }

  /// The rows that are measured.
  let rows: [Row]
  /// What decides.
  let judge: SequentialJudge
  /// Measuring time of a launch, in milliseconds.
  let budget: Int
  /// When no further pair is begun.
  let deadline: SuspendingClock.Instant
  /// Lays the executables elsewhere in memory, so that every pair of a row is of another place.
  let place: () -> Void
  /// What runs launches: given one, and the file that its rows go to.
  let launch: (PlannedLaunch, _ isNew: Bool) throws(ResultFile.Failure) -> LaunchRunner.Summary
  /// The times that a side has measured so far, by title.
  let times: (_ isNew: Bool) throws(ResultFile.Failure) -> [String: [Double]]
  /// The clock of the deadline.
  var now: () -> SuspendingClock.Instant = { .now }

  /// Measures. Where the time doesn't take all rows that are open to the next look, it goes to those of which most
  /// shows: all of them, measured some more, would stay undecided.
  ///
  /// - Parameters:
  ///   - random: Decides the order of pairs and the order within them.
  ///   - sequence: Position of the next launch.
  ///   - tell: Is told how far the run is.
  func run(
    _ random: inout Xoshiro256, sequence: inout Int, tell: (String) -> Void
  ) throws(ResultFile.Failure) -> Outcome {
    var outcome = Outcome()
    var pending = rows
    var made = 0
    var placed: Int?
    let start = now()
    for (look, pairs) in SequentialJudge.looks.enumerated() where !pending.isEmpty {
      tell("\(pending.count) of \(rows.count) rows open, \(made) pairs each so far")
      if outcome.pairs > 0 {
        let pair = max(start.duration(to: now()) / outcome.pairs, .nanoseconds(1))
        let count = max(1, Int(now().duration(to: deadline) / (pair * (pairs - made))))
        if count < pending.count {
          pending = Self.mostTelling(count, of: pending, outcome)
          outcome.isOutOfTime = true
        }
      }
      var broken: Set<Row> = []
      for (row, number) in order(pending, made..<pairs, &random) where !broken.contains(row) {
        guard now() < deadline else {
          outcome.isOutOfTime = true
          return outcome
        }
        // Pairs of a number stand together, whatever their rows.
        if number != placed { place() }
        placed = number
        outcome.pairs += 1
        let newFirst = random.next() & 1 == 0
        for isNew in [newFirst, !newFirst] {
          let point = isNew ? row.new : row.base
          let planned = PlannedLaunch(point: point, pass: .time, launch: number, sequence: sequence, budget: budget)
          sequence += 1
          let summary = try launch(planned, isNew)
          if let signal = summary.interruption {
            outcome.interruption = signal
            return outcome
          }
          if summary.measured == 0 { broken.insert(row) }
        }
      }
      made = pairs
      let (before, after) = (try times(false), try times(true))
      pending.removeAll { row in
        guard !broken.contains(row), let old = before[row.new.title], let new = after[row.new.title],
          old.count == pairs, new.count == pairs, let judgement = judge.judge(old, new, at: look, of: row.timeKey)
        else { return true }
        outcome.judgements[row.new.title] = judgement
        return judgement.verdict != .notEnoughData
      }
    }
    return outcome
  }

  /// The rows whose change is largest beside what isn't known of it, in their own order.
  private static func mostTelling(_ count: Int, of rows: [Row], _ outcome: Outcome) -> [Row] {
    func shown(_ row: Row) -> Double {
      guard let change = outcome.judgements[row.new.title]?.change.estimate else { return 0 }
      let width = log(change.interval.upper / change.interval.lower)
      return width > 0 ? abs(log(change.value)) / width : 0
    }
    let chosen = Set(rows.sorted { shown($0) > shown($1) }.prefix(count))
    return rows.filter(chosen.contains)
  }

  /// The pairs of a round: every row's spread over the whole round, at random places.
  private func order(
    _ rows: [Row], _ numbers: Range<Int>, _ random: inout Xoshiro256
  ) -> [(row: Row, number: Int)] {
    var placed: [(place: Double, row: Row, number: Int)] = []
    for row in rows {
      for (index, number) in numbers.enumerated() {
        placed.append(((Double(index) + random.unit()) / Double(numbers.count), row, number))
      }
    }
    return placed.sorted { $0.place < $1.place }.map { ($0.row, $0.number) }
  }
}
