// Tests of filter and tryFilter.

import TestKit
import Testing
import Weir

@Suite struct FilterTests {
  private let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private let recorder = RecordingSubscriber(.max(2), perValue: .max(4), of: Int.self, failingWith: TestFailure.self)

  @Test func asksForOneMoreForEachDroppedValue() {
    publisher.filter { $0.isMultiple(of: 2) }.subscribe(recorder)
    #expect((1...5).map { publisher.send($0) } == [.max(1), .max(4), .max(1), .max(4), .max(1)])
    publisher.send(completion: .finished)
    #expect(
      recorder.history == [.subscription("RecordingSubscription"), .value(2), .value(4), .completion(.finished)])
    #expect(publisher.subscription?.history == [.requested(.max(2))])
  }

  @Test func aLimitedSubscriberGetsItsNumberOfValues() {
    let subject = PassthroughSubject<Int, TestFailure>()
    let recorder = RecordingSubscriber(.max(3), of: Int.self, failingWith: TestFailure.self)
    subject.filter { $0.isMultiple(of: 3) }.subscribe(recorder)
    for value in 1...20 { subject.send(value) }
    #expect(recorder.values == [3, 6, 9])
  }

  @Test func forwardsBlindlyAfterACompletionAndAfterCancellation() {
    publisher.filter { $0.isMultiple(of: 2) }.subscribe(recorder)
    recorder.cancel()
    publisher.send(completion: .finished)
    publisher.send(completion: .failure(.first))
    #expect(publisher.send(6) == .max(4))
    #expect(publisher.send(7) == .max(1))
    #expect(
      recorder.history == [
        .subscription("RecordingSubscription"), .completion(.finished), .completion(.failure(.first)), .value(6),
      ])
    #expect(publisher.subscription?.history == [.requested(.max(2)), .cancelled])
  }

  @Test func filtersOfFiltersAreOneStepAndStopAtTheFirstNo() {
    var second: [Int] = []
    let both = publisher.filter { $0 > 2 }
      .filter {
        second.append($0)
        return $0.isMultiple(of: 2)
      }
    #expect(String(describing: type(of: both)) == "Filter<ScriptedPublisher<Int, TestFailure>>")
    both.subscribe(recorder)
    for value in 1...4 { publisher.send(value) }
    #expect(recorder.values == [4])
    #expect(second == [3, 4])
    #expect(publisher.subscriber?.description == "Filter")
    #expect(publisher.subscriber?.customMirror.children.isEmpty == true)
  }

  // MARK: tryFilter

  private let failing = RecordingSubscriber<Int, any Error>(.max(3), perValue: .max(42))
  private var upstream: RecordingSubscription { publisher.subscription! }

  @Test func tryFilterEndsTheStreamWithItsError() {
    publisher.tryFilter { value in
      if value == 5 { throw TestFailure.first }
      return value.isMultiple(of: 2)
    }.subscribe(failing)
    #expect((1...4).map { publisher.send($0) } == [.max(1), .max(42), .max(1), .max(42)])
    #expect(upstream.history == [.requested(.max(3))])
    #expect([5, 6, 5].map { publisher.send($0) } == [.none, .none, .none])
    publisher.send(completion: .finished)
    failing.request(.max(1000))
    failing.cancel()
    #expect(
      failing.events == [.subscription("TryFilter"), .value(2), .value(4), .completion(.failure(.first))])
    #expect(upstream.history == [.requested(.max(3)), .cancelled])
  }

  @Test func tryFilterCancelledFromWithinItsClosureDoesNotFail() {
    publisher.tryFilter { [failing] _ in
      failing.cancel()
      throw TestFailure.first
    }.subscribe(failing)
    publisher.send(1)
    #expect(failing.events == [.subscription("TryFilter")])
    #expect(upstream.history == [.requested(.max(3)), .cancelled])
  }

  @Test func tryFiltersAndFiltersAreOneStepAndStopAtTheFirstNo() throws {
    var calls: [Int] = []
    let chain = publisher.filter { $0 > 0 }.tryFilter { $0 > 1 }.filter { $0 > 2 }
      .tryFilter { value in
        calls.append(value)
        return value > 3
      }
    #expect(String(describing: type(of: chain)) == "TryFilter<ScriptedPublisher<Int, TestFailure>>")
    #expect(try (0...4).map(chain.isIncluded) == [false, false, false, false, true])
    #expect(calls == [3, 4])
    chain.subscribe(failing)
    #expect(publisher.subscriber?.description == "TryFilter")
    #expect(publisher.subscriber?.customMirror.children.map(\.label) == ["downstream"])
  }

  @Test func tryFilterTrapsOnSignalsBeforeTheSubscription() async {
    await #expect(processExitsWith: .failure) {
      let publisher = ScriptedPublisher(nil, of: Int.self, failingWith: TestFailure.self)
      publisher.tryFilter { _ in true }.subscribe(RecordingSubscriber<Int, any Error>())
      publisher.send(1)
    }
    await #expect(processExitsWith: .failure) {
      let publisher = ScriptedPublisher(nil, of: Int.self, failingWith: TestFailure.self)
      publisher.tryFilter { _ in true }.subscribe(RecordingSubscriber<Int, any Error>())
      publisher.send(completion: .finished)
    }
  }
}
