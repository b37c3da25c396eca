// Tests of collect without a count; FoldResultTests has what it shares with others.

import TestKit
import Testing
import Weir

@Suite struct CollectTests {
  @Test func gathersEachSubscribersValues() {
    let subject = PassthroughSubject<Int, TestFailure>()
    let recorder = RecordingSubscriber<[Int], TestFailure>(.max(1))
    subject.collect().subscribe(recorder)
    for value in 1...3 { subject.send(value) }
    subject.send(completion: .finished)
    #expect(recorder.history == [.subscription("Collect"), .value([1, 2, 3]), .completion(.finished)])
  }

  @Test func showsHowManyItHas() {
    let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
    publisher.collect().subscribe(RecordingSubscriber<[Int], TestFailure>())
    publisher.send(1)
    let children = publisher.subscriber?.customMirror.children.map { ($0.label, "\($0.value)") }
    #expect(children?.map(\.0) == ["count"])
    #expect(children?.map(\.1) == ["1"])
  }

  @Test func freesItsValues() {
    let lifetimes = Lifetimes()
    let subject = PassthroughSubject<LifetimeTracked, TestFailure>()
    let recorder = RecordingSubscriber<[LifetimeTracked], TestFailure>()
    subject.collect().subscribe(recorder)
    subject.send(lifetimes.track())
    subject.send(completion: .finished)
    #expect(lifetimes.live == 1)
    recorder.cancel()
    #expect(lifetimes.live == 0)
    #expect(recorder.values == [])
  }

  @Test func areEqualIfTheUpstreamsAre() {
    #expect(Publishers.Collect(upstream: Just(1)) == Publishers.Collect(upstream: Just(1)))
    #expect(Publishers.Collect(upstream: Just(1)) != Publishers.Collect(upstream: Just(2)))
  }
}
