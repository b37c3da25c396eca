// Tests of schedulers that drop jobs: what these were for is left out, and nothing else.

import TestKit
import Testing

@testable import Weir

@Suite struct DroppedJobsTests {
  private let scheduler = ManualScheduler()
  private let subject = PassthroughSubject<Int, Never>()
  private let seen = Shared([String]())

  private func attach(_ publisher: some Publisher<Int, Never>) -> AnyCancellable {
    publisher.sink { _ in
      seen.value.append("end")
    } receiveValue: {
      seen.value.append("\($0)")
    }
  }

  private func send(_ values: Int...) { for value in values { subject.send(value) } }

  @Test func valuesWhoseJobsAreDroppedAreLeftOutAndNoOthers() {
    let token = attach(subject.receive(on: scheduler))
    send(1, 2, 3)
    scheduler.drop()
    send(4, 5, 6, 7)
    scheduler.drop(1, 2)
    subject.send(completion: .finished)
    scheduler.run()
    #expect(seen.value == ["4", "7", "end"])
    token.cancel()
  }

  @Test func anEndWhoseJobIsDroppedDoesNotCome() {
    let token = attach(subject.receive(on: scheduler))
    send(1)
    subject.send(completion: .finished)
    scheduler.drop(1)
    scheduler.run()
    #expect(seen.value == ["1"])
    token.cancel()
  }

  @Test func delayedValuesToo() {
    let token = attach(subject.delay(for: .seconds(1), scheduler: scheduler))
    send(1, 2)
    scheduler.drop(0)
    send(3)
    scheduler.advance(by: .seconds(1))
    #expect(seen.value == ["2", "3"])
    token.cancel()
  }

  @Test func aDroppedBatchDoesNotStopTheStream() {
    let token = attach(subject.receive(on: scheduler, options: .init(0, batch: DeliveryBatch())))
    send(1, 2)
    #expect(scheduler.waitingCount == 1)
    scheduler.drop()
    send(3)
    scheduler.run()
    send(4)
    scheduler.run()
    #expect(seen.value == ["3", "4"])
    token.cancel()
  }

  @Test func valuesOnTheirWayThroughTimedOperators() {
    let token = attach(subject.timeout(.seconds(9), scheduler: scheduler))
    send(1, 2, 3)
    // The timer waits, too.
    let values = (0..<scheduler.waitingCount).suffix(3)
    scheduler.drop(values.lowerBound)
    scheduler.run()
    #expect(seen.value == ["2", "3"])
    token.cancel()
  }

  @Test func aDroppedJobThatWasToDeliverWhatOthersHadLeftDoesNotStopTheStream() {
    let publisher = ScriptedPublisher(of: Int.self, failingWith: Never.self)
    let recorder = RecordingSubscriber<Int, Never>(.unlimited)
    recorder.onSubscription = { _ in
      publisher.send(1)
      onThreads(1) { _ in scheduler.run() }
    }
    publisher.receive(on: scheduler).subscribe(recorder)
    #expect(scheduler.waitingCount == 1)
    scheduler.drop()
    for value in 2...3 { publisher.send(value) }
    scheduler.drop(0)
    scheduler.run()
    publisher.send(completion: .finished)
    scheduler.run()
    #expect(recorder.history == [.subscription("ReceiveOn"), .value(3), .completion(.finished)])
  }

  @Test func norOneOfATimedOperator() {
    let publisher = ScriptedPublisher(of: Int.self, failingWith: Never.self)
    let recorder = RecordingSubscriber<Int, Never>(.unlimited)
    recorder.onSubscription = { _ in
      publisher.send(1)
      scheduler.run()
    }
    publisher.timeout(.seconds(9), scheduler: scheduler).subscribe(recorder)
    // The job came last; timers wait, too.
    scheduler.drop(scheduler.waitingCount - 1)
    publisher.send(2)
    scheduler.run()
    publisher.send(completion: .finished)
    scheduler.run()
    #expect(recorder.history == [.subscription("Timeout"), .value(2), .completion(.finished)])
  }

  @Test func aDroppedJobThatWasToAskForWhatOthersHadLeftDoesNotStopRequests() {
    let publisher = ScriptedPublisher(of: Int.self, failingWith: Never.self)
    let recorder = RecordingSubscriber<Int, Never>()
    recorder.onSubscription = { subscription in
      subscription.request(.max(1))
      onThreads(1) { _ in scheduler.run() }
    }
    publisher.subscribe(on: scheduler).subscribe(recorder)
    scheduler.runNext()
    #expect(scheduler.waitingCount == 1)
    scheduler.drop()
    recorder.request(.max(2))
    scheduler.run()
    #expect(publisher.subscription!.history == [.requested(.max(2))])
  }

  @Test func theCancellationsJobDoesNotDoTheRequestOfADroppedOne() {
    let upstream = RecordingSubscription()
    let link = RemoteLink(scheduler: scheduler, options: nil, name: "Remote")
    #expect(link.connect(upstream))
    link.request(.max(1))
    scheduler.drop()
    link.cancel()
    scheduler.run()
    #expect(upstream.history == [.cancelled])
  }

  @Test func whereAnotherJobHasDoneTheWorkOfADroppedOneTheNextPieceIsLeftOut() {
    let jobs = DroppedJobs()
    #expect(!jobs.take())
    jobs.drop(0..<1)
    #expect(jobs.take())
    #expect(!jobs.take())
    jobs.drop(4..<6)
    #expect([jobs.take(), jobs.take(), jobs.take(), jobs.take()] == [false, true, true, false])
  }
}
