// append, catch and retry while two threads meet at the change from one upstream to the next.

import TestKit
import Testing
import Weir
import WeirQueues

/// A publisher whose every connection counts what it is asked for; the test sends by hand.
private final class Feed: Publisher, @unchecked Sendable {
  typealias Output = Message
  typealias Failure = TestFailure

  final class Connection: Subscription, @unchecked Sendable {
    let demand = Counter()
    let cancellations = Counter()
    let subscriber: AnySubscriber<Message, TestFailure>

    init(_ subscriber: AnySubscriber<Message, TestFailure>) { self.subscriber = subscriber }

    func request(_ demand: Subscribers.Demand) { self.demand.add(demand.max!) }
    func cancel() { cancellations.add() }

    /// Waits until a value is wanted and sends it.
    func send(_ message: Message) {
      demand.wait(for: 1)
      demand.add(-1)
      demand.add(subscriber.receive(message).max!)
    }
  }

  /// The newest connection.
  private(set) var connection: Connection?
  /// How many connections there have been.
  let count = Counter()

  func receive<S: Subscriber>(subscriber: S) where S.Input == Message, S.Failure == TestFailure {
    let connection = Connection(AnySubscriber(subscriber))
    self.connection = connection
    subscriber.receive(subscription: connection)
    count.add()
  }

  func forget() { connection = nil }
}

/// An operator that goes from one feed to another when the first ends in its way.
struct HandoverCase: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let ending: Subscribers.Completion<TestFailure>
  fileprivate let make: @Sendable (Feed, Feed) -> AnyPublisher<Message, TestFailure>

  static let all = [
    HandoverCase(testDescription: "append", ending: .finished) { $0.append($1).eraseToAnyPublisher() },
    HandoverCase(testDescription: "catch", ending: .failure(.first)) { first, second in
      first.catch { _ in second }.eraseToAnyPublisher()
    },
    HandoverCase(testDescription: "tryCatch", ending: .failure(.first)) { first, second in
      first.tryCatch { _ in second }.catch { _ in Empty<Message, TestFailure>() }.eraseToAnyPublisher()
    },
  ]
}

@Suite(.serialized) struct SuccessionStressTests {
  private typealias Recorder = RecordingSubscriber<Message, TestFailure>

  private let lifetimes = Lifetimes()

  /// A subscriber that notes what it receives.
  private func recorder(_ inbox: Inbox, _ demand: Subscribers.Demand) -> Recorder {
    let recorder = Recorder(demand)
    recorder.onValue = { inbox.receive($0) }
    recorder.onCompletion = { _ in inbox.complete() }
    return recorder
  }

  /// Lets some nanoseconds pass, so that two threads meet at another moment each time.
  private func dawdle(_ random: inout SplitMix) {
    for _ in 0..<Int.random(in: 0..<30, using: &random) { spinHint() }
  }

  /// One thread changes the upstream in the moment in which the other asks for the value that only the second one has.
  @Test(arguments: HandoverCase.all) func noDemandIsLostOrDoubledAtTheChange(_ tested: HandoverCase) {
    let rounds = 4000
    var streams: [(first: Feed, second: Feed, inbox: Inbox, recorder: Recorder)] = []
    for _ in 0..<rounds {
      let inbox = Inbox(senders: 1)
      streams.append((Feed(), Feed(), inbox, recorder(inbox, .max(1))))
      let new = streams[streams.count - 1]
      new.recorder.demandPerValue = { $0.number == 1 ? .max(1) : .none }
      tested.make(new.first, new.second).subscribe(new.recorder)
    }
    let turn = Counter()
    onThreads([
      { [lifetimes, streams] in
        var random = SplitMix(seed: 11)
        for stream in streams {
          stream.first.connection!.send(Message(sender: 0, number: 0, lifetimes))
          turn.add()
          dawdle(&random)
          stream.first.connection!.subscriber.receive(completion: tested.ending)
          for number in 1...2 { stream.second.connection!.send(Message(sender: 0, number: number, lifetimes)) }
        }
      },
      { [streams] in
        var random = SplitMix(seed: 12)
        for (round, stream) in streams.enumerated() {
          turn.wait(for: round + 1)
          dawdle(&random)
          stream.recorder.subscriptions[0].request(.max(1))
        }
      },
    ])
    for stream in streams {
      #expect(stream.second.connection?.demand.value == 0)
      #expect(stream.inbox.numbers == [[0, 1, 2]])
      #expect(stream.inbox.faults == 0)
      stream.second.connection?.subscriber.receive(completion: .finished)
      #expect(stream.inbox.completions == 1)
      for feed in [stream.first, stream.second] { feed.forget() }
    }
    streams = []
    #expect(lifetimes.live == 0)
  }

