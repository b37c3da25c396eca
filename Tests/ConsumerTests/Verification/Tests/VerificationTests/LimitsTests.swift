// What is covered, how failures are told, and what ends a run.

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
