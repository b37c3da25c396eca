// Tests of the publisher that fails.

import TestKit
import Testing
import Weir

@Suite struct FailTests {
  @Test func failsAtOnceWithoutDemand() {
    let recorder = RecordingSubscriber<Int, TestFailure>()
    Fail(error: .second).subscribe(recorder)
    #expect(recorder.history == [.subscription("Empty"), .completion(.failure(.second))])
  }

  @Test func takesItsKindOfValuesAsAnArgument() {
    let fail = Fail(outputType: Int.self, failure: TestFailure.first)
    let recorder = RecordingSubscriber<Int, TestFailure>(.unlimited)
    fail.subscribe(recorder)
    fail.subscribe(recorder)
    #expect(
      recorder.history == [
        .subscription("Empty"), .completion(.failure(.first)), .subscription("Empty"), .completion(.failure(.first)),
      ])
  }

  @Test func isEqualToOneWithAnEqualError() {
    typealias Failing = Fail<Int, TestFailure>
    #expect(Failing(error: .first) == Failing(error: .first))
    #expect(Failing(error: .first) != Failing(error: .second))
  }
}
