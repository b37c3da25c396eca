// combineLatest and the untilOutputFrom pair, whose streams send from two threads at once.

import TestKit
import Testing
import Weir

@Suite(.serialized) struct RepublishingStressTests {
  private typealias Relay = PassthroughSubject<Message, TestFailure>

  private let lifetimes = Lifetimes()

  // MARK: combineLatest

  @Test func theNewestOfTwoThreadsNeverGoesBack() {
    let count = 15_000
    let relays = [Relay(), Relay()]
    let inboxes = [Inbox(senders: 1), Inbox(senders: 1)]
    let combined = relays[0].combineLatest(relays[1]).sink(
      receiveCompletion: { _ in inboxes[0].complete() },
      receiveValue: {
        inboxes[0].receive($0.0)
        inboxes[1].receive($0.1)
      })
    onThreads(2) { [lifetimes] number in
      for place in 0..<count { relays[number].send(Message(sender: 0, number: place, lifetimes)) }
      relays[number].send(completion: .finished)
    }
    #expect(inboxes[0].completions == 1)
    for inbox in inboxes {
      #expect(inbox.faults == 0)
      #expect(inbox.numbers[0].last == count - 1)
      #expect(zip(inbox.numbers[0], inbox.numbers[0].dropFirst()).allSatisfy { $0 <= $1 })
    }
    // Each tuple has one new value, so together they rise by one from tuple to tuple.
    let sums = zip(inboxes[0].numbers[0], inboxes[1].numbers[0]).map(+)
    #expect(zip(sums, sums.dropFirst()).allSatisfy { $0 + 1 == $1 })
    withExtendedLifetime(combined) {}
    #expect(lifetimes.live == 0)
  }

  @Test func oneTuplePerUnitOfDemandHoweverManyThreads() {
    var random = SplitMix(seed: 21)
    for _ in 0..<100 {
      let relays = [Relay(), Relay()]
      let inbox = Inbox(senders: 2)
      let recorder = RecordingSubscriber<(Message, Message), TestFailure>(.max(1))
      recorder.onValue = { inbox.receive($0.0) }
      relays[0].combineLatest(relays[1]).subscribe(recorder)
      relays[1].send(Message(sender: 1, number: 0, lifetimes))
      let parts = (0..<20).map { _ in Int.random(in: 1...4, using: &random) }
      let total = parts.reduce(1, +)
      onThreads([
        { [lifetimes] in
          for place in 0..<400 { relays[0].send(Message(sender: 0, number: place, lifetimes)) }
        },
        {
          for part in parts { recorder.subscriptions[0].request(.max(part)) }
        },
      ])
      #expect(inbox.count <= total)
      for place in 1000..<1000 + total { relays[0].send(Message(sender: 0, number: place, lifetimes)) }
      #expect(inbox.count == total)
      #expect(inbox.isInOrder)
      #expect(inbox.faults == 0)
      recorder.cancel()
    }
  }

  @Test func cancellingACombineLatestMeetsEveryMoment() {
    for round in 0..<1000 {
      let relays = [Relay(), Relay()]
      let inbox = Inbox(senders: 2)
      let received = Counter()
      let recorder = RecordingSubscriber<(Message, Message), TestFailure>(.unlimited)
      recorder.keepsSubscriptions = true
      recorder.onValue = {
        inbox.receive($0.0)
        received.add()
      }
      relays[0].combineLatest(relays[1]).subscribe(recorder)
      onThreads(3) { [lifetimes] number in
        guard number < 2 else {
          received.wait(for: round % 30)
          return recorder.cancel()
        }
        for place in 0..<40 { relays[number].send(Message(sender: number, number: place, lifetimes)) }
      }
      #expect(inbox.faults == 0)
      let seen = inbox.count
      for relay in relays { relay.send(Message(sender: 0, number: 100, lifetimes)) }
      #expect(inbox.count == seen)
    }
    #expect(lifetimes.live == 0)
  }

