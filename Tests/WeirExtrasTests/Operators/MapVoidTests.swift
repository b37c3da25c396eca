// Tests of `mapVoid`.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct MapVoidTests {
  @Test func keepsTheSignalsAndDropsTheValues() {
    let recorder = RecordingSubscriber<Void, Never>(.unlimited)
    [1, 2, 3].publisher.mapVoid().subscribe(recorder)
    #expect(recorder.values.count == 3)
    #expect(recorder.completions == [.finished])
  }
}
