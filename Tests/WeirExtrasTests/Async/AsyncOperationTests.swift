// Tests of the piece that the bridges from asynchronous code share.

import TestKit
import Testing
import Weir

@testable import WeirExtras

/// What a test has a task do.
private struct Script<Output, Failure: Error>: AsyncWork {
  let work: () async throws(Failure) -> Output?

  init(_ work: @escaping () async throws(Failure) -> Output?) { self.work = work }

  func makeValue() async throws(Failure) -> Output? { try await work() }
}

@Suite struct AsyncOperationTests {
  @Test func startsWhenItIsAskedForTheFirstTimeAndOnce() async {
    let runs = Counter()
    let recorder = Log<String>()
    let operation = AsyncOperation(Script<Int, TestFailure> { runs.add() }, priority: nil)
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
    AsyncOperation(Script<Int, TestFailure> { nil }, priority: .high).subscribe(recorder)
    recorder.request(.max(1))
    await untilTrue { ended.all == ["finished"] }
    #expect(recorder.values == [])
  }

  @Test func itsSubscriptionNeedsNoWrapper() {
    let recorder = RecordingSubscriber<Int, TestFailure>()
    AsyncOperation(Script<Int, TestFailure> { 1 }, priority: nil).subscribe(recorder)
    #expect(recorder.subscriptions.first is Link)
    #expect(recorder.subscriptions.map { "\($0)" } == ["AsyncOperation"])
    recorder.cancel()
  }

  @Test func cancellingWithinTheValueKeepsTheCompletionAway() async {
    let received = Counter()
    let recorder = RecordingSubscriber<Int, TestFailure>()
    recorder.onValue = { _ in
      recorder.cancel()
      received.add()
    }
    AsyncOperation(Script<Int, TestFailure> { 1 }, priority: nil).subscribe(recorder)
    recorder.request(.unlimited)
    await untilTrue { received.value == 1 }
    for _ in 0..<50 { await Task.yield() }
    #expect(recorder.completions == [])
  }

  @Test func trapsWhenItIsAskedForNothing() async {
    await #expect(processExitsWith: .failure) {
      AsyncOperation(Script<Int, Never> { 1 }, priority: nil)
        .subscribe(RecordingSubscriber<Int, Never>(Subscribers.Demand.none))
    }
  }
}
