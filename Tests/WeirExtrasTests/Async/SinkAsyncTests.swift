// Tests of `sinkAsync`.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct SinkAsyncTests {
  private let lifetimes = Lifetimes()

  /// The commonly copied version started one task per value, in no order.
  @Test func handlesOneValueAfterTheOther() async {
    let log = Log<String>()
    let running = Counter()
    let cancellable = (1...10).publisher.setFailureType(to: TestFailure.self).sinkAsync(
      receiveCompletion: { log.add("\($0)") },
      receiveValue: { value in
        #expect(running.add() == 1)
        for _ in 0..<(10 - value) { await Task.yield() }
        log.add("\(value)")
        running.add(-1)
      })
    await untilTrue { log.all.count == 11 }
    #expect(log.all == (1...10).map { "\($0)" } + ["finished"])
    withExtendedLifetime(cancellable) {}
  }

  @Test func asksForTheNextValueWhenTheHandlerHasReturned() async {
    let source = ScriptedPublisher<Int, Never>()
    let (door, started) = (Door(), Counter())
    let asked = Counter()
    source.subscription?.onRequest = { demand in
      #expect(demand == .max(1))
      if asked.add() <= 2 { source.send(asked.value) }
    }
    let cancellable = source.sinkAsync { _ in
      started.add()
      await door.pass()
    }
    await untilTrue { started.value == 1 }
    for _ in 0..<50 { await Task.yield() }
    #expect(asked.value == 1)
    await door.open()
    await untilTrue { asked.value == 3 }
    cancellable.cancel()
  }

  /// The commonly copied version's handlers ran on.
  @Test func cancellingCancelsTheRunningHandlerAndTheStream() async {
    let source = ScriptedPublisher<Int, TestFailure>()
    let (started, cancelled) = (Counter(), Counter())
    source.subscription?.onRequest = { _ in source.send(1) }
    let cancellable = source.sinkAsync(
      receiveCompletion: { _ in Issue.record("an end after the cancellation") },
      receiveValue: { _ in
        started.add()
        await untilCancelled()
        cancelled.add()
      })
    await untilTrue { started.value == 1 }
    cancellable.cancel()
    #expect(source.subscription?.history == [.requested(.max(1)), .cancelled])
    await untilTrue { cancelled.value == 1 }
    for _ in 0..<50 { await Task.yield() }
    #expect(started.value == 1)
  }

  /// The commonly copied version dropped every end, and took streams with one kind of error only.
  @Test func tellsOfAFailureAfterTheLastHandler() async {
    let log = Log<String>()
    let failing = Just(1).setFailureType(to: TestFailure.self).append(Fail(error: TestFailure.second))
    let cancellable = failing.sinkAsync(
      receiveCompletion: { log.add("\($0)") },
      receiveValue: { value in
        await Task.yield()
        log.add("\(value)")
      })
    await untilTrue { log.all.count == 2 }
    #expect(log.all == ["1", "failure(TestKit.TestFailure.second)"])
    withExtendedLifetime(cancellable) {}
  }

  @Test func nothingIsKeptAfterTheEnd() async {
    do {
      let tracked = lifetimes.track()
      let ended = Counter()
      let cancellable = Just(1).sinkAsync(
        receiveCompletion: { _ in ended.add() }, receiveValue: { _ in tracked.touch() })
      await untilTrue { ended.value == 1 }
      withExtendedLifetime(cancellable) {}
    }
    await untilTrue { lifetimes.live == 0 }
  }

  /// It was handled after it, nearly always. A handler that begins at the very moment of the cancellation is one that
  /// is running.
  @Test func aValueThatComesBeforeTheCancellationIsNotHandledAfterIt() async {
    let late = Counter()
    for _ in 0..<200 {
      let subject = PassthroughSubject<Int, Never>()
      let (asked, cancelled) = (Counter(), Counter())
      let cancellable = subject.handleEvents(receiveRequest: { _ in asked.add() }).sinkAsync { _ in
        if cancelled.value == 1 { late.add() }
      }
      await untilTrue { asked.value == 1 }
      subject.send(1)
      cancellable.cancel()
      cancelled.add()
      for _ in 0..<20 { await Task.yield() }
    }
    #expect(late.value < 50)
  }

  @Test func asksForTheFirstValueWhenTheTaskHasBegun() async {
    let subject = CurrentValueSubject<Int, Never>(0)
    let (handled, requests) = (Log<Int>(), Counter())
    let cancellable = subject.handleEvents(receiveRequest: { _ in requests.add() }).sinkAsync { handled.add($0) }
    await untilTrue { requests.value == 2 }
    #expect(handled.all == [0])
    cancellable.cancel()
  }
}
