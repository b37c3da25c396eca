// Tests of `ignoreFailure`.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct IgnoreFailureTests {
  @Test(arguments: [Subscribers.Completion<TestFailure>.finished, .failure(.first)])
  func everyEndIsAFinish(completion: Subscribers.Completion<TestFailure>) {
    let source = ScriptedPublisher<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, Never>(.max(2))
    source.ignoreFailure().subscribe(recorder)
    source.send(1)
    source.send(completion: completion)
    #expect(recorder.values == [1])
    #expect(recorder.completions == [.finished])
    #expect(source.subscription?.history == [.requested(.max(2))])
  }
}
