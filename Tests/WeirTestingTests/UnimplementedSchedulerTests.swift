// Tests of a scheduler that is not to be used.

import TestKit
import Testing
import Weir
import WeirTesting

@Suite struct UnimplementedSchedulerTests {
  private func expectFailure(saying text: String, _ use: () -> Void) {
    withKnownIssue {
      use()
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains(text) }
    }
  }

  @Test func eachUseFailsTheTestAndRunsNothing() {
    let scheduler = UnimplementedScheduler("main")
    var ran = false
    expectFailure(saying: "'main' was asked for the time") { _ = scheduler.now }
    expectFailure(saying: "'main' was asked for its tolerance") { _ = scheduler.minimumTolerance }
    expectFailure(saying: "'main' was given an action") { scheduler.schedule { ran = true } }
    expectFailure(saying: "for a later date") {
      scheduler.schedule(after: VirtualTime(), tolerance: .zero) { ran = true }
    }
    expectFailure(saying: "to repeat") {
      scheduler.schedule(after: VirtualTime(), interval: .seconds(1), tolerance: .zero) { ran = true }.cancel()
    }
    #expect(!ran)
  }

  @Test func notUsingItIsNoFailure() {
    let subject = PassthroughSubject<Int, Never>()
    _ = subject.receive(on: UnimplementedScheduler())
    #expect(Bool(true))
  }
}
