// Which launches for time are made once more, as somebody slowed them.

import Gauge
import GaugeStatistics

/// The launches of a run that a neighbour on the same core of the host disturbed, as the loop of stores tells.
///
/// A neighbour comes and goes within milliseconds, and may be there for most of a run. Times are compared by the
/// launches that it left alone, so that a run goes on until these are as many as were planned, or there are twice as
/// many launches of a benchmark. Benchmarks of several threads are left out: they may disturb the loop themselves.
struct DisturbedLaunches {
  /// What was launched of a benchmark.
  private struct Launched {
    let planned: Int
    let budget: Int
    /// Launches that were made once more.
    var again = 0
    /// What a turn of the loop of stores took in each launch.
    var turns: [Double] = []

    /// How many launches are made once more now.
    func missing(limit: Double) -> Int { max(0, min(turns.count { $0 > limit }, planned) - again) }
  }

  private let plan: LaunchPlan
  private let selection: MetricSelection
  private var points: [BenchmarkPoint] = []
  private var launched: [BenchmarkPoint: Launched] = [:]
  /// How many were made once more, of an interrupted run before it went on, too.
  private(set) var count = 0

  /// - Parameters:
  ///   - plan: The run without them.
  ///   - selection: The metrics that the run takes; without the loop of stores no reader of the file could tell which
  ///     launches were disturbed, and none is made once more.
  ///   - history: What an earlier, interrupted run of the plan has done already.
  init(of plan: LaunchPlan, _ selection: MetricSelection, after history: RunHistory = RunHistory()) {
    self.plan = plan
    self.selection = selection
    let timed = plan.launches.filter {
      $0.pass == .time && !$0.point.hasThreads && selection.takes(.referenceStores, of: .time)
    }
    for (point, launches) in Dictionary(grouping: timed, by: \.point) {
      launched[point] = Launched(planned: launches.count, budget: launches[0].budget)
    }
    points = launched.keys.sorted { $0.title < $1.title }
    for (launch, turn) in history.storeTurns { launched[launch.point]?.turns.append(turn) }
    for launch in history.repeated {
      count = max(count, launch.sequence + 1 - plan.launches.count)
      guard let before = launched[launch.point] else { continue }
      launched[launch.point]!.again = max(before.again, launch.launch + 1 - before.planned)
    }
  }

  /// Takes note of what a launch told of its neighbours.
  mutating func note(_ launch: PlannedLaunch, _ measurements: [Measurement]) {
    for measurement in measurements where measurement.metric.name == Metric.referenceStores.name {
      if case .value(let turn) = measurement.outcome { launched[launch.point]?.turns.append(turn) }
    }
  }

  /// The launches that are made once more now, with positions behind all others of the run; they are noted in their
  /// turn.
  mutating func again() -> [PlannedLaunch] {
    guard let calm = MeasuredRows.calmStores(launched.values.flatMap(\.turns)) else { return [] }
    let missing = launched.mapValues { $0.missing(limit: calm * MeasuredRows.disturbingFactor) }
    let more = LaunchPlan(points: points, selection: selection, seed: plan.seed &+ UInt64(count)) { point, pass in
      Effort.Share(launches: pass == .time ? missing[point]! : 0, budget: launched[point]!.budget)
    }
    let launches = more.launches.map { launch in
      var launch = launch
      launch.launch += launched[launch.point]!.planned + launched[launch.point]!.again
      launch.sequence += plan.launches.count + count
      return launch
    }
    for (point, number) in missing { launched[point]!.again += number }
    count += launches.count
    return launches
  }
}
