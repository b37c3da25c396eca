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
    for _ in 0..<2 { _ = Changes.enter(changer, ObjectIdentifier(turn), .plain) }
    Changes.whenThrough { log.append(2) }
    let isThrough = Changes.leave(changer) { { log.append(3) } }
    #expect(!isThrough && log == [1])
    #expect(Changes.leave(changer) { nil })
    #expect(log == [1, 2, 3])
  }

  @Test func oneSaysWhatIsTakenWithinAnotherChangeThatMayBeSuspended() {
    let changer = Changer(thread: currentThreadIdentity()).identity
    let (outer, inner) = (Turn(), Turn())
    func enter(_ turn: Turn, _ use: Turn.Use) -> Bool { Changes.enter(changer, ObjectIdentifier(turn), use) }
    for (use, isWithin) in [(Turn.Use.suspendable, true), (.inPlace, false), (.plain, false)] {
      #expect(!enter(outer, use))
      #expect(enter(inner, .suspendable) == isWithin && enter(outer, .reading) == false)
      #expect(Changes.endInPlace(changer, ObjectIdentifier(inner)) == isWithin)
      #expect(!Changes.endInPlace(changer, ObjectIdentifier(outer)))
      for left in [2, 1, 0] { #expect(Changes.leave(changer) { nil } == (left == 0)) }
    }
  }
}
