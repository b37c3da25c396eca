// Tests of who changes a state.

import TestKit
import Testing

@testable import WeirQueues

@Suite struct ChangerTests {
  @Test func codeInATaskIsTheTaskAndOtherCodeIsItsThread() async {
    let thread = currentThreadIdentity()
    let changer = Changer(thread: thread)
    #expect(changer.isTask && changer.identity == currentTaskIdentity() && changer.thread == thread)
    onThreads(1) { _ in
      let changer = Changer(thread: currentThreadIdentity())
      #expect(!changer.isTask && changer.identity == currentThreadIdentity())
    }
  }
}
