// Tests of allSatisfy and tryAllSatisfy; FoldResultTests has what they share with others.

import TestKit
import Testing
import Weir

@Suite struct AllSatisfyTests {
  private let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private let recorder = RecordingSubscriber<Bool, TestFailure>(.unlimited)

  @Test func theFirstValueThatDoesNotEndsTheStream() {
    var asked: [Int] = []
    publisher.allSatisfy { value in
      asked.append(value)
      return value.isMultiple(of: 2)
    }.subscribe(recorder)
    for value in [-2, 0, 7, 8] { #expect(publisher.send(value) == .none) }
    #expect(recorder.history == [.subscription("AllSatisfy"), .value(false), .completion(.finished)])
    #expect(publisher.subscription?.history == [.requested(.unlimited), .cancelled])
    #expect(asked == [-2, 0, 7])
  }

  @Test func allOfThemAreKnownAtTheEndOnly() {
    publisher.allSatisfy { $0.isMultiple(of: 2) }.subscribe(recorder)
    for value in [-2, 0, 8] { publisher.send(value) }
    #expect(recorder.history == [.subscription("AllSatisfy")])
    publisher.send(completion: .finished)
    #expect(recorder.values == [true])
  }

  @Test func showsItsResult() {
    publisher.allSatisfy { _ in true }.subscribe(recorder)
    let children = publisher.subscriber?.customMirror.children.map { ($0.label, "\($0.value)") }
    #expect(children?.map(\.0) == ["downstream", "result", "initial", "status"])
    #expect(children?.map(\.1) == ["RecordingSubscriber", "Optional(true)", "Optional(true)", "subscribed"])
  }

  @Test func anInnerValueThatDecidesIsNotOverruled() {
    let subject = PassthroughSubject<Int, TestFailure>()
    subject.allSatisfy { value in
      if value == 1 { subject.send(-1) }
      return value > 0
    }.subscribe(recorder)
    for value in [1, 2] { subject.send(value) }
    subject.send(completion: .finished)
    #expect(recorder.history == [.subscription("AllSatisfy"), .value(false), .completion(.finished)])
  }
}
