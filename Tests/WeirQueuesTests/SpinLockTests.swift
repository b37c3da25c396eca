// Tests of the lock of one word.

import Dispatch
import TestKit
import Testing
import WeirQueues

@Suite struct SpinLockTests {
  private final class Counted {
    let turn = SpinLock()
    var count = 0
  }

  @Test func onlyOneThreadAtATimeHasIt() {
    let counted = Counted()
    onThreads(4) { _ in
      for _ in 0..<5_000 {
        counted.turn.lock()
        counted.count += 1
        counted.turn.unlock()
      }
    }
    #expect(counted.count == 20_000)
  }

  /// Longer than a waiting thread spins and lets others run, so that it sleeps between its tries.
  @Test func aThreadThatWaitsLongGetsItNevertheless() {
    let counted = Counted()
    counted.turn.lock()
    let hasBegun = DispatchSemaphore(value: 0)
    onThreads(2) { number in
      if number == 0 {
        hasBegun.wait()
        for _ in 0..<100 { nap() }
        counted.count = 1
        counted.turn.unlock()
      } else {
        hasBegun.signal()
        counted.turn.lock()
        #expect(counted.count == 1)
        counted.turn.unlock()
      }
    }
  }
}
