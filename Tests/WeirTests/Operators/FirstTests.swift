// Tests of first and tryFirst; FoldResultTests has what they share with others.

import TestKit
import Testing
import Weir

@Suite struct FirstTests {
  private let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private let recorder = RecordingSubscriber<Int, TestFailure>(.max(3), perValue: .max(7))

  @Test func takesOneValue() {
    publisher.first().subscribe(recorder)
    #expect([4, 5].map { publisher.send($0) } == [.none, .none])
    #expect(recorder.history == [.subscription("First"), .value(4), .completion(.finished)])
    #expect(publisher.subscription?.history == [.requested(.unlimited), .cancelled])
  }

  @Test func stopsASequence() {
    var made: [Int] = []
    Publishers.Sequence<[Int], TestFailure>(sequence: [1, 2, 3]).eraseToAnyPublisher().map { value -> Int in
      made.append(value)
      return value
    }.first { $0 > 1 }.subscribe(recorder)
    #expect(recorder.values == [2])
    #expect(made == [1, 2])
  }

  @Test func anInnerValueThatMatchesIsTheOnlyOne() {
    let subject = PassthroughSubject<Int, TestFailure>()
    subject.first { value in
      if value == 1 { subject.send(2) }
      return true
    }.subscribe(recorder)
    subject.send(1)
    #expect(recorder.history == [.subscription("TryFirst"), .value(2), .completion(.finished)])
  }

  @Test func areEqualIfTheUpstreamsAre() {
    #expect(Publishers.First(upstream: Just(1)) == Publishers.First(upstream: Just(1)))
    #expect(Publishers.First(upstream: Just(1)) != Publishers.First(upstream: Just(2)))
  }
}
