// What values cost threads that meet, as figures over many drawn schedules: the same in every run of the program.

import CExplorer
import WeirVerify

/// What a program's values cost, over runs with different schedules.
struct ContentionFigures {
  /// What is counted, by its name in the table.
  private static let metrics: [(name: String, count: @Sendable (ContentionCounts) -> Int)] = [
    ("modifications", { $0.modifications }), ("failed-exchanges", { $0.failedExchanges }),
    ("transfers", { $0.transfers }), ("waits", { $0.waits }), ("waited-steps", { $0.waitedSteps }),
  ]

  private let programs: [ContentionProgram]
  private let seeds: Range<UInt64>

  init(_ programs: [ContentionProgram], seeds: Range<UInt64>) {
    self.programs = programs
    self.seeds = seeds
  }

  /// Prints a line of CSV for each program and metric: of one value, the mean over the runs, and their deviation.
  ///
  /// - Returns: How many programs failed.
  func print() -> Int {
    explorer_print("program,metric,runs,mean,deviation\n")
    var failures = 0
    for program in programs {
      let (counts, failure) = Exploration(program.scenario).measure(seeds: seeds)
      if let failure {
        failures += 1
        explorer_print("\(program.scenario.name),FAILED: \(failure)\n")
        continue
      }
      for metric in Self.metrics {
        let values = counts.map { Double(metric.count($0)) / Double(program.values) }
        let mean = values.reduce(0, +) / Double(values.count)
        let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        let deviation = (squares / Double(max(values.count - 1, 1))).squareRoot()
        explorer_print(
          "\(program.scenario.name),\(metric.name),\(values.count),\(sixDigits(mean)),\(sixDigits(deviation))\n")
      }
    }
    return failures
  }

  /// A number with six digits behind the point.
  private func sixDigits(_ number: Double) -> String {
    let millionths = "\(Int((number * 1_000_000).rounded()) + 10_000_000_000_000)".dropFirst()
    let whole = millionths.dropLast(6).drop { $0 == "0" }
    return "\(whole.isEmpty ? "0" : whole).\(millionths.suffix(6))"
  }
}
