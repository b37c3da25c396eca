// Tests of share: one subscription upstream for all subscribers.

import TestKit
import Testing
import Weir

@Suite struct ShareTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let source = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)

  @Test func asksTheUpstreamForEverythingWhateverTheFirstSubscriberAsks() {
    let share = source.share()
    #expect(source.subscriber == nil)
    let recorder = Recorder(.max(2))
    recorder.demandPerValue = { .max($0) }
    share.subscribe(recorder)
    #expect(source.subscription?.history == [.requested(.unlimited)])
    for value in 1...3 { #expect(source.send(value) == .none) }
    source.send(completion: .failure(.first))
    #expect(
      recorder.history == [
        .subscription("Multicast"), .value(1), .value(2), .value(3), .completion(.failure(.first)),
      ])
    #expect(source.subscription?.history == [.requested(.unlimited)])
  }

  @Test func aLateSubscriberGetsWhatComesLater() {
    let share = source.share()
    let recorders = [Recorder(.max(3)), Recorder(.max(2)), Recorder(Subscribers.Demand.none)]
    share.subscribe(recorders[0])
    for value in 1...4 { source.send(value) }
    share.subscribe(recorders[1])
    for value in 5...7 { source.send(value) }
    source.send(completion: .finished)
    share.subscribe(recorders[2])
    #expect(
      recorders.map(\.history) == [
        [.subscription("Multicast"), .value(1), .value(2), .value(3), .completion(.finished)],
        [.subscription("Multicast"), .value(5), .value(6), .completion(.finished)],
        [.subscription("Multicast"), .completion(.finished)],
      ])
    #expect(source.subscription?.history == [.requested(.unlimited)])
  }

  @Test func cancelsWithTheLastSubscriberAndSubscribesAgain() {
    let subject = PassthroughSubject<Int, TestFailure>()
    let subscribed = Counter()
    let share = subject.map { value -> Int in
      subscribed.add()
      return value
    }.share()
    let recorders = (0..<3).map { _ in Recorder(.unlimited) }
    share.subscribe(recorders[0])
    share.subscribe(recorders[1])
    subject.send(1)
    #expect(subscribed.value == 1)
    recorders[0].cancel()
    subject.send(2)
    recorders[1].cancel()
    subject.send(3)
    #expect(subscribed.value == 2)
    share.subscribe(recorders[2])
    subject.send(4)
    #expect(recorders.map(\.values) == [[1], [1, 2], [4]])
  }

  @Test func ignoresWhatComesBeforeTheSubscription() {
    source.subscription = nil
    let recorder = Recorder(.unlimited)
    source.share().subscribe(recorder)
    #expect(source.send(1) == .none)
    source.send(completion: .finished)
    #expect(recorder.history == [.subscription("Multicast")])
  }

  @Test func twoAreEqualIfTheyAreOne() {
    let share = source.share()
    #expect(share == share)
    #expect(share != source.share())
  }

  @Test func freesEverythingWithItsSubscribers() {
    let lifetimes = Lifetimes()
    do {
      let tracked = lifetimes.track()
      let subject = PassthroughSubject<Int, Never>()
      let share = subject.map { value -> Int in
        tracked.touch()
        return value
      }.share()
      let sinks = (0..<2).map { _ in share.sink { _ in tracked.touch() } }
      subject.send(1)
      #expect(lifetimes.live == 1)
      withExtendedLifetime(sinks) {}
    }
    #expect(lifetimes.live == 0)
  }
}
