// Tests of the operators that a publisher of a result applies at once.

import TestKit
import Testing
import Weir

@Suite struct ResultOperatorsTests {
  typealias Numbers = Result<Int, TestFailure>.Publisher

  private let good = Numbers(4)
  private let bad = Numbers(.first)

  private func uncalled<each Argument, Answer>(_ argument: repeat each Argument) -> Answer { fatalError("called") }
  private func failing<each Argument, Answer>(_ argument: repeat each Argument) throws -> Answer {
    throw TestFailure.second
  }

  @Test(arguments: [Result<Int, TestFailure>.success(4), .failure(.first)])
  func theOnlyValueIsTheExtremeTheFirstAndTheLast(result: Result<Int, TestFailure>) {
    let publisher = result.publisher
    #expect(publisher.min() == publisher)
    #expect(publisher.max() == publisher)
    #expect(publisher.min { uncalled($0, $1) } == publisher)
    #expect(publisher.max { uncalled($0, $1) } == publisher)
    #expect(publisher.first() == publisher)
    #expect(publisher.last() == publisher)
    #expect(publisher.removeDuplicates() == publisher)
    #expect(publisher.removeDuplicates { uncalled($0, $1) } == publisher)
    #expect(publisher.replaceEmpty(with: 7) == publisher)
    #expect(publisher.retry(3) == publisher)
  }

  @Test func questions() {
    #expect(good.contains(4).result == .success(true))
    #expect(good.contains { $0 > 4 }.result == .success(false))
    #expect(good.allSatisfy { $0 > 3 }.result == .success(true))
    #expect(good.collect().result == .success([4]))
    #expect(good.count().result == .success(1))
  }

  @Test func errorsPassTheQuestionsBy() {
    #expect(bad.contains(4).result == .failure(.first))
    #expect(bad.contains { uncalled($0) }.result == .failure(.first))
    #expect(bad.allSatisfy { uncalled($0) }.result == .failure(.first))
    #expect(bad.collect().result == .failure(.first))
    #expect(bad.count().result == .failure(.first))
    #expect(throws: TestFailure.first) { try bad.tryContains { uncalled($0) }.result.get() }
    #expect(throws: TestFailure.first) { try bad.tryAllSatisfy { uncalled($0) }.result.get() }
  }

  @Test func throwingQuestions() throws {
    #expect(try good.tryContains { $0 == 4 }.result.get())
    #expect(try !good.tryAllSatisfy { $0 > 4 }.result.get())
    #expect(throws: TestFailure.second) { try good.tryContains { try failing($0) }.result.get() }
    #expect(throws: TestFailure.second) { try good.tryAllSatisfy { try failing($0) }.result.get() }
  }

  @Test func throwingComparisonsAreAskedAboutTheValueAndItself() throws {
    var asked: [[Int]] = []
    let compare: (Int, Int) throws -> Bool = { first, second in
      asked.append([first, second])
      return false
    }
    #expect(try good.tryMin(by: compare).result.get() == 4)
    #expect(try good.tryMax(by: compare).result.get() == 4)
    #expect(try good.tryRemoveDuplicates(by: compare).result.get() == 4)
    #expect(asked == [[4, 4], [4, 4], [4, 4]])
    #expect(throws: TestFailure.second) { try good.tryMin { try failing($0, $1) }.result.get() }
    #expect(throws: TestFailure.second) { try good.tryMax { try failing($0, $1) }.result.get() }
    #expect(throws: TestFailure.second) { try good.tryRemoveDuplicates { try failing($0, $1) }.result.get() }
    #expect(throws: TestFailure.first) { try bad.tryMin { uncalled($0, $1) }.result.get() }
  }

  /// As in Combine, also an error is ignored.
  @Test func ignoreOutputFinishes() {
    let recorder = RecordingSubscriber<Int, TestFailure>()
    bad.ignoreOutput().subscribe(recorder)
    #expect(recorder.history == [.subscription("Empty"), .completion(.finished)])
  }

  @Test func changes() throws {
    #expect(good.map { "\($0)" }.result == .success("4"))
    #expect(good.reduce(2, +).result == .success(6))
    #expect(good.scan(2, +).result == .success(6))
    #expect(try good.tryMap { $0 * 2 }.result.get() == 8)
    #expect(try good.tryReduce(2, *).result.get() == 8)
    #expect(try good.tryScan(2, *).result.get() == 8)
    #expect(throws: TestFailure.second) { try good.tryMap { try failing($0) as Int }.result.get() }
    #expect(throws: TestFailure.second) { try good.tryReduce(2) { try failing($0, $1) }.result.get() }
    #expect(throws: TestFailure.second) { try good.tryScan(2) { try failing($0, $1) }.result.get() }
    #expect(bad.map { uncalled($0) as Int } == bad)
    #expect(throws: TestFailure.first) { try bad.tryMap { uncalled($0) as Int }.result.get() }
  }

  @Test func errors() {
    #expect(good.mapError { uncalled($0) as TestFailure } == good)
    #expect(bad.mapError { _ in TestFailure.second }.result == .failure(.second))
    #expect(good.replaceError(with: 7).result == .success(4))
    #expect(bad.replaceError(with: 7).result == .success(7))
    #expect(Result<Int, Never>.Publisher(4).setFailureType(to: TestFailure.self) == good)
  }
}
