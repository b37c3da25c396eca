// Tests of filter.

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
}
