// Interleaved launches: their order, when they stop, and what happens to rows that break.

import Gauge
import GaugeStatistics
import Testing

@testable import GaugeRunner

@Suite struct InterleavedRunTests {
  /// Stands for both executables: a time per side and row, and a list of what was launched.
  final class Machine {
    var launched: [(title: String, isNew: Bool, number: Int)] = []
    var measured: [Bool: [String: [Double]]] = [false: [:], true: [:]]
    var noise = Noise(seed: 2)
    var times: [String: (base: Double, new: Double)]
    var signalAt: Int?
    /// Launches before each placement.
    var placements: [Int] = []
    var scatter = 0.001
    /// What a launch takes, where time is virtual.
    var duration: Duration?

    init(_ times: [String: (base: Double, new: Double)]) { self.times = times }

    func run(budget: Duration = .seconds(3600)) throws -> InterleavedRun.Outcome {
      let rows = times.keys.sorted().map {
        InterleavedRun.Row(base: .sample($0, executable: "base"), new: .sample($0, executable: "new"))
      }
      let start = SuspendingClock.now
      var run = InterleavedRun(
        rows: [rows], judge: SequentialJudge(rows: rows.count), budget: 5, deadline: start + budget,
        place: { self.placements.append(self.launched.count) },
        launch: { planned, side throws(ResultFile.Failure) in self.launch(planned, side == 1) },
        times: { side throws(ResultFile.Failure) in self.measured[side == 1]! })
      if let duration { run.now = { start + duration * self.launched.count } }
      var random = Xoshiro256(seed: 1)
      var sequence = 0
      return try run.run(&random, sequence: &sequence) { _ in }[0]
    }

    private func launch(_ planned: PlannedLaunch, _ isNew: Bool) -> LaunchRunner.Summary {
      launched.append((planned.point.title, isNew, planned.launch))
      var summary = LaunchRunner.Summary()
      if launched.count == signalAt { summary.interruption = 2 }
      let time = isNew ? times[planned.point.title]!.new : times[planned.point.title]!.base
      guard time > 0 else { return summary }
      summary.measured = 1
      measured[isNew]![planned.point.title, default: []] += noise.launches(1, around: time, spread: scatter)
      return summary
    }
  }

  @Test func `rows are decided and left alone, pairs stay together`() throws {
    let machine = Machine(["same": (1000, 1000), "worse": (1000, 1100)])
    let outcome = try machine.run()
    #expect(outcome.judgements["same"]?.verdict == .same)
    #expect(outcome.judgements["worse"]?.verdict == .worse)
    #expect(machine.launched.count == 2 * 2 * 20)
    for index in stride(from: 0, to: machine.launched.count, by: 2) {
      let (first, second) = (machine.launched[index], machine.launched[index + 1])
      #expect(first.title == second.title && first.number == second.number && first.isNew != second.isNew)
    }
    // Both orders, and both rows, all over the run.
    let starts = stride(from: 0, to: 80, by: 2).map { machine.launched[$0] }
    #expect((10...30).contains(starts.count { $0.isNew }))
    #expect((4...16).contains(starts.prefix(20).count { $0.title == "same" }))
  }

  @Test func `every pair of a row is of a place of its own`() throws {
    let machine = Machine(["one": (1000, 1000), "two": (1000, 1000), "noisy": (1000, 1050)])
    machine.scatter = 0.1
    _ = try machine.run()
    let ends = machine.placements.dropFirst() + [machine.launched.count]
    for (start, end) in zip(machine.placements, ends) {
      let launches = machine.launched[start..<end]
      #expect(Set(launches.map(\.number)).count == 1 && Set(launches.map(\.title)).count * 2 == launches.count)
    }
    #expect(machine.placements.first == 0)
    #expect(machine.placements.count == Set(machine.launched.map(\.number)).count)
  }

  @Test func `what breaks is left out of the rest`() throws {
    let machine = Machine(["broken": (1000, 0), "fine": (1000, 1000)])
    let outcome = try machine.run()
    #expect(outcome.judgements.keys.sorted() == ["fine"])
    #expect(machine.launched.count { $0.title == "broken" } <= 2)
  }

  @Test func `the time and signals end it`() throws {
    let late = Machine(["a": (1000, 1000)])
    #expect(try late.run(budget: .zero).isOutOfTime)
    #expect(late.launched.isEmpty)
    let stopped = Machine(["a": (1000, 1000)])
    stopped.signalAt = 7
    #expect(try stopped.run().interruption == 2)
    #expect(stopped.launched.count == 7)
  }

