// Which launches are made once more because a neighbour was there.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct DisturbedLaunchesTests {
  let plan = LaunchPlan.sample([.sample("a", passes: [.time, .latency]), .sample("b")], launches: 4, budget: 25)

  /// What a launch told, calm or beside a neighbour.
  func told(isDisturbed: Bool) -> [Measurement] {
    [
      Measurement(.time, .value(isDisturbed ? 15 : 10)),
      Measurement(.referenceStores, .value(isDisturbed ? 0.40 : 0.27)),
    ]
  }

  /// The launches of a plan as they are carried out; tells which were made once more, round by round.
  func rounds(
    of plan: LaunchPlan, mostRounds: Int = 10, isDisturbed: (PlannedLaunch) -> Bool
  ) -> [[PlannedLaunch]] {
    var disturbed = DisturbedLaunches(of: plan, .everything)
    for launch in plan.launches where launch.pass == .time {
      disturbed.note(launch, told(isDisturbed: isDisturbed(launch)))
    }
    var rounds: [[PlannedLaunch]] = []
    while rounds.count < mostRounds {
      let launches = disturbed.again()
      if launches.isEmpty { break }
      for launch in launches { disturbed.note(launch, told(isDisturbed: isDisturbed(launch))) }
      rounds.append(launches)
    }
    #expect(disturbed.count == rounds.joined().count)
    return rounds
  }

  @Test func `nothing is made once more where nobody disturbed anything`() {
    #expect(rounds(of: plan) { _ in false }.isEmpty)
  }

  @Test func `what was disturbed is made once more, behind everything else`() {
    let rounds = rounds(of: plan) { $0.point.benchmark == "a" && $0.launch < 2 }
    #expect(rounds.map(\.count) == [2])
    #expect(rounds.joined().allSatisfy { $0.point.benchmark == "a" && $0.pass == .time && $0.budget == 25 })
    #expect(rounds.joined().map(\.launch).sorted() == [4, 5])
    #expect(rounds.joined().map(\.sequence) == [12, 13])
  }

  @Test func `what is disturbed again is made again, up to twice the launches`() {
    // Of b the first repetition is disturbed, too; of a all but one launch are.
    let rounds = rounds(of: plan) { launch in
      launch.point.benchmark == "a" ? launch.launch != 1 : [0, 4].contains(launch.launch)
    }
    let counts = rounds.map { round in ["a", "b"].map { name in round.count { $0.point.benchmark == name } } }
    #expect(counts == [[3, 1], [1, 1]])
    #expect(rounds.joined().map(\.sequence) == Array(12..<18))
    let launches = rounds.joined().map { "\($0.point.benchmark)\($0.launch)" }.sorted()
    #expect(launches == ["a4", "a5", "a6", "a7", "b4", "b5"])
  }

  @Test func `an interrupted run goes on with what it has not made once more yet`() throws {
    let first = try #require(rounds(of: plan) { $0.point.benchmark == "a" && $0.launch < 3 }.first)
    #expect(first.map(\.launch) == [4, 5, 6] && first.map(\.sequence) == [12, 13, 14])
    var results = Results()
    results.rows = (plan.launches.filter { $0.pass == .time } + first.prefix(1)).map { launch in
      let isDisturbed = launch.point.benchmark == "a" && launch.launch < 3
      return .sample(
        launch.point.benchmark, metric: .referenceStores, launch: launch.launch, sequence: launch.sequence,
        .value(isDisturbed ? 0.40 : 0.27))
    }
    var disturbed = DisturbedLaunches(of: plan, .everything, after: try RunHistory(results, of: plan))
    let rest = disturbed.again()
    #expect(rest.map(\.launch) == [5, 6] && rest.map(\.sequence) == [13, 14])
    #expect(rest.allSatisfy { $0.point.benchmark == "a" && $0.pass == .time && $0.budget == 25 })
  }

  @Test func `where the file doesn't tell what was disturbed, nothing is made once more`() throws {
    var disturbed = DisturbedLaunches(of: plan, try MetricSelection(names: ["throughput"]))
    for launch in plan.launches where launch.pass == .time {
      disturbed.note(launch, told(isDisturbed: launch.launch < 2))
    }
    #expect(disturbed.again().isEmpty)
  }

  @Test func `benchmarks of several threads, and launches that tell nothing, are left out`() {
    var threaded = BenchmarkPoint.sample("t")
    threaded.hasThreads = true
    let plan = LaunchPlan.sample([threaded, .sample("b")], launches: 4)
    #expect(rounds(of: plan) { $0.point.hasThreads }.isEmpty)
    var disturbed = DisturbedLaunches(of: plan, .everything)
    for launch in plan.launches { disturbed.note(launch, [Measurement(.time, .value(10))]) }
    #expect(disturbed.again().isEmpty)
  }

  @Test func `a neighbour that never goes is not told from a slow machine`() {
    #expect(rounds(of: plan) { _ in true }.isEmpty)
  }
}
