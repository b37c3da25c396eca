// Tests of whose context a value comes in behind operators with timers and buffers.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct CarryingAcrossTimeTests {
  private let subject = PassthroughSubject<Int, TestFailure>()
  private let scheduler = ManualScheduler()
  private let log = Log<String>()

  private var stream: Publishers.Carrying<PassthroughSubject<Int, TestFailure>, TaskLocal<String>> {
    subject.carrying(Sender.$id)
  }

  @Test func aBatchOfValuesHasTheContextsOfAll() {
    let batches = ManualScheduler.SchedulerOptions(0, batch: DeliveryBatch())
    let sink = stream.receive(on: scheduler, options: batches).noted(in: log)
    by("a") { subject.send(1) }
    by("b") { subject.send(2) }
    by("c") { subject.send(completion: .finished) }
    by("runner") { scheduler.run() }
    #expect(log.all == ["1 a", "2 b", "end c"])
    sink.cancel()
  }

  @Test func aDebouncedValueHasItsOwn() {
    let sink = stream.debounce(for: 5, scheduler: scheduler).noted(in: log)
    by("a") { subject.send(1) }
    by("b") { subject.send(2) }
    scheduler.advance(by: 10)
    #expect(log.all == ["2 b"])
    sink.cancel()
  }

  @Test(arguments: [(true, ["1 a", "3 c"]), (false, ["1 a", "2 b"])])
  func aThrottledValueHasItsOwn(latest: Bool, expected: [String]) {
    let sink = stream.throttle(for: 5, scheduler: scheduler, latest: latest).noted(in: log)
    by("a") { subject.send(1) }
    scheduler.advance(by: 1)
    by("b") { subject.send(2) }
    by("c") { subject.send(3) }
    scheduler.advance(by: 10)
    #expect(log.all == expected)
    sink.cancel()
  }

  @Test func anEndThatTheTimeBringsHasNone() {
    let sink = stream.timeout(5, scheduler: scheduler, customError: { .first }).noted(in: log)
    by("a") { subject.send(1) }
    scheduler.advance(by: 10)
    #expect(log.all == ["1 a", "failure nobody"])
    sink.cancel()
  }

  @Test func gatheredValuesHaveThatOfTheLast() {
    let sink = stream.collect(.byTimeOrCount(scheduler, 5, 2)).noted(in: log)
    by("a") { subject.send(1) }
    by("b") { subject.send(2) }
    by("c") { subject.send(3) }
    scheduler.advance(by: 5)
    by("d") { subject.send(4) }
    by("e") { subject.send(completion: .finished) }
    scheduler.run()
    #expect(log.all == ["[1, 2] b", "[3] c", "[4] d", "end e"])
    sink.cancel()
  }

  /// Who asks for what is kept has another context than who has sent it.
  @Test func aBufferedValueHasItsOwn() {
    let recorder = RecordingSubscriber<Int, TestFailure>()
    recorder.onValue = { [log] in log.add("\($0) \(Sender.id)") }
    recorder.onCompletion = { [log] in log.add("\($0.word) \(Sender.id)") }
    stream.buffer(size: 3, prefetch: .byRequest, whenFull: .dropNewest).subscribe(recorder)
    by("a") { subject.send(1) }
    by("b") { subject.send(2) }
    by("c") { subject.send(completion: .finished) }
    by("asking") {
      recorder.request(.max(1))
      recorder.request(.max(2))
    }
    #expect(log.all == ["1 a", "2 b", "end c"])
  }
}
