// Tests of what waits for the end of a thread's changes.

import TestKit
import Testing
import WeirQueues

@testable import WeirState

@Suite struct ChangesTests {
  @Test func anActionRunsAtOnceOutsideOfChangesAndBehindThemInside() {
    let thread = currentThreadIdentity()
    var log: [Int] = []
    Changes.whenThrough { log.append(1) }
    #expect(log == [1])
    let turn = Turn()
    for _ in 0..<2 { Changes.enter(thread, ObjectIdentifier(turn), inPlace: false) }
    Changes.whenThrough { log.append(2) }
    Changes.leave(thread) { log.append(3) }
    #expect(log == [1])
    Changes.leave(thread, then: nil)
    #expect(log == [1, 2, 3])
  }
}
