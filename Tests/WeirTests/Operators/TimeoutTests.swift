// Tests of timeout, in virtual time.

import TestKit
import Testing
import Weir

@Suite struct TimeoutTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let scheduler = ManualScheduler()
  private let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private var upstream: RecordingSubscription { publisher.subscription! }

  private func subscribe(_ recorder: Recorder, failure: TestFailure? = nil) {
    publisher.timeout(
      13, scheduler: scheduler, options: ManualScheduler.SchedulerOptions(7),
      customError: failure.map { failure in { failure } }
    ).subscribe(recorder)
  }

  @Test(arguments: [TestFailure.first, nil]) func endsAfterSilence(_ failure: TestFailure?) {
    let recorder = Recorder(.max(2), perValue: .max(1))
    subscribe(recorder, failure: failure)
    #expect(recorder.history == [.subscription("Timeout")])
    // One timer from the subscription, one from the first request.
    #expect(scheduler.scheduledCount == 2)
    scheduler.advance(by: 10)
    #expect(publisher.send(1) == .none)
    #expect(recorder.values == [])
    scheduler.run()
    #expect(recorder.values == [1])
    scheduler.advance(by: 1)
    publisher.send(2)
    scheduler.advance(by: 12)
    #expect(recorder.history == [.subscription("Timeout"), .value(1), .value(2)])
    scheduler.advance(by: 1)
    let end: Subscribers.Completion<TestFailure> = failure.map { .failure($0) } ?? .finished
    #expect(recorder.history == [.subscription("Timeout"), .value(1), .value(2), .completion(end)])
    #expect(
      upstream.history == [.requested(.max(2)), .requested(.max(1)), .requested(.max(1)), .cancelled])
    publisher.send(completion: .failure(.second))
    publisher.send(3)
    recorder.request(.max(1))
    recorder.cancel()
    scheduler.advance(by: 400)
    #expect(recorder.history.count == 4)
    #expect(upstream.history.count == 4)
    #expect(scheduler.waitingCount == 0)
  }

  @Test func theFirstRequestStartsTheTimeAnew() {
    let recorder = Recorder()
    subscribe(recorder)
    #expect(scheduler.scheduledCount == 1)
    scheduler.advance(by: 10)
    recorder.request(.none)
    recorder.request(.max(2))
    #expect(scheduler.scheduledCount == 2)
    #expect(upstream.history == [.requested(.none), .requested(.max(2))])
    scheduler.advance(by: 12)
    recorder.request(.max(42))
    #expect(recorder.completions == [])
    scheduler.advance(by: 1)
    #expect(recorder.completions == [.finished])
    recorder.request(.max(13))
    #expect(
      upstream.history == [.requested(.none), .requested(.max(2)), .requested(.max(42)), .cancelled])
  }

  @Test func theUpstreamIsAskedWhenTheSubscriptionIsDelivered() {
    let recorder = Recorder()
    recorder.onSubscription = { subscription in
      subscription.request(.max(3))
      #expect(upstream.history == [])
    }
    subscribe(recorder)
    #expect(upstream.history == [.requested(.max(3))])
  }

  @Test func cancelsTheUpstreamBeforeItEnds() {
    let recorder = Recorder(.unlimited)
    recorder.onCompletion = { [upstream] _ in #expect(upstream.history == [.requested(.unlimited), .cancelled]) }
    subscribe(recorder)
    scheduler.advance(by: 13)
    #expect(recorder.history == [.subscription("Timeout"), .completion(.finished)])
  }

  @Test func theTimeRunsFromTheSubscription() {
    let recorder = Recorder()
    subscribe(recorder)
    scheduler.advance(by: 13)
    #expect(recorder.history == [.subscription("Timeout"), .completion(.finished)])
    #expect(upstream.history == [.cancelled])
  }

  @Test(arguments: [Subscribers.Completion<TestFailure>.finished, .failure(.first)])
  func theUpstreamsCompletionIsScheduledAndStopsTheTime(_ completion: Subscribers.Completion<TestFailure>) {
    let recorder = Recorder()
    subscribe(recorder, failure: .second)
    publisher.send(completion: completion)
    recorder.request(.max(1))
    #expect(recorder.completions == [])
    #expect(scheduler.scheduledCount == 2)
    scheduler.run()
    #expect(recorder.history == [.subscription("Timeout"), .completion(completion)])
    scheduler.advance(by: 100)
    #expect(recorder.history.count == 2)
    #expect(upstream.history == [])
  }

  @Test func everythingIsScheduledWithTheOptions() {
    let recorder = Recorder(.unlimited)
    subscribe(recorder)
    publisher.send(1)
    #expect(scheduler.options == Array(repeating: ManualScheduler.SchedulerOptions(7), count: 4))
  }

  @Test func cancellingDropsValuesAndStopsTheTime() {
    let recorder = Recorder(.max(1))
    subscribe(recorder, failure: .second)
    publisher.send(42)
    recorder.cancel()
    scheduler.advance(by: 200)
    #expect(recorder.history == [.subscription("Timeout")])
    #expect(upstream.history == [.requested(.max(1)), .cancelled])
  }

  @Test func cancellingWhileTheCompletionIsUnderWayCancelsTheUpstreamToo() {
    let recorder = Recorder(.max(1))
    subscribe(recorder)
    publisher.send(completion: .finished)
    recorder.cancel()
    scheduler.advance(by: 200)
    #expect(recorder.history == [.subscription("Timeout")])
    #expect(upstream.history == [.requested(.max(1)), .cancelled])
  }

  @Test func anOldTimerEndsNothing() {
    let loose = LooseScheduler()
    let recorder = Recorder(.unlimited)
    publisher.timeout(13, scheduler: loose).subscribe(recorder)
    loose.now = ManualTime(5)
    publisher.send(1)
    // 0: the subscription's timer, which the request and the value put off, 1: the value itself.
    loose.now = ManualTime(13)
    loose.run(0, 0)
    #expect(recorder.history == [.subscription("Timeout")])
    #expect(loose.entries.map(\.date) == [ManualTime(13), nil, ManualTime(18)])
    loose.run(1, 2, 2)
    #expect(recorder.history == [.subscription("Timeout"), .value(1), .completion(.finished)])
    #expect(upstream.history == [.requested(.unlimited), .cancelled])
  }

  @Test func valuesThatFollowEachOtherCloselyShareATimer() {
    let loose = LooseScheduler()
    let recorder = Recorder(.unlimited)
    publisher.timeout(13, scheduler: loose).subscribe(recorder)
    for value in 1...13 {
      loose.now = ManualTime(value)
      publisher.send(value)
    }
    #expect(loose.entries.compactMap(\.date) == [ManualTime(13)])
  }

  @Test func aValueThatWaitsComesBeforeTheEnd() {
    let loose = LooseScheduler()
    let recorder = Recorder(.unlimited)
    publisher.timeout(13, scheduler: loose).subscribe(recorder)
    publisher.send(1)
    loose.run(0)
    #expect(recorder.completions == [])
    loose.run(1)
    #expect(recorder.history == [.subscription("Timeout"), .value(1), .completion(.finished)])
  }

  @Test func aRunningTimerKeepsTheSubscriberAlive() {
    let lifetimes = Lifetimes()
    do {
      let inSubscriber = lifetimes.track()
      let recorder = Recorder(.unlimited)
      recorder.onValue = { _ in inSubscriber.touch() }
      ScriptedPublisher<Int, TestFailure>().timeout(13, scheduler: scheduler).subscribe(recorder)
    }
    #expect(lifetimes.live == 1)
    scheduler.advance(by: 13)
    #expect(lifetimes.live == 0)
  }

  /// Although the subscriber keeps its subscription.
  @Test(arguments: [0, 1, 2]) func letsGoOfTheErrorsMakerAtTheEnd(_ ending: Int) {
    let lifetimes = Lifetimes()
    let recorder = Recorder(.unlimited)
    do {
      let inMaker = lifetimes.track()
      publisher.timeout(13, scheduler: scheduler) {
        inMaker.touch()
        return .first
      }.subscribe(recorder)
    }
    #expect(lifetimes.live == 1)
    switch ending {
    case 0: recorder.cancel()
    case 1: publisher.send(completion: .finished)
    default: scheduler.advance(by: 13)
    }
    #expect(lifetimes.live == 0)
  }

  @Test func trapsOnASchedulerWithoutTime() async {
    await #expect(processExitsWith: .failure) {
      let recorder = RecordingSubscriber<Int, Never>()
      PassthroughSubject<Int, Never>().timeout(10, scheduler: ImmediateScheduler.shared).subscribe(recorder)
    }
  }

  @Test func describesItself() {
    let recorder = Recorder()
    subscribe(recorder)
    #expect(publisher.subscriber?.description == "Timeout")
    #expect("\(recorder.subscriptions[0])" == "Timeout")
    #expect(Mirror(reflecting: recorder.subscriptions[0]).children.isEmpty)
  }
}
