// Batches of which a few single operations are recorded event by event, behind a warm-up.

import CProbes

/// Single operations on a timeline. The marks of the record stand right before and behind each of them.
final class TimelineBatches: Batches {
  private let recorder: CallStacks
  private let clock: () -> UInt64
  /// Operations to run before those that are recorded.
  private var left: Int
  /// Operations to record.
  private var wanted: Int
  /// When the first operation began; `nil` before it.
  private var trial: UInt64?
  private var isRecording = false
  /// Operations that were recorded.
  private(set) var operations = 0

  /// Nanoseconds that the warm-up may take; where its first operation says that it would take longer, it is that one.
  static let longestWarmUp = 10e9

  /// - Parameters:
  ///   - before: Operations to run before those that are recorded.
  ///   - operations: Operations to record.
  ///   - recorder: What records them.
  ///   - clock: What the first operation is timed by, in nanoseconds.
  init(
    before: Int, operations: Int, _ recorder: CallStacks, clock: @escaping () -> UInt64 = MonotonicClock.nanoseconds
  ) {
    left = before
    wanted = operations
    self.recorder = recorder
    self.clock = clock
  }

  @inline(never)
  override func begin() -> Int {
    if left > 0 { return beginWarmUp() }
    if operations == 0, !recorder.isReady {
      recorder.root = probe_callers_caller()
      recorder.start()
    }
    guard recorder.isReady, operations < wanted else {
      recorder.stop()
      return 0
    }
    isRecording = true
    CallStacks.record()
    return 1
  }

  /// One operation of the warm-up, which is timed, and then the others.
  private func beginWarmUp() -> Int {
    guard trial == nil else {
      defer { left = 0 }
      return left
    }
    left -= 1
    trial = clock()
    return 1
  }

  override func end() {
    guard isRecording else {
      let now = clock()
      if let trial, Double(max(trial, now) - trial) * Double(left) > Self.longestWarmUp { left = 0 }
      return
    }
    CallStacks.pause()
    isRecording = false
    operations += 1
  }
}