  /// All of them stayed undecided before, a few launches short of the next look.
  @Test func `where there isn't time for all, it goes to those of which most shows`() throws {
    var times: [String: (base: Double, new: Double)] = [:]
    for index in 1...7 { times["same\(index)"] = (1000, 1000) }
    times["worse"] = (1000, 1100)
    let machine = Machine(times)
    machine.scatter = 0.1
    machine.duration = .milliseconds(100)
    // To the first look all of them, to the second one.
    let outcome = try machine.run(budget: .milliseconds(100 * 2 * (8 * 20 + 19)))
    #expect(outcome.isOutOfTime)
    let launches = Dictionary(grouping: machine.launched) { $0.title }.mapValues(\.count)
    #expect(launches.count == 8 && launches.values.allSatisfy { $0 >= 2 * 20 })
    #expect(launches.filter { $0.value > 2 * 20 }.keys.sorted() == ["worse"])
    #expect(launches["worse", default: 0] >= 2 * 30)
  }

  /// The machine time of a hundred unchanged benchmarks, launch by launch as `Effort` expects them: fifteen with
  /// threads, whose launches differ by a fifth, after counts of both sides have settled the others; and all of them,
  /// quiet ones, where there is no valgrind to count with.
  @Test(arguments: [(timed: 15, scatter: 0.2), (timed: 100, scatter: 0.003)])
  func `a hundred unchanged benchmarks are decided in five minutes`(timed: Int, scatter: Double) throws {
    var times: [String: (base: Double, new: Double)] = [:]
    for index in 1...timed { times["b\(index)"] = (1000 * Double(index), 1000 * Double(index)) }
    let machine = Machine(times)
    machine.scatter = scatter
    let outcome = try machine.run(budget: .seconds(3600))
    let verdicts: [Verdict] = outcome.judgements.values.map { $0.verdict }
    #expect(verdicts.count == timed)
    #expect(verdicts.count { $0 == .worse || $0 == .better } == 0)
    #expect(verdicts.count { $0 == .notEnoughData } * 20 <= timed)
    // Counting takes less than half a second a benchmark and side, several in one process of valgrind.
    let counting = timed == 100 ? 0.0 : 2 * 100 * 0.5
    let copying = Double(machine.placements.count) * 0.04
    let timing =
      Double(machine.launched.count) * Effort.duration(ofLaunch: InterleavedRun.launchBudget) / 1000 + copying
    #expect(counting + timing <= 300, "\(counting) + \(timing) s")
  }

  @Test func `a launch of the base stands beside one of each side that is open`() throws {
    let factors = [1.0, 1.0, 1.2, 0.8]
    var (noise, launched) = (Noise(seed: 5), [(side: Int, title: String, number: Int)]())
    var measured: [[String: [Double]]] = Array(repeating: [:], count: 4)
    let rows = (1...3).map { side in
      // The last side lacks one of the benchmarks.
      (side == 3 ? ["a"] : ["a", "b"]).map {
        InterleavedRun.Row(base: .sample($0, executable: "base"), new: .sample($0, executable: "\(side)"))
      }
    }
    let run = InterleavedRun(
      rows: rows, judge: SequentialJudge(rows: 5), budget: 5, deadline: .now + .seconds(3600), place: {},
      launch: { planned, side throws(ResultFile.Failure) in
        launched.append((side, planned.point.title, planned.launch))
        // The second side breaks in one benchmark.
        guard side != 2 || planned.point.title != "b" else { return LaunchRunner.Summary() }
        measured[side][planned.point.title, default: []] += noise.launches(
          1, around: 1000 * factors[side], spread: 0.001)
        return LaunchRunner.Summary(measured: 1)
      }, times: { side throws(ResultFile.Failure) in measured[side] })
    var (random, sequence) = (Xoshiro256(seed: 3), 0)
    let outcomes = try run.run(&random, sequence: &sequence) { _ in }
    #expect(outcomes.map { $0.judgements["a"]?.verdict } == [.same, .worse, .better])
    #expect(outcomes.map { $0.judgements["b"]?.verdict } == [.same, nil, nil])
    #expect(outcomes.map(\.pairs) == [40, 21, 20] && !outcomes.contains { $0.isOutOfTime })
    // A launch of each side for "a", and of the base and the first for "b", and one that broke.
    #expect(launched.count == 4 * 20 + 2 * 20 + 1 && sequence == launched.count)
    var places: [Set<Int>] = [[], [], [], []]
    let firsts = launched.filter { $0.title == "a" }
    for start in stride(from: 0, to: firsts.count, by: 4) {
      #expect(Set(firsts[start..<start + 4].map(\.number)).count == 1)
      #expect(Set(firsts[start..<start + 4].map(\.side)) == [0, 1, 2, 3])
      for (place, launch) in firsts[start..<start + 4].enumerated() { places[place].insert(launch.side) }
    }
    #expect(places.allSatisfy { $0.count == 4 })
  }
}
