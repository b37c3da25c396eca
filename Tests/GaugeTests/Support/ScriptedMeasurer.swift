// Measuring without a clock: batches of sizes that a test chooses.

@testable import Gauge

/// Batches of given sizes, which say how often they began and ended.
final class ScriptedBatches: Batches {
  private var sizes: [Int]
  private(set) var ended = 0

  init(_ sizes: [Int]) {
    self.sizes = sizes.reversed()
  }

  override func begin() -> Int { sizes.popLast() ?? 0 }
  override func end() { ended += 1 }
}

/// A measurer of scripted batches; it can't end the process.
final class ScriptedMeasurer: Measurer {
  let batches: ScriptedBatches
  private(set) var started: [MeasuringSettings] = []
  private(set) var finished = 0

  init(_ sizes: [Int] = [1]) {
    batches = ScriptedBatches(sizes)
  }

  func start(_ settings: MeasuringSettings) -> Batches {
    started.append(settings)
    return batches
  }

  func finish() { finished += 1 }

  private(set) var groups: [[ThreadGroup]] = []

  func run(_ groups: [ThreadGroup], _ settings: MeasuringSettings) throws(GroupFailure) {
    started.append(settings)
    self.groups.append(groups)
    for group in groups { group.makeWorker(0).run(1) }
  }

  func abandon(_ message: String) -> Never { fatalError(message) }
}

/// What a launch wrote, kept in memory.
final class RecordedReport {
  private(set) var text = ""
  private(set) var writes = 0

  func makeWriter() -> ReportWriter {
    ReportWriter { [self] in
      text += $0
      writes += 1
    }
  }
}

/// An error with a recognisable description.
struct Complaint: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }
}
