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

  @Test func theDefaultIsSynced() {
    guard case .synced = ManagedStateDefaultLock else {
      Issue.record("the default lock is \(ManagedStateDefaultLock)")
      return
    }
    #expect(ManagedState(wrappedValue: NumberModel()).number == 0)
  }
}
