// Batches whose call stacks are recorded: sampled over a span of time,
// or at every call over a fixed number of operations.

import CProbes

/// Batches as for time, sampled from the first that counts to the last.
final class SampledBatches: Batches {
  private let recorder: StackRecorder
  private var sampler: TimeSampler
  private var start: UInt64 = 0
  private var isRecording = false
  /// Operations that were sampled.
  private(set) var operations = 0

  /// - Parameter budget: Measuring time in nanoseconds.
  init(budget: Double, _ recorder: StackRecorder) {
    sampler = TimeSampler(budget: budget)
    self.recorder = recorder
  }

  @inline(never)
  override func begin() -> Int {
    guard let count = sampler.nextCount() else {
      recorder.stop()
      return 0
    }
    if sampler.isWarm, !isRecording {
      isRecording = true
      recorder.root = probe_callers_caller()
      recorder.start()
    }
    start = MonotonicClock.nanoseconds()
    return count
  }

  override func end() {
    let end = MonotonicClock.nanoseconds()
    if isRecording { operations += sampler.count }
    sampler.record(from: start, to: end)
  }
}

/// Batches between two readings of counters, recorded at every call that counts. Nothing lies between a reading and the
/// recording, so that the stacks add up to the count.
final class TracedBatches: Batches {
  private let counter: Counter
  private let recorder: CallStacks
  private(set) var sampler: CountSampler
  private var start = Counts.zero
  private var isRecording = false

  init(_ sampler: CountSampler, _ counter: Counter, _ recorder: CallStacks) {
    self.sampler = sampler
    self.counter = counter
    self.recorder = recorder
  }

  @inline(never)
  override func begin() -> Int {
    guard let count = sampler.nextCount() else {
      recorder.stop()
      return 0
    }
    if sampler.isWarm {
      recorder.root = probe_callers_caller()
      recorder.start()
      isRecording = recorder.isReady
    }
    start = counter.read()
    if isRecording { CallStacks.record() }
    return count
  }

  override func end() {
    if isRecording { CallStacks.pause() }
    let end = counter.read()
    sampler.record(from: start, to: end)
  }
}
