// Batches of which a few single operations are recorded event by event, behind a warm-up.

import CProbes

/// Single operations on a timeline. The marks of the record stand right before and behind each of them.
final class TimelineBatches: Batches {
  private let recorder: CallStacks
  /// What runs before those that are recorded.
  private var runUp: TimelineRunUp
  /// Operations to record.
  private let wanted: Int
  private var isRecording = false
  /// Operations that were recorded.
  private(set) var operations = 0

  /// - Parameters:
  ///   - runUp: What runs before those that are recorded.
  ///   - operations: Operations to record.
  ///   - recorder: What records them.
  init(_ runUp: TimelineRunUp, operations: Int, _ recorder: CallStacks) {
    self.runUp = runUp
    wanted = operations
    self.recorder = recorder
  }

  @inline(never)
  override func begin() -> Int {
    let count = runUp.next()
    guard count == 0 else { return count }
    if let failure = runUp.failure {
      recorder.give(up: failure)
      return 0
    }
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

  override func end() {
    guard isRecording else { return }
    CallStacks.pause()
    isRecording = false
    operations += 1
  }
}
