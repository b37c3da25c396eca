// Time per operation from batches of equal size: warm-up and the choice of that size, then samples until the budget is
// used.

import GaugeStatistics

/// What the harness adds to a batch, in nanoseconds.
struct TimingOverhead: Hashable, Sendable {
  /// Reading the clock twice, and what lies between a reading and the loop.
  var perSample = 0.0
  /// One turn of the loop around the operation.
  var perOperation = 0.0
}

/// Batches of operations, timed with the monotonic clock.
///
/// A batch has two times: by the clock, and without what the thread stood ready for a processor in it. The account of
/// that is read where the sampling begins and ends, which is enough for the mean, and behind the first batches and
/// those that took conspicuously longer than the shortest one, which is enough for the median: a reading behind each
/// batch would take longer than everything else that lies between two of them. Of a slow first operation alone, those
/// that are faster and wait would not be conspicuous.
struct TimeSampler: Sampler {
  /// How long a batch should take, in nanoseconds: long against a clock reading, short against a time slice.
  static let sampleLength = 750_000.0
  /// Samples that a launch takes even where they overrun the budget.
  static let fewestSamples = 5
  /// How many times the budget the fewest samples may take; beyond it there are fewer, but one at least.
  static let longestOverrun = 4.0

  /// Batches of about the final length that the warm-up must hold, unless it takes the whole budget.
  static let fewestLongBatches = 3

  /// How many times as long as the shortest batch one must be for its waits to be looked for.
  static let conspicuous = 1.05

  private let budget: Double
  private let longestOverrun: Double
  private var waits: ReadyWait?
  private var warmUp = 0.0
  private var longBatches = 0
  /// How many batches may follow a warm-up that was over with too short ones; each is up to ten times as long.
  private var furtherWarmUps = 12
  private var fastestOperation = Double.infinity
  private(set) var isWarm = false
  /// Nanoseconds of all samples by the clock.
  private var measured = 0.0
  private var shortest = Double.infinity
  /// Whether the waits of all batches so far are known, so that those of the next one are its own.
  private var isAccounted = true
  /// Operations per batch; fixed once samples are taken.
  private(set) var count = 1
  /// Nanoseconds of each batch without its waits, in the order of measuring, overhead included.
  private(set) var samples: [Double] = []

  /// - Parameters:
  ///   - budget: Measuring time in nanoseconds; warm-up comes before it, and takes a tenth as long or a few batches,
  ///     whichever is longer.
  ///   - waits: The account of waits for a processor, where somebody wants to know of them.
  ///   - longestOverrun: How many times the budget the fewest samples may take.
  init(budget: Double, waits: ReadyWait? = nil, longestOverrun: Double = TimeSampler.longestOverrun) {
    self.budget = budget
    self.longestOverrun = longestOverrun
    self.waits = waits
    // Batches may turn out shorter than planned, so there is room for four times as many;
    // growth beyond is between batches.
    samples.reserveCapacity(Int(min(budget / Self.sampleLength * 4, 65_536)) + 16)
  }

  func nextCount() -> Int? {
    if isWarm, !samples.isEmpty {
      if measured >= budget * longestOverrun { return nil }
      if measured >= budget, samples.count >= Self.fewestSamples { return nil }
    }
    return count
  }

  mutating func record(from start: UInt64, to end: UInt64) {
    let elapsed = Double(end &- start)
    // A first operation that takes the whole budget, as one that makes a table for all others, says nothing of them.
    if isWarm, samples.isEmpty, elapsed < Self.sampleLength / 2, warmUp >= budget, furtherWarmUps > 0 {
      furtherWarmUps -= 1
      isWarm = false
    }
    if isWarm {
      waits?.notice(from: start, to: end)
      measured += elapsed
      take(elapsed)
      return
    }
    warmUp += elapsed
    if elapsed >= Self.sampleLength / 2 { longBatches += 1 }
    // The fastest of several batches, as an interruption makes one slower;
    // and only batches long enough to be timed well.
    let operation = elapsed / Double(count)
    if elapsed >= Self.sampleLength / 10 { fastestOperation = min(fastestOperation, operation) }
    isWarm = warmUp >= budget || (warmUp >= budget / 10 && longBatches >= Self.fewestLongBatches)
    let fitting = Self.sampleLength / min(fastestOperation, operation)
    // Never more than tenfold at once: the first operations may be faster than the clock can tell.
    count = max(1, Int(min(fitting, Double(count) * 10)))
    if isWarm { waits?.begin() }
  }

  /// Keeps a batch's time without its waits. These may be those of inconspicuous batches before it, too, which is why
  /// they take no batch that follows one of these below the shortest one.
  private mutating func take(_ elapsed: Double) {
    samples.append(elapsed)
    guard let isOfTheTimed = waits?.isOfTheTimed else { return }
    if samples.count <= Self.fewestSamples || elapsed > shortest * Self.conspicuous || nextCount() == nil {
      let waited = waits?.look() ?? 0
      let least = isAccounted ? 0 : min(elapsed, shortest)
      if isOfTheTimed { samples[samples.count - 1] = max(elapsed - waited, least) }
      isAccounted = true
    } else {
      isAccounted = false
    }
    shortest = min(shortest, samples[samples.count - 1])
  }

  /// Median time of one operation over the samples, in nanoseconds, the overhead subtracted: negative where the
  /// operation takes less than the overhead varies.
  func medianPerOperation(less overhead: TimingOverhead) -> Double {
    (median(of: samples) - overhead.perSample) / Double(count) - overhead.perOperation
  }

  /// Time of all samples by the number of their operations, like the median: what rare operations take is in it.
  func meanPerOperation(less overhead: TimingOverhead) -> Double {
    let waited = waits.map { $0.isOfTheTimed ? $0.nanoseconds : 0 } ?? 0
    return ((measured - waited) / Double(samples.count) - overhead.perSample) / Double(count) - overhead.perOperation
  }

  /// What a quotient of times is that are within the overhead.
  static let tooShort = Measurement.Outcome.unavailable("an operation takes less than the harness's own loop")

  /// The quantities that the samples tell.
  ///
  /// - Parameters:
  ///   - elements: Elements per operation.
  ///   - bytes: Bytes per operation, where the author says so.
  func measurements(elements: Int, bytes: Int? = nil, less overhead: TimingOverhead) -> [Measurement] {
    let (time, mean) = (medianPerOperation(less: overhead), meanPerOperation(less: overhead))
    let operations = count * samples.count
    func measurement(_ metric: Metric, _ outcome: Measurement.Outcome) -> Measurement {
      if case .unavailable = outcome { return Measurement(metric, outcome) }
      return Measurement(metric, outcome, iterations: operations, samples: samples.count)
    }
    // A quotient of times, or the inverse of one, that lie within the overhead's own variation is noise without bound.
    let isShort = min(time, mean) <= max(overhead.perOperation, 0)
    var measurements = [
      measurement(.time, .duration(time)), measurement(.meanTime, .duration(mean)),
      measurement(.meanByMedian, isShort ? Self.tooShort : .value(mean / time)),
    ]
    if elements != 1 {
      measurements.append(measurement(.timePerElement, .duration(time / Double(elements))))
    }
    var rates: [(metric: Metric, amount: Int)] = [(.throughput, elements)]
    if let bytes { rates.append((.bandwidth, bytes)) }
    for (metric, amount) in rates {
      measurements.append(measurement(metric, isShort ? Self.tooShort : .value(Double(amount) * 1e9 / mean)))
    }
    if let waits { measurements.append(waits.measurement(operations: operations, samples: samples.count)) }
    return measurements
  }
}
