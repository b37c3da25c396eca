// Tests of the policies by which one stage serves several operators.

import TestKit
import Testing
import Weir

@Suite struct StageVariantsTests {
  @Test func aPlainModeFailsAsTheUpstreamDoes() {
    #expect(Plain<TestFailure>.convert(.first) == .first)
    #expect(Plain<TestFailure>.pick("Map", trying: "TryMap") == "Map")
  }

  @Test func aTryingModeFailsWithAnyError() {
    typealias Mode = TryingPredicate<Int, TestFailure>
    #expect(Mode.convert(TestFailure.first) as? TestFailure == .first)
    #expect(Mode.convert(thrown: TestFailure.second) as? TestFailure == .second)
    #expect(Mode.pick("Map", trying: "TryMap") == "TryMap")
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
