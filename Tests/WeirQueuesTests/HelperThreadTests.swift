// Tests of the threads that Weir starts itself.

import TestKit
import Testing

@testable import WeirQueues

@Suite struct HelperThreadTests {
  @Test func aBodyRunsOnAnotherThread() {
    let thread = Shared(0)
    let isDone = Counter()
    let isStarted = HelperThread.start {
      thread.value = currentThreadIdentity()
      isDone.add()
    }
    #expect(isStarted)
    isDone.wait(for: 1)
    #expect(thread.value != currentThreadIdentity())
  }

  @Test func aLongNameIsCutBetweenCharacters() {
    let isDone = Counter()
    // Fifteen bytes end within the last character.
    #expect(HelperThread.start(named: "weir-of-a-mill\u{e9}") { isDone.add() })
    isDone.wait(for: 1)
    #expect(isDone.value == 1)
  }

  @Test func aThreadMayRunOnAProcessor() { #expect(allowedProcessors() >= 1) }

  @Test func whatABodyHoldsIsFreed() {
    let lifetimes = Lifetimes()
    let isDone = Counter()
    func start() {
      let held = lifetimes.track()
      #expect(
        HelperThread.start {
          held.touch()
          isDone.add()
        })
    }
    for _ in 0..<10 { start() }
    isDone.wait(for: 10)
    while lifetimes.live > 0 { yieldThread() }
  }
}
