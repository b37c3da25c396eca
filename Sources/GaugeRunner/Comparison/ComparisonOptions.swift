// How strictly two runs are compared, and why each default is what it is.
// No test file: declarations only.

/// Thresholds and levels of a comparison of two separate runs on one machine, minutes apart. What times differ by
/// between runs of one build is learnt from earlier runs; thresholds say what matters.
public struct ComparisonOptions: Hashable, Sendable {
  /// Relative change of a time that does not matter: with 0.03 up to 3 % are neither worse nor better. Where the code
  /// lies in memory makes a difference of this size between builds.
  public var timeThreshold: Double
  /// The same for latency percentiles from p99 on.
  public var tailThreshold: Double
  /// The same for counts that vary from launch to launch.
  public var countThreshold: Double
  /// The same for what rare operations add to the mean of all: one operation in 5,000 that takes 100 times as long adds
  /// 2 % to it, and 0 to the median. It is small because a slower machine changes mean and median alike; one on which
  /// others take the processors adds up to 1.1 %, by what they leave of the caches.
  public var rareThreshold: Double
  /// Confidence of the intervals, within which a count that varies is the same.
  public var confidence: Double
  /// For counts that vary, and for what rare operations add, the complement of the chance of any false change over the
  /// whole suite, by Holm. The same as `confidence` where nothing else is asked for.
  public var suiteConfidence: Double
  /// Part of the machine's processors by which the sides may differ in what other processes kept busy, as a mean over
  /// launches: beyond it times of several threads are not judged. Quiet runs differ by less, as the system counts in
  /// ticks of 10 ms, and one process that keeps a processor busy is more on a machine of fewer than ten.
  public var foreignLoadTolerance: Double
  /// Part of the machine's processors that other processes may keep busy on both sides alike: beyond it threads wait
  /// for a processor more than for each other, and a time of theirs was six times another of the same build.
  public var largestForeignLoad: Double
  /// Fewest launches a side for a verdict on a sampled metric.
  public var minimumLaunches: Int
  /// Differences of times that are not judged, in nanoseconds: about a cycle, which where the code lies can cost.
  public var timeResolution: Double
  /// Differences of latencies that the clock does not resolve, in nanoseconds: two steps of a 100 MHz counter.
  public var latencyResolution: Double
  /// Differences of built-in counts that vary, per operation, that are not judged: one in a hundred operations.
  public var countResolution: Double
  /// What a project says about its own rows: the last that fits a row holds for it.
  var thresholds: [Threshold] = []

  /// Creates options.
  public init(
    timeThreshold: Double = 0.03, tailThreshold: Double = 0.1, countThreshold: Double = 0.1,
    rareThreshold: Double = 0.012, confidence: Double = 0.95, foreignLoadTolerance: Double = 0.1,
    largestForeignLoad: Double = 0.35, minimumLaunches: Int = 5,
    timeResolution: Double = 0.25, latencyResolution: Double = 20, countResolution: Double = 0.01
  ) {
    self.timeThreshold = timeThreshold
    self.tailThreshold = tailThreshold
    self.countThreshold = countThreshold
    self.rareThreshold = rareThreshold
    self.confidence = confidence
    suiteConfidence = confidence
    self.foreignLoadTolerance = foreignLoadTolerance
    self.largestForeignLoad = largestForeignLoad
    self.minimumLaunches = minimumLaunches
    self.timeResolution = timeResolution
    self.latencyResolution = latencyResolution
    self.countResolution = countResolution
  }
}
