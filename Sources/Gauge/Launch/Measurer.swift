// From a pass to its batches: calibrates, makes the batches, and reports what they told.

/// What a `BenchmarkRun` measures with.
protocol Measurer: AnyObject {
  /// Calibrates, and makes the batches to run over the author's operation. Called once at most.
  func start(_ settings: MeasuringSettings) -> Batches
  /// Reports what the batches told, once they have run to their end.
  func finish()
  /// Ends the launch at once, failed with a message.
  func abandon(_ message: String) -> Never
}

/// What a body may set for its measurement.
struct MeasuringSettings: Hashable, Sendable {
  /// Elements per operation.
  var elements = 1
  /// Operations between two readings of a counter.
  var countedOperations = 1000
}

/// Measures what one launch request asks for.
final class LaunchMeasurer: Measurer {
  private let pass: LaunchRequest.Pass
  /// Measuring time in nanoseconds.
  private let budget: Double
  private let threads: Benchmark.Threads
  private let openLoopRate: Int?
  private let report: ReportWriter
  private var conclude: () -> [Measurement] = { [] }

  /// - Parameters:
  ///   - budget: Measuring time in nanoseconds.
  ///   - openLoopRate: Operations per second in an open loop; needed for that pass.
  init(
    pass: LaunchRequest.Pass, budget: Double, threads: Benchmark.Threads, openLoopRate: Int? = nil, report: ReportWriter
  ) {
    self.pass = pass
    self.budget = budget
    self.threads = threads
    self.openLoopRate = openLoopRate
    self.report = report
  }

  func start(_ settings: MeasuringSettings) -> Batches {
    if pass == .counts {
      System.leaveSingleThreadedModeAlone()
    } else {
      System.leaveSingleThreadedMode()
    }
    switch pass {
    case .time: return startTiming(settings)
    case .latency: return startTimingSingly()
    case .openLatency: return startOpenLoop()
    case .allocations: return startCounting(settings)
    case .counts: return startCountingInstructions(settings)
    }
  }

  func finish() {
    for measurement in conclude() { report.add(measurement) }
  }

  func abandon(_ message: String) -> Never {
    report.end(.failed(message))
    System.end(ExitStatus.failure)
  }

  private func startTiming(_ settings: MeasuringSettings) -> Batches {
    var multiplications = ReferenceLoop.multiplications
    var stores = ReferenceLoop.stores
    multiplications.measure()
    stores.measure()
    let overhead = TimingOverhead.calibrate()
    let batches = TimedBatches(TimeSampler(budget: budget), clock: .monotonic)
    conclude = {
      multiplications.measure()
      stores.measure()
      let sampler = batches.sampler(as: TimeSampler.self)
      return sampler.measurements(elements: settings.elements, less: overhead)
        + [multiplications.measurement, stores.measurement]
    }
    return batches
  }

  private func startTimingSingly() -> Batches {
    let clock = TickClock.calibrate()
    let overhead = OverheadSampler.ticksOfEmptyOperation(clock)
    let sampler = LatencySampler(
      budget: budget, nanosecondsPerTick: clock.nanosecondsPerTick, overhead: overhead)
    let batches = TimedBatches(sampler, clock: clock)
    conclude = { batches.sampler(as: LatencySampler.self).measurements() }
    return batches
  }

  private func startOpenLoop() -> Batches {
    guard let openLoopRate else { abandon("there is no rate for an open loop") }
    let clock = TickClock.calibrate()
    let batches = OpenLoopBatches(
      OpenLatencySampler(
        budget: budget, rate: Double(openLoopRate), nanosecondsPerTick: clock.nanosecondsPerTick,
        overhead: OpenLoopBatches.nanosecondsOfEmptyOperation(clock)), clock: clock)
    conclude = { batches.sampler.measurements() }
    return batches
  }

  private func startCounting(_ settings: MeasuringSettings) -> Batches {
    let threads = threads
    guard let hooks = HeapHooks() else {
      conclude = { AllocationSampler.unavailable(threads: threads, because: HeapHooks.absence) }
      return Batches()
    }
    let batches = CountedBatches(AllocationSampler(operations: settings.countedOperations), hooks: hooks)
    conclude = { batches.sampler.measurements(threads: threads) }
    return batches
  }

  /// Leaves two counts in callgrind's files, from which the runner makes the measurement.
  private func startCountingInstructions(_ settings: MeasuringSettings) -> Batches {
    if let absence = InstructionCounter.absence {
      conclude = { Metric.counted.map { Measurement($0, .unavailable(absence)) } }
      return Batches()
    }
    InstructionBatches(operations: settings.countedOperations, of: .emptyBody).runEmpty()
    return InstructionBatches(operations: settings.countedOperations, of: .operation)
  }
}
