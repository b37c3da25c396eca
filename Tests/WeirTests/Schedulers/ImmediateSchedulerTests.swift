// Tests of the scheduler that runs everything at once.

import TestKit
import Testing
import Weir

@Suite struct ImmediateSchedulerTests {
  typealias Stride = ImmediateScheduler.SchedulerTimeType.Stride
  private let scheduler = ImmediateScheduler.shared

  @Test func runsActionsBeforeItReturns() {
    var log: [String] = []
    scheduler.schedule {
      log.append("now")
      self.scheduler.schedule { log.append("within") }
      log.append("end")
    }
    scheduler.schedule(after: scheduler.now.advanced(by: 100)) { log.append("later") }
    let repetition = scheduler.schedule(after: scheduler.now, interval: 10) { log.append("once") }
    repetition.cancel()
    #expect(log == ["now", "within", "end", "later", "once"])
    #expect("\(repetition)" == "Empty")
  }

  /// As in Combine, nobody is warned who doesn't keep what there is to cancel.
  @Test func aRepetitionNeedNotBeKept() {
    var count = 0
    scheduler.schedule(after: scheduler.now, interval: 10, tolerance: 0, options: nil) { count += 1 }
    #expect(count == 1)
  }

  @Test func hasNoTime() {
    let now = scheduler.now
    #expect(now == now.advanced(by: 100))
    #expect(now.distance(to: now.advanced(by: -1)) == 0)
    #expect(scheduler.minimumTolerance == 0)
    #expect(
      [Stride.seconds(3), .seconds(1.2), .milliseconds(4), .microseconds(5), .nanoseconds(6)] == [0, 0, 0, 0, 0])
  }

  @Test func stridesAreWholeNumbers() {
    #expect(Stride(14) == 14.6)
    #expect(Stride(-4) == -4.1)
    #expect(Stride(-10) < Stride(2))
    #expect(Stride(-4) * Stride(5) == -20)
    #expect(Stride(10) + Stride(3) == 13)
    #expect(Stride(10) - Stride(13) == -3)
    #expect(Stride(exactly: UInt64.max) == nil)
    #expect(Stride(exactly: UInt8(7)) == 7)
    #expect((-Stride(4)).magnitude == -4)
    var stride = Stride(-4)
    stride += 5
    stride -= -10
    stride *= 2
    #expect(stride == 22)
  }

  @Test func carriesAStreamWithoutDelay() {
    let subject = PassthroughSubject<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, TestFailure>(.max(1), perValue: .max(1))
    subject.receive(on: ImmediateScheduler.shared).subscribe(recorder)
    for value in 1...3 { subject.send(value) }
    subject.send(completion: .finished)
    #expect(
      recorder.history == [
        .subscription("ReceiveOn"), .value(1), .value(2), .value(3), .completion(.finished),
      ])
  }

  @Test func keepsTheOrderOfValuesSentFromWithinADelivery() {
    let subject = PassthroughSubject<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, TestFailure>(.unlimited)
    recorder.onValue = { value in
      if value < 4 { subject.send(value + 1) }
    }
    subject.receive(on: ImmediateScheduler.shared).subscribe(recorder)
    subject.send(1)
    #expect(recorder.values == [1, 2, 3, 4])
  }
}
