// Several launches in one process of valgrind, whose start takes longer than most counts: the benchmark executable is
// started once and forks a child per launch. Each child begins as the same process,
// so that it counts what it would alone.

import Foundation
import Gauge

extension Callgrind {
  /// Launches of one process at most: what an interrupt can cost.
  static let batch = 16

  /// Runs launches of one executable.
  ///
  /// - Parameters:
  ///   - launches: The launches, of the pass `counts` and of one executable.
  ///   - environment: The user's environment, of which little is handed on.
  ///   - limit: Time after which one launch would be killed; many have some more together.
  ///   - signals: Signals on which all are killed at once.
  /// - Returns: Outcomes by the launches' place in the plan. Those that did not come out whole are missing: they are to
  ///   be run alone, which tells what is wrong with them.
  func outcomes(
    of launches: [PlannedLaunch], environment: [String: String], limit: Duration, stoppingOn signals: PendingSignals?
  ) -> [Int: LaunchOutcome] {
    guard let first = launches.first else { return [:] }
    do throws(SystemError) {
      try Files.makeFolder(folder)
      removeDumps()
      defer { removeDumps() }
      let requests = folder + "/requests"
      let lines = launches.map { LaunchBatch.line($0.request) + "\n" }.joined()
      try Files.replace(requests, with: Array(lines.utf8))
      let program = try runnable(first.point.executable)
      let parts = try atOnce(Repetition.allCases) { (repetition) throws(SystemError) in
        var command = command(program, LaunchBatch.arguments, environment: environment, repetition)
        command.input = requests
        let run = try ProcessRun.capturing(
          command, limit: limit + limit * (launches.count - 1) / 10, stoppingOn: signals)
        return LaunchBatch.parts(of: run.report).map { outcome(of: $0, repetition) }
      }
      var outcomes: [Int: LaunchOutcome] = [:]
      for (launch, (first, second)) in zip(launches, zip(parts[0], parts[1])) {
        switch LaunchOutcome.counted(first, again: second) {
        case .broken, .interrupted: continue
        case let outcome: outcomes[launch.sequence] = outcome
        }
      }
      return outcomes
    } catch {
      return [:]
    }
  }

  private func outcome(of part: LaunchBatch.Part, _ repetition: Repetition) -> LaunchOutcome {
    let run = ProcessRun(ending: .ended(ChildEnding(status: part.status)), output: "", report: part.report)
    return LaunchOutcome(run, adding: CallgrindDump.measurements(dumps(ofProcess: part.process, repetition)))
  }
}
