// Tests of contains and tryContains; FoldResultTests has what they share with others.

import TestKit
import Testing
import Weir

@Suite struct ContainsTests {
  private let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private let recorder = RecordingSubscriber<Bool, TestFailure>(.unlimited)

  @Test func theFirstThatIsFoundEndsTheStream() {
    publisher.contains(3).subscribe(recorder)
    for value in [1, 3, 3] { #expect(publisher.send(value) == .none) }
    #expect(recorder.history == [.subscription("Contains"), .value(true), .completion(.finished)])
    #expect(publisher.subscription?.history == [.requested(.unlimited), .cancelled])
  }

  @Test func thatNoneIsFoundIsKnownAtTheEndOnly() {
    publisher.contains { $0 > 5 }.subscribe(recorder)
    publisher.send(1)
    #expect(recorder.history == [.subscription("ContainsWhere")])
    publisher.send(completion: .finished)
    #expect(recorder.values == [false])
  }

  @Test func areEqualIfUpstreamAndValueAre() {
    let contains = Publishers.Contains(upstream: Just(1), output: 2)
    #expect(contains == Publishers.Contains(upstream: Just(1), output: 2))
    #expect(contains != Publishers.Contains(upstream: Just(1), output: 3))
    #expect(contains != Publishers.Contains(upstream: Just(2), output: 2))
  }
}
