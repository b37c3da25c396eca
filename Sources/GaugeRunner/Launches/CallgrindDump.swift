// Reading the files that callgrind leaves, as far as a count of instructions needs it (valgrind manual, "Callgrind Format
// Specification").

import Gauge

/// The head of one dump.
struct CallgrindDump: Hashable {
  /// What was counted.
  var counted: CountedInstructions
  /// Instructions, all threads together.
  var instructions: Int

  /// Reads a dump.
  ///
  /// - Returns: `nil` for one that no launch asked for, or that lacks its sum.
  init?(_ text: String) {
    var counted: CountedInstructions?
    var instructions: Int?
    for line in text.split(separator: "\n") {
      if line.hasPrefix(Self.trigger) {
        counted = CountedInstructions(name: line.dropFirst(Self.trigger.count))
      } else if line.hasPrefix(Self.sum) {
        instructions = Int(line.dropFirst(Self.sum.count))
      } else if line.hasPrefix("fn=") {
        break
      }
    }
    guard let counted, let instructions else { return nil }
    self.counted = counted
    self.instructions = instructions
  }

  private static let trigger = "desc: Trigger: Client Request: "
  // Not `totals:`, which is the sum of what the file attributes to functions.
  private static let sum = "summary: "

  /// The measurement that the dumps of a launch make: the operations less as many empty ones, by operation.
  ///
  /// - Returns: Nothing where a dump is missing.
  static func measurements(_ dumps: [String]) -> [Measurement] {
    let counts = dumps.compactMap(CallgrindDump.init)
    guard let operation = counts.first(where: { $0.counted.subject == .operation }),
      let empty = counts.first(where: { $0.counted.subject == .emptyBody }),
      operation.counted.operations == empty.counted.operations
    else { return [] }
    let count = operation.counted.operations
    let value = Double(operation.instructions - empty.instructions) / Double(count)
    return [Measurement(.instructions, .value(value), iterations: count, samples: 1)]
  }
}
