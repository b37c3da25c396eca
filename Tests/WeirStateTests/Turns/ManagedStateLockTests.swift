// Tests of the choice of a lock.

import Foundation
import TestKit
import Testing
import Weir
import WeirState

/// A lock that says whether it is held.
private final class Watched: NSLocking, @unchecked Sendable {
  private let real = NSLock()
  private(set) var isHeld = false
  private(set) var count = 0
  func lock() {
    real.lock()
    isHeld = true
    count += 1
  }
  func unlock() {
    isHeld = false
    real.unlock()
  }
}

/// A lock that looks at the default when it is freed.
private final class Looking: NSLocking {
  func lock() {}
  func unlock() {}
  deinit { _ = ManagedStateDefaultLock }
}

@Suite struct ManagedStateLockTests {
  @Test func aCustomLockIsHeldForReadsAndStoresButNotWhileClosuresRun() {
    struct Model: BehavioralStateContract {
      var number = 0
      @IgnoredState var lock = Watched()
      @IgnoredState var wasHeld: [Bool] = []
      mutating func applyRules() { wasHeld.append(lock.isHeld) }
    }
    let lock = Watched()
    let state = ManagedState(wrappedValue: Model(lock: lock), lock: .custom(lock))
    var held: [Bool] = []
    let token = state.sink { (_: Model) in held.append(lock.isHeld) }
    let before = lock.count
    state.withLock { model in
      held.append(lock.isHeld)
      model.number = 1
    }
    #expect(held == [false, false, false] && !state.wrappedValue.wasHeld.contains(true))
    #expect(lock.count > before && !lock.isHeld)
    token.cancel()
  }

  /// The former one was freed under the lock around the default, and waited for that for ever.
  @Test func aDefaultMayUseTheDefaultWhenItIsReplaced() async {
    await #expect(processExitsWith: .success) {
      // Ends a process that waits for ever.
      _ = alarm(10)
      weak var former: Looking?
      do {
        let lock = Looking()
        former = lock
        ManagedStateDefaultLock = .custom(lock)
      }
      ManagedStateDefaultLock = .synced
      precondition(former == nil)
      _ = alarm(0)
    }
  }

  @Test func theDefaultIsSynced() {
    guard case .synced = ManagedStateDefaultLock else {
      Issue.record("the default lock is \(ManagedStateDefaultLock)")
      return
    }
    #expect(ManagedState(wrappedValue: NumberModel()).number == 0)
  }
}
