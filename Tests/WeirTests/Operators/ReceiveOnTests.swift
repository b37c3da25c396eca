// Tests of the move to a scheduler, in virtual time.

import TestKit
import Testing
import Weir

@Suite struct ReceiveOnTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let scheduler = ManualScheduler()
  private let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private var upstream: RecordingSubscription { publisher.subscription! }

  private func subscribe(_ recorder: Recorder) {
    publisher.receive(on: scheduler, options: ManualScheduler.SchedulerOptions(7)).subscribe(recorder)
  }

  @Test func subscriptionAndDemandPassStraightThrough() {
    let recorder = Recorder(.max(100))
    subscribe(recorder)
    #expect(recorder.history == [.subscription("ReceiveOn")])
    #expect(upstream.history == [.requested(.max(100))])
    recorder.request(.max(4))
    recorder.request(.none)
    #expect(upstream.history == [.requested(.max(100)), .requested(.max(4)), .requested(.none)])
    #expect(scheduler.scheduledCount == 0)
  }

  @Test func aBurstIsDeliveredInOrderByOneJob() {
    let recorder = Recorder(.unlimited)
    subscribe(recorder)
    for value in 1...3 { #expect(publisher.send(value) == .none) }
    #expect(recorder.values == [])
    #expect(scheduler.scheduledCount == 1)
    scheduler.run()
    #expect(recorder.values == [1, 2, 3])
    publisher.send(4)
    publisher.send(5)
    #expect(scheduler.scheduledCount == 2)
    scheduler.run()
    #expect(recorder.values == [1, 2, 3, 4, 5])
    #expect(scheduler.options == [ManualScheduler.SchedulerOptions(7), ManualScheduler.SchedulerOptions(7)])
    #expect(scheduler.waitingCount == 0)
  }

  @Test func aValueThatArrivesDuringTheJobIsDeliveredByTheSameJob() {
    let recorder = Recorder(.unlimited)
    subscribe(recorder)
    recorder.onValue = { if $0 < 4 { self.publisher.send($0 + 1) } }
    publisher.send(1)
    scheduler.run()
    #expect(recorder.values == [1, 2, 3, 4])
    #expect(scheduler.scheduledCount == 1)
  }

  @Test func aVeryLongBurstGivesWayToOtherWork() {
    let recorder = Recorder(.unlimited)
    subscribe(recorder)
    for value in 0..<5_000 { publisher.send(value) }
    var deliveredBefore = -1
    scheduler.schedule { deliveredBefore = recorder.values.count }
    scheduler.run()
    #expect(deliveredBefore > 0)
    #expect(deliveredBefore < 5_000)
    #expect(recorder.values == Array(0..<5_000))
    #expect(scheduler.scheduledCount < 10)
  }

  @Test func returnedDemandIsRequestedUpstreamAfterEachValue() {
    let recorder = Recorder(.max(2), perValue: .max(12))
    subscribe(recorder)
    #expect(publisher.send(1) == .none)
    #expect(publisher.send(2) == .none)
    #expect(upstream.history == [.requested(.max(2))])
    scheduler.run()
    #expect(upstream.history == [.requested(.max(2)), .requested(.max(12)), .requested(.max(12))])
  }

  @Test func demandReturnedWhileTheCompletionWaitsIsStillRequested() {
    let recorder = Recorder(.max(2), perValue: .max(5))
    subscribe(recorder)
    publisher.send(1)
    publisher.send(completion: .finished)
    recorder.request(.max(9))
    scheduler.run()
    #expect(recorder.history == [.subscription("ReceiveOn"), .value(1), .completion(.finished)])
    #expect(upstream.history == [.requested(.max(2)), .requested(.max(5))])
    recorder.request(.max(9))
    recorder.cancel()
    #expect(upstream.history == [.requested(.max(2)), .requested(.max(5))])
  }

  @Test func theCompletionIsScheduledBehindTheValues() {
    let recorder = Recorder(.unlimited)
    subscribe(recorder)
    publisher.send(1)
    publisher.send(completion: .failure(.first))
    #expect(recorder.history == [.subscription("ReceiveOn")])
    #expect(scheduler.scheduledCount == 1)
    scheduler.run()
    #expect(recorder.history == [.subscription("ReceiveOn"), .value(1), .completion(.failure(.first))])
  }

  @Test func aCompletionAloneIsScheduledToo() {
    let recorder = Recorder(.unlimited)
    subscribe(recorder)
    publisher.send(completion: .finished)
    #expect(recorder.history == [.subscription("ReceiveOn")])
    scheduler.run()
    #expect(recorder.history == [.subscription("ReceiveOn"), .completion(.finished)])
  }

  @Test func everythingBehindTheCompletionIsDropped() {
    let recorder = Recorder(.unlimited)
    subscribe(recorder)
    publisher.send(completion: .finished)
    publisher.send(1)
    publisher.send(completion: .failure(.first))
    scheduler.run()
    publisher.send(2)
    publisher.send(completion: .failure(.second))
    scheduler.run()
    #expect(recorder.history == [.subscription("ReceiveOn"), .completion(.finished)])
  }

  @Test func cancellingDropsWhatWaits() {
    let recorder = Recorder(.unlimited)
    subscribe(recorder)
    publisher.send(1)
    recorder.cancel()
    recorder.cancel()
    recorder.request(.max(42))
    publisher.send(2)
    publisher.send(completion: .finished)
    scheduler.run()
    #expect(recorder.history == [.subscription("ReceiveOn")])
    #expect(upstream.history == [.requested(.unlimited), .cancelled])
  }

  @Test func cancellingDuringAValueDropsTheRestAndTheReturnedDemand() {
    let recorder = Recorder(.max(1), perValue: .max(42))
    recorder.onValue = { _ in recorder.cancel() }
    subscribe(recorder)
    for value in 1...3 { publisher.send(value) }
    publisher.send(completion: .finished)
    scheduler.run()
    #expect(recorder.history == [.subscription("ReceiveOn"), .value(1)])
    #expect(upstream.history == [.requested(.max(1))])
  }

  @Test func cancellingDuringAValueCancelsAnUpstreamThatGoesOn() {
    let recorder = Recorder(.max(1), perValue: .max(42))
    recorder.onValue = { _ in recorder.cancel() }
    subscribe(recorder)
    publisher.send(1)
    publisher.send(2)
    scheduler.run()
    publisher.send(3)
    scheduler.run()
    #expect(recorder.history == [.subscription("ReceiveOn"), .value(1)])
    #expect(upstream.history == [.requested(.max(1)), .cancelled])
  }

  @Test func cancellingOnSubscription() {
    let recorder = Recorder()
    recorder.onSubscription = { $0.cancel() }
    subscribe(recorder)
    publisher.send(1)
    scheduler.run()
    #expect(recorder.history == [.subscription("ReceiveOn")])
    #expect(upstream.history == [.cancelled])
    #expect(scheduler.scheduledCount == 0)
  }

  @Test func cancelsAFurtherSubscription() {
    let recorder = Recorder(.max(1))
    subscribe(recorder)
    let second = RecordingSubscription()
    publisher.send(subscription: second)
    #expect(second.history == [.cancelled])
    #expect(upstream.history == [.requested(.max(1))])
    #expect(recorder.history == [.subscription("ReceiveOn")])
  }

  @Test func ignoresWhatComesBeforeTheSubscription() {
    publisher.subscription = nil
    let recorder = Recorder(.unlimited)
    subscribe(recorder)
    #expect(publisher.send(1) == .none)
    publisher.send(completion: .finished)
    scheduler.run()
    #expect(recorder.history == [])
  }

  @Test func worksOnAPublisherThatDeliversOnRequest() {
    let recorder = RecordingSubscriber(.max(2), perValue: .max(1), of: Int.self, failingWith: Never.self)
    (1...5).publisher.receive(on: scheduler).subscribe(recorder)
    #expect(recorder.values == [])
    scheduler.run()
    #expect(recorder.values == [1, 2, 3, 4, 5])
    #expect(recorder.completions == [.finished])
  }

  @Test func describesItsSubscription() {
    let recorder = Recorder()
    subscribe(recorder)
    #expect(publisher.subscriber?.description == "ReceiveOn")
    #expect("\(recorder.subscriptions[0])" == "ReceiveOn")
    #expect(Mirror(reflecting: recorder.subscriptions[0]).children.isEmpty)
  }
}
