// Tests of what wakes run loops: that there are few timers, however much is scheduled, and that loops end as before.

import Foundation
import TestKit
import Testing
import Weir

@testable import WeirFoundation

@Suite struct LoopAlarmTests {
  /// Runs a body on a thread that has a new run loop, and waits for its end.
  private func onLoop(_ body: @escaping (RunLoop) -> Void) {
    onThreads(1) { _ in body(.current) }
  }

  @Test func oneTimerWakesALoopForAllValues() {
    onLoop { loop in
      let subject = PassthroughSubject<Int, Never>()
      var received = 0
      let token = subject.receive(on: loop).sink { _ in received += 1 }
      let sender = Shared(subject)
      Thread.detachNewThread { for value in 0..<5_000 { sender.value.send(value) } }
      turn { received == 5_000 }
      // One, but for senders that pause for as long as an idle timer is kept.
      #expect((1...9).contains(LoopActions.of(loop).alarm.timersMade))
      token.cancel()
    }
  }

  /// Whoever sends when the loop is about to sleep is noticed: after each value the sender waits for it.
  @Test(arguments: [1, 3]) func noWakeUpIsLost(senders: Int) {
    let count = 3_000
    onThreads(senders) { _ in
      let ran = DispatchSemaphore(value: 0)
      for _ in 0..<count {
        LoopThread.runLoop.schedule { ran.signal() }
        ran.wait()
      }
    }
  }

  /// An action turns its loop in another mode, which used up the wake of what was scheduled meanwhile.
  @Test(arguments: [true, false]) func aRunInAnotherModeLosesNoWakeUp(isStream: Bool) {
    let other = RunLoop.Mode("other")
    let isTurned = DispatchSemaphore(value: 0)
    let isSent = DispatchSemaphore(value: 0)
    let loops = Shared<RunLoop?>(nil)
    let received = Shared(0)
    let timers = Shared([Timer]())
    func receive() {
      received.value += 1
      guard received.value == 1 else { return timers.value.forEach { $0.invalidate() } }
      isTurned.signal()
      isSent.wait()
      _ = RunLoop.current.run(mode: other, before: Date())
    }
    let subject = PassthroughSubject<Int, Never>()
    onThreads(2) { number in
      guard number == 0 else {
        isTurned.wait()
        if isStream { subject.send(2) } else { loops.value?.schedule { receive() } }
        isSent.signal()
        return
      }
      let loop = RunLoop.current
      loops.value = loop
      for mode in [other, .default] {
        let timer = Timer(fire: .distantFuture, interval: 1, repeats: true) { _ in }
        timers.value.append(timer)
        loop.add(timer, forMode: mode)
      }
      let token = subject.receive(on: loop).sink { _ in receive() }
      if isStream { subject.send(1) } else { loop.schedule { receive() } }
      _ = loop.run(mode: .default, before: .distantFuture)
      token.cancel()
    }
    #expect(received.value == 2)
  }

  @Test func noEarlierDateIsLost() {
    onThreads(3) { _ in
      let ran = DispatchSemaphore(value: 0)
      for number in 0..<1_000 {
        let delay = RunLoop.SchedulerTimeType.Stride.microseconds(number % 5 * 100 - 100)
        LoopThread.runLoop.schedule(after: LoopThread.runLoop.now.advanced(by: delay)) { ran.signal() }
        if number % 7 > 0 { ran.wait() }
      }
      for number in 0..<1_000 where number % 7 == 0 { ran.wait() }
    }
  }

  @Test func oneTimerServesAllDates() {
    onLoop { loop in
      var ran = 0
      for number in 0..<1_000 {
        loop.schedule(after: loop.now.advanced(by: .microseconds(number))) { ran += 1 }
        loop.schedule(after: loop.now.advanced(by: 1_000_000), interval: 1) {}.cancel()
      }
      let last = loop.schedule(after: loop.now.advanced(by: 1_000_000), interval: 1) {}
      turn { ran == 1_000 }
      #expect(LoopActions.of(loop).alarm.timersMade == 1)
      last.cancel()
    }
  }

  /// The timer may not keep a loop going: `run` returns when nothing is left.
  @Test func aLoopEndsWhenNothingIsLeft() {
    onLoop { loop in
      var ran = 0
      loop.schedule(after: loop.now.advanced(by: .milliseconds(1))) { ran += 1 }
      let cancelled = loop.schedule(after: loop.now.advanced(by: 1_000_000), interval: 1) {}
      onThreads(1) { _ in loop.schedule { ran += 1 } }
      loop.schedule(after: loop.now.advanced(by: .milliseconds(2))) {
        ran += 1
        cancelled.cancel()
      }
      loop.run()
      #expect(ran == 3)
      // And starts again.
      loop.schedule(after: loop.now.advanced(by: .milliseconds(1))) { ran += 1 }
      loop.run()
      #expect(ran == 4)
    }
  }

  /// A block that a loop gets before it runs makes Foundation's `run` sleep for ever.
  @Test func aLoopEndsThatHadOneActionBeforeItRan() {
    onLoop { loop in
      var ran = 0
      loop.schedule { ran += 1 }
      loop.run()
      #expect(ran == 1)
    }
  }

  /// Nor may the timer that keeps it from its sleep.
  @Test func aLoopWhoseActionsScheduleOthersEnds() {
    onLoop { loop in
      var ran = 0
      func chain() {
        ran += 1
        if ran % 100 > 0 { loop.schedule { chain() } }
      }
      for round in 1...2 {
        loop.schedule { chain() }
        loop.run()
        #expect(ran == round * 100)
      }
      #expect((1...2).contains(LoopActions.of(loop).alarm.timersMade))
    }
  }

