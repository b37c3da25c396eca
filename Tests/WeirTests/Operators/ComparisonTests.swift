// Tests of min and max; FoldResultTests has what they share with others.

import TestKit
import Testing
import Weir

@Suite struct ComparisonTests {
  /// Compared by the number, told apart by the name.
  private struct Named: Equatable {
    let number: Int
    let name: String
    init(_ number: Int, _ name: String) {
      self.number = number
      self.name = name
    }
  }

  private let subject = PassthroughSubject<Named, TestFailure>()
  private let recorder = RecordingSubscriber<Named, TestFailure>(.unlimited)

  private func publishAll() {
    for value in [Named(2, "a"), Named(1, "b"), Named(3, "c"), Named(1, "d"), Named(3, "e")] { subject.send(value) }
    subject.send(completion: .finished)
  }

  @Test func ofEqualLeastValuesItPicksTheFirst() {
    subject.min { $0.number < $1.number }.subscribe(recorder)
    publishAll()
    #expect(recorder.history == [.subscription("Comparison"), .value(Named(1, "b")), .completion(.finished)])
  }

  @Test func ofEqualGreatestValuesItPicksTheFirst() {
    subject.max { $0.number < $1.number }.subscribe(recorder)
    publishAll()
    #expect(recorder.values == [Named(3, "c")])
  }

  @Test func itsOrderIsTheOneOfTheGreatest() {
    let numbers = PassthroughSubject<Int, TestFailure>()
    #expect(!numbers.min().areInIncreasingOrder(1, 2))
    #expect(numbers.max().areInIncreasingOrder(1, 2))
  }

  @Test func tryMinComparesTheOtherWayRound() throws {
    let comparison = PassthroughSubject<Int, TestFailure>().tryMin { $0 < $1 }
    #expect(try comparison.areInIncreasingOrder(2, 1))
    #expect(try !comparison.areInIncreasingOrder(1, 2))
  }
}
