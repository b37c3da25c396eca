// Tests of `filterNils`.

import Testing
import TestKit
import Weir
import WeirExtras

@Suite struct FilterNilsTests {
  @Test func dropsNilsAndAsksForOneMoreEach() {
    let source = ScriptedPublisher<Int?, TestFailure>()
    let recorder = RecordingSubscriber<Int, TestFailure>(.max(1))
    source.filterNils().subscribe(recorder)
    #expect(source.send(nil) == .max(1))
    #expect(source.send(3) == .none)
    source.send(completion: .failure(.first))
    #expect(recorder.values == [3])
    #expect(recorder.completions == [.failure(.first)])
  }
}