  /// An action waits for a later one, and turns the loop meanwhile.
  @Test func anActionMayTurnTheLoop() {
    var inner: [Int] = []
    var isDone = false
    let loop = RunLoop.current
    loop.schedule(after: loop.now) {
      for number in 1...3 {
        loop.schedule(after: loop.now.advanced(by: .milliseconds(number))) { inner.append(number) }
      }
      turn { inner.count == 4 }
      isDone = true
    }
    loop.schedule(after: loop.now) { inner.append(0) }
    turn { isDone }
    #expect(inner == [0, 1, 2, 3])
  }

  /// The pass that was to run it stood behind the block that waited for it.
  @Test func aLoopThatABlockTurnsRunsDatedActions() {
    onLoop { loop in
      let (hasRun, isDone) = (Shared(false), Shared(false))
      loop.add(
        Timer(fire: .distantPast, interval: 0, repeats: false) { _ in
          RunLoop.current.perform {
            turn { hasRun.value }
            isDone.value = true
          }
        }, forMode: .default)
      loop.schedule(after: loop.now) { hasRun.value = true }
      turn { isDone.value }
      #expect(hasRun.value)
    }
  }

  /// It ran within itself, ever deeper.
  @Test func aRepeatedActionThatTurnsTheLoopIsNotRunWithinItself() {
    onLoop { loop in
      var (depth, deepest, runs, other) = (0, 0, 0, 0)
      let ticks = loop.schedule(after: loop.now, interval: .milliseconds(1)) {
        (depth, runs) = (depth + 1, runs + 1)
        deepest = max(deepest, depth)
        // Others run meanwhile.
        let before = other
        loop.schedule(after: loop.now.advanced(by: .milliseconds(3))) { other += 1 }
        turn { other > before || depth > 10 }
        depth -= 1
      }
      turn { runs >= 5 && depth == 0 }
      #expect(deepest == 1)
      ticks.cancel()
    }
  }

  @Test func aTimerFiresAmongActionsThatScheduleThemselvesForThePast() {
    onLoop { loop in
      let count = Counter()
      let countAtTimer = Shared<Int?>(nil)
      func tick() {
        if count.add() < 100_000, countAtTimer.value == nil { loop.schedule(after: .init(.distantPast)) { tick() } }
      }
      tick()
      loop.add(Timer(timeInterval: 0, repeats: false) { _ in countAtTimer.value = count.value }, forMode: .default)
      turn { countAtTimer.value != nil }
      #expect(countAtTimer.value! < 100_000)
    }
  }

  @Test func aTimerFiresAmongActionsThatScheduleThemselves() {
    onLoop { loop in
      let count = Counter()
      let countAtTimer = Shared<Int?>(nil)
      func tick() {
        if count.add() < 100_000, countAtTimer.value == nil { loop.schedule { tick() } }
      }
      tick()
      loop.add(Timer(timeInterval: 0, repeats: false) { _ in countAtTimer.value = count.value }, forMode: .default)
      turn { countAtTimer.value != nil }
      #expect(countAtTimer.value! < 100_000)
    }
  }

  @Test func eachLoopHasItsOwn() {
    let here = LoopActions.of(.current).dated
    #expect(LoopActions.of(.current).dated === here)
    #expect(LoopActions.of(LoopThread.runLoop).dated !== here)
    var others: [DatedActions] = []
    for _ in 0..<20 {
      onLoop { others.append(LoopActions.of($0).dated) }
    }
    #expect(Set(others.map(ObjectIdentifier.init)).count == 20)
  }

  /// Neither the actions nor their alarm keep a loop alive, unless an action holds it; nor does a loop that has ended
  /// keep what its actions hold.
  @Test func whatWaitsOnALoopThatEndedIsFreed() {
    let lifetimes = Lifetimes()
    onLoop { loop in
      let tracked = lifetimes.track()
      loop.schedule(after: loop.now.advanced(by: 1_000_000)) { tracked.touch() }
      onThreads(1) { _ in loop.schedule {} }
    }
    // The next loop that has actions makes room.
    while lifetimes.live > 0 { onLoop { _ = LoopActions.of($0) } }
  }

  @Test func norARepetitionThatItsOwnActionHolds() {
    let lifetimes = Lifetimes()
    onLoop { loop in
      let tracked = lifetimes.track()
      let repetition = Shared<(any Cancellable)?>(nil)
      repetition.value = loop.schedule(after: loop.now.advanced(by: 1_000_000), interval: 1) {
        tracked.touch()
        repetition.value?.cancel()
      }
    }
    while lifetimes.live > 0 { onLoop { _ = LoopActions.of($0) } }
  }

  /// Whoever looks through them under a lock may be the last that holds one of them.
  @Test func loopsThatAreLookedThroughAreHandedOut() {
    let here = RunLoop.current
    let other = LoopThread.runLoop
    let all = [ObjectIdentifier(here): LoopActions.of(here), ObjectIdentifier(other): LoopActions.of(other)]
    let (actions, loops) = LoopActions.living(of: all)
    #expect(actions.count == 2)
    #expect(Set(loops.map { ObjectIdentifier($0) }) == [ObjectIdentifier(here), ObjectIdentifier(other)])
  }

  @Test func aLoopThatHasEndedIsNoTrouble() {
    let ended = Shared<RunLoop?>(nil)
    onLoop { ended.value = $0 }
    for _ in 0..<100 {
      ended.value!.schedule { Issue.record("ran") }
      ended.value!.schedule(after: .init(.distantPast)) { Issue.record("ran") }
    }
    let repetition = ended.value!.schedule(after: .init(.distantPast), interval: 1) { Issue.record("ran") }
    ended.value = nil
    repetition.cancel()
  }
}
