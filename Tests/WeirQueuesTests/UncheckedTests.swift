// Tests of the wrapper that carries a value to another thread.

import TestKit
import Testing
import WeirQueues

@Suite struct UncheckedTests {
  @Test func carriesTheValueItself() {
    let object = RecordingMarker()
    let carried = Unchecked(object)
    let arrived = Shared<RecordingMarker?>(nil)
    onThreads(1) { _ in arrived.value = carried.value }
    #expect(arrived.value === object)
  }

  @Test func aClosureRunsElsewhereWithWhatItHolds() {
    let object = RecordingMarker()
    let arrived = Shared<RecordingMarker?>(nil)
    let sent = uncheckedSendable { arrived.value = object }
    onThreads(1) { _ in sent() }
    #expect(arrived.value === object)
  }

  private final class RecordingMarker {}
}
