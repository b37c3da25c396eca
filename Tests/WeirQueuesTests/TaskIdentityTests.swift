// Tests of which task code runs in.

import TestKit
import Testing

@testable import WeirQueues

@Suite struct TaskIdentityTests {
  @Test func aTaskHasOneIdentityAndOthersHaveOthers() async {
    let own = currentTaskIdentity()
    #expect(own != nil)
    await Task.yield()
    #expect(currentTaskIdentity() == own)
    let other = await Task { currentTaskIdentity() }.value
    #expect(other != nil && other != own)
  }

  @Test func aThreadOfItsOwnRunsNoTask() {
    onThreads(1) { _ in #expect(currentTaskIdentity() == nil) }
  }
}
