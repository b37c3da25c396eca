// Tests of run loops as schedulers, on this thread and from another.

import Foundation
import TestKit
import Testing
import Weir
import WeirFoundation

@Suite struct RunLoopSchedulerTests {
  private let lifetimes = Lifetimes()

  @Test func runsActionsWhenTheLoopTurnsInOrder() {
    var ran: [Int] = []
    for number in 0..<3 { RunLoop.current.schedule { ran.append(number) } }
    #expect(ran == [])
    turn { ran.count == 3 }
    #expect(ran == [0, 1, 2])
  }

  /// The loop sleeps, and nothing but what is scheduled wakes it.
  @Test func wakesALoopThatSleeps() {
    let ran = DispatchSemaphore(value: 0)
    let elsewhere = Counter()
    for _ in 0..<20 {
      LoopThread.runLoop.schedule {
        if !LoopThread.isCurrent { elsewhere.add() }
        ran.signal()
      }
      ran.wait()
    }
    #expect(elsewhere.value == 0)
  }

  /// The loop fell asleep over the third or fourth action of such a chain.
  @Test func whatAnActionSchedulesIsNotSleptOver() {
    let ran = DispatchSemaphore(value: 0)
    let loop = LoopThread.runLoop
    @Sendable func chain(_ left: Int) {
      if left == 0 { ran.signal() } else { LoopThread.runLoop.schedule { chain(left - 1) } }
    }
    for length in 1...20 {
      loop.schedule { chain(length) }
      ran.wait()
      loop.schedule(after: loop.now) { chain(length) }
      ran.wait()
    }
  }

  @Test func valuesThatHopOntoTheLoopAgainAndAgainAreNotSleptOver() {
    let received = DispatchSemaphore(value: 0)
    let loop = LoopThread.runLoop
    let subject = PassthroughSubject<Int, Never>()
    let token = subject.subscribe(on: loop).receive(on: loop).receive(on: loop).receive(on: loop)
      .sink { _ in received.signal() }
    let isSubscribed = DispatchSemaphore(value: 0)
    // Behind the subscription, and behind the request that it schedules.
    loop.schedule { LoopThread.runLoop.schedule { isSubscribed.signal() } }
    isSubscribed.wait()
    for value in 0..<50 {
      subject.send(value)
      received.wait()
    }
    token.cancel()
  }

  @Test func batchesOfTheLoopsOwnThreadAreNotSleptOver() {
    let received = DispatchSemaphore(value: 0)
    let loop = LoopThread.runLoop
    let subject = PassthroughSubject<Int, Never>()
    let token = subject.receive(on: loop, options: .batches(of: 10)).sink { if $0 == 999 { received.signal() } }
    let sender = Shared(subject)
    loop.schedule { for value in 0..<1_000 { sender.value.send(value) } }
    received.wait()
    token.cancel()
  }

  @Test func runsActionsInTheOrderOfTheirDates() {
    var ran: [Int] = []
    let now = RunLoop.current.now
    do {
      let tracked = lifetimes.track()
      for number in [3, 1, 2] {
        RunLoop.current.schedule(after: now.advanced(by: .milliseconds(number))) {
          tracked.touch()
          ran.append(number)
        }
      }
    }
    turn { ran.count == 3 }
    #expect(ran == [1, 2, 3])
    #expect(lifetimes.live == 0)
  }

  /// Dates that have all passed, as on a machine that was busy: the portable Foundation's timers fire in any order
  /// then.
  @Test(arguments: 0..<20) func runsOverdueActionsInTheOrderOfTheirDates(seed: Int) {
    var random = SplitMix(seed: UInt64(seed))
    var ran: [Int] = []
    let now = RunLoop.current.now
    for number in (1...30).shuffled(using: &random) {
      RunLoop.current.schedule(after: now.advanced(by: .seconds(number - 100))) { ran.append(number) }
    }
    turn { ran.count == 30 }
    #expect(ran == Array(1...30))
  }

