// Tests of the bounds of a batch, and of who heeds them.

import TestKit
import Testing
import Weir

@Suite struct DeliveryBatchTests {
  private let scheduler = ManualScheduler()
  private let options = ManualScheduler.SchedulerOptions(1, batch: DeliveryBatch(values: 10, time: .seconds(3_600)))

  @Test func hasBounds() {
    #expect(DeliveryBatch() == DeliveryBatch(values: 1024, time: .milliseconds(1)))
    #expect(Set([DeliveryBatch(values: 2), DeliveryBatch(values: 2), DeliveryBatch(values: 3)]).count == 2)
  }

  @Test func refusesABatchOfNothing() async {
    await #expect(processExitsWith: .failure) { _ = DeliveryBatch(values: 0) }
  }

  @Test func timeoutDeliversInBatches() {
    let subject = PassthroughSubject<Int, Never>()
    var order: [Int] = []
    let token = subject.timeout(1_000, scheduler: scheduler, options: options).sink { order.append($0) }
    let timers = scheduler.scheduledCount
    subject.send(1)
    scheduler.schedule { order.append(-1) }
    subject.send(2)
    scheduler.run()
    #expect(order == [1, 2, -1])
    // Two timers, the job, and the test's own.
    #expect(scheduler.scheduledCount == timers + 4)
    token.cancel()
  }

  @Test func timeoutDeliversEachValueInItsPlaceOtherwise() {
    let subject = PassthroughSubject<Int, Never>()
    var order: [Int] = []
    let token = subject.timeout(1_000, scheduler: scheduler).sink { order.append($0) }
    subject.send(1)
    scheduler.schedule { order.append(-1) }
    subject.send(2)
    scheduler.run()
    #expect(order == [1, -1, 2])
    token.cancel()
  }

  @Test func delayIsNotMadeOneOfSeveral() {
    let subject = PassthroughSubject<Int, Never>()
    var order: [Int] = []
    let token = subject.delay(for: 5, scheduler: scheduler, options: options).sink { order.append($0) }
    subject.send(1)
    scheduler.schedule(after: ManualTime(5)) { order.append(-1) }
    subject.send(2)
    scheduler.advance(by: 5)
    #expect(order == [1, -1, 2])
    token.cancel()
  }
}
