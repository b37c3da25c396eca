// Tests of subscribing on a scheduler, in virtual time.

import TestKit
import Testing
import Weir

@Suite struct SubscribeOnTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let scheduler = ManualScheduler()
  private let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private var upstream: RecordingSubscription { publisher.subscription! }

  private func subscribe(_ recorder: Recorder) {
    publisher.subscribe(on: scheduler, options: ManualScheduler.SchedulerOptions(7)).subscribe(recorder)
  }

  @Test func subscribesOnTheSchedulerAndDeliversAtOnce() {
    let recorder = Recorder(.max(100), perValue: .max(12))
    subscribe(recorder)
    #expect(publisher.subscriber == nil)
    #expect(scheduler.scheduledCount == 1)
    #expect(scheduler.runNext())
    #expect(recorder.history == [.subscription("SubscribeOn")])
    #expect(upstream.history == [])
    #expect(scheduler.runNext())
    #expect(upstream.history == [.requested(.max(100))])
    #expect((1...3).map { publisher.send($0) } == [.max(12), .max(12), .max(12)])
    publisher.send(completion: .finished)
    publisher.send(completion: .failure(.first))
    #expect(publisher.send(-1) == .none)
    #expect(
      recorder.history == [.subscription("SubscribeOn"), .value(1), .value(2), .value(3), .completion(.finished)])
    recorder.request(.max(1))
    recorder.cancel()
    #expect(upstream.history == [.requested(.max(100))])
    #expect(scheduler.options == Array(repeating: ManualScheduler.SchedulerOptions(7), count: 2))
    #expect(scheduler.waitingCount == 0)
  }

  @Test func asksAndCancelsOnTheSchedulerInOrder() {
    let recorder = Recorder()
    subscribe(recorder)
    scheduler.run()
    for demand in [Subscribers.Demand.max(17), .unlimited, .none] { recorder.request(demand) }
    recorder.cancel()
    recorder.request(.max(1))
    recorder.cancel()
    #expect(upstream.history == [])
    #expect(scheduler.waitingCount == 4)
    scheduler.run()
    #expect(
      upstream.history == [.requested(.max(17)), .requested(.unlimited), .requested(.none), .cancelled])
    #expect(scheduler.scheduledCount == 5)
    recorder.request(.max(1))
    #expect(scheduler.scheduledCount == 5)
  }

  @Test func nothingIsDeliveredOnceCancelled() {
    let recorder = Recorder()
    subscribe(recorder)
    scheduler.run()
    recorder.cancel()
    #expect(publisher.send(1000) == .none)
    publisher.send(completion: .failure(.first))
    #expect(upstream.history == [])
    scheduler.run()
    #expect(recorder.history == [.subscription("SubscribeOn")])
    #expect(upstream.history == [.cancelled])
  }

  /// Combine traps here.
  @Test func anErrandFromWithinAnErrandIsDoneBehindIt() {
    let recorder = Recorder()
    publisher.subscribe(on: ImmediateScheduler.shared).subscribe(recorder)
    var left = 5
    var depth = 0
    upstream.onRequest = { _ in
      depth += 1
      #expect(depth == 1)
      if left > 0 { recorder.request(.unlimited) }
      left -= 1
      depth -= 1
    }
    recorder.request(.max(1))
    #expect(upstream.history == [.requested(.max(1))] + Array(repeating: .requested(.unlimited), count: 5))
    upstream.onCancel = { recorder.cancel() }
    recorder.cancel()
    #expect(upstream.history.count { $0 == .cancelled } == 1)
  }

  /// Another thread's job comes as the subscriber gets its subscription: what it asked for would come too early.
  @Test func theUpstreamIsNotAskedElsewhereBeforeTheSubscriptionIsDelivered() {
    let loose = LooseScheduler()
    let recorder = Recorder()
    recorder.onSubscription = { subscription in
      for count in 1...2 { subscription.request(.max(count)) }
      onThreads(1) { _ in loose.run(1, 2) }
      #expect(upstream.history == [])
    }
    publisher.subscribe(on: loose).subscribe(recorder)
    loose.run(0)
    #expect(upstream.history == [])
    #expect(loose.entries.count == 4)
    loose.run(3)
    #expect(upstream.history == [.requested(.max(1)), .requested(.max(2))])
    recorder.cancel()
    loose.run(4)
    #expect(upstream.history == [.requested(.max(1)), .requested(.max(2)), .cancelled])
  }

  @Test func nothingIsDeliveredElsewhereWithinTheSubscription() {
    let (within, values) = takenOfAnEndlessStream((0...).publisher.subscribe(on: ElsewhereScheduler()))
    #expect(within == 0)
    #expect(values == [0, 1, 2, 3])
  }

  /// One from within an errand is done behind it there, too.
  @Test func anImmediateSchedulerDoesErrandsWithinTheSubscription() {
    let recorder = Recorder()
    var left = 2
    var depth = 0
    upstream.onRequest = { _ in
      depth += 1
      #expect(depth == 1)
      if left > 0 { recorder.request(.max(left)) }
      left -= 1
      depth -= 1
    }
    recorder.onSubscription = { subscription in
      subscription.request(.max(3))
      #expect(upstream.history == [.requested(.max(3)), .requested(.max(2)), .requested(.max(1))])
      subscription.cancel()
      #expect(upstream.history.last == .cancelled)
    }
    publisher.subscribe(on: ImmediateScheduler.shared).subscribe(recorder)
    #expect(upstream.history.count == 4)
  }

  @Test func cancellingEndsARequestThatWouldNeverEnd() {
    let recorder = RecordingSubscriber<Int, Never>(.unlimited)
    recorder.onValue = { if $0 == 3 { recorder.cancel() } }
    (0...).publisher.subscribe(on: scheduler).subscribe(recorder)
    scheduler.run()
    #expect(recorder.values == [0, 1, 2, 3])
  }

  @Test func aCancellationFromElsewhereEndsARequestThatWouldNeverEnd() {
    let recorder = RecordingSubscriber<Int, Never>(.unlimited)
    recorder.onValue = { if $0 == 3 { onThreads(1) { _ in recorder.cancel() } } }
    (0...).publisher.subscribe(on: scheduler).subscribe(recorder)
    scheduler.run()
    #expect(recorder.values == [0, 1, 2, 3])
  }

  @Test func whatIsScheduledKeepsTheUpstreamAlive() {
    let upstream = RecordingSubscription()
    do {
      let recorder = Recorder()
      ScriptedPublisher<Int, TestFailure>(upstream).subscribe(on: scheduler).subscribe(recorder)
      scheduler.run()
      recorder.request(.max(1))
      recorder.cancel()
    }
    #expect(upstream.history == [])
    scheduler.run()
    #expect(upstream.history == [.requested(.max(1)), .cancelled])
  }

  @Test func aLongSynchronousSequenceDrivenByRequestsDoesNotOverflowTheStack() {
    let recorder = RecordingSubscriber<Int, Never>(.max(1))
    recorder.onValue = { _ in recorder.request(.max(1)) }
    (0..<50_000).publisher.subscribe(on: ImmediateScheduler.shared).subscribe(recorder)
    #expect(recorder.values.count == 50_000)
    #expect(recorder.completions == [.finished])
  }

  @Test func describesItself() {
    let recorder = Recorder()
    subscribe(recorder)
    scheduler.run()
    #expect(publisher.subscriber?.description == "SubscribeOn")
    #expect("\(recorder.subscriptions[0])" == "SubscribeOn")
    #expect(Mirror(reflecting: recorder.subscriptions[0]).children.isEmpty)
  }
}
