// Batches of operations in each of which a function is virtually faster by another part of its time, or as it is.

import CProbes
import GaugeStatistics

/// Which experiment comes next, and how many operations it has: warm-up, then rounds in which each speed-up has its
/// turn.
///
/// A pure state machine, so that tests can play the operations.
struct ExperimentSchedule {
  /// The speed-ups of a round, in thousandths of the function's time. None at all is one of them.
  static let speedUps = [0, 200, 500, 1000]
  /// How long an experiment should take, in nanoseconds: many looks at the threads, and some operations.
  static let length = 40e6
  /// Batches of about that length that the warm-up must hold.
  static let fewestLongBatches = 2

  private let budget: Double
  private var warmUp = 0.0
  private var longBatches = 0
  private var measured = 0.0
  private var round: ArraySlice<Int> = []
  // The same order in every launch.
  private var random = Xoshiro256(seed: 31)

  /// Operations of the next batch.
  private(set) var count = 1
  /// Of the next batch, in thousandths; `nil` in the warm-up.
  private(set) var speedUp: Int?

  /// - Parameter budget: Measuring time in nanoseconds; the last round may exceed it.
  init(budget: Double) { self.budget = budget }

  /// Goes on to the next batch.
  ///
  /// - Returns: Whether there is one.
  mutating func advance() -> Bool {
    guard longBatches >= Self.fewestLongBatches || warmUp >= budget else { return true }
    if round.isEmpty {
      if measured >= budget { return false }
      round = Self.speedUps[...]
      // Fisher and Yates.
      for last in stride(from: round.count - 1, to: 0, by: -1) { round.swapAt(last, random.index(below: last + 1)) }
    }
    speedUp = round.popFirst()
    return true
  }

  /// Takes how long a batch has lasted.
  mutating func record(nanoseconds: Double) {
    if speedUp != nil {
      measured += nanoseconds
      return
    }
    warmUp += nanoseconds
    if nanoseconds >= Self.length / 2 { longBatches += 1 }
    // Never more than tenfold at once: the first operations may be faster than the clock can tell.
    count = max(1, Int(min(Double(count) * Self.length / max(nanoseconds, 1), Double(count) * 10)))
  }
}

/// Batches that are experiments.
final class ExperimentBatches: Batches {
  private let recorder: CallStacks
  private var schedule: ExperimentSchedule
  private var start: UInt64 = 0
  /// Operations of all experiments.
  private(set) var operations = 0

  /// - Parameters:
  ///   - schedule: Which experiments are made.
  ///   - recorder: What makes them.
  init(_ schedule: ExperimentSchedule, _ recorder: CallStacks) {
    self.schedule = schedule
    self.recorder = recorder
  }

  @inline(never)
  override func begin() -> Int {
    guard schedule.advance() else {
      recorder.stop()
      return 0
    }
    if let speedUp = schedule.speedUp {
      if !recorder.isReady {
        recorder.root = probe_callers_caller()
        recorder.start()
      }
      guard recorder.isReady else { return 0 }
      CallStacks.beginExperiment(speedUp: speedUp)
    }
    start = MonotonicClock.nanoseconds()
    return schedule.count
  }

  override func end() {
    if schedule.speedUp != nil {
      recorder.endExperiment(operations: schedule.count)
      operations += schedule.count
    }
    schedule.record(nanoseconds: Double(MonotonicClock.nanoseconds() &- start))
  }
}

/// Windows of time of several threads that are experiments.
struct ExperimentWindows {
  private let recorder: CallStacks
  private var schedule: ExperimentSchedule
  /// Operations of all experiments, of all threads.
  private(set) var operations = 0

  /// - Parameters:
  ///   - schedule: Which experiments are made.
  ///   - recorder: What makes them.
  init(_ schedule: ExperimentSchedule, _ recorder: CallStacks) {
    self.schedule = schedule
    self.recorder = recorder
  }

  /// Goes on to the next window.
  ///
  /// - Parameter shares: What the threads did in the one before; `nil` before the first.
  mutating func next(behind shares: [GroupShare]?) -> GroupWindow? {
    if let shares {
      if schedule.speedUp != nil {
        let done = shares.reduce(0) { $0 + $1.operations }
        recorder.endExperiment(operations: done)
        operations += done
      }
      schedule.record(nanoseconds: ExperimentSchedule.length)
    }
    guard schedule.advance() else {
      recorder.stop()
      return nil
    }
    if let speedUp = schedule.speedUp {
      if !recorder.isReady { recorder.start() }
      guard recorder.isReady else { return nil }
      CallStacks.beginExperiment(speedUp: speedUp)
    }
    return .lasting(nanoseconds: UInt64(ExperimentSchedule.length))
  }
}
