// Launches of two builds or more in turn, looked at now and then, until every row is decided or the time is up.

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

  /// How a run ended, as far as one new side is concerned.
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

  /// The rows that are measured, of each new side against the base that they all have.
  let rows: [[Row]]
  /// What decides.
  let judge: SequentialJudge
  /// Measuring time of a launch, in milliseconds.
  let budget: Int
  /// When no further pair is begun.
  let deadline: SuspendingClock.Instant
  /// Lays the executables elsewhere in memory, so that every pair of a row is of another place.
  let place: () -> Void
  /// What runs launches: given one, and the side whose file its rows go to: 0 is the base, 1 the first new one.
  let launch: (PlannedLaunch, _ side: Int) throws(ResultFile.Failure) -> LaunchRunner.Summary
  /// The times that a side has measured so far, by title.
  let times: (_ side: Int) throws(ResultFile.Failure) -> [String: [Double]]
  /// The clock of the deadline.
  var now: () -> SuspendingClock.Instant = { .now }

  /// A row of a new side.
  private struct Cell: Hashable {
    var side: Int
    var row: Row
    var title: String { row.new.title }
  }

  /// Measures. Where the time doesn't take all rows that are open to the next look, it goes to those of which most
  /// shows: all of them, measured some more, would stay undecided.
  ///
  /// A launch of the base is one half of a pair with each new side that is open, all of them directly behind each other
  /// in random order. The tests of a pair ask for no more than that: what sides have in common makes their verdicts
  /// depend on each other, and the error that they share is divided in a way that holds then, too.
  ///
  /// - Parameters:
  ///   - random: Decides the order of pairs and the order within them.
  ///   - sequence: Position of the next launch.
  ///   - tell: Is told how far the run is.
  /// - Returns: What became of each new side.
  func run(
    _ random: inout Xoshiro256, sequence: inout Int, tell: (String) -> Void
  ) throws(ResultFile.Failure) -> [Outcome] {
    var outcomes = rows.map { _ in Outcome() }
    var pending = rows.enumerated().flatMap { index, rows in rows.map { Cell(side: index + 1, row: $0) } }
    let all = pending.count
    var (made, launches) = (0, 0)
    var placed: Int?
    let start = now()
    for (look, pairs) in SequentialJudge.usualLooks.enumerated() where !pending.isEmpty {
      tell("\(pending.count) of \(all) rows open, \(made) pairs each so far")
      if launches > 0 {
        let launch = max(start.duration(to: now()) / launches, .nanoseconds(1))
        let room = Int(now().duration(to: deadline) / (launch * (pairs - made)))
        let chosen = Self.mostTelling(room, of: pending, outcomes)
        for cell in pending where !chosen.contains(cell) { outcomes[cell.side - 1].isOutOfTime = true }
        pending.removeAll { !chosen.contains($0) }
      }
      var broken: Set<Cell> = []
      for (group, number) in order(Self.groups(pending), made..<pairs, &random) {
        let open = group.filter { !broken.contains($0) }
        guard let first = open.first else { continue }
        guard now() < deadline else {
          for cell in pending { outcomes[cell.side - 1].isOutOfTime = true }
          return outcomes
        }
        // Pairs of a number stand together, whatever their rows.
        if number != placed { place() }
        placed = number
        for cell in open { outcomes[cell.side - 1].pairs += 1 }
        var members = [(side: 0, point: first.row.base)] + open.map { (side: $0.side, point: $0.row.new) }
        for index in stride(from: members.count - 1, to: 0, by: -1) {
          members.swapAt(index, Int(random.next() % UInt64(index + 1)))
        }
        launches += members.count
        for (side, point) in members {
          let planned = PlannedLaunch(point: point, pass: .time, launch: number, sequence: sequence, budget: budget)
          sequence += 1
          let summary = try launch(planned, side)
          if let signal = summary.interruption {
            for index in outcomes.indices { outcomes[index].interruption = signal }
            return outcomes
          }
          if summary.measured == 0 { broken.formUnion(open.filter { side == 0 || $0.side == side }) }
        }
      }
      made = pairs
      let before = try times(0)
      var after: [Int: [String: [Double]]] = [:]
      for side in Set(pending.map(\.side)) { after[side] = try times(side) }
      pending.removeAll { cell in
        guard !broken.contains(cell), let old = before[cell.title], let new = after[cell.side]?[cell.title],
          old.count == pairs, new.count == pairs,
          let judgement = judge.judge(old, new, at: look, of: cell.row.timeKey)
        else { return true }
        outcomes[cell.side - 1].judgements[cell.title] = judgement
        return judgement.verdict != .notEnoughData
      }
    }
    return outcomes
  }

  /// The rows whose change is largest beside what isn't known of it, one at least.
  ///
  /// - Parameter launches: What there is room for, of each number: one of the base, and one of each new side.
  private static func mostTelling(_ launches: Int, of cells: [Cell], _ outcomes: [Outcome]) -> Set<Cell> {
    func shown(_ cell: Cell) -> Double {
      guard let change = outcomes[cell.side - 1].judgements[cell.title]?.change.estimate else { return 0 }
      let width = log(change.interval.upper / change.interval.lower)
      return width > 0 ? abs(log(change.value)) / width : 0
    }
    var chosen: Set<Cell> = []
    var titles: Set<String> = []
    var left = launches
    for cell in cells.sorted(by: { shown($0) > shown($1) }) {
      left -= titles.contains(cell.title) ? 1 : 2
      guard left >= 0 || chosen.isEmpty else { break }
      chosen.insert(cell)
      titles.insert(cell.title)
    }
    return chosen
  }

  /// The rows of all new sides that are of one benchmark, in the order in which benchmarks come first.
  private static func groups(_ cells: [Cell]) -> [[Cell]] {
    var places: [String: Int] = [:]
    var groups: [[Cell]] = []
    for cell in cells {
      if let place = places[cell.title] {
        groups[place].append(cell)
      } else {
        places[cell.title] = groups.count
        groups.append([cell])
      }
    }
    return groups
  }

  /// The pairs of a round: every benchmark's spread over the whole round, at random places.
  private func order(
    _ groups: [[Cell]], _ numbers: Range<Int>, _ random: inout Xoshiro256
  ) -> [(group: [Cell], number: Int)] {
    var placed: [(place: Double, group: [Cell], number: Int)] = []
    for group in groups {
      for (index, number) in numbers.enumerated() {
        placed.append(((Double(index) + random.unit()) / Double(numbers.count), group, number))
      }
    }
    return placed.sorted { $0.place < $1.place }.map { ($0.group, $0.number) }
  }
}
