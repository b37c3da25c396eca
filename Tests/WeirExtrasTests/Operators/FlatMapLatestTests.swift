// Tests of `flatMapLatest`.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct FlatMapLatestTests {
  /// The commonly copied search pipeline used `flatMap`: there, old answers win over new ones.
  @Test func aNewQuestionCancelsTheOldAnswer() {
    let questions = PassthroughSubject<Int, TestFailure>()
    let answers = [ScriptedPublisher<Int, TestFailure>(), ScriptedPublisher<Int, TestFailure>()]
    let recorder = RecordingSubscriber<Int, TestFailure>(.unlimited)
    questions.flatMapLatest { answers[$0] }.subscribe(recorder)
    questions.send(0)
    answers[0].send(10)
    questions.send(1)
    #expect(answers[0].subscription?.history == [.requested(.unlimited), .cancelled])
    answers[0].send(11)
    answers[1].send(20)
    #expect(recorder.values == [10, 20])
  }

  @Test func takesInnerStreamsThatCannotFail() {
    let recorder = RecordingSubscriber<Int, TestFailure>(.unlimited)
    let questions = PassthroughSubject<Int, TestFailure>()
    questions.flatMapLatest { Just($0 * 2) }.subscribe(recorder)
    questions.send(4)
    questions.send(completion: .failure(.second))
    #expect(recorder.values == [8])
    #expect(recorder.completions == [.failure(.second)])
  }
}
