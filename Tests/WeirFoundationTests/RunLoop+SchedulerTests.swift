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
}
