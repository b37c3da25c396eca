// What a launch tells its runner: lines of tab-separated fields, so that a launch needs no Foundation and a half-written
// report is still readable up to the last whole line.

/// One quantity as a launch measured it, or why it could not.
public struct Measurement: Hashable, Sendable {
  /// What was measured.
  public var metric: Metric
  /// The launch's estimate in `metric.unit`, or the reason why there is none.
  public var outcome: Outcome
  /// Operations behind the estimate.
  public var iterations: Int
  /// Samples (timed batches, or single operations for latency) behind the estimate.
  public var samples: Int

  /// A value, or the reason why there is none.
  public enum Outcome: Hashable, Sendable {
    /// The launch's estimate in the metric's unit.
    case value(Double)
    /// Why this quantity can't be had here, in words that fit behind `unavailable: `.
    case unavailable(String)
  }

  /// Creates a measurement.
  public init(_ metric: Metric, _ outcome: Outcome, iterations: Int = 0, samples: Int = 0) {
    self.metric = metric
    self.outcome = outcome
    self.iterations = iterations
    self.samples = samples
  }
}

/// Everything one launch reported.
public struct LaunchReport: Hashable, Sendable {
  /// How the launch ended, by its own word. A launch that died has no such word: its report lacks the last line.
  public enum Ending: Hashable, Sendable {
    /// Measured to the end.
    case done
    /// The benchmark asked not to be measured, with its reason.
    case skipped(String)
    /// The benchmark threw, or was used wrongly, with a message.
    case failed(String)
  }

  /// What was measured, in the order of measuring.
  public var measurements: [Measurement] = []
  /// How the launch ended; `nil` where the report breaks off.
  public var ending: Ending?

  /// Creates an empty report.
  public init() {}
}

extension LaunchReport {
  /// First line of a report; the number is the version of the format.
  static let header = "gauge-launch\t1"

  /// The report as text, one line per measurement, the ending last.
  public var text: String {
    var lines = [Self.header]
    for measurement in measurements {
      let metric = measurement.metric
      let head = [metric.name, metric.unit, metric.polarity.rawValue, metric.kind.rawValue].map(Self.escape)
      switch measurement.outcome {
      case .value(let value):
        lines.append(
          (["metric"] + head + ["\(measurement.iterations)", "\(measurement.samples)", "\(value)"])
            .joined(separator: "\t"))
      case .unavailable(let reason):
        lines.append((["unavailable"] + head + [Self.escape(reason)]).joined(separator: "\t"))
      }
    }
    switch ending {
    case .done: lines.append("done")
    case .skipped(let reason): lines.append("skipped\t" + Self.escape(reason))
    case .failed(let message): lines.append("failed\t" + Self.escape(message))
    case nil: break
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// What is wrong with a report's text.
  public struct FormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// 1-based line within the report.
    public var line: Int
    /// What was found, and what was expected.
    public var description: String
  }

  /// Reads a report; a line that breaks off (no line feed) is left out, as the launch died while it wrote it.
  ///
  /// - Throws: `FormatError` for a whole line that is not of the format.
  public init(text: String) throws(FormatError) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    lines.removeLast()
    guard let first = lines.first else { return }
    guard first == Self.header else {
      throw FormatError(line: 1, description: "expected '\(Self.header)', found '\(first)'")
    }
    for (index, line) in lines.enumerated().dropFirst() {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(Self.unescape)
      func fail(_ what: String) -> FormatError { FormatError(line: index + 1, description: "\(what) in '\(line)'") }
      func metric() throws(FormatError) -> Metric {
        guard let polarity = Metric.Polarity(rawValue: fields[3]) else { throw fail("unknown polarity '\(fields[3])'") }
        guard let kind = Metric.Kind(rawValue: fields[4]) else { throw fail("unknown kind '\(fields[4])'") }
        return Metric(fields[1], unit: fields[2], polarity: polarity, kind: kind)
      }
      switch (fields[0], fields.count) {
      case ("metric", 8):
        guard let iterations = Int(fields[5]), let samples = Int(fields[6]), let value = Double(fields[7]) else {
          throw fail("a field that is not a number")
        }
        measurements.append(try Measurement(metric(), .value(value), iterations: iterations, samples: samples))
      case ("unavailable", 6): measurements.append(try Measurement(metric(), .unavailable(fields[5])))
      case ("done", 1): ending = .done
      case ("skipped", 2): ending = .skipped(fields[1])
      case ("failed", 2): ending = .failed(fields[1])
      default: throw fail("unknown record or wrong number of fields")
      }
    }
  }

  /// Tabs, line feeds and backslashes as `\t`, `\n`, `\\`, so that any text is one field.
  private static func escape(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "\\": escaped += "\\\\"
      case "\t": escaped += "\\t"
      case "\n": escaped += "\\n"
      case "\r": escaped += "\\r"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }

  private static func unescape(_ field: Substring) -> String {
    var text = ""
    var escaped = false
    for character in field.unicodeScalars {
      if escaped {
        switch character {
        case "t": text += "\t"
        case "n": text += "\n"
        case "r": text += "\r"
        default: text.unicodeScalars.append(character)
        }
        escaped = false
      } else if character == "\\" {
        escaped = true
      } else {
        text.unicodeScalars.append(character)
      }
    }
    return text
  }
}
