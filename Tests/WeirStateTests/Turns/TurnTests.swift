// Tests of the right to change a state.

import TestKit
import Testing

@testable import WeirQueues
@testable import WeirState

extension Turn {
  /// How many threads wait for it.
  var waiters: Int {
    WaitTable.withWaits { waits in
      waits.entries.values.count { if case .turn(let awaited) = $0.wait { awaited === self } else { false } }
    }
  }
}

@Suite struct TurnTests {
  @Test func oneThreadAtATimeHasTheTurnAndMayTakeItAgain() {
    let turn = Turn()
    let inside = Shared(0)
    onThreads(8) { _ in
      for _ in 0..<500 {
        turn.enter()
        turn.enter()
        inside.value += 1
        turn.leave()
        turn.leave()
      }
    }
    #expect(inside.value == 4000)
  }

  @Test func threadsThatTakeTwoTurnsInOppositeOrderDoNotDeadlock() {
    let turns = [Turn(), Turn(), Turn()]
    let sums = Shared([0, 0, 0])
    onThreads(3) { number in
      for _ in 0..<500 {
        let (a, b) = (number, (number + 1) % 3)
        turns[a].enter()
        turns[b].enter()
        sums.value[b] += 1
        turns[b].leave()
        turns[a].leave()
      }
    }
    #expect(sums.value == [500, 500, 500])
  }

  /// Both threads have their first turn before either wants its second: one of them must be lent it.
  @Test func aTurnIsLentToAThreadThatItsOwnerWaitsFor() {
    let turns = [Turn(), Turn()]
    let inside = Counter()
    onThreads(2) { number in
      turns[number].enter()
      inside.add()
      inside.wait(for: 2)
      turns[1 - number].enter()
      turns[1 - number].leave()
      turns[number].leave()
    }
    #expect(inside.value == 2)
  }

  @Test func whatIsToFollowWaitsForTheThreadsLastTurn() {
    let (first, second) = (Turn(), Turn(isExclusive: false))
    var log: [String] = []
    first.enter()
    second.enter()
    #expect(!second.leave { { log.append("second") } })
    #expect(log == [])
    let isThrough = first.leave { { log.append("never made") } }
    #expect(isThrough)
    #expect(log == ["second"])
  }

  // MARK: Tasks that are suspended within a change

  /// A task that takes a turn, waits for a gate, and gives the turn back.
  private func begin(_ turn: Turn, _ executor: ManualExecutor, _ gate: Gate, then end: @escaping () -> Void = {}) {
    nonisolated(unsafe) let end = end
    Task(executorPreference: executor) {
      turn.enter(.suspendable)
      await gate.pass()
      turn.endInPlace()
      end()
      turn.leave()
    }
    executor.run()
  }

  private static let hour = 3_600_000_000_000

  private func isSomebodyWaiting(for turn: Turn) -> Bool { turn.waiters > 0 }

  private func untilSomebodyWaits(for turn: Turn, _ count: Int = 1) {
    while turn.waiters < count { yieldThread() }
  }

  @Test func otherThreadsWaitUntilASuspendedChangeHasEnded() {
    let (turn, executor, gate) = (Turn(patience: Self.hour), ManualExecutor(), Gate())
    let log = Shared<[String]>([])
    begin(turn, executor, gate) { log.value.append("task") }
    let other = OtherThread {
      turn.enter()
      log.value.append("thread")
      turn.leave()
    }
    untilSomebodyWaits(for: turn)
    gate.open()
    executor.run()
    #expect(other.comesBack() && log.value == ["task", "thread"])
  }

  /// The first thread has been let in, and is inside when the task comes back on another one.
  @Test func whoComesBackStoresWhenTheOthersHaveLeft() {
    let (turn, executor, gate) = (Turn(), ManualExecutor(), Gate())
    let log = Shared<[String]>([])
    begin(turn, executor, gate) { log.value.append("task") }
    turn.enter()
    gate.open()
    let other = OtherThread { executor.run() }
    untilSomebodyWaits(for: turn)
    log.value.append("thread")
    turn.leave()
    #expect(other.comesBack() && log.value == ["thread", "task"])
  }

  /// Two that come back wait for a third, and store one after the other when it has left.
  @Test func twoThatComeBackStoreOneAfterTheOther() {
    let (turn, executors, gates) = (Turn(), [ManualExecutor(), ManualExecutor()], [Gate(), Gate()])
    let inside = Shared(0)
    for number in 0...1 { begin(turn, executors[number], gates[number]) { inside.value += 1 } }
    turn.enter()
    let others = (0...1).map { number in
      gates[number].open()
      return OtherThread { executors[number].run() }
    }
    untilSomebodyWaits(for: turn, 2)
    turn.leave()
    #expect(others.allSatisfy { $0.comesBack() } && inside.value == 2)
  }

  /// Each that met another one beside the task waited for a second, and again and again if the first thread came and
  /// went meanwhile.
  @Test func onceATurnWasTakenFromASuspendedTaskOthersTakeItByTurns() {
    let (turn, executor, gate) = (Turn(patience: Self.hour), ManualExecutor(), Gate())
    let log = Shared<[String]>([])
    begin(turn, executor, gate) { log.value.append("task") }
    let others = (0...1).map { _ in
      OtherThread {
        turn.enter()
        log.value.append("thread")
        turn.leave()
      }
    }
    untilSomebodyWaits(for: turn, 2)
    turn.enter()
    log.value.append("first")
    turn.leave()
    #expect(others.allSatisfy { $0.comesBack() })
    gate.open()
    executor.run()
    #expect(log.value == ["first", "thread", "thread", "task"])
  }

