// What has passed where a stream is measured, at a moment.
// No test file: MeasuredTests and StreamMetricsTests do what is here.

/// What has passed under a name and labels since the program began, or since its ``StreamMetrics`` was made.
public struct StreamReading: Sendable, Equatable {
  /// The name that `measured` was given.
  public let name: String

  /// The labels that it was given, but for those whose value is empty.
  public let labels: [String: String]

  /// Subscribers that were attached.
  public let subscriptions: Int

  /// Values that were passed on.
  public let values: Int

  /// Values that came when their subscription had ended: the subscriber had cancelled, or the completion had come. They
  /// are not among `values`.
  ///
  /// A subject that finds no demand drops its value before it comes here, and a buffer further down drops it behind:
  /// neither is counted.
  public let drops: Int

  /// Subscriptions that finished.
  public let completions: Int

  /// Subscriptions that failed.
  public let failures: Int

  /// Subscriptions that were cancelled, or let go of by both sides without an end.
  public let cancellations: Int

  /// How long the values that were measured took downstream.
  public let handling: LatencyHistogram

  /// Subscriptions that have not ended.
  public var active: Int { subscriptions - completions - failures - cancellations }
}
