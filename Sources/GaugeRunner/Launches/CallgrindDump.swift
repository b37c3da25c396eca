// Reading the files that callgrind leaves, as far as counts of instructions and of reference counting need it (valgrind
// manual, "Callgrind Format Specification").

import Gauge

/// What one dump counts.
struct CallgrindDump: Hashable {
  /// What was counted.
  var counted: CountedInstructions
  /// Instructions, all threads together.
  var instructions: Int
  /// Calls of the functions that retain an object, from wherever.
  var retains = 0
  /// Calls of the functions that release an object, from wherever.
  var releases = 0
  /// Calls of the functions that tell the time, from wherever.
  var clockReadings = 0

  /// Reads a dump.
  ///
  /// - Returns: `nil` for one that no launch asked for, or that lacks its sum.
  init?(_ text: String) {
    var counted: CountedInstructions?
    var instructions: Int?
    var functions = FunctionNames()
    var callee: Callee?
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      // Nearly all lines are costs, and begin with a position.
      guard let first = line.first, first >= UInt8(ascii: "a") else { continue }
      let line = Substring(line)
      if line.hasPrefix(Self.trigger) {
        counted = CountedInstructions(name: line.dropFirst(Self.trigger.count))
      } else if line.hasPrefix(Self.sum) {
        instructions = Self.count(line.dropFirst(Self.sum.count))
      } else if line.hasPrefix("fn=") {
        _ = functions.callee(line.dropFirst(3))
      } else if line.hasPrefix("cfn=") {
        callee = functions.callee(line.dropFirst(4))
      } else if line.hasPrefix("calls=") {
        let count = Self.count(line.dropFirst(6).prefix { $0 != " " }) ?? 0
        switch callee {
        case .retain: retains = boundedSum(retains, count)
        case .release: releases = boundedSum(releases, count)
        case .clock: clockReadings = boundedSum(clockReadings, count)
        case nil: break
        }
      }
    }
    guard let counted, let instructions else { return nil }
    self.counted = counted
    self.instructions = instructions
  }

  /// A count; `nil` where it is none.
  private static func count(_ text: Substring) -> Int? { Int(text).flatMap { $0 >= 0 ? $0 : nil } }

  private static let trigger = "desc: Trigger: Client Request: "
  // Not `totals:`, which is the sum of what the file attributes to functions.
  private static let sum = "summary: "

  /// A function whose calls are counted.
  private enum Callee {
    case retain, release, clock

    init?(_ name: Substring) {
      // A recursive call has its depth behind the name, and a function of the C library may have its version there.
      switch name.prefix(while: { $0 != "'" && $0 != "@" }) {
      case "swift_retain", "swift_retain_n", "swift_tryRetain": self = .retain
      case "swift_release", "swift_release_n": self = .release
      case let name where CallgrindDump.clocks.contains(name): self = .clock
      default: return nil
      }
    }
  }

  /// Functions of the C library that tell the time.
  static let clocks: Set<Substring> = [
    "clock_gettime", "gettimeofday", "time", "times", "clock", "timespec_get", "getrusage",
  ]

  /// The file's own short forms: a number in parentheses, with the name behind it when it first comes.
  private struct FunctionNames {
    private var counted: [Substring: Callee] = [:]

    mutating func callee(_ text: Substring) -> Callee? {
      let number = text.prefix { $0 != " " }
      if number.count < text.count { counted[number] = Callee(text.dropFirst(number.count + 1)) }
      return counted[number]
    }
  }

  /// The measurements that the dumps of a launch make: the operations less as many empty ones, by operation.
  ///
  /// What an operation does that reads a clock may depend on the time of day: two launches that agree don't show that
  /// all will, and the counts are sampled.
  ///
  /// - Returns: Nothing where a dump is missing.
  static func measurements(_ dumps: [String]) -> [Measurement] {
    let counts = dumps.compactMap(CallgrindDump.init)
    guard let operation = counts.first(where: { $0.counted.subject == .operation }),
      let empty = counts.first(where: { $0.counted.subject == .emptyBody }),
      operation.counted.operations == empty.counted.operations
    else { return [] }
    let count = operation.counted.operations
    return zip(Metric.counted, [\CallgrindDump.instructions, \.retains, \.releases]).map { metric, number in
      var metric = metric
      if operation.clockReadings > 0 { metric.kind = .sampled }
      let value = Double(operation[keyPath: number] - empty[keyPath: number]) / Double(count)
      return Measurement(metric, .value(value), iterations: count, samples: 1)
    }
  }
}
