// append, catch and retry while two threads meet at the change from one upstream to the next.

import TestKit
import Testing
import Weir

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

@Suite(.serialized) struct HandoverStressTests {
  private typealias Recorder = RecordingSubscriber<Message, TestFailure>

  private let lifetimes = Lifetimes()

  /// A subscriber that returns demand for every third value.
  private func recorder(_ inbox: Inbox) -> Recorder {
    let recorder = Recorder()
    recorder.onValue = { inbox.receive($0) }
    recorder.onCompletion = { _ in inbox.complete() }
    recorder.demandPerValue = { $0.number % 3 == 2 ? .max(1) : .none }
    return recorder
  }

  /// Asks for values bit by bit.
  private func request(_ total: Int, of recorder: Recorder, _ random: inout SplitMix) {
    let subscription = recorder.subscriptions[0]
    var left = total
    while left > 0 {
      let part = Int.random(in: 1...min(left, 5), using: &random)
      subscription.request(.max(part))
      left -= part
      if part == 1 { yieldThread() }
    }
  }

  @Test(arguments: HandoverCase.all) func noDemandIsLostOrDoubledAtTheChange(_ tested: HandoverCase) {
    var random = SplitMix(seed: 11)
    for round in 0..<400 {
      let (first, second) = (Feed(), Feed())
      let inbox = Inbox(senders: 1)
      let recorder = recorder(inbox)
      tested.make(first, second).subscribe(recorder)
      // One unit of demand is returned for every third value: 3k + 1 values need 2k + 1 units from outside.
      let values = 31
      let change = Int.random(in: 0..<values, using: &random)
      var requesting = SplitMix(seed: UInt64(round))
      onThreads([
        { [lifetimes] in
          for number in 0..<values {
            if number == change { first.connection!.subscriber.receive(completion: tested.ending) }
            let feed = number < change ? first : second
            feed.connection!.send(Message(sender: 0, number: number, lifetimes))
          }
        },
        { request(21, of: recorder, &requesting) },
      ])
      #expect(second.connection?.demand.value == 0)
      #expect(inbox.numbers == [Array(0..<values)])
      #expect(inbox.faults == 0)
      second.connection?.subscriber.receive(completion: .finished)
      #expect(inbox.completions == 1)
      for feed in [first, second] { feed.forget() }
    }
    #expect(lifetimes.live == 0)
  }

  @Test func retryLosesNoDemandWhileItsUpstreamFailsAgainAndAgain() {
    var random = SplitMix(seed: 12)
    let feed = Feed()
    let inbox = Inbox(senders: 1)
    let recorder = recorder(inbox)
    Publishers.Retry(upstream: feed, retries: nil).subscribe(recorder)
    let values = 15_001
    var requesting = SplitMix(seed: 13)
    var failures = 0
    onThreads([
      { [lifetimes] in
        for number in 0..<values {
          while Int.random(in: 0..<4, using: &random) == 0 {
            feed.connection!.subscriber.receive(completion: .failure(.first))
            failures += 1
          }
          feed.connection!.send(Message(sender: 0, number: number, lifetimes))
        }
      },
      { request(10_001, of: recorder, &requesting) },
    ])
    #expect(feed.connection?.demand.value == 0)
    #expect(feed.count.value == failures + 1)
    #expect(inbox.numbers == [Array(0..<values)])
    #expect(inbox.faults == 0)
    recorder.cancel()
    #expect(feed.connection?.cancellations.value == 1)
  }

  /// Whoever subscribes again is still at it when another thread fails the new connection.
  @Test func retrySubscribesOncePerFailureWhicheverThreadFails() {
    let failures = 20_000
    let feed = Feed()
    let inbox = Inbox(senders: 1)
    let recorder = recorder(inbox)
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
      let recorder = recorder(inbox)
      recorder.initialDemand = .max(100)
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
      // Whoever came first: no connection is left open.
      if let connection = second.connection {
        #expect(connection.cancellations.value == 1)
        #expect(first.connection?.cancellations.value == 0)
      } else {
        #expect(first.connection?.cancellations.value == 1)
      }
      for feed in [first, second] { feed.forget() }
    }
    #expect(lifetimes.live == 0)
  }
}