  // MARK: untilOutputFrom

  /// Sends numbers from one thread, a trigger from another, and then the finish.
  private func run(
    _ count: Int, _ random: inout SplitMix,
    _ make: (Relay, PassthroughSubject<Int, TestFailure>) -> AnyPublisher<
      Message, TestFailure
    >, triggering: @escaping (PassthroughSubject<Int, TestFailure>) -> Void
  ) -> Inbox {
    let (relay, trigger) = (Relay(), PassthroughSubject<Int, TestFailure>())
    let inbox = Inbox(senders: 1)
    let sink = make(relay, trigger).sink(
      receiveCompletion: { _ in inbox.complete() }, receiveValue: { inbox.receive($0) })
    let sent = Counter()
    let moment = Int.random(in: 0...count, using: &random)
    onThreads([
      { [lifetimes] in
        for place in 0..<count {
          relay.send(Message(sender: 0, number: place, lifetimes))
          sent.add()
        }
        relay.send(completion: .finished)
      },
      {
        sent.wait(for: moment)
        triggering(trigger)
      },
    ])
    #expect(inbox.faults == 0)
    #expect(inbox.completions == 1)
    let numbers = inbox.numbers[0]
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 + 1 == $1 })
    withExtendedLifetime(sink) {}
    return inbox
  }

  @Test func aTriggerOfAnotherThreadClosesAStreamOnce() {
    var random = SplitMix(seed: 22)
    for _ in 0..<1000 {
      let inbox = run(50, &random) {
        $0.prefix(untilOutputFrom: $1).eraseToAnyPublisher()
      } triggering: {
        $0.send(1)
      }
      #expect(inbox.numbers[0].first ?? 0 == 0)
    }
    #expect(lifetimes.live == 0)
  }

  @Test func aTriggerOfAnotherThreadOpensAStreamOnce() {
    var random = SplitMix(seed: 23)
    for _ in 0..<1000 {
      let inbox = run(50, &random) {
        $0.drop(untilOutputFrom: $1).eraseToAnyPublisher()
      } triggering: {
        $0.send(1)
      }
      #expect(inbox.numbers[0].last ?? 49 == 49)
    }
    #expect(lifetimes.live == 0)
  }

  @Test func twoEndsAtOnceAreOne() {
    var random = SplitMix(seed: 24)
    for _ in 0..<1000 {
      let inbox = run(20, &random) {
        $0.drop(untilOutputFrom: $1).eraseToAnyPublisher()
      } triggering: {
        $0.send(completion: .failure(.second))
      }
      #expect(inbox.count == 0)
    }
    #expect(lifetimes.live == 0)
  }

  @Test func cancellingMeetsATriggerAndValues() {
    for round in 0..<1000 {
      let (relay, trigger) = (Relay(), PassthroughSubject<Int, TestFailure>())
      let inbox = Inbox(senders: 1)
      let recorder = RecordingSubscriber<Message, TestFailure>(.unlimited)
      recorder.onValue = { inbox.receive($0) }
      recorder.onCompletion = { _ in inbox.complete() }
      let stream =
        round % 2 == 0
        ? relay.prefix(untilOutputFrom: trigger).eraseToAnyPublisher()
        : relay.drop(untilOutputFrom: trigger).eraseToAnyPublisher()
      stream.subscribe(recorder)
      onThreads([
        { [lifetimes] in for place in 0..<30 { relay.send(Message(sender: 0, number: place, lifetimes)) } },
        { trigger.send(1) },
        {
          for _ in 0..<round % 20 { yieldThread() }
          recorder.cancel()
        },
      ])
      #expect(inbox.faults == 0)
      #expect(inbox.completions <= 1)
      let seen = inbox.count
      relay.send(Message(sender: 0, number: 100, lifetimes))
      #expect(inbox.count == seen)
    }
    #expect(lifetimes.live == 0)
  }
}
