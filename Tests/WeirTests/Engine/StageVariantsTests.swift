// Tests of the policies by which one stage serves several operators.

import TestKit
import Testing
import Weir

@Suite struct StageVariantsTests {
  @Test func aPlainModeFailsAsTheUpstreamDoes() {
    #expect(Plain<TestFailure>.convert(.first) == .first)
    #expect("\(Plain<TestFailure>.name("Map", trying: "TryMap"))" == "Map")
  }

  @Test func aTryingModeFailsWithAnyError() {
    #expect(Trying<TestFailure>.convert(TestFailure.first) as? TestFailure == .first)
    #expect(Trying<TestFailure>.convert(thrown: TestFailure.second) as? TestFailure == .second)
    #expect("\(Trying<TestFailure>.name("Map", trying: "TryMap"))" == "TryMap")
  }

  @Test func selectionsPickTheirNames() {
    #expect("\(AnyValue.name(any: "First", matching: "FirstWhere"))" == "First")
    #expect("\(MatchingValue.name(any: "First", matching: "FirstWhere"))" == "FirstWhere")
  }
}
