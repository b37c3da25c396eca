// Tests of the publisher that the test sends through.

import TestKit
import Testing
import Weir
import WeirTesting

@Suite struct MockPublisherTests {
  @Test func itPublishesWhatIsSent() {
    let mock = MockPublisher<Int, TestFailure>()
    let subscriber = RecordingSubscriber<Int, TestFailure>(.max(2))
    mock.receive(subscriber: subscriber)
    for value in 1...3 { mock.send(value) }
    mock.send(completion: .failure(.first))
    #expect(subscriber.values == [1, 2] && subscriber.completions == [.failure(.first)])
  }

  @Test func aSubscriberAfterTheEndDoesNotCount() {
    let mock = MockPublisher<Int, Never>()
    mock.send(completion: .finished)
    let token = mock.sink { _ in }
    #expect(mock.subscriberCount == 0 && mock.totalSubscriberCount == 1)
    token.cancel()
  }

  @Test func aSubscriberThatTakesEnoughNoLongerCounts() {
    let mock = MockPublisher<Int, Never>()
    let token = mock.first().sink { _ in }
    mock.send(1)
    #expect(mock.subscriberCount == 0)
    token.cancel()
  }

  @Test func aSubscriberCountsOnceItHasAsked() {
    let mock = MockPublisher<Int, Never>()
    let subscriber = RecordingSubscriber<Int, Never>(.unlimited)
    var counts: [Int] = []
    subscriber.onSubscription = { _ in counts.append(mock.subscriberCount) }
    mock.receive(subscriber: subscriber)
    counts.append(mock.subscriberCount)
    #expect(counts == [0, 1])
    let leaving = RecordingSubscriber<Int, Never>()
    leaving.onSubscription = { $0.cancel() }
    mock.receive(subscriber: leaving)
    #expect(mock.subscriberCount == 1 && mock.totalSubscriberCount == 2)
  }

  @Test func itIsFreedWithItsSubscribers() {
    let lifetimes = Lifetimes()
    do {
      let mock = MockPublisher<LifetimeTracked, Never>()
      let token = mock.sink { [tracked = lifetimes.track()] _ in tracked.touch() }
      mock.send(lifetimes.track())
      token.cancel()
    }
    #expect(lifetimes.live == 0)
  }
}
