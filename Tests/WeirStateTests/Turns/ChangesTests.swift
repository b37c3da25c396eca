// Tests of what waits for the end of somebody's changes.

import TestKit
import Testing
import WeirQueues

@testable import WeirState

@Suite struct ChangesTests {
  @Test func anActionRunsAtOnceOutsideOfChangesAndBehindThemInside() {
    let changer = Changer(thread: currentThreadIdentity()).identity
    var log: [Int] = []
    Changes.whenThrough { log.append(1) }
    #expect(log == [1])
    let turn = Turn()
    for _ in 0..<2 { Changes.enter(changer, ObjectIdentifier(turn), .plain) }
    Changes.whenThrough { log.append(2) }
    Changes.leave(changer) { log.append(3) }
    #expect(log == [1])
    Changes.leave(changer, then: nil)
    #expect(log == [1, 2, 3])
  }
}
