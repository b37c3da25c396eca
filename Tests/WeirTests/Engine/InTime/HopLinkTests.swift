// Tests of how a stream moves to a scheduler: when what has arrived is due, and who delivers it.

import TestKit
import Testing

@testable import Weir

@Suite struct HopLinkTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let scheduler = LooseScheduler()
  private let recorder = Recorder(.unlimited)

  private func link<Policy: HopPolicy>(_ policy: Policy) -> HopLink<Policy, Recorder> {
    let link = HopLink(policy, downstream: recorder, name: "Hop")
    link.receive(subscription: RecordingSubscription())
    return link
  }

  @Test func anImmediateHopSchedulesAJobForEachSignal() {
    let link = link(ImmediateHopPolicy(scheduler: scheduler, options: nil))
    for value in 1...3 { _ = link.receive(value) }
    link.receive(completion: .finished)
    #expect(scheduler.entries.count == 4)
    scheduler.run(0)
    #expect(recorder.values == [1])
    scheduler.run(3, 2)
    #expect(recorder.values == [1, 2, 3])
    scheduler.run(1)
    #expect(recorder.completions == [.finished])
  }

  @Test func oneJobIsSubmittedForAllSignalsWhereTheSchedulerMakesSuch() {
    let scheduler = RepeatingScheduler()
    let publisher = PassthroughSubject<Int, TestFailure>()
    publisher.receive(on: scheduler).subscribe(recorder)
    for value in 1...3 { publisher.send(value) }
    #expect(scheduler.made == 1)
    #expect(scheduler.submissions == 3)
    #expect(scheduler.closures == 0)
    scheduler.run()
    #expect(recorder.values == [1, 2, 3])
    publisher.delay(for: 1, scheduler: scheduler).subscribe(Recorder())
    #expect(scheduler.made == 1)
  }

  @Test func aJobHoldsTheStreamFromItsSubmissionUntilItHasRun() {
    let scheduler = RepeatingScheduler()
    weak var weakLink: HopLink<ImmediateHopPolicy<RepeatingScheduler>, Recorder>?
    recorder.keepsSubscriptions = false
    do {
      let idle = HopLink(ImmediateHopPolicy(scheduler: scheduler, options: nil), downstream: recorder, name: "Hop")
      idle.receive(subscription: RecordingSubscription())
      weakLink = idle
    }
    #expect(scheduler.made == 1)
    #expect(weakLink == nil)
    do {
      let link = HopLink(ImmediateHopPolicy(scheduler: scheduler, options: nil), downstream: recorder, name: "Hop")
      link.receive(subscription: RecordingSubscription())
      for value in 1...2 { _ = link.receive(value) }
      weakLink = link
    }
    #expect(weakLink != nil)
    scheduler.run()
    #expect(recorder.values == [1, 2])
    #expect(weakLink == nil)
  }

  @Test func aDelayedHopMakesOneSignalDuePerTimer() {
    let link = link(DelayedHopPolicy(scheduler: scheduler, options: nil, interval: 5, tolerance: 2))
    for value in 1...3 { _ = link.receive(value) }
    link.receive(completion: .finished)
    #expect(scheduler.entries.map(\.date) == Array(repeating: ManualTime(5), count: 4))
    #expect(scheduler.entries.map(\.tolerance) == [2, 2, 2, 2])
    scheduler.run(2, 3)
    #expect(recorder.values == [1, 2])
    scheduler.run(0, 1)
    #expect(recorder.history == [.subscription("Hop"), .value(1), .value(2), .value(3), .completion(.finished)])
    #expect(link.work.count.acquireLoad() > 0)
  }

  @Test func aTimerAfterTheEndDeliversNothing() {
    let link = link(DelayedHopPolicy(scheduler: scheduler, options: nil, interval: 5, tolerance: 0))
    _ = link.receive(1)
    link.cancel()
    scheduler.run(0)
    #expect(recorder.history == [.subscription("Hop")])
  }

  // MARK: While the subscriber gets its subscription

  @Test func jobsOfAnotherThreadLeaveTheirTurnsUntilTheSubscriptionIsDelivered() {
    deliverBehindTheSubscription(ImmediateHopPolicy(scheduler: scheduler, options: nil))
  }

  @Test func timersOfAnotherThreadLeaveTheirTurnsUntilTheSubscriptionIsDelivered() {
    deliverBehindTheSubscription(DelayedHopPolicy(scheduler: scheduler, options: nil, interval: 5, tolerance: 0))
  }

  private func deliverBehindTheSubscription<Policy: HopPolicy>(_ policy: Policy) {
    let link = HopLink(policy, downstream: recorder, name: "Hop")
    recorder.onSubscription = { _ in
      for value in 1...2 { _ = link.receive(value) }
      onThreads(1) { _ in scheduler.run(0, 1) }
      #expect(recorder.history == [.subscription("Hop")])
    }
    link.receive(subscription: RecordingSubscription())
    #expect(recorder.history == [.subscription("Hop")])
    #expect(scheduler.entries.count == 3)
    scheduler.run(2)
    #expect(recorder.values == [1, 2])
    _ = link.receive(3)
    link.receive(completion: .finished)
    scheduler.run(3, 4)
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.completions == [.finished])
  }

  @Test func anEndThatComesTooEarlyWaitsToo() {
    let link = HopLink(ImmediateHopPolicy(scheduler: scheduler, options: nil), downstream: recorder, name: "Hop")
    recorder.onSubscription = { _ in
      link.receive(completion: .finished)
      onThreads(1) { _ in scheduler.run(0) }
      #expect(recorder.history == [.subscription("Hop")])
    }
    link.receive(subscription: RecordingSubscription())
    scheduler.run(1)
    #expect(recorder.history == [.subscription("Hop"), .completion(.finished)])
    #expect(scheduler.entries.count == 2)
  }

  @Test func cancellingThenDropsWhatJobsHaveLeft() {
    let link = HopLink(ImmediateHopPolicy(scheduler: scheduler, options: nil), downstream: recorder, name: "Hop")
    recorder.onSubscription = { subscription in
      _ = link.receive(1)
      onThreads(1) { _ in scheduler.run(0) }
      subscription.cancel()
    }
    link.receive(subscription: RecordingSubscription())
    #expect(recorder.history == [.subscription("Hop")])
    #expect(scheduler.entries.count == 1)
    #expect(link.downstream == nil)
  }

  /// As on a scheduler that runs jobs at once.
  @Test func aJobOfTheSameThreadDeliversWithin() {
    let link = HopLink(ImmediateHopPolicy(scheduler: scheduler, options: nil), downstream: recorder, name: "Hop")
    recorder.onSubscription = { _ in
      _ = link.receive(1)
      scheduler.run(0)
      #expect(recorder.values == [1])
      link.receive(completion: .finished)
      scheduler.run(1)
      #expect(recorder.completions == [.finished])
    }
    link.receive(subscription: RecordingSubscription())
    #expect(recorder.history == [.subscription("Hop"), .value(1), .completion(.finished)])
    #expect(scheduler.entries.count == 2)
  }

  @Test func theUpstreamIsAskedWhenTheSubscriptionIsDelivered() {
    let upstream = RecordingSubscription()
    let link = HopLink(ImmediateHopPolicy(scheduler: scheduler, options: nil), downstream: recorder, name: "Hop")
    recorder.initialDemand = nil
    recorder.onSubscription = { subscription in
      for count in 1...2 { subscription.request(.max(count)) }
      #expect(upstream.history == [])
      onThreads(1) { _ in subscription.request(.max(4)) }
      #expect(upstream.history == [.requested(.max(4))])
    }
    link.receive(subscription: upstream)
    #expect(upstream.history == [.requested(.max(4)), .requested(.max(3))])
    link.request(.max(5))
    #expect(upstream.history == [.requested(.max(4)), .requested(.max(3)), .requested(.max(5))])
  }
}

/// Takes one job for all values, and runs its submissions by hand.
private final class RepeatingScheduler: Scheduler, JobScheduler {
  typealias SchedulerOptions = Never

  private(set) var made = 0
  private(set) var submissions = 0
  private(set) var closures = 0
  private var waiting: [() -> Void] = []

  var now: ManualTime { ManualTime() }
  var minimumTolerance: ManualTime.Stride { 0 }

  func run() {
    while !waiting.isEmpty { waiting.removeFirst()() }
  }

  func makeJob(options: Any?, _ ticket: JobTicket) -> () -> Void {
    made += 1
    return {
      ticket.issue()
      self.submissions += 1
      self.waiting.append { ticket.redeem() }
    }
  }

  func schedule(options: Never?, _ action: @escaping () -> Void) {
    closures += 1
    waiting.append(action)
  }
  func schedule(
    after date: ManualTime, tolerance: ManualTime.Stride, options: Never?, _ action: @escaping () -> Void
  ) { schedule(options: nil, action) }
  func schedule(
    after date: ManualTime, interval: ManualTime.Stride, tolerance: ManualTime.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(options: nil, action)
    return AnyCancellable {}
  }
}
