// What a benchmark's run asks to measure with.
// No test file: a protocol; LaunchMeasurerTests are about who keeps it.

/// What a `BenchmarkRun` measures with.
protocol Measurer: AnyObject {
  /// Calibrates, and makes the batches to run over the author's operation. Called once at most.
  func start(_ settings: MeasuringSettings) -> Batches
  /// Reports what the batches told, once they have run to their end.
  func finish()
  /// Measures groups of threads, and reports what they told. Called instead of the two above.
  func run(_ groups: [ThreadGroup], _ settings: MeasuringSettings) throws(GroupFailure)
  /// Ends the launch at once, failed with a message.
  func abandon(_ message: String) -> Never
}

/// What a body may set for its measurement.
struct MeasuringSettings: Hashable, Sendable {
  /// Elements per operation.
  var elements = 1
  /// Bytes per operation, where the author says so.
  var bytes: Int?
  /// Operations between two readings of a counter.
  var countedOperations = 1000
}
