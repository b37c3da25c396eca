// What a launch tells its runner: lines of tab-separated fields, so that a launch needs no Foundation and a
// half-written report is still readable up to the last whole line.

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
  public static let header = "gauge-launch\t1"

  /// The report as text, one line per measurement, the ending last.
  public var text: String {
    let lines = [Self.header] + measurements.map(Self.line) + (ending.map { [Self.line($0)] } ?? [])
    return lines.map { $0 + "\n" }.joined()
  }

  /// A measurement as one line, without line feed.
  static func line(_ measurement: Measurement) -> String {
    let metric = measurement.metric
    let description = [metric.name, metric.unit, metric.polarity.rawValue, metric.kind.rawValue]
    let fields =
      switch measurement.outcome {
      case .value(let value):
        ["metric"] + description + ["\(measurement.iterations)", "\(measurement.samples)", "\(value)"]
      case .unavailable(let reason): ["unavailable"] + description + [reason]
      }
    return fields.map(FieldText.escape).joined(separator: "\t")
  }

  /// An ending as one line, without line feed.
  static func line(_ ending: Ending) -> String {
    switch ending {
    case .done: "done"
    case .skipped(let reason): "skipped\t" + FieldText.escape(reason)
    case .failed(let message): "failed\t" + FieldText.escape(message)
    }
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
  /// - Throws: `FormatError` for a whole line that is not of the format, and for a line behind the ending.
  public init(text: String) throws(FormatError) {
    // Line feeds are split off as scalars: as characters, one that follows a carriage return would not be found.
    var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    lines.removeLast()
    guard let first = lines.first else { return }
    guard first == Self.header else {
      throw FormatError(line: 1, description: "expected '\(Self.header)', found '\(first)'")
    }
    for (index, line) in lines.enumerated().dropFirst() {
      do throws(LineError) {
        guard ending == nil else { throw LineError("a line behind the ending") }
        try read(line)
      } catch {
        throw FormatError(line: index + 1, description: "\(error.complaint) in '\(line)'")
      }
    }
  }

  private struct LineError: Error {
    var complaint: String

    init(_ complaint: String) {
      self.complaint = complaint
    }
  }

  private mutating func read(_ line: String) throws(LineError) {
    var fields: [String] = []
    for part in line.unicodeScalars.split(separator: "\t", omittingEmptySubsequences: false) {
      guard let field = FieldText.unescape(String(part)) else { throw LineError("an unknown escape") }
      fields.append(field)
    }
    switch (fields.first, fields.count) {
    case ("metric", 8):
      guard let iterations = Int(fields[5]), let samples = Int(fields[6]), let value = Double(fields[7]), !value.isNaN
      else {
        throw LineError("a field that is not a number")
      }
      let metric = try Self.metric(fields[1...4])
      measurements.append(Measurement(metric, .value(value), iterations: iterations, samples: samples))
    case ("unavailable", 6):
      measurements.append(Measurement(try Self.metric(fields[1...4]), .unavailable(fields[5])))
    case ("done", 1): ending = .done
    case ("skipped", 2): ending = .skipped(fields[1])
    case ("failed", 2): ending = .failed(fields[1])
    default: throw LineError("an unknown record or the wrong number of fields")
    }
  }

  /// A metric from its name, unit, polarity and kind.
  private static func metric(_ fields: ArraySlice<String>) throws(LineError) -> Metric {
    let name = fields[fields.startIndex]
    let unit = fields[fields.startIndex + 1]
    guard let polarity = Metric.Polarity(rawValue: fields[fields.startIndex + 2]) else {
      throw LineError("the unknown polarity '\(fields[fields.startIndex + 2])'")
    }
    guard let kind = Metric.Kind(rawValue: fields[fields.startIndex + 3]) else {
      throw LineError("the unknown kind '\(fields[fields.startIndex + 3])'")
    }
    return Metric(name, unit: unit, polarity: polarity, kind: kind)
  }
}
