// What a body throws where it can't run.
// No test file: a declaration; LaunchTests throw it.

/// Thrown by a body that can't run here: the launch is reported as skipped, with the reason, not as failed.
public struct BenchmarkSkipped: Error, Hashable, Sendable {
  /// Why the benchmark can't run here.
  public var reason: String

  /// Creates the error.
  ///
  /// - Parameter reason: Why the benchmark can't run here, in words that fit behind `skipped: `.
  public init(_ reason: String) {
    self.reason = reason
  }
}
