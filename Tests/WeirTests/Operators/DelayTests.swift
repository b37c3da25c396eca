// Tests of the delay, in virtual time.

import TestKit
import Testing
import Weir

@Suite struct DelayTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let scheduler = ManualScheduler()
  private let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private var upstream: RecordingSubscription { publisher.subscription! }

  private func subscribe(_ recorder: Recorder) {
    publisher.delay(for: 200, tolerance: 5, scheduler: scheduler, options: ManualScheduler.SchedulerOptions(7))
      .subscribe(recorder)
  }

  @Test func subscriptionAndDemandPassStraightThrough() {
    let recorder = Recorder()
    subscribe(recorder)
    for demand in [Subscribers.Demand.max(10), .none, .unlimited] { recorder.request(demand) }
    #expect(recorder.history == [.subscription("Delay")])
    #expect(upstream.history == [.requested(.max(10)), .requested(.none), .requested(.unlimited)])
    #expect(scheduler.scheduledCount == 0)
  }

  @Test func eachValueComesATimeAfterItWasSent() {
    let recorder = Recorder(.unlimited)
    subscribe(recorder)
    #expect(publisher.send(1) == .none)
    scheduler.advance(by: 50)
    publisher.send(2)
    publisher.send(3)
    #expect(scheduler.scheduledCount == 3)
    #expect(scheduler.options == Array(repeating: ManualScheduler.SchedulerOptions(7), count: 3))
    scheduler.advance(by: 149)
    #expect(recorder.values == [])
    scheduler.advance(by: 1)
    #expect(recorder.values == [1])
    scheduler.advance(by: 50)
    #expect(recorder.values == [1, 2, 3])
    #expect(scheduler.waitingCount == 0)
  }

  @Test func returnedDemandIsRequestedUpstreamAfterEachValue() {
    let recorder = Recorder(.max(100), perValue: .max(12))
    subscribe(recorder)
    publisher.send(1)
    publisher.send(2)
    publisher.send(completion: .finished)
    #expect(upstream.history == [.requested(.max(100))])
    scheduler.advance(by: 200)
    #expect(recorder.history == [.subscription("Delay"), .value(1), .value(2), .completion(.finished)])
    #expect(upstream.history == [.requested(.max(100)), .requested(.max(12)), .requested(.max(12))])
  }

  @Test(arguments: [Subscribers.Completion<TestFailure>.finished, .failure(.first)])
  func theCompletionIsDelayedToo(_ completion: Subscribers.Completion<TestFailure>) {
    let recorder = Recorder(.unlimited)
    subscribe(recorder)
    publisher.send(completion: completion)
    publisher.send(completion: .failure(.second))
    publisher.send(1)
    #expect(scheduler.scheduledCount == 1)
    scheduler.advance(by: 199)
    #expect(recorder.completions == [])
    scheduler.advance(by: 1)
    #expect(recorder.history == [.subscription("Delay"), .completion(completion)])
    #expect(upstream.history == [.requested(.unlimited)])
  }

  @Test func timersThatOvertakeEachOtherDeliverInOrder() {
    let scheduler = LooseScheduler()
    let recorder = Recorder(.unlimited)
    publisher.delay(for: 20, scheduler: scheduler).subscribe(recorder)
    for value in 1...3 { publisher.send(value) }
    publisher.send(completion: .finished)
    #expect(scheduler.entries.map(\.date) == Array(repeating: ManualTime(20), count: 4))
    #expect(scheduler.entries.map(\.tolerance) == [7, 7, 7, 7])
    scheduler.run(3)
    #expect(recorder.values == [1])
    scheduler.run(1, 0)
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.completions == [])
    scheduler.run(2)
    #expect(recorder.completions == [.finished])
    scheduler.run(2, 3)
    #expect(recorder.history.count == 5)
  }

  @Test func acceptsValuesFromWithinADelivery() {
    let recorder = Recorder(.unlimited, perValue: .max(418))
    publisher.delay(for: 123, scheduler: ImmediateScheduler.shared).subscribe(recorder)
    var left = 5
    recorder.onValue = { _ in
      if left == 0 { return }
      left -= 1
      self.publisher.send(-1)
    }
    publisher.send(0)
    #expect(recorder.values == [0, -1, -1, -1, -1, -1])
    #expect(upstream.history == [.requested(.unlimited)] + Array(repeating: .requested(.max(418)), count: 6))
  }

  /// A request that never ends begins when the subscriber has its subscription.
  @Test func nothingIsDeliveredElsewhereWithinTheSubscription() {
    let (within, values) = takenOfAnEndlessStream((0...).publisher.delay(for: 1, scheduler: ElsewhereScheduler()))
    #expect(within == 0)
    #expect(values == [0, 1, 2, 3])
  }

  @Test func acceptsACompletionFromWithinACompletion() {
    let recorder = Recorder(.unlimited)
    publisher.delay(for: 123, scheduler: ImmediateScheduler.shared).subscribe(recorder)
    recorder.onCompletion = { _ in self.publisher.send(completion: .failure(.first)) }
    publisher.send(completion: .finished)
    #expect(recorder.history == [.subscription("Delay"), .completion(.finished)])
  }

  @Test func cancellingDropsWhatIsUnderWayAndFreesItAtOnce() {
    let lifetimes = Lifetimes()
    let subject = PassthroughSubject<LifetimeTracked, TestFailure>()
    let inSink = lifetimes.track()
    let cancellable = subject.delay(for: 10, scheduler: scheduler)
      .sink(receiveCompletion: { _ in inSink.touch() }, receiveValue: { _ in Issue.record("delivered") })
    subject.send(lifetimes.track())
    #expect(lifetimes.live == 2)
    cancellable.cancel()
    #expect(lifetimes.live == 1)
    subject.send(lifetimes.track())
    subject.send(completion: .finished)
    scheduler.advance(by: 100)
    #expect(lifetimes.live == 1)
  }

  @Test func cancellingWithinAValueDropsTheRest() {
    let recorder = Recorder(.unlimited, perValue: .max(1))
    recorder.onValue = { _ in recorder.cancel() }
    subscribe(recorder)
    publisher.send(1)
    publisher.send(2)
    scheduler.advance(by: 500)
    #expect(recorder.history == [.subscription("Delay"), .value(1)])
    #expect(upstream.history == [.requested(.unlimited), .cancelled])
  }

  /// As under Combine, on the delivering thread; another thread's timers leave their turns to the one at work.
  @Test(arguments: [true, false]) func timersMayFireWithinADelivery(onItsThread: Bool) {
    let loose = LooseScheduler()
    let recorder = Recorder(.unlimited)
    publisher.delay(for: 20, scheduler: loose).subscribe(recorder)
    for value in 0..<3_000 { publisher.send(value) }
    var within = 0
    recorder.onValue = { value in
      guard value == 0 else { return }
      let fire = { for number in 1..<3_000 { loose.run(number) } }
      if onItsThread { fire() } else { onThreads(1) { _ in fire() } }
      within = recorder.values.count
    }
    loose.run(0)
    #expect(within == (onItsThread ? 3_000 : 1))
    #expect(recorder.values == Array(0..<3_000))
    #expect(loose.entries.count == 3_000)
  }
}
