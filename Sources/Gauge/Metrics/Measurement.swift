// A number that was measured, with what it is a number of.
// No test file: a declaration; LaunchReportTests send it through a report.

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

    /// A time of something that took time: none where what the harness itself takes has left nothing of it.
    static func duration(_ nanoseconds: Double) -> Outcome {
      nanoseconds > 0 ? .value(nanoseconds) : .unavailable(withinOverhead)
    }

    /// Why there is no time of an operation that is too short for it.
    static let withinOverhead = "the operation takes less than what the harness takes off for itself varies by"
  }

  /// Creates a measurement.
  public init(_ metric: Metric, _ outcome: Outcome, iterations: Int = 0, samples: Int = 0) {
    self.metric = metric
    self.outcome = outcome
    self.iterations = iterations
    self.samples = samples
  }
}
