// What is covered, how failures are told, and what ends a run.

import Dispatch
import Foundation
import Testing
import Weir
import WeirVerify

@Suite struct LimitsTests {
  @Test func allSchedulesUpToTheBoundAreTried() throws {
    let coverage = try verify(bound: 3) { run in
      let count = AtomicWord(0)
      for name in ["A", "B"] { run.thread(name) { (1...2).forEach { _ in _ = count.add(1) } } }
      run.check { run.expect(count.acquireLoad(), 4, "count") }
    }
    #expect(coverage.schedules == 6 && coverage.preemptions == 3)
  }

  @Test(arguments: [1, 2])
  func whatIsTooMuchIsDrawn(seed: UInt64) throws {
    let coverage = try verify(bound: 3, schedules: 100, seed: seed) { run in
      let count = AtomicWord(0)
      for name in ["A", "B", "C"] { run.thread(name) { (1...10).forEach { _ in _ = count.add(1) } } }
    }
    #expect(coverage.schedules == 100 && coverage.preemptions == 0)
  }

  @Test func aFailureSaysHowFewPreemptionsItTakes() throws {
    func lostUpdate() -> VerificationFailure? {
      #expect(throws: VerificationFailure.self) {
        try verify(bound: 3) { run in
          let count = AtomicWord(0)
          for name in ["A", "B"] { run.thread(name) { _ = count.exchange(count.acquireLoad() + 1) } }
          run.check { run.expect(count.acquireLoad(), 2, "count") }
        }
      }
    }
    let failure = try #require(lostUpdate())
    #expect(failure.reason == "count: 1 instead of 2")
    #expect(failure.preemptions == 1)
    #expect(failure.trace.count == 4)
    #expect(failure.description == lostUpdate()?.description)
  }

  @Test func aCrashIsTold() throws {
    let failure = try #require(throws: VerificationFailure.self) {
      try verify { run in
        let word = AtomicWord(0)
        run.thread("writer") { word.publish(1) }
        run.thread("reader") { precondition(word.acquireLoad() == 0, "somebody wrote") }
      }
    }
    #expect(failure.reason.contains("somebody wrote"))
    #expect(failure.preemptions == 0 && failure.schedules > 0)
    #expect(failure.trace.last?.hasPrefix("***") == true)
  }

  @Test func aDeadlockIsTold() throws {
    let failure = try #require(throws: VerificationFailure.self) {
      try verify { run in
        let left = Lock(0), right = Lock(0)
        run.thread("A") { left.withLock { _ in right.withLock { _ in } } }
        run.thread("B") { right.withLock { _ in left.withLock { _ in } } }
      }
    }
    #expect(failure.reason.hasPrefix("deadlock: A waits for lock"))
  }

  @Test(arguments: [true, false])
  func whoStopsMustNotBeNeeded(isLockFree: Bool) {
    var reason: String?
    do throws(VerificationFailure) {
      try verify(bound: 1) { run in
        let count = AtomicWord(0), locked = Lock(0)
        for name in ["stops", "goes on"] {
          run.thread(name, mayFreeze: name == "stops") {
            if isLockFree { _ = count.add(1) } else { locked.withLock { $0 += 1 } }
          }
        }
      }
    } catch {
      reason = error.reason
    }
    #expect(reason?.hasPrefix("deadlock: goes on waits") == (isLockFree ? nil : true))
  }

  @Test func whatIsNeverFreedIsTold() throws {
    let failure = try #require(throws: VerificationFailure.self) {
      try verify { run in
        final class Node { var other: Node? }
        run.thread("A") {
          let node = Node()
          node.other = node
        }
      }
    }
    #expect(failure.reason.hasSuffix("never freed"))
  }

  @Test func whatTakesTooLongIsNoFailure() throws {
    let coverage = try verify(bound: 8, schedules: .max, seconds: 1) { run in
      let count = AtomicWord(0)
      for name in ["A", "B", "C", "D"] { run.thread(name) { for _ in 1...6 { _ = count.add(1) } } }
    }
    #expect(coverage.isCutShort && coverage.preemptions < 8 && coverage.schedules > 0)
  }

  /// The orders of 25 operations are too many to look at, in one run already; of the states that they lead to few.
  @Test func aHistoryMayTakeAllTheTimeThatThereIs() throws {
    struct Counter: SequentialSpecification {
      var count = 0
      mutating func perform(_ amount: Int) -> Int {
        count += amount
        return amount == 0 ? count : 0
      }
    }
    let coverage = try counted(in: Counter())
    #expect(coverage.isCutShort && coverage.preemptions == -1)
    struct ComparedCounter: SequentialSpecification, Hashable {
      var count = 0
      mutating func perform(_ amount: Int) -> Int {
        count += amount
        return amount == 0 ? count : 0
      }
    }
    let failure = try #require(throws: VerificationFailure.self) { try counted(in: ComparedCounter()) }
    #expect(failure.reason.hasPrefix("not linearizable: "))
  }

  private func counted<Counter: SequentialSpecification>(in counter: Counter) throws -> Coverage
  where Counter.Operation == Int, Counter.Outcome == Int, Counter: Sendable {
    try verify(seconds: 1) { run in
      let history = run.history(of: counter)
      for name in ["A", "B", "C"] { run.thread(name) { for _ in 1...8 { history.record(1) { 0 } } } }
      run.check { history.record(0) { 23 } }
    }
  }

  /// It computes longer than most, and ends.
  @Test func whatComputesBetweenStepsKeepsItsTable() throws {
    let failure = try #require(throws: VerificationFailure.self) {
      try verify(bound: 0) { run in
        let word = AtomicWord(0)
        run.thread("A") {
          let value = word.acquireLoad()
          let start = clock()
          while clock() - start < 3 * CLOCKS_PER_SEC / 2 {}
          word.publish(value + 1)
        }
        run.thread("B") { _ = word.add(1) }
        run.check { run.expect(word.acquireLoad(), 2, "word") }
      }
    }
    #expect(failure.reason == "word: 1 instead of 2")
    let lines = failure.trace.joined(separator: "\n")
    #expect(lines.contains("store w1 = 1") && !lines.contains("***"), "\(failure)")
  }

  @Test func anEndOfTheProcessIsTold() throws {
    let failure = try #require(throws: VerificationFailure.self) { try verify { $0.thread("A") { exit(0) } } }
    #expect(failure.reason.hasPrefix("the program ended the process with code 0"))
  }

  @Test func aLongReasonIsTold() throws {
    let failure = try #require(throws: VerificationFailure.self) {
      try verify { run in run.thread("A") { run.expect(false, String(repeating: "x", count: 1_100_000)) } }
    }
    #expect(failure.reason.hasPrefix("xxx"))
  }

  /// In the first run, and in a later one.
  @Test(arguments: [true, false])
  func whoBlocksOutsideOfTheMachineIsTold(isFirst: Bool) throws {
    let failure = try #require(throws: VerificationFailure.self) {
      try verify { run in
        let word = AtomicWord(0)
        run.thread("writer") { word.publish(1) }
        run.thread("reader") { if isFirst || word.acquireLoad() == 0 { DispatchSemaphore(value: 0).wait() } }
      }
    }
    #expect(failure.reason.hasPrefix("a run does not end: it waits outside of the machine"))
    #expect(failure.trace.count > 1)
  }

  @Test func whoSleepsOverAndOverIsTold() throws {
    let failure = try #require(throws: VerificationFailure.self) {
      try verify { run in
        final class Flag { var isSet = false }
        let flag = Flag(), word = AtomicWord(0)
        run.thread("A") {
          _ = word.add(1)
          while !flag.isSet { usleep(1000) }
        }
        run.thread("B") { flag.isSet = word.add(1) > 0 }
      }
    }
    #expect(failure.reason.hasPrefix("a run does not end: it waits outside of the machine"))
  }

  @Test func whoComputesWithoutAStepIsTold() throws {
    let failure = try #require(throws: VerificationFailure.self) {
      try verify { run in
        final class Flag { var isSet = false }
        let flag = Flag(), word = AtomicWord(0)
        run.thread("A") {
          _ = word.add(1)
          while !flag.isSet {}
        }
        run.thread("B") { flag.isSet = word.add(1) > 0 }
      }
    }
    #expect(failure.reason.hasPrefix("a run does not end: it computes without a step"))
  }

  @Test func aStackThatIsFullIsTold() throws {
    let failure = try #require(throws: VerificationFailure.self) {
      try verify { run in
        let word = AtomicWord(0)
        run.thread("A") { _ = endless(0, word) }
      }
    }
    #expect(failure.reason.contains("the stack of a thread is full, which is 8 MB"), "\(failure)")
  }

  /// Who waits gives up spinning, says so, and sleeps without another look.
  @Test(arguments: [MemoryModel.tso, .rc11(stale: 1)])
  func aLostWakeUpBehindALimitOfSpinsIsFound(memory: MemoryModel) throws {
    let failure = try #require(throws: VerificationFailure.self) {
      try verify(memory: memory) { run in
        let isReady = AtomicWord(0), isWaiting = AtomicWord(0)
        let parker = Parker()
        run.thread("waiter") {
          for _ in 1...3 {
            if isReady.sequentialLoad() == 1 { return }
            spinHint()
          }
          _ = isWaiting.sequentialExchange(1)
          parker.park()
        }
        run.thread("setter") {
          _ = isReady.sequentialExchange(1)
          if isWaiting.sequentialLoad() == 1 { parker.unpark() }
        }
      }
    }
    #expect(failure.reason.hasPrefix("deadlock: waiter"))
    #expect(failure.trace.count <= 15, "\(failure)")
  }

  @Test func theProgramOfThePageOnThreadsPasses() throws {
    try verify(bound: 1) { run in
      let subject = CurrentValueSubject<Int, Never>(0)
      let values = Lock<[Int]>([])
      let subscription = subject.dropFirst().sink { value in values.withLock { $0.append(value) } }
      for number in 1...2 { run.thread("sender \(number)") { subject.send(number) } }
      run.check {
        subscription.cancel()
        run.expect(values.withLock { $0.sorted() }, [1, 2], "values")
      }
    }
  }
}

/// As good as without end.
private func endless(_ number: Int, _ word: borrowing AtomicWord) -> Int {
  number < 0 ? 0 : endless(number + 1, word) + word.acquireLoad()
}
