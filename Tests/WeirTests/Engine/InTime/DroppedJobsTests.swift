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
