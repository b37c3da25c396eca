// Which launches a run makes, in which order: shuffled, with every benchmark's launches spread over the whole run.

import Gauge
import GaugeStatistics

/// One launch of a run.
struct PlannedLaunch: Hashable, Sendable {
  /// What is run.
  var point: BenchmarkPoint
  /// What is measured.
  var pass: LaunchRequest.Pass
  /// 0-based number among the launches of the same point and pass.
  var launch: Int
  /// 0-based position in the plan.
  var sequence: Int
  /// Measuring time in milliseconds.
  var budget: Int

  /// What the benchmark executable is asked.
  var request: LaunchRequest {
    LaunchRequest(benchmark: point.benchmark, parameters: point.parameters, pass: pass, budget: budget)
  }
}

/// A point and a pass of it.
struct PlannedPass: Hashable, Sendable {
  /// What is run.
  var point: BenchmarkPoint
  /// What is measured.
  var pass: LaunchRequest.Pass

  /// What a launch belongs to.
  init(_ launch: PlannedLaunch) {
    point = launch.point
    pass = launch.pass
  }
}

/// All launches of a run, in order.
struct LaunchPlan: Hashable, Sendable {
  /// The launches in order, each with a `sequence` of its own; in a plan of a whole run that is its index.
  let launches: [PlannedLaunch]
  /// What the order was drawn from: the same seed, points and shares give the same plan.
  let seed: UInt64

  /// Plans a run.
  ///
  /// Launch `k` of `n` stands at a random place within the `k`-th `n`-th of the run, so that a machine that slows down
  /// for a while touches few launches of each benchmark instead of all launches of a few.
  ///
  /// - Parameters:
  ///   - points: What to measure.
  ///   - selection: Which metrics; passes that none of them needs are left out.
  ///   - seed: What the order is drawn from.
  ///   - share: Launches and measuring time of a pass over a point.
  init(
    points: [BenchmarkPoint], selection: MetricSelection, seed: UInt64,
    share: (BenchmarkPoint, LaunchRequest.Pass) -> Effort.Share
  ) {
    var random = Xoshiro256(seed: seed)
    var placed: [(place: Double, launch: PlannedLaunch)] = []
    for point in points {
      for pass in point.passes where selection.takes(pass) {
        let share = share(point, pass)
        for number in 0..<share.launches {
          let place = (Double(number) + random.unit()) / Double(share.launches)
          placed.append(
            (place, PlannedLaunch(point: point, pass: pass, launch: number, sequence: 0, budget: share.budget)))
        }
      }
    }
    placed.sort { $0.place < $1.place }
    launches = placed.enumerated().map { sequence, entry in
      var launch = entry.launch
      launch.sequence = sequence
      return launch
    }
    self.seed = seed
  }

  /// A plan of launches that are part of a longer one, whose sequence they go on with.
  init(_ launches: [PlannedLaunch]) {
    self.launches = launches
    seed = 0
  }
}
