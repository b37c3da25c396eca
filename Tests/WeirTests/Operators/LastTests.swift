// Tests of last and tryLast; FoldResultTests has what they share with others.

import TestKit
import Testing
import Weir

@Suite struct LastTests {
  private let subject = PassthroughSubject<Int, TestFailure>()
  private let recorder = RecordingSubscriber<Int, TestFailure>(.max(1))

  @Test func keepsOneValueAlive() {
    let lifetimes = Lifetimes()
    let subject = PassthroughSubject<LifetimeTracked, TestFailure>()
    let recorder = RecordingSubscriber<LifetimeTracked, TestFailure>()
    subject.last().subscribe(recorder)
    for number in 1...3 { subject.send(lifetimes.track(number)) }
    #expect(lifetimes.live == 1)
    subject.send(completion: .finished)
    recorder.request(.max(1))
    #expect(recorder.values.map(\.number) == [3])
  }

  @Test func keepsTheLastThatMatches() {
    subject.last { $0 < 3 }.subscribe(recorder)
    for value in [1, 2, 3] { subject.send(value) }
    subject.send(completion: .finished)
    #expect(recorder.history == [.subscription("LastWhere"), .value(2), .completion(.finished)])
  }

  /// The outer value is judged last.
  @Test func acceptsAValueFromWithinItsClosure() {
    subject.last { [subject] value in
      if value == 1 { subject.send(2) }
      return true
    }.subscribe(recorder)
    subject.send(1)
    subject.send(completion: .finished)
    #expect(recorder.values == [1])
  }

  @Test func areEqualIfTheUpstreamsAre() {
    #expect(Publishers.Last(upstream: Just(1)) == Publishers.Last(upstream: Just(1)))
    #expect(Publishers.Last(upstream: Just(1)) != Publishers.Last(upstream: Just(2)))
  }
}
