// Tests of how a stream moves to a scheduler: when what has arrived is due, and who delivers it.

import TestKit
import Testing

@testable import Weir

@Suite struct HopLinkTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let scheduler = LooseScheduler()
  private let recorder = Recorder(.unlimited)

  private func link<Rule: Hop>(_ rule: Rule) -> HopLink<Rule, Recorder> {
    let link = HopLink(rule, downstream: recorder, name: "Hop")
    link.receive(subscription: RecordingSubscription())
    return link
  }

  @Test func anImmediateHopSchedulesOneJobForABurst() {
    let link = link(ImmediateHop(scheduler: scheduler, options: nil))
    for value in 1...3 { _ = link.receive(value) }
    #expect(scheduler.entries.count == 1)
    scheduler.run(0)
    #expect(recorder.values == [1, 2, 3])
    _ = link.receive(4)
    #expect(scheduler.entries.count == 2)
  }

  @Test func aDelayedHopMakesOneSignalDuePerTimer() {
    let link = link(DelayedHop(scheduler: scheduler, options: nil, interval: 5, tolerance: 2))
    for value in 1...3 { _ = link.receive(value) }
    link.receive(completion: .finished)
    #expect(scheduler.entries.map(\.date) == Array(repeating: ManualTime(5), count: 4))
    #expect(scheduler.entries.map(\.tolerance) == [2, 2, 2, 2])
    scheduler.run(2, 3)
    #expect(recorder.values == [1, 2])
    scheduler.run(0, 1)
    #expect(recorder.history == [.subscription("Hop"), .value(1), .value(2), .value(3), .completion(.finished)])
    #expect(link.pending.acquireLoad() > 0)
  }

  @Test func aTimerAfterTheEndDeliversNothing() {
    let link = link(DelayedHop(scheduler: scheduler, options: nil, interval: 5, tolerance: 0))
    _ = link.receive(1)
    link.cancel()
    scheduler.run(0)
    #expect(recorder.history == [.subscription("Hop")])
  }
}
