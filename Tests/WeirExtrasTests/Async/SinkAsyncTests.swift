// Tests of `sinkAsync`.

import Dispatch
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

  /// Nine of ten were lost: values were asked for one by one, by a task that had not begun.
  @Test func allValuesThatAreSentAtOnceAreHandled() async {
    let subject = PassthroughSubject<Int, Never>()
    let handled = Log<Int>()
    let cancellable = subject.sinkAsync { handled.add($0) }
    for value in 1...10 { subject.send(value) }
    await untilTrue { handled.all.count == 10 }
    #expect(handled.all == Array(1...10))
    cancellable.cancel()
  }

  /// It was lost in 124 of 200 tries.
  @Test func aValueSentOnTheLineAfterSubscribingIsHandled() async {
    for _ in 0..<200 {
      let subject = PassthroughSubject<Int, Never>()
      let (handled, ended) = (Counter(), Counter())
      let cancellable = subject.sinkAsync(
        receiveCompletion: { _ in
          #expect(handled.value == 1)
          ended.add()
        },
        receiveValue: { _ in handled.add() })
      subject.send(1)
      subject.send(completion: .finished)
      await untilTrue { ended.value == 1 }
      cancellable.cancel()
    }
  }

  /// As it was without being asked for: values are asked for one by one, by a task that has not begun. The handler of
  /// the one that may be early enough lasts until all have been sent.
  @Test func withoutBufferABurstIsLost() async {
    let subject = PassthroughSubject<Int, Never>()
    let (door, handled, ended) = (Door(), Counter(), Counter())
    let cancellable = subject.sinkAsync(
      buffering: .backpressure(0),
      receiveCompletion: { _ in ended.add() },
      receiveValue: { _ in
        handled.add()
        await door.pass()
      })
    for value in 1...10 { subject.send(value) }
    subject.send(completion: .finished)
    await door.open()
    await untilTrue { ended.value == 1 }
    #expect(handled.value <= 1)
    cancellable.cancel()
  }

  @Test func asManyHandlersRunAsMay() async {
    let (door, running, tooMany, log) = (Door(), Counter(), Counter(), Log<String>())
    let cancellable = (1...9).publisher.setFailureType(to: TestFailure.self).append(Fail(error: TestFailure.first))
      .sinkAsync(
        maxConcurrent: 3, receiveCompletion: { log.add("\($0)") },
        receiveValue: { _ in
          if running.add() > 3 { tooMany.add() }
          await door.pass()
          running.add(-1)
          log.add("value")
        })
    await untilTrue { running.value == 3 }
    await door.open()
    await untilTrue { log.all.count == 10 }
    #expect(tooMany.value == 0)
    #expect(log.all.last == "failure(TestKit.TestFailure.first)")
    withExtendedLifetime(cancellable) {}
  }

  /// A task was started for each handler that may run, whether there was a value or not: here, without end.
  @Test(arguments: [2, Int.max]) func aTaskIsStartedForAValue(_ maxConcurrent: Int) async {
    let subject = PassthroughSubject<Int, Never>()
    let (door, running, log) = (Door(), Counter(), Log<String>())
    let cancellable = subject.sinkAsync(
      maxConcurrent: maxConcurrent, receiveCompletion: { log.add("\($0)") },
      receiveValue: { value in
        running.add()
        await door.pass()
        log.add("\(value)")
      })
    for value in 1...2 { subject.send(value) }
    await untilTrue { running.value == 2 }
    subject.send(completion: .finished)
    await door.open()
    await untilTrue { log.all.count == 3 }
    #expect(Set(log.all) == ["1", "2", "finished"] && log.all.last == "finished")
    withExtendedLifetime(cancellable) {}
  }

  @Test(arguments: [3, Int.max]) func cancellingCancelsAllRunningHandlers(_ maxConcurrent: Int) async {
    let subject = PassthroughSubject<Int, Never>()
    let (started, cancelled) = (Counter(), Counter())
    let cancellable = subject.sinkAsync(maxConcurrent: maxConcurrent) { _ in
      started.add()
      await untilCancelled()
      cancelled.add()
    }
    for value in 1...4 { subject.send(value) }
    await untilTrue { started.value == min(maxConcurrent, 4) }
    cancellable.cancel()
    await untilTrue { cancelled.value == started.value }
    #expect(started.value == min(maxConcurrent, 4))
  }

  @Test(arguments: [(AsyncBuffering.oldest(2), [1, 2, 3]), (.newest(2), [1, 4, 5])])
  func keepsAsManyAsItIsTold(_ buffering: AsyncBuffering, _ expected: [Int]) async {
    let subject = PassthroughSubject<Int, Never>()
    let (door, handled) = (Door(), Log<Int>())
    let cancellable = subject.sinkAsync(buffering: buffering) { value in
      handled.add(value)
      await door.pass()
    }
    subject.send(1)
    await untilTrue { handled.all == [1] }
    for value in 2...5 { subject.send(value) }
    await door.open()
    await untilTrue { handled.all.count == 3 }
    #expect(handled.all == expected)
    cancellable.cancel()
  }

  @Test func withBackPressureItAsksForTheNextValueWhenTheHandlerHasReturned() async {
    let source = ScriptedPublisher<Int, Never>()
    let (door, started) = (Door(), Counter())
    let asked = Counter()
    source.subscription?.onRequest = { demand in
      #expect(demand == .max(1))
      if asked.add() <= 2 { source.send(asked.value) }
    }
    let cancellable = source.sinkAsync(buffering: .backpressure(0)) { _ in
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
      buffering: .backpressure(0),
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
      let cancelled = Counter()
      let cancellable = subject.sinkAsync { _ in
        if cancelled.value == 1 { late.add() }
      }
      subject.send(1)
      cancellable.cancel()
      cancelled.add()
      for _ in 0..<20 { await Task.yield() }
    }
    #expect(late.value < 50)
  }

  @Test func asksForEverythingWithinTheCall() {
    let source = ScriptedPublisher<Int, Never>()
    let cancellable = source.sinkAsync { _ in }
    #expect(source.subscription?.history == [.requested(.unlimited)])
    cancellable.cancel()
    #expect(source.subscription?.history == [.requested(.unlimited), .cancelled])
  }

  /// All of them were called: each has a task of its own, which did not look.
  @Test func handlersThatHaveNotBegunAreNotCalledAfterTheCancellation() async {
    let (taken, called, goOn) = (Counter(), Counter(), DispatchSemaphore(value: 0))
    @Sendable func hold() { goOn.wait() }
    do {
      let tracked = lifetimes.track()
      let cancellable = (1...1_000).publisher.handleEvents(receiveOutput: { _ in taken.add() })
        .sinkAsync(maxConcurrent: 1_000, buffering: .backpressure(0)) { _ in
          tracked.touch()
          called.add()
          hold()
        }
      await onOtherThread(once: { taken.value == 1_000 && called.value > 0 }) {
        cancellable.cancel()
        for _ in 1...1_000 { goOn.signal() }
      }
    }
    await untilTrue { lifetimes.live == 0 }
    #expect(called.value < 500)
  }
}
