// Tests of reduce and tryReduce; FoldResultTests has what they share with others.

import TestKit
import Testing
import Weir

@Suite struct ReduceTests {
  private let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private let recorder = RecordingSubscriber<Int, TestFailure>(.unlimited)

  @Test func eachSubscriberStartsFromTheInitialResult() {
    let subject = PassthroughSubject<Int, TestFailure>()
    let sum = subject.reduce(10, +)
    let second = RecordingSubscriber<Int, TestFailure>(.unlimited)
    sum.subscribe(recorder)
    subject.send(1)
    sum.subscribe(second)
    subject.send(2)
    subject.send(completion: .finished)
    #expect(recorder.values == [13])
    #expect(second.values == [12])
  }

  /// The closure of the outer value was given the result from before the inner one, and its own result stays.
  @Test func acceptsAValueFromWithinItsClosure() {
    let subject = PassthroughSubject<Int, TestFailure>()
    let recorder = RecordingSubscriber<[Int], TestFailure>(.unlimited)
    subject.reduce([]) { result, value in
      if value == 1 { subject.send(10) }
      return result + [value]
    }.subscribe(recorder)
    for value in [0, 1, 2] { subject.send(value) }
    subject.send(completion: .finished)
    #expect(recorder.values == [[0, 1, 2]])
  }

  @Test func showsItsResultAndWhereItBegan() {
    publisher.reduce(5, +).subscribe(recorder)
    publisher.send(1)
    let children = publisher.subscriber?.customMirror.children.map { ($0.label, "\($0.value)") }
    #expect(children?.map(\.0) == ["downstream", "result", "initial", "status"])
    #expect(children?.map(\.1) == ["RecordingSubscriber", "Optional(6)", "Optional(5)", "subscribed"])
    #expect(publisher.subscriber?.description == "Reduce")
    publisher.send(completion: .finished)
    let ended = publisher.subscriber?.customMirror.children.map { "\($0.value)" }
    #expect(ended?.last == "terminal")
  }
}