  @Test func delayedStreamsKeepTheOrderBetweenThem() {
    let subjects = (0..<5).map { _ in PassthroughSubject<Int, Never>() }
    var received: [Int] = []
    let tokens = subjects.map { $0.delay(for: .seconds(-1), scheduler: RunLoop.current).sink { received.append($0) } }
    var random = SplitMix(seed: 1)
    for value in 0..<50 { subjects.randomElement(using: &random)!.send(value) }
    turn { received.count == 50 }
    #expect(received == Array(0..<50))
    tokens.forEach { $0.cancel() }
  }

  @Test func deliversEachValueInItsPlaceAmongOtherBlocks() {
    let (loading, data) = (PassthroughSubject<Bool, Never>(), PassthroughSubject<String, Never>())
    let order = Shared([String]())
    let tokens = [
      loading.receive(on: RunLoop.current).sink { order.value.append("\($0)") },
      data.receive(on: RunLoop.current).sink { order.value.append($0) },
    ]
    loading.send(true)
    data.send("x")
    loading.send(false)
    RunLoop.current.perform { order.value.append("block") }
    data.send("y")
    turn { order.value.count == 5 }
    #expect(order.value == ["true", "x", "false", "block", "y"])
    tokens.forEach { $0.cancel() }
  }

  @Test func deliversInBatchesIfAsked() {
    let subject = PassthroughSubject<Int, Never>()
    let order = Shared([Int]())
    let token = subject.receive(on: RunLoop.current, options: .batches(of: 2, within: .seconds(3_600)))
      .sink { order.value.append($0) }
    subject.send(1)
    RunLoop.current.perform { order.value.append(-1) }
    for value in 2...3 { subject.send(value) }
    turn { order.value.count == 4 }
    #expect(order.value == [1, 2, -1, 3])
    token.cancel()
  }

  @Test func repeatsAnActionUntilItIsCancelled() {
    var count = 0
    var repetition: (any Cancellable)?
    do {
      let tracked = lifetimes.track()
      repetition = RunLoop.current.schedule(after: RunLoop.current.now, interval: .milliseconds(1)) {
        tracked.touch()
        count += 1
        if count == 3 { repetition?.cancel() }
      }
    }
    turn { count >= 3 }
    repetition = nil
    var later = 0
    RunLoop.current.schedule(after: RunLoop.current.now.advanced(by: .milliseconds(5))) { later += 1 }
    turn { later == 1 }
    #expect(count == 3)
    #expect(lifetimes.live == 0)
  }

  @Test func movesAStreamToTheLoop() {
    let finished = DispatchSemaphore(value: 0)
    let received = Shared([Int]())
    let elsewhere = Counter()
    let cancellable = (0..<1_000).publisher.receive(on: LoopThread.runLoop)
      .sink(
        receiveCompletion: { _ in finished.signal() },
        receiveValue: {
          if !LoopThread.isCurrent { elsewhere.add() }
          received.value.append($0)
        })
    finished.wait()
    #expect(received.value == Array(0..<1_000))
    #expect(elsewhere.value == 0)
    cancellable.cancel()
  }

  @Test func debouncesOnTheLoop() {
    let subject = PassthroughSubject<Int, Never>()
    var received: [Int] = []
    let cancellable = subject.debounce(for: .milliseconds(2), scheduler: RunLoop.current).sink { received.append($0) }
    for value in 1...3 { subject.send(value) }
    turn { !received.isEmpty }
    #expect(received == [3])
    cancellable.cancel()
  }

  @Test(arguments: [0, -1]) func anIntervalOfNothingIsTheShortest(interval: Double) {
    var count = 0
    let token = RunLoop.current.schedule(after: RunLoop.current.now, interval: .seconds(interval)) { count += 1 }
    turn { count >= 3 }
    token.cancel()
    #expect(count >= 3)
  }
}
