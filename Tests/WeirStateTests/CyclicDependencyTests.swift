// Tests of rules that never come to rest.

import Testing

@testable import WeirState

@Suite struct CyclicDependencyTests {
  @Test func theSettingsAreTheFieldsOwnAtFirst() {
    #expect(ManagedStateCyclicDependencyWarning && ManagedStateCyclicDependencyMaxDepth == 100)
  }

  @Test func aReportStopsTheProgramUnlessWarningsAreOff() async {
    await #expect(processExitsWith: .failure) { CyclicDependency.report("X") }
    await #expect(processExitsWith: .success) {
      ManagedStateCyclicDependencyWarning = false
      CyclicDependency.report("X")
    }
  }

  @Test func rulesThatNeedManyRoundsAreLeftAlone() {
    struct Slow: BehavioralStateContract {
      var target = 0
      var number = 0
      mutating func applyRules() { if number < target { number += 1 } }
    }
    @ManagedState var slow = Slow()
    slow.target = 98
    #expect(slow.number == 98)
  }
}