  @Test func retryLosesNoDemandWhileItsUpstreamFailsAgainAndAgain() {
    let values = 15_000
    let feed = Feed()
    let inbox = Inbox(senders: 1)
    let recorder = recorder(inbox, .max(1))
    Publishers.Retry(upstream: feed, retries: nil).subscribe(recorder)
    let received = Counter()
    let failures = Counter()
    onThreads([
      { [lifetimes] in
        var random = SplitMix(seed: 13)
        for number in 0...values {
          feed.connection!.send(Message(sender: 0, number: number, lifetimes))
          received.add()
          for _ in 0..<Int.random(in: 0..<4, using: &random) {
            dawdle(&random)
            feed.connection!.subscriber.receive(completion: .failure(.first))
            failures.add()
          }
        }
      },
      {
        var random = SplitMix(seed: 14)
        for number in 0..<values {
          received.wait(for: number + 1)
          dawdle(&random)
          recorder.subscriptions[0].request(.max(1))
        }
      },
    ])
    #expect(feed.connection?.demand.value == 0)
    #expect(feed.count.value == failures.value + 1)
    #expect(inbox.numbers == [Array(0...values)])
    #expect(inbox.faults == 0)
    recorder.cancel()
    #expect(feed.connection?.cancellations.value == 1)
  }

  /// Whoever subscribes again is still at it when another thread fails the new connection.
  @Test func retrySubscribesOncePerFailureWhicheverThreadFails() {
    let failures = 20_000
    let feed = Feed()
    let inbox = Inbox(senders: 1)
    let recorder = recorder(inbox, .max(1))
    feed.retry(failures).subscribe(recorder)
    onThreads(2) { number in
      for turn in 0...failures where turn % 2 == number {
        feed.count.wait(for: turn + 1)
        feed.connection!.subscriber.receive(completion: .failure(.first))
      }
    }
    #expect(feed.count.value == failures + 1)
    #expect(recorder.completions == [.failure(.first)])
    #expect(inbox.completions == 1)
  }

  @Test(arguments: HandoverCase.all) func cancellingMeetsEveryMomentOfTheChange(_ tested: HandoverCase) {
    for round in 0..<1500 {
      let (first, second) = (Feed(), Feed())
      let inbox = Inbox(senders: 1)
      let recorder = recorder(inbox, .max(100))
      tested.make(first, second).subscribe(recorder)
      onThreads([
        { [lifetimes] in
          for number in 0..<3 { first.connection!.send(Message(sender: 0, number: number, lifetimes)) }
          first.connection!.subscriber.receive(completion: tested.ending)
          guard let connection = second.connection, connection.demand.value > 0 else { return }
          connection.send(Message(sender: 0, number: 3, lifetimes))
        },
        {
          for _ in 0..<round % 50 { yieldThread() }
          recorder.cancel()
        },
      ])
      #expect(inbox.isInOrder)
      #expect(inbox.faults == 0)
      #expect(inbox.completions == 0)
      // Whoever came first: no connection is left open. The first one may have ended by itself.
      #expect(first.connection!.cancellations.value <= (second.connection == nil ? 1 : 0))
      #expect(second.connection?.cancellations.value ?? 1 == 1)
      for feed in [first, second] { feed.forget() }
    }
    #expect(lifetimes.live == 0)
  }
}
