// A side of `gauge ab` at work: its file, its fixtures, and what carries out its launches.

import Foundation
import Gauge

/// One of the builds that are measured against each other.
///
/// Sides share neither a file nor a folder, so that both may work at once. Each is worked by one thread at a time.
final class AbSide: Sendable {
  /// Path of the file that its rows go to.
  let path: String
  private let writer: ResultFileWriter
  private let fixtures: RunFixtures
  private let libraries: [String: CountingLibraries]
  private let callgrind: Callgrind?
  private let timeLimit: Duration?

  /// Begins the file of a side.
  ///
  /// - Parameters:
  ///   - path: The file, in place of what stood there.
  ///   - head: The machine and the build, in the order of the file.
  ///   - points: What may be measured.
  ///   - scratch: A folder of this side's own, made when it is needed.
  ///   - environment: The user's environment.
  ///   - change: What launches have otherwise than usually.
  ///   - names: Variables that launches under valgrind get, too: those that any side has otherwise.
  ///   - timeLimit: Time after which a launch is killed; `nil` adapts it.
  ///   - signals: Signals that end a launch.
  /// - Throws: `ResultFile.Failure.unwritable`.
  init(
    _ path: String, head: [(name: String, value: String)], points: [BenchmarkPoint], scratch: String,
    environment: [String: String], change: LaunchChange = LaunchChange(), handing names: Set<String> = [],
    timeLimit: Duration? = nil, signals: PendingSignals
  ) throws(ResultFile.Failure) {
    self.path = path
    self.timeLimit = timeLimit
    writer = try ResultFileWriter.replacing(path, environment: head)
    var fixtures = RunFixtures(
      of: points, folder: scratch + "/run", environment: change.environment(from: environment))
    fixtures.signals = signals
    self.fixtures = fixtures
    libraries = Self.libraries(of: points, change)
    callgrind = Callgrind(folder: scratch, path: environment["PATH"] ?? "").map { callgrind in
      var callgrind = callgrind
      callgrind.handed = names
      callgrind.preloads = !change.preloads.isEmpty
      return callgrind
    }
  }

  /// What is preloaded into counting launches, by executable.
  static func libraries(
    of points: [BenchmarkPoint], _ change: LaunchChange = LaunchChange()
  ) -> [String: CountingLibraries] {
    Dictionary(uniqueKeysWithValues: Set(points.map(\.executable)).map { ($0, change.libraries(beside: $0)) })
  }

  /// Sets up what its launches need to stand.
  ///
  /// - Throws: `CommandFailure` with code `broke`.
  func setUp() throws(CommandFailure) {
    do throws(RunFixtures.Failure) {
      try fixtures.setUp()
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Tears down what its launches needed.
  ///
  /// - Returns: What went wrong, in words.
  func tearDown() -> [String] { fixtures.tearDown() }

  /// What the file holds.
  var results: Results {
    get throws(ResultFile.Failure) { try ResultFile.read(path).results }
  }

  /// Runs launches.
  ///
  /// - Parameters:
  ///   - plan: The launches.
  ///   - selection: What is kept of what they measure.
  /// - Throws: `ResultFile.Failure.unwritable` where the file takes no more rows.
  func carryOut(
    _ plan: LaunchPlan, keeping selection: MetricSelection = .everything.withExactPasses
  ) throws(ResultFile.Failure) -> LaunchRunner.Summary {
    let runner = LaunchRunner(
      plan: plan, selection: selection, libraries: libraries, environment: fixtures.environment,
      timeLimit: timeLimit, signals: fixtures.signals, callgrind: callgrind)
    var silence = ProgressDisplay(plan, style: .log(every: .seconds(1_000_000))) { _ in }
    return try runner.run(into: writer, progress: &silence)
  }

  /// Ends the file, as that of a run that has come to its end.
  ///
  /// - Parameter launches: How many were made, of both sides.
  /// - Throws: `ResultFile.Failure.unwritable`.
  func end(after launches: Int) throws(ResultFile.Failure) { try writer.end(after: launches) }

  /// Has both sides run a plan, at once where there are two processors: for passes that count, which do not mind.
  ///
  /// - Returns: The signal that ended it early.
  /// - Throws: What either throws.
  static func carryOutAtOnce(
    _ sides: [(side: AbSide, plan: LaunchPlan)]
  ) throws(ResultFile.Failure) -> Int32? {
    let summaries = try atOnce(sides) { (work) throws(ResultFile.Failure) in try work.side.carryOut(work.plan) }
    return summaries.lazy.compactMap(\.interruption).first
  }
}
