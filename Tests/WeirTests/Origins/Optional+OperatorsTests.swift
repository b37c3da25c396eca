// Tests of the operators that a publisher of a value that may be missing applies at once.

import TestKit
import Testing
import Weir

@Suite struct OptionalOperatorsTests {
  private let some = Optional(4).publisher
  private let none = Int?.none.publisher

  private func uncalled<each Argument, Answer>(_ argument: repeat each Argument) -> Answer { fatalError("called") }

  @Test(arguments: [4, nil])
  func theOnlyValueIsTheExtremeTheFirstAndTheLast(value: Int?) {
    let publisher = value.publisher
    #expect(publisher.min() == publisher)
    #expect(publisher.max() == publisher)
    #expect(publisher.min { uncalled($0, $1) } == publisher)
    #expect(publisher.max { uncalled($0, $1) } == publisher)
    #expect(publisher.first() == publisher)
    #expect(publisher.last() == publisher)
    #expect(publisher.removeDuplicates() == publisher)
    #expect(publisher.removeDuplicates { uncalled($0, $1) } == publisher)
    #expect(publisher.replaceError(with: 7) == publisher)
    #expect(publisher.retry(3) == publisher)
    #expect(publisher.ignoreOutput() == Empty<Int, Never>())
  }

  @Test func questions() {
    #expect(some.contains(4) == Optional(true).publisher)
    #expect(some.contains(5) == Optional(false).publisher)
    #expect(some.contains { $0 > 3 } == Optional(true).publisher)
    #expect(some.allSatisfy { $0 > 4 } == Optional(false).publisher)
    #expect(some.collect() == Optional([4]).publisher)
    #expect(some.count() == Optional(1).publisher)
  }

  /// As in Combine, a missing value is not counted as 0.
  @Test func questionsAboutNothing() {
    #expect(none.contains(4) == Bool?.none.publisher)
    #expect(none.contains { uncalled($0) } == Bool?.none.publisher)
    #expect(none.allSatisfy { uncalled($0) } == Bool?.none.publisher)
    #expect(none.collect() == Optional([Int]()).publisher)
    #expect(none.count() == Int?.none.publisher)
  }

  @Test func choices() {
    #expect(some.filter { $0 == 4 } == some)
    #expect(some.filter { $0 != 4 } == none)
    #expect(some.dropFirst(0) == some)
    #expect(some.dropFirst() == none)
    #expect(some.drop { $0 != 4 } == some)
    #expect(some.drop { $0 == 4 } == none)
    #expect(some.first { $0 == 4 } == some)
    #expect(some.first { $0 != 4 } == none)
    #expect(some.last { $0 == 4 } == some)
    #expect(some.last { $0 != 4 } == none)
    #expect(some.prefix(1) == some)
    #expect(some.prefix(0) == none)
    #expect(some.prefix { $0 == 4 } == some)
    #expect(some.prefix { $0 != 4 } == none)
    #expect(some.output(at: 0) == some)
    #expect(some.output(at: 1) == none)
  }

  @Test func choicesOfNothing() {
    #expect(none.filter { uncalled($0) } == none)
    #expect(none.dropFirst(0) == none)
    #expect(none.drop { uncalled($0) } == none)
    #expect(none.first { uncalled($0) } == none)
    #expect(none.last { uncalled($0) } == none)
    #expect(none.prefix(3) == none)
    #expect(none.prefix { uncalled($0) } == none)
    #expect(none.output(at: 0) == none)
    #expect(none.output(in: 0..<3) == none)
  }

  /// Unlike `Just`, but as in Combine, an empty range holds nothing.
  @Test func aRangeOfPlacesMustHoldZero() {
    #expect(some.output(in: 0..<10) == some)
    #expect(some.output(in: 0..<(.max - 2)) == some)
    #expect(some.output(in: ...0) == some)
    #expect(some.output(in: 0..<0) == none)
    #expect(some.output(in: 1..<10) == none)
  }

  @Test func wrongNumbersTrap() async {
    await #expect(processExitsWith: .failure) { _ = Optional(4).publisher.dropFirst(-1) }
    await #expect(processExitsWith: .failure) { _ = Optional(4).publisher.prefix(-1) }
    await #expect(processExitsWith: .failure) { _ = Optional(4).publisher.output(at: -1) }
    await #expect(processExitsWith: .failure) { _ = Optional(4).publisher.output(in: (-1)...4) }
    await #expect(processExitsWith: .failure) { _ = Optional(4).publisher.output(in: 0..<(.max - 1)) }
  }

  @Test func changes() {
    #expect(some.map { "\($0)" } == Optional("4").publisher)
    #expect(some.compactMap { $0 > 4 ? $0 : nil } == none)
    #expect(some.reduce(2, +) == Optional(6).publisher)
    #expect(some.scan(2, +) == Optional(6).publisher)
    #expect(some.replaceEmpty(with: 7) == Just(4))
    #expect(none.map { uncalled($0) as Int } == none)
    #expect(none.compactMap { uncalled($0) as Int? } == none)
    #expect(none.reduce(2) { uncalled($0, $1) } == none)
    #expect(none.scan(2) { uncalled($0, $1) } == none)
    #expect(none.replaceEmpty(with: 7) == Just(7))
  }
}
