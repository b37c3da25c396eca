// Tests of the policies by which one policy serves several operators.

import TestKit
import Testing
import Weir

@Suite struct FailurePolicyTests {
  @Test func aPlainModeFailsAsTheUpstreamDoes() {
    #expect(WithoutClosure<TestFailure>.convert(.first) == .first)
    #expect(WithoutClosure<TestFailure>.pick("Map", trying: "TryMap") == "Map")
  }

  @Test func aTryingModeFailsWithAnyError() {
    typealias Failing = TryingPredicate<Int, TestFailure>
    #expect(Failing.convert(TestFailure.first) as? TestFailure == .first)
    #expect(Failing.convert(thrown: TestFailure.second) as? TestFailure == .second)
    #expect(Failing.pick("Map", trying: "TryMap") == "TryMap")
  }

  @Test func bodiesCallTheirClosures() throws {
    #expect(PlainPredicate<Int, TestFailure> { $0 == 1 }(1))
    #expect(PlainRelation<Int, TestFailure>(<)(1, 2))
    #expect(PlainCombiner<String, Int, TestFailure> { "\($0)\($1)" }("a", 2) == "a2")
    #expect(try TryingPredicate<Int, TestFailure> { $0 == 1 }(1))
    #expect(try TryingRelation<Int, TestFailure> { $0 < $1 }(1, 2))
    #expect(try TryingCombiner<String, Int, TestFailure> { "\($0)\($1)" }("a", 2) == "a2")
    let failing = TryingPredicate<Int, TestFailure> { _ in throw TestFailure.first }
    #expect(throws: TestFailure.first) { try failing(1) }
  }

  @Test func selectionsPickTheirNames() {
    #expect("\(AnyValue.name(any: "First", matching: "FirstWhere"))" == "First")
    #expect("\(MatchingValue.name(any: "First", matching: "FirstWhere"))" == "FirstWhere")
  }
}
