// The time pass with a played clock: choice of the batch size, budget, overhead.

import Testing

@testable import Gauge

@Suite struct TimeSamplerTests {
  /// Plays a clock that gives `cost(operation count)` nanoseconds per batch, until the sampler has enough.
  private func play(
    _ sampler: inout TimeSampler, limit: Int = 100_000, cost: (Int) -> Double
  ) -> (batches: Int, operations: Int) {
    var now: UInt64 = .max - 1_000_000
    var batches = 0
    var operations = 0
    while let count = sampler.nextCount(), batches < limit {
      let start = now
      now &+= UInt64(cost(count).rounded())
      sampler.record(from: start, to: now)
      batches += 1
      operations += count
    }
    return (batches, operations)
  }

  @Test(arguments: [1.0, 3, 20, 1000, 50_000, 400_000])
  func batchesTakeHalfToOneMillisecond(nanoseconds: Double) {
    var sampler = TimeSampler(budget: 50e6)
    _ = play(&sampler) { Double($0) * nanoseconds + 20 }
    let length = Double(sampler.count) * nanoseconds
    #expect((350_000...1_000_000).contains(length))
    let measured = sampler.samples.reduce(0, +)
    #expect((50e6...51.1e6).contains(measured))
    #expect(sampler.samples.count >= 49)
    let time = sampler.medianPerOperation(less: TimingOverhead(perSample: 20, perOperation: 0))
    #expect(abs(time - nanoseconds) <= nanoseconds * 0.001 + 0.001)
  }

  @Test func overheadIsSubtractedAndNotClamped() {
    var sampler = TimeSampler(budget: 5e6)
    _ = play(&sampler) { Double($0) * 2 + 50 }
    let exact = sampler.medianPerOperation(less: TimingOverhead(perSample: 50, perOperation: 0.5))
    #expect(abs(exact - 1.5) < 1e-3)
    let negative = sampler.medianPerOperation(less: TimingOverhead(perSample: 50, perOperation: 3))
    #expect(abs(negative - -1) < 1e-3)
  }

  @Test func aTimeBelowNothingHasNoRate() {
    var sampler = TimeSampler(budget: 5e6)
    _ = play(&sampler) { Double($0) * 2 + 50 }
    // The loop itself may come out as less than nothing, too.
    let overhead = TimingOverhead(perSample: 3.5 * Double(sampler.count), perOperation: -1)
    #expect((-0.51 ... -0.49).contains(sampler.meanPerOperation(less: overhead)))
    let measurements = sampler.measurements(elements: 3, bytes: 8, less: overhead)
    for metric in [Metric.throughput, .bandwidth, .meanByMedian] {
      let outcome = measurements.first { $0.metric == metric }?.outcome
      #expect(outcome == .unavailable("an operation takes less than the harness's own loop"), "\(metric.name)")
    }
  }

  @Test func slowOperationsGiveFewSamplesButOne() {
    var slow = TimeSampler(budget: 50e6)
    #expect(play(&slow) { Double($0) * 100e6 }.operations == 3)
    #expect(slow.samples == [100e6, 100e6])
    var verySlow = TimeSampler(budget: 50e6)
    #expect(play(&verySlow) { Double($0) * 1e9 }.operations == 2)
    #expect(verySlow.samples == [1e9])
    var middling = TimeSampler(budget: 50e6)
    _ = play(&middling) { Double($0) * 12e6 }
    #expect(middling.count == 1)
    #expect(middling.samples.count == 5)
  }

  @Test func anInterruptionDuringWarmUpDoesNotShortenBatches() {
    var sampler = TimeSampler(budget: 50e6)
    var batch = 0
    _ = play(&sampler) { count in
      batch += 1
      return Double(count) * 10 + (batch == 1 || batch == 8 ? 8e6 : 0)
    }
    #expect((350_000...1_000_000).contains(Double(sampler.count) * 10))
  }

  /// Each batch was of one operation, and what was measured mostly the harness.
  @Test(arguments: [30e6, 3e9]) func aFirstOperationThatTakesTheWholeBudgetDoesNotShortenBatches(first: Double) {
    var sampler = TimeSampler(budget: 25e6)
    var batch = 0
    let played = play(&sampler) { count in
      batch += 1
      return Double(count) * 10 + (batch == 1 ? first : 0)
    }
    #expect((350_000...1_000_000).contains(Double(sampler.count) * 10))
    #expect(played.batches < 60)
    #expect(sampler.samples.count >= TimeSampler.fewestSamples)
  }

  @Test func shortAndLongOperationsInTurnEnd() {
    var sampler = TimeSampler(budget: 1e6)
    var batch = 0
    let played = play(&sampler) { _ in
      batch += 1
      return batch % 2 == 1 ? 2e6 : 10
    }
    #expect(played.batches < 100)
  }

