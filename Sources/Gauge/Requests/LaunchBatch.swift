// Several launches of one process that forks: how they are asked for, and how their reports are told apart.

/// What a runner and a benchmark executable agree on about batches of launches.
public enum LaunchBatch {
  /// The arguments of the executable, verb included; the requests come by its standard input.
  public static let arguments = ["launches"]

  /// Where the parts of the report are told apart; each request names the same.
  static let reportDescriptor: Int32 = 3

  /// A request as a line, without line feed.
  public static func line(_ request: LaunchRequest) -> String {
    request.arguments.map(FieldText.escape).joined(separator: "\t")
  }

  /// The arguments in a line; `nil` for an escape that `line` never writes.
  static func arguments(of line: String) -> [String]? {
    var arguments: [String] = []
    for field in line.split(separator: "\t", omittingEmptySubsequences: false) {
      guard let argument = FieldText.unescape(field) else { return nil }
      arguments.append(argument)
    }
    return arguments
  }

  /// What one launch of a batch left in the report.
  public struct Part: Hashable, Sendable {
    /// Its process.
    public var process: Int
    /// Its status, as `waitpid` tells it.
    public var status: Int32
    /// Its own report.
    public var report: String
  }

  /// The parts of a batch's report, in order; one that has not ended is left out, and all behind it.
  public static func parts(of report: String) -> [Part] {
    var parts: [Part] = []
    var current: (process: Int, lines: String)?
    for line in report.split(separator: "\n", omittingEmptySubsequences: false) {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      switch (fields.first, fields.count) {
      case ("launched", 2):
        guard current == nil, let process = Int(fields[1]) else { return parts }
        current = (process, "")
      case ("ended", 3):
        guard let (process, lines) = current, Int(fields[1]) == process, let status = Int32(fields[2]) else {
          return parts
        }
        parts.append(Part(process: process, status: status, report: lines))
        current = nil
      default: current?.lines += line + "\n"
      }
    }
    return parts
  }
}
