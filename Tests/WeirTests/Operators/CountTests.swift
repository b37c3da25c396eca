// Tests of count; FoldResultTests has what it shares with others.

import TestKit
import Testing
import Weir

@Suite struct CountTests {
  @Test func countsEachSubscribersValues() {
    let subject = PassthroughSubject<String, TestFailure>()
    let count = subject.count()
    let first = RecordingSubscriber<Int, TestFailure>(.max(1))
    let second = RecordingSubscriber<Int, TestFailure>(.max(1))
    count.subscribe(first)
    subject.send("a")
    count.subscribe(second)
    subject.send("b")
    subject.send(completion: .finished)
    #expect(first.history == [.subscription("Count"), .value(2), .completion(.finished)])
    #expect(second.values == [1])
  }

  @Test func aLongSequenceNeedsNoStack() {
    let recorder = RecordingSubscriber<Int, Never>(.max(1))
    Publishers.Sequence(sequence: 0..<100_000).eraseToAnyPublisher().count().subscribe(recorder)
    #expect(recorder.values == [100_000])
  }

  @Test func areEqualIfTheUpstreamsAre() {
    #expect(Publishers.Count(upstream: Just(1)) == Publishers.Count(upstream: Just(1)))
    #expect(Publishers.Count(upstream: Just(1)) != Publishers.Count(upstream: Just(2)))
  }
}
