// Tests of the engine of `withLatestFrom`.

import TestKit
import Testing
import Weir

@Suite struct LatestFromLinkTests {
  typealias Recorder = RecordingSubscriber<String, TestFailure>

  private let upstream = ScriptedPublisher<Int, TestFailure>()
  private let other = ScriptedPublisher<String, TestFailure>()
  private let lifetimes = Lifetimes()

  private func attach(_ recorder: Recorder) {
    LatestFromLink(downstream: HeldSubscriber(recorder), name: "Latest") { "\($0)\($1)" }.attach(upstream, other)
  }

  @Test func furtherSubscriptionsAreCancelled() {
    let recorder = Recorder(.unlimited)
    attach(recorder)
    let further = [RecordingSubscription(), RecordingSubscription()]
    upstream.send(subscription: further[0])
    other.send(subscription: further[1])
    for subscription in further { #expect(subscription.history == [.cancelled]) }
    #expect(recorder.log == ["Latest"])
  }

  @Test func nothingComesAfterTheEnd() {
    let recorder = Recorder(.unlimited)
    attach(recorder)
    other.send("a")
    upstream.send(completion: .failure(.first))
    upstream.send(completion: .finished)
    other.send(completion: .failure(.second))
    #expect(upstream.send(1) == .none)
    recorder.request(.max(1))
    recorder.cancel()
    #expect(recorder.log == ["Latest", "failed first"])
    #expect(upstream.subscription?.history == [.requested(.unlimited)])
  }

  @Test func everythingIsFreedAtTheEnd() {
    do {
      let values = PassthroughSubject<Int, TestFailure>()
      let others = PassthroughSubject<LifetimeTracked, TestFailure>()
      let recorder = Recorder(.unlimited)
      let tracked = lifetimes.track()
      LatestFromLink(downstream: HeldSubscriber(recorder), name: "Latest") { (value: Int, _: LifetimeTracked) in
        tracked.touch()
        return "\(value)"
      }.attach(values, others)
      others.send(lifetimes.track())
      values.send(1)
      others.send(lifetimes.track())
      #expect(lifetimes.live == 2)
      recorder.cancel()
      #expect(lifetimes.live == 1)
    }
    #expect(lifetimes.live == 0)
  }

  @Test func twoThreadsFeedItAndNothingIsLost() {
    let (values, others) = (PassthroughSubject<Int, Never>(), CurrentValueSubject<Int, Never>(0))
    let received = Shared<[Int]>([])
    let recorder = RecordingSubscriber<(Int, Int), Never>(.unlimited)
    recorder.onValue = { received.value.append($0.0) }
    LatestFromLink(downstream: HeldSubscriber(recorder), name: "Latest") { ($0, $1) }.attach(values, others)
    onThreads([
      { for number in 0..<2_000 { values.send(number) } },
      { for number in 0..<2_000 { others.send(number) } },
    ])
    #expect(received.value == Array(0..<2_000))
    recorder.cancel()
  }
}
