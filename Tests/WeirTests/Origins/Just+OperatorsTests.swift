// Tests of the operators that a publisher of one value applies at once.

import TestKit
import Testing
import Weir

@Suite struct JustOperatorsTests {
  typealias Numbers = Publishers.Sequence<[Int], Never>

  private func uncalled<each Argument, Answer>(_ argument: repeat each Argument) -> Answer { fatalError("called") }
  private func impossible(_ failure: Never) -> TestFailure {}
  private func failing<each Argument, Answer>(_ argument: repeat each Argument) throws -> Answer {
    throw TestFailure.second
  }

  @Test func theOnlyValueIsTheExtremeTheFirstAndTheLast() {
    let just = Just(4)
    #expect(just.min() == just)
    #expect(just.max() == just)
    #expect(just.min { uncalled($0, $1) } == just)
    #expect(just.max { uncalled($0, $1) } == just)
    #expect(just.first() == just)
    #expect(just.last() == just)
    #expect(just.removeDuplicates() == just)
    #expect(just.removeDuplicates { uncalled($0, $1) } == just)
  }

  @Test func questions() {
    #expect(Just(10).contains(10) == Just(true))
    #expect(Just(10).contains(12) == Just(false))
    #expect(Just(10).contains { $0 > 9 } == Just(true))
    #expect(Just(10).allSatisfy { $0 > 10 } == Just(false))
    #expect(Just(10).collect() == Just([10]))
    #expect(Just(10).count() == Just(1))
  }

  @Test func throwingQuestions() throws {
    #expect(try Just(1).tryContains { $0 > 0 }.result.get())
    #expect(try !Just(0).tryContains { $0 > 0 }.result.get())
    #expect(try Just(1).tryAllSatisfy { $0 > 0 }.result.get())
    #expect(throws: TestFailure.second) { try Just(1).tryContains { try failing($0) }.result.get() }
    #expect(throws: TestFailure.second) { try Just(1).tryAllSatisfy { try failing($0) }.result.get() }
  }

  @Test func choices() {
    let some = Optional(4).publisher
    let none = Int?.none.publisher
    #expect(Just(4).filter { $0 == 4 } == some)
    #expect(Just(4).filter { $0 != 4 } == none)
    #expect(Just(4).dropFirst(0) == some)
    #expect(Just(4).dropFirst() == none)
    #expect(Just(4).drop { $0 != 4 } == some)
    #expect(Just(4).drop { $0 == 4 } == none)
    #expect(Just(4).first { $0 == 4 } == some)
    #expect(Just(4).first { $0 != 4 } == none)
    #expect(Just(4).last { $0 == 4 } == some)
    #expect(Just(4).last { $0 != 4 } == none)
    #expect(Just(4).prefix(0) == none)
    #expect(Just(4).prefix(1) == some)
    #expect(Just(4).prefix { $0 == 4 } == some)
    #expect(Just(4).prefix { $0 != 4 } == none)
    #expect(Just(4).output(at: 0) == some)
    #expect(Just(4).output(at: 1) == none)
    #expect(Just(4).ignoreOutput() == Empty<Int, Never>())
  }

  /// As in Combine only the lower bound counts.
  @Test func aRangeOfPlacesMustBeginWithZero() {
    let some = Optional(4).publisher
    let none = Int?.none.publisher
    #expect(Just(4).output(in: 0..<10) == some)
    #expect(Just(4).output(in: 0..<0) == some)
    #expect(Just(4).output(in: ...7) == some)
    #expect(Just(4).output(in: 0..<Int.max) == some)
    #expect(Just(4).output(in: 1..<10) == none)
    #expect(Just(4).output(in: -10..<10) == none)
    #expect(Just(4).output(in: (-10)...) == none)
  }

  @Test func negativeNumbersTrap() async {
    await #expect(processExitsWith: .failure) { _ = Just(4).dropFirst(-1) }
    await #expect(processExitsWith: .failure) { _ = Just(4).prefix(-1) }
    await #expect(processExitsWith: .failure) { _ = Just(4).output(at: -1) }
  }

  @Test func changes() throws {
    #expect(Just(4).map { "\($0)" } == Just("4"))
    #expect(Just("4").compactMap { Int($0) } == Optional(4).publisher)
    #expect(Just("a").compactMap { Int($0) } == Int?.none.publisher)
    #expect(Just(4).reduce(2, +).result == .success(6))
    #expect(Just(4).scan(2, +).result == .success(6))
    #expect(try Just(4).tryMap { $0 * 2 }.result.get() == 8)
    #expect(try Just(4).tryReduce(2, *).result.get() == 8)
    #expect(try Just(4).tryScan(2, *).result.get() == 8)
    #expect(throws: TestFailure.second) { try Just(4).tryMap { try failing($0) as Int }.result.get() }
    #expect(throws: TestFailure.second) { try Just(4).tryReduce(2) { try failing($0, $1) }.result.get() }
    #expect(throws: TestFailure.second) { try Just(4).tryScan(2) { try failing($0, $1) }.result.get() }
  }

  @Test func throwingPredicatesForDuplicatesAreAskedOnce() throws {
    var asked: [[Int]] = []
    let kept = Just(4).tryRemoveDuplicates { first, second in
      asked.append([first, second])
      return true
    }
    #expect(try kept.result.get() == 4)
    #expect(asked == [[4, 4]])
    #expect(throws: TestFailure.second) { try Just(4).tryRemoveDuplicates { try failing($0, $1) }.result.get() }
  }

  @Test func thereIsNoErrorToCareFor() {
    #expect(Just(4).setFailureType(to: TestFailure.self).result == .success(4))
    #expect(Just(4).mapError(impossible).result == .success(4))
    #expect(Just(4).replaceError(with: 5) == Just(4))
    #expect(Just(4).replaceEmpty(with: 5) == Just(4))
    #expect(Just(4).retry(3) == Just(4))
  }

  @Test func furtherValues() {
    #expect(Just(3).prepend(1, 2) == Numbers(sequence: [1, 2, 3]))
    #expect(Just(3).prepend(1...2) == Numbers(sequence: [1, 2, 3]))
    #expect(Just(1).append(2, 3) == Numbers(sequence: [1, 2, 3]))
    #expect(Just(1).append(2...3) == Numbers(sequence: [1, 2, 3]))
  }
}