  /// The first thread ran beside it, and one of the two changes was lost.
  @Test func theFirstThreadOfASuspendedTaskWaitsForWhoeverRuns() {
    let (turn, executor, gate) = (Turn(patience: 0), ManualExecutor(), Gate())
    let log = Shared<[String]>([])
    let inside = Counter()
    begin(turn, executor, gate) { log.value.append("task") }
    let other = OtherThread {
      turn.enter()
      inside.add()
      while inside.value == 1, !isSomebodyWaiting(for: turn) { yieldThread() }
      log.value.append("thread")
      turn.leave()
    }
    inside.wait(for: 1)
    turn.enter()
    log.value.append("first")
    inside.add()
    turn.leave()
    gate.open()
    executor.run()
    #expect(other.comesBack() && log.value == ["thread", "first", "task"])
  }

  /// What the task waits for may be just what waits for it, which nobody can see.
  @Test func aTaskThatIsSuspendedForLongIsLetBe() {
    let (turn, executor, gate) = (Turn(patience: 0), ManualExecutor(), Gate())
    let log = Shared<[String]>([])
    begin(turn, executor, gate) { log.value.append("task") }
    onThreads(1) { _ in
      turn.enter()
      log.value.append("thread")
      turn.leave()
    }
    gate.open()
    executor.run()
    #expect(log.value == ["thread", "task"])
  }

  /// A closure can't await anything: who waits for it waits for as long as it takes.
  @Test func aTaskThatCanNotBeSuspendedIsWaitedFor() {
    let turn = Turn(patience: 0)
    let log = Shared<[String]>([])
    let inside = Counter()
    turn.enter(.inPlace)
    let other = OtherThread {
      inside.add()
      turn.enter()
      log.value.append("thread")
      turn.leave()
    }
    inside.wait(for: 1)
    untilSomebodyWaits(for: turn)
    log.value.append("task")
    turn.endInPlace()
    turn.leave()
    #expect(other.comesBack() && log.value == ["task", "thread"])
  }

  /// Each of two threads has begun a change that is suspended, and wants the turn of the other one's. If both waited,
  /// no thread would be left for the tasks.
  @Test func threadsThatSuspendedTasksMayNeedDoNotAllWait() {
    let turns = [Turn(patience: Self.hour), Turn(patience: Self.hour)]
    let (executors, gates) = ([ManualExecutor(), ManualExecutor()], [Gate(), Gate()])
    let (begun, ended) = (Counter(), Counter())
    let threads = (0...1).map { number in
      OtherThread {
        begin(turns[number], executors[number], gates[number])
        begun.add()
        begun.wait(for: 2)
        turns[1 - number].enter()
        turns[1 - number].leave()
        for task in 0...1 {
          gates[task].open()
          executors[task].run()
        }
        ended.add()
      }
    }
    #expect(threads.allSatisfy { $0.comesBack() } && ended.value == 2)
  }

  // MARK: Threads that wait for a gate besides

  private final class Holder {
    let thread = AtomicWord(0)

    /// Notes that this thread waits at a gate for that one.
    ///
    /// - Returns: Whether it is in a circle.
    func isAwaitedInCircle(canGiveWay: Bool = true) -> Bool {
      WaitTable.enter(currentThreadIdentity(), waitingFor: thread, or: thread, canGiveWay: canGiveWay)
    }
  }

  /// The owner wakes up by itself, and may leave its signal and go on: then two would run in what the turn guards. So
  /// it finds the circle itself.
  @Test func aTurnIsNotLentToWhomItsOwnerWaitsForAtAGate() {
    let (turn, holder) = (Turn(), Holder())
    let (begun, inside) = (Counter(), Counter())
    turn.enter()
    let other = OtherThread {
      holder.thread.publish(currentThreadIdentity())
      begun.add()
      begun.wait(for: 2)
      turn.enter()
      inside.add()
      turn.leave()
    }
    begun.wait(for: 1)
    #expect(!holder.isAwaitedInCircle())
    begun.add()
    while turn.waiters == 0, inside.value == 0 { yieldThread() }
    #expect(inside.value == 0)
    #expect(holder.isAwaitedInCircle())
    WaitTable.leave(currentThreadIdentity())
    turn.leave()
    #expect(other.comesBack() && inside.value == 1)
  }

  /// What the task may need is the thread that waits at the gate.
  @Test func theFirstThreadOfASuspendedTaskGivesWayAtAGate() {
    let (turn, executor, gate) = (Turn(patience: Self.hour), ManualExecutor(), Gate())
    let holder = Holder()
    begin(turn, executor, gate)
    let other = OtherThread {
      holder.thread.publish(currentThreadIdentity())
      turn.enter()
      turn.leave()
    }
    untilSomebodyWaits(for: turn)
    #expect(holder.isAwaitedInCircle(canGiveWay: false))
    WaitTable.leave(currentThreadIdentity())
    gate.open()
    executor.run()
    #expect(other.comesBack())
  }
}
