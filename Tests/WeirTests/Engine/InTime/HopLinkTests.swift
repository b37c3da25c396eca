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
