// Tests of what measures intervals: it runs from the subscription, and asks for further demand itself.

import TestKit
import Testing

@testable import Weir

@Suite struct MeasureIntervalPolicyTests {
  private let scheduler = LooseScheduler()
  private let recorder = RecordingSubscriber<ManualTime.Stride, TestFailure>(perValue: .max(3))
  private let upstream = RecordingSubscription()

  @Test func measuresFromItsBegin() {
    let policy = MeasureIntervalPolicy<LooseScheduler, String>(scheduler)
    let link = UpstreamLink(name: "Test", refusesNone: false)
    #expect(link.connect(upstream))
    #expect(policy.relay("a", link, to: recorder) == .none)
    #expect(recorder.values == [])
    scheduler.now = ManualTime(10)
    policy.begin()
    for moment in [12, 17] {
      scheduler.now = ManualTime(moment)
      #expect(policy.relay("a", link, to: recorder) == .none)
    }
    #expect(recorder.values == [2, 5])
    #expect(upstream.history == [.requested(.max(3)), .requested(.max(3))])
  }
}
