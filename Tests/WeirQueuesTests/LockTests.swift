// Tests of the lock.

import TestKit
import Testing
import WeirQueues

@Suite struct LockTests {
  @Test func keepsWhatTheBodyWrote() {
    let lock = Lock(1)
    let former = lock.withLock { state -> Int in
      defer { state = 5 }
      return state
    }
    #expect(former == 1)
    #expect(lock.withLock { $0 } == 5)
  }

  @Test func passesOptionalResultsThrough() {
    let lock = Lock([Int]())
    #expect(lock.withLock { $0.first } == nil)
  }

  @Test func onlyOneThreadAtATimeIsInside() {
    let lock = Lock((total: 0, inside: 0, most: 0))
    onThreads(4) { _ in
      for _ in 0..<5_000 {
        lock.withLock { state in
          state.inside += 1
          state.most = max(state.most, state.inside)
          state.total += 1
          state.inside -= 1
        }
      }
    }
    let (total, inside, most) = lock.withLock { $0 }
    #expect(total == 20_000)
    #expect(inside == 0)
    #expect(most == 1)
  }

  @Test func freesItsState() {
    let lifetimes = Lifetimes()
    do {
      let lock = Lock<LifetimeTracked?>(lifetimes.track())
      #expect(lifetimes.live == 1)
      lock.withLock { $0 = nil }
      #expect(lifetimes.live == 0)
      lock.withLock { $0 = lifetimes.track() }
    }
    #expect(lifetimes.live == 0)
  }
}
