// The quantities of operations that start on a fixed schedule.

extension Metric {
  /// Latency in an open loop at a percentile, for example `open_latency_p99_9` for 99.9: from the moment when an
  /// operation should have started to its end.
  public static func openLatency(percentile: String) -> Metric {
    var metric = latency(percentile: percentile)
    metric.name = "open_" + metric.name
    return metric
  }
  /// The longest latency in an open loop that was seen.
  public static let openLatencyMaximum = Metric("open_latency_max", unit: "ns")
  /// Operations per second that an open loop came to: the rate asked for, or less where the operations take longer.
  public static let openLoopRate = Metric("open_loop_rate", unit: "1/s", polarity: .higher)
}
