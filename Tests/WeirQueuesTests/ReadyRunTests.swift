// Tests of `ReadyRun`.

import Testing
import WeirQueues

@Suite struct ReadyRunTests {
  @Test func isOverAfterSoManyValues() {
    var run = ReadyRun()
    let over = (1...600).filter { _ in run.isOver() }
    #expect(over == [257, 514])
  }
}
