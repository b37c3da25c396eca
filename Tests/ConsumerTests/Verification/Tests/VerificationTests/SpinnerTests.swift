// Threads that spin or sleep for a time: whom they wait for comes to a turn, and before they go on, too.

import Testing
import WeirVerify

private let memories: [MemoryModel] = [.tso, .rc11(stale: 2)]

@Suite struct SpinnerTests {
  /// Each unlock woke the other one, for ever.
  @Test(arguments: memories, [true, false])
  func whoPollsUnderALockLetsOthersGoOn(memory: MemoryModel, isSetterFirst: Bool) throws {
    let coverage = try verify(memory: memory) { run in
      let isSet = Lock(false)
      if isSetterFirst { run.thread("setter") { isSet.withLock { $0 = true } } }
      for name in ["A", "B"] { run.thread(name) { while !isSet.withLock({ $0 }) { spinHint() } } }
      if !isSetterFirst { run.thread("setter") { isSet.withLock { $0 = true } } }
    }
    #expect(coverage.preemptions == 2)
  }

  @Test(arguments: memories) func whoCountsRoundsInAWordLetsOthersGoOn(memory: MemoryModel) throws {
    let coverage = try verify(bound: 1, memory: memory) { run in
      let isSet = AtomicWord(0), rounds = AtomicWord(0)
      for name in ["A", "B"] {
        run.thread(name) {
          while isSet.acquireLoad() == 0 {
            _ = rounds.add(1)
            spinHint()
          }
        }
      }
      run.thread("setter") { isSet.publish(1) }
    }
    #expect(coverage.preemptions == 1)
  }

  /// A spinner that nobody could help was told of, although time goes on.
  @Test(arguments: memories) func timeGoesOnWhereOthersSpin(memory: MemoryModel) throws {
    let coverage = try verify(memory: memory) { run in
      let count = AtomicWord(0)
      run.thread("worker") {
        let parker = Parker()
        for _ in 1...2 {
          parker.park(atMost: 1_000)
          _ = count.add(1)
        }
      }
      run.thread("waiter") { while count.acquireLoad() < 2 { spinHint() } }
    }
    #expect(coverage.preemptions == 2)
  }

  /// What stands behind a pause was taken for a further look, before which nobody comes.
  @Test(arguments: memories) func othersComeBetweenWhatStandsBehindAPause(memory: MemoryModel) throws {
    let failure = failure(memory) { run in
      let first = AtomicWord(0), second = AtomicWord(0)
      run.thread("reader") {
        let before = first.acquireLoad()
        if before + second.acquireLoad() == 0 { spinHint() }
        let early = first.acquireLoad()
        let late = second.acquireLoad()
        run.expect(early == 1 || late == 0, "the second is there without the first")
      }
      run.thread("writer") {
        _ = first.exchange(1)
        _ = second.exchange(1)
      }
    }
    #expect(
      failure?.preemptions == 2 && failure.map { $0.trace.count <= 15 } == true, "\(failure?.description ?? "passes")")
  }

  /// Time was over only where nobody else could go on.
  @Test(arguments: memories, [true, false])
  func timeMayBeOverBeforeOthersGoOn(memory: MemoryModel, isRight: Bool) {
    let failure = failure(memory) { run in
      let permits = Lock((free: 0, isWaiting: false)), parker = Parker()
      let isHandedOver = AtomicWord(0), taken = AtomicWord(0)
      run.thread("waiter") {
        permits.withLock { $0.isWaiting = true }
        parker.park(atMost: 1_000)
        if isHandedOver.acquireLoad() == 1 { return taken.publish(1) }
        permits.withLock { state in
          if isRight, isHandedOver.acquireLoad() == 1 { return taken.publish(1) }
          state.isWaiting = false
        }
      }
      run.thread("giver") {
        permits.withLock { state in
          if state.isWaiting { isHandedOver.publish(1) } else { state.free += 1 }
        }
        parker.unpark()
      }
      run.check { run.expect(permits.withLock { $0.free } + taken.acquireLoad(), 1, "permits") }
    }
    #expect(failure?.reason == (isRight ? nil : "permits: 0 instead of 1"))
  }

  /// Within a macro all lines would be one, at which it stands.
  private func failure(
    _ memory: MemoryModel, _ program: @escaping @Sendable (Run) -> Void
  ) -> VerificationFailure? {
    do throws(VerificationFailure) {
      try verify(memory: memory, program)
      return nil
    } catch {
      return error
    }
  }
}
