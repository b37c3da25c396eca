// Tests of `pairwise`.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct PairwiseTests {
  typealias Recorder = RecordingSubscriber<(previous: Int, current: Int), TestFailure>

  @Test func publishesEachValueWithTheOneBefore() {
    let source = ScriptedPublisher<Int, TestFailure>()
    let recorder = Recorder(.max(2))
    source.pairwise().subscribe(recorder)
    #expect(source.send(1) == .max(1))
    #expect(source.send(2) == .none)
    source.send(3)
    source.send(completion: .failure(.first))
    #expect(recorder.values.map { [$0.previous, $0.current] } == [[1, 2], [2, 3]])
    #expect(recorder.completions == [.failure(.first)])
  }

  @Test func eachSubscriberBeginsAnew() {
    let pairs = [1, 2].publisher.setFailureType(to: TestFailure.self).pairwise()
    for _ in 0..<2 {
      let recorder = Recorder(.unlimited)
      pairs.subscribe(recorder)
      #expect(recorder.values.count == 1)
    }
    #expect(pairs == pairs)
  }
}