  @Test func aClockThatStandsStillStillEnds() {
    var sampler = TimeSampler(budget: 1e6)
    let played = play(&sampler) { count in count > 1 << 40 ? 1e6 : 0 }
    #expect(played.batches < 100)
  }

  @Test func measurementsFollowElements() throws {
    var sampler = TimeSampler(budget: 5e6)
    _ = play(&sampler) { Double($0) * 100 }
    let overhead = TimingOverhead(perSample: 0, perOperation: 0.3)
    let single = sampler.measurements(elements: 1, less: overhead)
    #expect(single.map(\.metric) == [.time, .meanTime, .meanByMedian, .throughput])
    let several = sampler.measurements(elements: 10, less: overhead)
    #expect(several.map(\.metric) == [.time, .meanTime, .meanByMedian, .timePerElement, .throughput])
    #expect(several.allSatisfy { $0.samples == sampler.samples.count })
    #expect(several.allSatisfy { $0.iterations == sampler.samples.count * sampler.count })
    guard case .value(let time) = several[0].outcome, case .value(let share) = several[3].outcome,
      case .value(let rate) = several[4].outcome
    else {
      Issue.record("a quantity has no value: \(several)")
      return
    }
    #expect(abs(time - 99.7) < 0.01)
    #expect(share == time / 10)
    #expect(abs(rate * time / 1e10 - 1) < 1e-12)
  }

  @Test func throughputOfNothingIsUnavailable() {
    var sampler = TimeSampler(budget: 5e6)
    _ = play(&sampler) { Double($0) * 0.5 }
    let measurements = sampler.measurements(elements: 1, less: TimingOverhead(perSample: 0, perOperation: 0.45))
    guard case .unavailable(let reason) = measurements[3].outcome else {
      Issue.record("an operation of 0.05 ns has a throughput")
      return
    }
    #expect(reason.contains("loop"))
  }

  // MARK: Mean and median

  private func value(_ metric: Metric, _ measurements: [Measurement]) -> Double? {
    guard case .value(let value)? = measurements.first(where: { $0.metric == metric })?.outcome else { return nil }
    return value
  }

  /// The defect: the median of batches was all that was told, and throughput was its inverse.
  @Test func whatOneOperationInThousandsDoesIsInTheMeanAndInTheThroughput() throws {
    var sampler = TimeSampler(budget: 400e6)
    var operations = 0
    // 513 ns, and every 20,000th does the work of all: 19 ms.
    _ = play(&sampler) { count in
      let long = (operations + count) / 20_000 - operations / 20_000
      operations += count
      return Double(count) * 513 + Double(long) * 19e6
    }
    let measurements = sampler.measurements(elements: 1, less: TimingOverhead())
    let time: Double = try #require(value(.time, measurements)) / 513
    #expect(abs(time - 1) < 0.001)
    // At the end of a budget there may be one long operation more or less: of some twenty.
    let mean: Double = try #require(value(.meanTime, measurements))
    #expect(abs(mean / 1463 - 1) < 0.06)
    let perMean: Double = try #require(value(.throughput, measurements)) * mean / 1e9
    #expect(abs(perMean - 1) < 1e-9)
    let meanByMedian: Double = try #require(value(.meanByMedian, measurements)) / (1463 / 513)
    #expect(abs(meanByMedian - 1) < 0.06)
  }

  @Test func aTimeBelowZeroIsUnavailable() {
    var sampler = TimeSampler(budget: 5e6)
    _ = play(&sampler) { Double($0) * 2 }
    let measurements = sampler.measurements(elements: 3, less: TimingOverhead(perSample: 0, perOperation: 2.002))
    #expect(measurements.allSatisfy { if case .unavailable = $0.outcome { true } else { false } }, "\(measurements)")
  }

  // MARK: Waits for a processor

  private let thread = WaitingThread()

  /// Plays a thread whose batches work 1000 ns an operation and wait, until the sampler has enough.
  private func play(
    _ sampler: inout TimeSampler, waiting wait: (_ batch: Int, _ count: Int) -> UInt64,
    between: (_ batch: Int) -> Void = { _ in }
  ) {
    var batch = 0
    while let count = sampler.nextCount() {
      batch += 1
      let (start, end) = thread.batch(UInt64(count) * 1000, waiting: wait(batch, count))
      sampler.record(from: start, to: end)
      between(batch)
    }
  }

  private func measurements(_ sampler: TimeSampler) -> [Measurement] {
    sampler.measurements(elements: 1, less: TimingOverhead())
  }

