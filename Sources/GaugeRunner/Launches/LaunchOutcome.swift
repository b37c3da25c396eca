// What became of a launch: its measurements, or in words why there are none.

import Gauge

/// The outcome of one launch.
enum LaunchOutcome: Hashable, Sendable {
  /// Measured to the end.
  case measured([Measurement])
  /// The benchmark asked not to be measured, with its reason.
  case skipped(String)
  /// It broke, with a reason and the last lines that it printed.
  case broken(reason: String, output: String)
  /// This process was asked to stop.
  case interrupted(signal: Int32)

  /// Reads the outcome off a finished child process.
  ///
  /// - Parameters:
  ///   - run: The process.
  ///   - measurements: What it left to be measured elsewhere than in its report.
  init(_ run: ProcessRun, adding measurements: [Measurement] = []) {
    let output = Self.tail(of: run.output)
    func broken(_ reason: String) -> LaunchOutcome { .broken(reason: reason, output: output) }
    var report: LaunchReport
    switch run.ending {
    case .interrupted(let signal):
      self = .interrupted(signal: signal)
      return
    case .overdue(let limit):
      self = broken("did not end within \(Self.words(for: limit))")
      return
    case .ended:
      do throws(LaunchReport.FormatError) {
        report = try LaunchReport(text: run.report)
      } catch {
        self = broken("line \(error.line) of its report is damaged: \(error.description)")
        return
      }
    }
    report.measurements += measurements
    guard case .ended(let ending) = run.ending else { preconditionFailure("handled above") }
    switch (report.ending, ending) {
    case (.failed(let message), .exited): self = broken(message)
    case (.done, .exited(0)) where report.measurements.isEmpty: self = broken("reported no measurement")
    case (.done, .exited(0)): self = .measured(report.measurements)
    case (.skipped(let reason), .exited(0)): self = .skipped(reason)
    case (nil, .exited(0)): self = broken("ended before its report was whole")
    case (nil, _): self = broken("\(ending)")
    case (_, _): self = broken("\(ending) after its report")
    }
  }

  /// What two launches of one benchmark have counted.
  ///
  /// - Returns: What the first one says, its counts exact where the second has the same; how one of them ended where that
  ///   is otherwise than by being measured.
  static func counted(_ first: LaunchOutcome, again second: LaunchOutcome) -> LaunchOutcome {
    switch (first, second) {
    case (.measured(var measurements), .measured(let others)):
      for index in measurements.indices where !others.contains(measurements[index]) {
        measurements[index].metric.kind = .sampled
      }
      return .measured(measurements)
    case (.measured, let other): return other
    case (let other, _): return other
    }
  }

  /// A time limit as people say it.
  static func words(for limit: Duration) -> String {
    let seconds = Double(limit.components.seconds) + Double(limit.components.attoseconds) / 1e18
    let tenths = (seconds * 10).rounded() / 10
    return tenths == tenths.rounded() ? "\(Int(tenths)) s" : "\(tenths) s"
  }

  /// Lines of output that a fault keeps.
  static let lines = 20
  /// Characters of output that a fault keeps.
  static let characters = 2000

  /// The last lines of an output, bounded in number and in length.
  static func tail(of output: String) -> String {
    var lines = output.split(separator: "\n", omittingEmptySubsequences: false)
    while lines.last?.allSatisfy(\.isWhitespace) ?? false { lines.removeLast() }
    return String(lines.suffix(Self.lines).joined(separator: "\n").suffix(characters))
  }
}
