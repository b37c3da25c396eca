// Tests of the publisher of nothing.

import TestKit
import Testing
import Weir

@Suite struct EmptyTests {
  private let recorder = RecordingSubscriber<Int, TestFailure>(.unlimited)

  @Test func finishesAtOnce() {
    Empty().subscribe(recorder)
    #expect(recorder.history == [.subscription("Empty"), .completion(.finished)])
  }

  @Test func neverFinishes() {
    Empty(completeImmediately: false, outputType: Int.self, failureType: TestFailure.self).subscribe(recorder)
    recorder.request(.max(1))
    recorder.cancel()
    #expect(recorder.history == [.subscription("Empty")])
  }

  /// As in Combine: its subscription is the one that does nothing.
  @Test func finishesAlsoIfItIsCancelledAtOnce() {
    recorder.onSubscription = { $0.cancel() }
    Empty(outputType: Int.self, failureType: TestFailure.self).subscribe(recorder)
    #expect(recorder.history == [.subscription("Empty"), .completion(.finished)])
  }

  @Test func isEqualToItsLike() {
    typealias Nothing = Empty<Int, any Error>
    #expect(Nothing() == Nothing(completeImmediately: true))
    #expect(Nothing() != Nothing(completeImmediately: false))
  }
}
