// Tests of publishers and expectations as marble text.

import TestKit
import Testing
import Weir

@testable import WeirTesting

@Suite struct TestSchedulerMarblesTests {
  private let values: [Character: String] = ["a": "A", "b": "B", "c": "C"]

  @Test func anOperatorAsMarbles() throws {
    let scheduler = TestScheduler()
    let keys = try scheduler.hot("-ab---c-|", values: values)
    let recorder = scheduler.record(keys.debounce(for: .milliseconds(2), scheduler: scheduler))
    scheduler.run()
    // The value that waits at the end is dropped: the end comes at once, as in Combine.
    try recorder.expect("----b---|", values: values)
    #expect(recorder.values == ["B"])
  }

  /// Subscribes once at the beginning and once after some frames.
  private func expect(
    _ publisher: some Publisher<String, Never>, on scheduler: TestScheduler<VirtualTime, Never>, after frames: Int,
    _ first: String, _ second: String
  ) throws {
    let early = scheduler.record(publisher)
    scheduler.advance(by: .milliseconds(frames))
    let late = scheduler.record(publisher)
    scheduler.run()
    try early.expect(first, values: values)
    try late.expect(second, values: values)
  }

  @Test func aColdPublisherBeginsWithEachSubscription() throws {
    let scheduler = TestScheduler()
    try expect(scheduler.cold("a-b|", values: values), on: scheduler, after: 2, "a-b|", "a-b|")
  }

  @Test func aHotPublisherDoesNotWait() throws {
    let scheduler = TestScheduler()
    let publisher = try scheduler.hot("a-b-^-c-(ab|)", values: values)
    try expect(publisher, on: scheduler, after: 3, "--c-(ab|)", "-(ab|)")
    #expect(publisher.subscriberCount == 0)
  }

  @Test func failuresAndFramesOfAnyLength() throws {
    let scheduler = TestScheduler()
    let hot = try scheduler.hot("-a#", values: values, failure: TestFailure.first, frame: .seconds(1))
    let cold = try scheduler.cold("-b#", values: values, failure: TestFailure.second, frame: .seconds(1))
    let recorder = scheduler.record(hot.catch { _ in cold }, frame: .seconds(1))
    scheduler.run()
    try recorder.expect("-a-b#", values: values)
    recorder.expectFailure(.second)
  }

  @Test func aFailureShowsBothLinesAndUnknownValues() throws {
    let scheduler = TestScheduler()
    let recorder = scheduler.record(try scheduler.cold("-a-b|", values: values).map { $0 == "B" ? "X" : $0 })
    scheduler.run()
    #expect(
      try recorder.difference(from: "-a-c|", values: values) == """
        the stream differs from its marbles at frame 3
        expected: -a-c|
        actual:   -a-?|
                     ^
        ? is X
        """)
    try withKnownIssue {
      try recorder.expect("-a-c|", values: values)
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("expected: -a-c|\nactual:   -a-?|") }
    }
  }

  @Test func twoSignsMayStandForTheSameValue() throws {
    let scheduler = TestScheduler()
    let same: [Character: Int] = ["x": 1, "y": 1]
    let recorder = scheduler.record(try scheduler.cold("xy|", values: same))
    scheduler.run()
    try recorder.expect("yx|", values: same)
    #expect(recorder.values == [1, 1])
  }

  @Test func mistakesInTheTextAreThrown() {
    let scheduler = TestScheduler()
    #expect(throws: MarbleError("no value for this sign", in: "-z", at: 1)) { try scheduler.hot("-z", values: values) }
    #expect(throws: MarbleError("this stream can't fail: pass a failure for it", in: "a#", at: 1)) {
      try scheduler.cold("a#", values: values)
    }
  }

  @Test func cancellingEndsAColdPublisher() throws {
    let scheduler = TestScheduler()
    let recorder = scheduler.record(try scheduler.cold("-a-b-c|", values: values).prefix(1))
    scheduler.run()
    try recorder.expect("-(a|)", values: values)
    #expect(recorder.values == ["A"])
  }
}
