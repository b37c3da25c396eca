// How strictly two runs are compared, and why each default is what it is.
// No test mirror: declarations only.

/// Thresholds and levels of a comparison. The defaults are for two separate runs on one machine, minutes apart: what
/// drifts between runs is not seen by the launches within one, so that thresholds are wide and counts carry the
/// precision.
public struct ComparisonOptions: Hashable, Sendable {
  /// Relative change of a sampled metric that does not matter: 0.1 calls up to 10 % the same.
  public var timeThreshold: Double
  /// The same for latency percentiles from p99 on, where a run's neighbours on the machine show more than the code
  /// does.
  public var tailThreshold: Double
  /// The same for what rare operations add to the mean of all: one operation in 5,000 that takes 100 times as long adds
  /// 2 % to it, and 0 to the median. It is small because a slower machine changes mean and median alike.
  public var rareThreshold: Double
  /// Confidence of the intervals; its complement is the chance of any false verdict over the whole suite, by Holm.
  public var confidence: Double
  /// Relative difference of the two sides' reference loop from which a run counts as drifted.
  public var referenceTolerance: Double
  /// Part of the machine's processors by which the sides may differ in what other processes kept busy, as a mean over
  /// launches: beyond it times of several threads are not judged. Quiet runs differ by less, as the system counts in
  /// ticks of 10 ms, and one process that keeps a processor busy is more on a machine of fewer than ten.
  public var foreignLoadTolerance: Double
  /// Fewest launches a side for a verdict on a sampled metric.
  public var minimumLaunches: Int
  /// Differences of times that the instrument does not resolve, in nanoseconds: about one and a half cycles.
  public var timeResolution: Double
  /// Differences of latencies that the clock does not resolve, in nanoseconds: two steps of a 100 MHz counter.
  public var latencyResolution: Double
  /// Differences of sampled counts (of benchmarks with several threads) that are not judged, in the metric's unit.
  public var countResolution: Double

  /// Creates options.
  public init(
    timeThreshold: Double = 0.1, tailThreshold: Double = 0.5, rareThreshold: Double = 0.01,
    confidence: Double = 0.95,
    referenceTolerance: Double = 0.02, foreignLoadTolerance: Double = 0.1, minimumLaunches: Int = 5,
    timeResolution: Double = 0.5, latencyResolution: Double = 20, countResolution: Double = 0.01
  ) {
    self.timeThreshold = timeThreshold
    self.tailThreshold = tailThreshold
    self.rareThreshold = rareThreshold
    self.confidence = confidence
    self.referenceTolerance = referenceTolerance
    self.foreignLoadTolerance = foreignLoadTolerance
    self.minimumLaunches = minimumLaunches
    self.timeResolution = timeResolution
    self.latencyResolution = latencyResolution
    self.countResolution = countResolution
  }
}
