// What became of a launch: its measurements, or in words why there are none.

import Gauge

/// The outcome of one launch.
enum LaunchOutcome: Hashable, Sendable {
  /// Measured to the end.
  case measured([Measurement])
  /// The benchmark asked not to be measured, with its reason.
  case skipped(String)
  /// It broke, with a reason and what it printed of it.
  case broken(reason: String, output: String)
  /// This process was asked to stop.
  case interrupted(signal: Int32)

  /// Reads the outcome off a finished child process.
  ///
  /// - Parameters:
  ///   - run: The process.
  ///   - measurements: What it left to be measured elsewhere than in its report.
  ///   - mayMeasureNothing: Whether it was run for something else than its measurements.
  init(_ run: ProcessRun, adding measurements: [Measurement] = [], mayMeasureNothing: Bool = false) {
    let output = Self.excerpt(of: run.output)
    func broken(_ reason: String) -> LaunchOutcome { .broken(reason: Self.bounded(reason), output: output) }
    var report: LaunchReport
    switch run.ending {
    case .interrupted(let signal):
      self = .interrupted(signal: signal)
      return
    case .overdue(let limit):
      self = broken("did not end within \(Self.words(for: limit)) (--time-limit allows more)")
      return
    case .ended:
      do throws(LaunchReport.FormatError) {
        report = try LaunchReport(text: run.report)
      } catch {
        self = broken("line \(error.line) of its report is damaged: \(error.description)")
        return
      }
    }
    if let metric = report.measurements.lazy.map(\.metric).first(where: { $0.contradiction != nil }) {
      self = broken(
        "reported \(metric.name) as \(metric.polarity.rawValue) and \(metric.kind.rawValue), which it is not")
      return
    }
    var names: Set<String> = []
    if let name = (report.measurements + measurements).map(\.metric.name).first(where: { !names.insert($0).inserted }) {
      self = broken("reported \(name) more than once")
      return
    }
    if let objection = report.measurements.lazy.compactMap(Self.objection).first {
      self = broken("reported " + objection)
      return
    }
    for index in report.measurements.indices {
      guard case .unavailable(let reason) = report.measurements[index].outcome else { continue }
      report.measurements[index].outcome = .unavailable(Self.bounded(reason))
    }
    report.measurements += measurements
    guard case .ended(let ending) = run.ending else { preconditionFailure("handled above") }
    switch (report.ending, ending) {
    case (.failed(let message), .exited): self = broken(message)
    case (.done, .exited(0)) where report.measurements.isEmpty && !mayMeasureNothing:
      self = broken("reported no measurement")
    case (.done, .exited(0)): self = .measured(report.measurements)
    case (.skipped(let reason), .exited(0)): self = .skipped(Self.bounded(reason))
    case (nil, .exited(0)): self = broken("ended before its report was whole")
    case (nil, _): self = broken("\(ending)")
    case (_, _): self = broken("\(ending) after its report")
    }
  }

  /// What of a measurement no result file can hold,
  /// so that a single one would make the whole file unreadable; `nil` for nothing.
  private static func objection(to measurement: Measurement) -> String? {
    let (metric, counts) = (measurement.metric, 0...ResultFormat.largestCount)
    guard !metric.name.isEmpty, metric.name != ResultFormat.fault else {
      return "'\(metric.name)' as the name of a metric"
    }
    guard metric.name.utf8.count <= ResultFormat.mostNameBytes else {
      return "a metric whose name has more than \(ResultFormat.mostNameBytes) bytes"
    }
    guard metric.unit.utf8.count <= ResultFormat.mostUnitBytes else {
      return "a unit of \(metric.name) of more than \(ResultFormat.mostUnitBytes) bytes"
    }
    guard counts.contains(measurement.iterations), counts.contains(measurement.samples) else {
      return "\(measurement.iterations) operations and \(measurement.samples) samples of \(metric.name)"
    }
    guard case .value(let value) = measurement.outcome else { return nil }
    guard abs(value) <= ResultFormat.largestValue, value >= 0 || !metric.isNeverNegative else {
      return "\(value) as \(metric.name)"
    }
    return nil
  }

  /// A text as a result file has room for it: an author's own words may be as long as a report.
  private static func bounded(_ text: String) -> String {
    guard text.utf8.count > 4 * characters else { return text }
    return String(text.unicodeScalars.prefix(characters)) + " …"
  }

  /// What two launches of one benchmark have counted.
  ///
  /// - Returns: What the first one says, its counts exact where the second has the same; how one of them ended where
  ///   that is otherwise than by being measured.
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

  /// What of an output says most about why the process died, bounded in number of lines and in length: a fatal error
  /// with the crashed thread's frames and then what was printed before, or else the last lines.
  static func excerpt(of output: String) -> String {
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
    let signs = ["Fatal error", "Precondition failed", "Assertion failed", "*** Program crashed"]
    guard let first = signs.lazy.compactMap({ sign in lines.lastIndex { $0.contains(sign) } }).first else {
      return tail(of: lines[...])
    }
    let message = lines[first...].prefix { line in
      !line.isEmpty && (line == lines[first] || !line.hasPrefix("*** "))
    }
    // Below the frames of the crashed thread stand registers, other threads and images.
    let crashed = lines[first...].firstIndex { $0.hasPrefix("Thread ") && $0.hasSuffix(" crashed:") } ?? lines.endIndex
    let frames = lines[crashed...].dropFirst().prefix { !$0.hasPrefix("Registers:") && !$0.hasPrefix("Thread ") }
      .filter { !$0.allSatisfy(\.isWhitespace) }
    let head = (message + frames).prefix(Self.lines).joined(separator: "\n").prefix(characters)
    let before = tail(of: lines[..<first], lines: Self.lines / 2)
    guard !before.isEmpty, head.count + before.count < characters else { return String(head) }
    return "\(head)\nprinted before:\n\(before)"
  }

  /// The last lines of an output, bounded in number and in length.
  private static func tail(of output: ArraySlice<Substring>, lines count: Int = lines) -> String {
    let end = output.lastIndex { !$0.allSatisfy(\.isWhitespace) }.map { $0 + 1 } ?? output.startIndex
    let last = output[..<end].suffix(count).drop { $0.allSatisfy(\.isWhitespace) }
    return String(last.joined(separator: "\n").suffix(characters))
  }
}
