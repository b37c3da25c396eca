// Tests of `ReadyRun`.

import Testing
import WeirQueues

@Suite struct ReadyRunTests {
  @MainActor @Test func isOverAfterSoManyValuesOnAnActor() {
    var run = ReadyRun()
    let over = (1...600).filter { _ in run.isOver(on: MainActor.shared) }
    #expect(over == [257, 513])
  }

  @Test func isNeverOverElsewhere() {
    var run = ReadyRun()
    #expect((1...600).allSatisfy { _ in !run.isOver(on: nil) })
  }
}
