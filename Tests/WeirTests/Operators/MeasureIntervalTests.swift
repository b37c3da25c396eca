// Tests of the measured time between values.

import TestKit
import Testing
import Weir

@Suite struct MeasureIntervalTests {
  private let scheduler = LooseScheduler()
  private let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private var upstream: RecordingSubscription { publisher.subscription! }
  private let recorder = RecordingSubscriber<ManualTime.Stride, TestFailure>()

  @Test func measuresFromTheSubscriptionAndThenFromValueToValue() {
    scheduler.now = ManualTime(3)
    publisher.measureInterval(using: scheduler).subscribe(recorder)
    recorder.request(.max(13))
    for moment in [14, 17, 10, 21] {
      scheduler.now = ManualTime(moment)
      #expect(publisher.send(0) == .none)
    }
    publisher.send(completion: .finished)
    publisher.send(0)
    #expect(
      recorder.history == [
        .subscription("MeasureInterval"), .value(11), .value(3), .value(-7), .value(11), .completion(.finished),
      ])
    #expect(upstream.history == [.requested(.max(13))])
    #expect(scheduler.entries.isEmpty)
  }

  @Test func measuresFromTheSubscriptionThatArrivesLate() {
    publisher.subscription = nil
    publisher.measureInterval(using: scheduler).subscribe(recorder)
    scheduler.now = ManualTime(5)
    publisher.send(subscription: RecordingSubscription())
    scheduler.now = ManualTime(7)
    publisher.send(0)
    #expect(recorder.values == [2])
  }

  @Test func returnedDemandIsRequested() {
    let recorder = RecordingSubscriber<ManualTime.Stride, TestFailure>(perValue: .max(1))
    publisher.measureInterval(using: scheduler).subscribe(recorder)
    var left = 2
    upstream.onRequest = { _ in
      if left == 0 { return }
      left -= 1
      #expect(publisher.send(0) == .none)
    }
    #expect(publisher.send(0) == .none)
    recorder.request(.none)
    #expect(recorder.values == [0, 0, 0])
    #expect(
      upstream.history == [.requested(.max(1)), .requested(.max(1)), .requested(.max(1)), .requested(.none)])
  }

  @Test func describesItself() {
    publisher.measureInterval(using: scheduler).subscribe(recorder)
    #expect(publisher.subscriber?.description == "MeasureInterval")
    #expect(publisher.subscriber?.customMirror.children.isEmpty == true)
    #expect("\(recorder.subscriptions[0])" == "MeasureInterval")
  }
}
