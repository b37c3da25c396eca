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

  /// Subscribes so that values are delivered in batches.
  private func subscribe(_ recorder: Recorder, batch values: Int, within time: Duration = .seconds(3_600)) {
    let batch = DeliveryBatch(values: values, time: time)
    publisher.receive(on: scheduler, options: ManualScheduler.SchedulerOptions(7, batch: batch)).subscribe(recorder)
  }

  // MARK: A job for each value

  @Test func eachValueIsDeliveredByAJobOfItsOwn() {
    let recorder = Recorder(.unlimited)
    subscribe(recorder)
    for value in 1...3 { #expect(publisher.send(value) == .none) }
    publisher.send(completion: .finished)
    #expect(recorder.values == [])
    #expect(scheduler.scheduledCount == 4)
    for count in 1...3 {
      #expect(scheduler.runNext())
      #expect(recorder.values == Array(1...count))
    }
    #expect(recorder.completions == [])
    scheduler.run()
    #expect(recorder.completions == [.finished])
    #expect(scheduler.options == Array(repeating: ManualScheduler.SchedulerOptions(7), count: 4))
    #expect(scheduler.waitingCount == 0)
  }

  @Test func aValueIsDeliveredInItsPlaceAmongOtherJobs() {
    let recorder = Recorder(.unlimited)
    var order: [Int] = []
    recorder.onValue = { order.append($0) }
    subscribe(recorder)
    publisher.send(1)
    scheduler.schedule { order.append(-1) }
    publisher.send(2)
    publisher.send(3)
    scheduler.schedule { order.append(-2) }
    scheduler.run()
    #expect(order == [1, -1, 2, 3, -2])
  }

  @Test func streamsOnOneSchedulerKeepTheOrderBetweenThem() {
    let (loading, data) = (PassthroughSubject<Bool, Never>(), PassthroughSubject<String, Never>())
    var order: [String] = []
    let streams = [
      loading.receive(on: scheduler).sink { order.append("\($0)") },
      data.receive(on: scheduler).sink { order.append($0) },
    ]
    loading.send(true)
    data.send("x")
    loading.send(false)
    scheduler.run()
    #expect(order == ["true", "x", "false"])
    streams.forEach { $0.cancel() }
  }

  @Test func aValueSentFromWithinADeliveryGoesBehindWhatIsScheduled() {
    let recorder = Recorder(.unlimited)
    subscribe(recorder)
    var order: [Int] = []
    recorder.onValue = {
      order.append($0)
      if $0 == 1 { self.publisher.send(2) }
    }
    publisher.send(1)
    scheduler.schedule { order.append(-1) }
    scheduler.run()
    #expect(order == [1, -1, 2])
  }

  /// As under Combine: a sink that runs its run loop gets the values that come meanwhile.
  @Test func aSinkThatRunsTheSchedulerGetsItsNextValueWithin() {
    let recorder = Recorder(.unlimited, perValue: .max(1))
    subscribe(recorder)
    var order: [Int] = []
    recorder.onValue = {
      order.append($0)
      if $0 == 1 {
        self.scheduler.run()
        order.append(-1)
      }
    }
    for value in 1...3 { publisher.send(value) }
    scheduler.run()
    #expect(order == [1, 2, 3, -1])
    publisher.send(4)
    scheduler.run()
    #expect(order == [1, 2, 3, -1, 4])
    #expect(upstream.history == [.requested(.unlimited)] + Array(repeating: .requested(.max(1)), count: 4))
  }

  @Test func theCompletionMayComeWithinAValue() {
    let recorder = Recorder(.unlimited)
    subscribe(recorder)
    recorder.onValue = { if $0 == 1 { self.scheduler.run() } }
    for value in 1...2 { publisher.send(value) }
    publisher.send(completion: .finished)
    scheduler.run()
    #expect(recorder.history == [.subscription("ReceiveOn"), .value(1), .value(2), .completion(.finished)])
  }

  /// Another thread's job comes while a value is delivered: it returns, and the one at work takes its turn.
  @Test func aJobThatFindsTheStreamBusyLeavesItsTurn() {
    let scheduler = LooseScheduler()
    let recorder = Recorder(.unlimited)
    publisher.receive(on: scheduler).subscribe(recorder)
    recorder.onValue = { if $0 == 1 { onThreads(1) { _ in scheduler.run(1, 2) } } }
    for value in 1...3 { publisher.send(value) }
    scheduler.run(0)
    #expect(recorder.values == [1, 2, 3])
    publisher.send(4)
    scheduler.run(3)
    #expect(recorder.values == [1, 2, 3, 4])
  }

  /// A request that never ends begins when the subscriber has its subscription.
  @Test func nothingIsDeliveredElsewhereWithinTheSubscription() {
    let (within, values) = takenOfAnEndlessStream((0...).publisher.receive(on: ElsewhereScheduler()))
    #expect(within == 0)
    #expect(values == [0, 1, 2, 3])
  }

  /// As under Combine.
  @Test func anImmediateSchedulerDeliversWithinTheSubscription() {
    let recorder = RecordingSubscriber<Int, Never>()
    var within: [Int] = []
    recorder.onSubscription = { subscription in
      for _ in 1...2 { subscription.request(.max(1)) }
      within = recorder.values
    }
    (1...3).publisher.receive(on: ImmediateScheduler.shared).subscribe(recorder)
    #expect(within == [1, 2])
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.completions == [.finished])
  }

  @Test func jobsThatOvertakeEachOtherKeepTheStreamsOrder() {
    let scheduler = LooseScheduler()
    let recorder = Recorder(.unlimited)
    publisher.receive(on: scheduler).subscribe(recorder)
    for value in 1...3 { publisher.send(value) }
    scheduler.run(2, 0, 1)
    #expect(recorder.values == [1, 2, 3])
  }

  @Test func aJobThatRunsTwiceDeliversNothingOfItsOwn() {
    let scheduler = LooseScheduler()
    let recorder = Recorder(.unlimited)
    publisher.receive(on: scheduler).subscribe(recorder)
    publisher.send(1)
    scheduler.run(0, 0)
    publisher.send(2)
    scheduler.run(1)
    #expect(recorder.values == [1, 2])
  }

  // MARK: Batches

  @Test func aBatchIsDeliveredInOrderByOneJob() {
    let recorder = Recorder(.unlimited)
    subscribe(recorder, batch: 1024)
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
    #expect(scheduler.waitingCount == 0)
  }

  @Test func aValueThatArrivesDuringABatchIsDeliveredByIt() {
    let recorder = Recorder(.unlimited)
    subscribe(recorder, batch: 1024)
    recorder.onValue = { if $0 < 4 { self.publisher.send($0 + 1) } }
    publisher.send(1)
    scheduler.run()
    #expect(recorder.values == [1, 2, 3, 4])
    #expect(scheduler.scheduledCount == 1)
  }

  @Test func aFullBatchGivesWayToOtherWork() {
    let recorder = Recorder(.unlimited)
    subscribe(recorder, batch: 10)
    var order: [Int] = []
    recorder.onValue = { order.append($0) }
    for value in 0..<25 { publisher.send(value) }
    scheduler.schedule { order.append(-1) }
    scheduler.run()
    #expect(order == Array(0..<10) + [-1] + Array(10..<25))
    #expect(scheduler.scheduledCount == 4)
  }

  /// Each value brings the next: the bound is the job's, not that of what was there when it looked.
  @Test func valuesThatKeepComingDoNotMakeABatchLonger() {
    let recorder = Recorder(.unlimited)
    subscribe(recorder, batch: 10)
    var order: [Int] = []
    recorder.onValue = {
      order.append($0)
      if $0 < 24 { self.publisher.send($0 + 1) }
    }
    publisher.send(0)
    scheduler.schedule { order.append(-1) }
    scheduler.run()
    #expect(order == Array(0..<10) + [-1] + Array(10..<25))
  }

  @Test func aBatchWithoutTimeIsOneValue() {
    let recorder = Recorder(.unlimited)
    subscribe(recorder, batch: 10, within: .zero)
    var order: [Int] = []
    recorder.onValue = { order.append($0) }
    for value in 1...3 { publisher.send(value) }
    scheduler.schedule { order.append(-1) }
    scheduler.run()
    #expect(order == [1, -1, 2, 3])
  }

  @Test func cancellingABatchFreesTheRest() {
    let recorder = Recorder(.unlimited)
    subscribe(recorder, batch: 10)
    recorder.onValue = { if $0 == 2 { recorder.cancel() } }
    for value in 1...30 { publisher.send(value) }
    scheduler.run()
    #expect(recorder.values == [1, 2])
  }

  // MARK: Demand and the end

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
    #expect(scheduler.scheduledCount == 2)
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

  /// A subject drops what it is not asked for.
  @Test func whatASubscriberSendsBehindItsFirstRequestArrives() {
    let scheduler = LooseScheduler()
    let subject = PassthroughSubject<Int, Never>()
    let recorder = RecordingSubscriber<Int, Never>()
    recorder.onSubscription = { subscription in
      subscription.request(.unlimited)
      subject.send(1)
      #expect(recorder.values == [])
    }
    subject.receive(on: scheduler).subscribe(recorder)
    scheduler.run(0)
    #expect(recorder.values == [1])
    recorder.cancel()
  }
}