  @Test func waitsForAProcessorAreInNeitherTime() throws {
    var sampler = TimeSampler(budget: 200e6, waits: thread.account())
    // Two of three batches are interrupted: the median of what the clock says is an interrupted one.
    play(&sampler, waiting: { batch, _ in batch % 3 == 0 ? 0 : 3_000_000 })
    let measurements = measurements(sampler)
    #expect(try abs(#require(value(.time, measurements)) - 1000) < 0.01)
    #expect(try abs(#require(value(.meanTime, measurements)) - 1000) < 0.01)
    let waits = Double(sampler.samples.count * 2 / 3) * 3e6 / Double(sampler.samples.count * sampler.count)
    #expect(try abs(#require(value(.readyWait, measurements)) / waits - 1) < 0.05)
  }

  /// The defect: the first batch kept its waits, and none that waited as long was conspicuous beside it.
  @Test func waitsInEveryBatchAreInNeitherTime() throws {
    var sampler = TimeSampler(budget: 200e6, waits: thread.account())
    play(&sampler, waiting: { _, count in UInt64(count) * 1000 })
    let measurements = measurements(sampler)
    #expect(try abs(#require(value(.time, measurements)) - 1000) < 0.01)
    #expect(try abs(#require(value(.meanTime, measurements)) - 1000) < 0.01)
  }

  /// The defect: no operation that waited was taken to be shorter than the first one, which was slow.
  ///
  /// Nor was it conspicuous that others waited where they took no longer for that than the first one without.
  @Test(arguments: [22_000_000, 32_000_000] as [UInt64])
  func aSlowFirstOperationIsNoBoundForThoseThatWait(first: UInt64) throws {
    var sampler = TimeSampler(budget: 400e6, waits: thread.account())
    while let count = sampler.nextCount() {
      let work: UInt64 = sampler.samples.isEmpty ? first : 15_000_000
      let (start, end) = thread.batch(UInt64(count) * work, waiting: 16_000_000)
      sampler.record(from: start, to: end)
    }
    #expect(try abs(#require(value(.time, measurements(sampler))) / 15e6 - 1) < 0.001)
  }

  @Test func quietBatchesCostNoReading() {
    var sampler = TimeSampler(budget: 100e6, waits: thread.account())
    play(&sampler, waiting: { _, _ in 0 })
    // At the beginning, behind the first samples, and behind the last one.
    #expect(thread.readings == 2 + TimeSampler.fewestSamples && sampler.samples.count > 100)
    #expect(value(.readyWait, measurements(sampler)) == 0)
  }

  @Test func withoutAnAccountTheTimesAreThoseOfTheClock() throws {
    thread.error = 2
    var sampler = TimeSampler(budget: 50e6, waits: thread.account())
    play(&sampler, waiting: { _, _ in 0 })
    let measurements = measurements(sampler)
    #expect(try abs(#require(value(.time, measurements)) - 1000) < 0.01)
    #expect(
      measurements.last == Measurement(.readyWait, .unavailable("the waits for a processor: No such file or directory"))
    )
    #expect(thread.readings == 1)
  }

  @Test func waitsOfSeveralThreadsAreToldAndNotTakenOff() throws {
    var sampler = TimeSampler(budget: 50e6, waits: thread.account(isOfTheTimed: false))
    play(&sampler, waiting: { _, count in UInt64(count) * 400 })
    let measurements = measurements(sampler)
    #expect(try abs(#require(value(.meanTime, measurements)) - 1400) < 0.01)
    #expect(try abs(#require(value(.readyWait, measurements)) - 400) < 0.01)
  }

  /// A thread loses its processor where a call of the system returns: around a reading of the account.
  @Test func waitsBetweenBatchesAreTakenOffNoBatch() throws {
    var sampler = TimeSampler(budget: 100e6, waits: thread.account())
    play(
      &sampler, waiting: { batch, _ in batch % 4 == 0 ? 2_000_000 : 0 },
      between: { batch in
        thread.wait(5_000_000)
        thread.waitsBeforeReading = batch % 3 == 0 ? [8_000_000] : []
        thread.waitsBehindReading = batch % 5 == 0 ? [8_000_000] : []
      })
    let measurements = measurements(sampler)
    #expect(try abs(#require(value(.time, measurements)) - 1000) < 0.01)
    #expect(try abs(#require(value(.meanTime, measurements)) - 1000) < 2)
  }

  /// Waits that nobody looked for behind a batch are found behind a later one, which they must not make too short.
  @Test func noBatchIsShorterThanTheShortest() {
    var sampler = TimeSampler(budget: 100e6, waits: thread.account())
    // Inconspicuous waits of 4 % in each batch, and one long batch.
    play(&sampler, waiting: { batch, count in UInt64(count) * (batch == 100 ? 900 : 40) })
    #expect((sampler.samples.min() ?? 0) >= Double(sampler.count) * 1000)
  }
}
