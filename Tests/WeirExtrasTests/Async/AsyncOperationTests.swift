// Tests of the piece that the bridges from asynchronous code share.

import TestKit
import Testing
import Weir

@testable import WeirExtras

@Suite struct AsyncOperationTests {
  @Test func startsWhenItIsAskedForTheFirstTimeAndOnce() async {
    let runs = Counter()
    let recorder = Log<String>()
    let operation = AsyncOperation<Int, TestFailure>(priority: nil) { runs.add() }
    let lazy = RecordingSubscriber<Int, TestFailure>()
    operation.subscribe(lazy)
    #expect(runs.value == 0)
    lazy.onValue = { recorder.add("\($0)") }
    lazy.onCompletion = { recorder.add("\($0)") }
    lazy.request(.max(1))
    lazy.request(.max(1))
    await untilTrue { recorder.all.count == 2 }
    #expect(recorder.all == ["1", "finished"])
    #expect(runs.value == 1)
    lazy.cancel()
  }

  @Test func nothingIsPublishedForNil() async {
    let ended = Log<String>()
    let recorder = RecordingSubscriber<Int, TestFailure>()
    recorder.onCompletion = { ended.add("\($0)") }
    AsyncOperation<Int, TestFailure>(priority: .high) { nil }.subscribe(recorder)
    recorder.request(.max(1))
    await untilTrue { ended.all == ["finished"] }
    #expect(recorder.values == [])
  }

  @Test func cancellingWithinTheValueKeepsTheCompletionAway() async {
    let received = Counter()
    let recorder = RecordingSubscriber<Int, TestFailure>()
    recorder.onValue = { _ in
      recorder.cancel()
      received.add()
    }
    AsyncOperation<Int, TestFailure>(priority: nil) { 1 }.subscribe(recorder)
    recorder.request(.unlimited)
    await untilTrue { received.value == 1 }
    for _ in 0..<50 { await Task.yield() }
    #expect(recorder.completions == [])
  }

  @Test func trapsWhenItIsAskedForNothing() async {
    await #expect(processExitsWith: .failure) {
      AsyncOperation<Int, Never>(priority: nil) { 1 }
        .subscribe(RecordingSubscriber<Int, Never>(Subscribers.Demand.none))
    }
  }
}
