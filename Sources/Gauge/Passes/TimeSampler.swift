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
struct TimeSampler: Sampler {
  /// How long a batch should take, in nanoseconds: long against a clock reading, short against a time slice.
  static let sampleLength = 750_000.0
  /// Samples that a launch takes even where they overrun the budget.
  static let fewestSamples = 5
  /// How many times the budget the fewest samples may take; beyond it there are fewer, but one at least.
  static let longestOverrun = 4.0

  /// Batches of about the final length that the warm-up must hold, unless it takes the whole budget.
  static let fewestLongBatches = 3

  private let budget: Double
  private var warmUp = 0.0
  private var longBatches = 0
  private var fastestOperation = Double.infinity
  private(set) var isWarm = false
  private var measured = 0.0
  /// Operations per batch; fixed once samples are taken.
  private(set) var count = 1
  /// Nanoseconds of each batch, in the order of measuring, overhead included.
  private(set) var samples: [Double] = []

  /// - Parameter budget: Measuring time in nanoseconds; warm-up comes before it, and takes a tenth as long or a few
  ///   batches, whichever is longer.
  init(budget: Double) {
    self.budget = budget
    // Batches may turn out shorter than planned, so there is room for four times as many; growth beyond is between batches.
    samples.reserveCapacity(Int(min(budget / Self.sampleLength * 4, 65_536)) + 16)
  }

  func nextCount() -> Int? {
    if isWarm, !samples.isEmpty {
      if measured >= budget * Self.longestOverrun { return nil }
      if measured >= budget, samples.count >= Self.fewestSamples { return nil }
    }
    return count
  }

  mutating func record(from start: UInt64, to end: UInt64) {
    let elapsed = Double(end &- start)
    if isWarm {
      measured += elapsed
      samples.append(elapsed)
      return
    }
    warmUp += elapsed
    if elapsed >= Self.sampleLength / 2 { longBatches += 1 }
    // The fastest of several batches, as an interruption makes one slower; and only batches long enough to be timed well.
    let operation = elapsed / Double(count)
    if elapsed >= Self.sampleLength / 10 { fastestOperation = min(fastestOperation, operation) }
    isWarm = warmUp >= budget || (warmUp >= budget / 10 && longBatches >= Self.fewestLongBatches)
    let fitting = Self.sampleLength / min(fastestOperation, operation)
    // Never more than tenfold at once: the first operations may be faster than the clock can tell.
    count = max(1, Int(min(fitting, Double(count) * 10)))
  }

  /// Median time of one operation over the samples, in nanoseconds, the overhead subtracted: negative where the operation
  /// takes less than the overhead varies.
  func nanosecondsPerOperation(less overhead: TimingOverhead) -> Double {
    (median(of: samples) - overhead.perSample) / Double(count) - overhead.perOperation
  }

  /// The quantities that the samples tell.
  ///
  /// - Parameters:
  ///   - elements: Elements per operation.
  ///   - bytes: Bytes per operation, where the author says so.
  func measurements(elements: Int, bytes: Int? = nil, less overhead: TimingOverhead) -> [Measurement] {
    let time = nanosecondsPerOperation(less: overhead)
    func measurement(_ metric: Metric, _ outcome: Measurement.Outcome) -> Measurement {
      Measurement(metric, outcome, iterations: count * samples.count, samples: samples.count)
    }
    var measurements = [measurement(.time, .value(time))]
    if elements != 1 {
      measurements.append(measurement(.timePerElement, .value(time / Double(elements))))
    }
    // A rate is the inverse of a time, and that of a time within the overhead's own variation is noise without bound.
    var rates: [(metric: Metric, amount: Int)] = [(.throughput, elements)]
    if let bytes { rates.append((.bandwidth, bytes)) }
    for (metric, amount) in rates {
      if time > overhead.perOperation {
        measurements.append(measurement(metric, .value(Double(amount) * 1e9 / time)))
      } else {
        measurements.append(Measurement(metric, .unavailable("an operation takes less than the harness's own loop")))
      }
    }
    return measurements
  }
}
