// What of a plan an interrupted run has done, read off the rows that it wrote.

import Gauge

/// The launches of a plan that are over, and what they mean for the rest.
struct RunHistory: Hashable, Sendable {
  /// Positions in the plan of launches whose rows or fault are there.
  private(set) var finished: Set<Int> = []
  /// Launches that were made once more, behind all others.
  private(set) var repeated: Set<PlannedLaunch> = []
  /// What a turn of the loop of stores took in launches for time.
  private(set) var storeTurns: [PlannedLaunch: Double] = [:]
  /// What broke: its other launches are dropped.
  private(set) var broken: Set<BenchmarkPoint> = []
  /// What was skipped: its other launches are skipped too.
  private(set) var skipped: Set<PlannedPass> = []
  /// The faults, for the end of the run.
  private(set) var faults: [BenchmarkFault] = []

  /// Nothing has been done.
  init() {}

  /// A result that the plan can't have led to.
  struct Mismatch: Error, Hashable {
    /// What is odd, in words.
    var message: String
  }

  /// Reads the history off a run's results.
  ///
  /// - Parameters:
  ///   - results: What the run has written.
  ///   - plan: What it was to do.
  /// - Throws: `Mismatch` for a row of a launch that the plan doesn't have.
  init(_ results: Results, of plan: LaunchPlan) throws(Mismatch) {
    var timed: [String: PlannedLaunch] = [:]
    for launch in plan.launches where launch.pass == .time {
      if launch.launch >= timed[launch.point.title]?.launch ?? 0 { timed[launch.point.title] = launch }
    }
    func launch(_ sequence: Int, _ benchmark: String, _ parameters: String, _ number: Int) throws(Mismatch)
      -> PlannedLaunch
    {
      guard plan.launches.indices.contains(sequence) else {
        // One that was made once more, as somebody had disturbed others: none of those that are left.
        if var again = timed[Self.title(benchmark, parameters)], number > again.launch {
          (again.launch, again.sequence) = (number, sequence)
          return again
        }
        throw Mismatch(
          message: "launch \(sequence) of the run is there, but the same options plan only \(plan.launches.count)")
      }
      let launch = plan.launches[sequence]
      guard launch.point.benchmark == benchmark, launch.point.parameters == parameters, launch.launch == number else {
        throw Mismatch(
          message: "launch \(sequence) of the run is one of \(Self.title(benchmark, parameters)), where the same "
            + "options plan one of \(launch.point.title)")
      }
      return launch
    }
    for row in results.rows {
      let launch = try launch(row.sequence, row.benchmark, row.parameters, row.launch)
      finish(launch, of: plan)
      if row.metric.name == Metric.referenceStores.name, case .value(let turn) = row.outcome {
        storeTurns[launch] = turn
      }
      if case .unavailable(let reason) = row.outcome, reason.hasPrefix(Self.skippedPrefix) {
        skipped.insert(PlannedPass(launch))
      }
    }
    for fault in results.faults {
      let launch = try launch(fault.sequence, fault.benchmark, fault.parameters, fault.launch)
      finish(launch, of: plan)
      broken.insert(launch.point)
    }
    faults = results.faults
  }

  private mutating func finish(_ launch: PlannedLaunch, of plan: LaunchPlan) {
    if plan.launches.indices.contains(launch.sequence) {
      finished.insert(launch.sequence)
    } else {
      repeated.insert(launch)
    }
  }

  private static func title(_ benchmark: String, _ parameters: String) -> String {
    ResultRow.Key(benchmark: benchmark, parameters: parameters, metric: "").title
  }

  /// What the reason of a skipped pass's row begins with.
  static let skippedPrefix = "skipped: "

  /// Whether a plan has nothing left to do.
  func completes(_ plan: LaunchPlan) -> Bool {
    plan.launches.allSatisfy {
      finished.contains($0.sequence) || broken.contains($0.point) || skipped.contains(PlannedPass($0))
    }
  }
}
