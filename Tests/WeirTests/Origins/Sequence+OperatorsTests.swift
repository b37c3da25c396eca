// Tests of the operators that a publisher of a sequence applies at once.

import TestKit
import Testing
import Weir

@Suite struct SequenceOperatorsTests {
  typealias Numbers = Publishers.Sequence<[Int], Never>

  private let digits = (0..<10).publisher
  private let nothing = EmptyCollection<Int>().publisher

  private func failing<each Argument, Answer>(_ argument: repeat each Argument) throws -> Answer {
    throw TestFailure.second
  }

  @Test func questions() {
    #expect(digits.allSatisfy { $0 < 10 }.result == .success(true))
    #expect(digits.allSatisfy { $0 < 9 }.result == .success(false))
    #expect(digits.contains(9).result == .success(true))
    #expect(digits.contains(10).result == .success(false))
    #expect(digits.contains { $0 > 8 }.result == .success(true))
    #expect((1...3).publisher.collect().result == .success([1, 2, 3]))
    #expect(nothing.collect().result == .success([]))
  }

  @Test func throwingQuestions() throws {
    #expect(try digits.tryAllSatisfy { $0 < 10 }.result.get())
    #expect(try digits.tryContains { $0 == 9 }.result.get())
    #expect(try !nothing.tryContains { try failing($0) }.result.get())
    #expect(throws: TestFailure.second) { try digits.tryAllSatisfy { try failing($0) }.result.get() }
    #expect(throws: TestFailure.second) { try digits.tryContains { try failing($0) }.result.get() }
  }

  @Test func extremes() {
    #expect([3, 1, 2].publisher.min() == Optional(1).publisher)
    #expect([3, 1, 2].publisher.max() == Optional(3).publisher)
    #expect([3, 1, 2].publisher.min(by: >) == Optional(3).publisher)
    #expect([3, 1, 2].publisher.max(by: >) == Optional(1).publisher)
    #expect(nothing.min() == Int?.none.publisher)
    #expect(nothing.max() == Int?.none.publisher)
  }

  @Test func endsOfASequence() {
    #expect(Array(digits.dropFirst().sequence) == Array(1..<10))
    #expect(Array(digits.dropFirst(8).sequence) == [8, 9])
    #expect(Array(digits.drop { $0 < 7 }.sequence) == [7, 8, 9])
    #expect(Array(digits.prefix(2).sequence) == [0, 1])
    #expect(digits.prefix { $0 < 3 } == Numbers(sequence: [0, 1, 2]))
    #expect(digits.first { $0 > 4 } == Optional(5).publisher)
    #expect(digits.first { $0 > 10 } == Int?.none.publisher)
    #expect(digits.ignoreOutput() == Empty<Int, Never>())
  }

  @Test func changes() throws {
    #expect(digits.filter { $0.isMultiple(of: 4) } == Numbers(sequence: [0, 4, 8]))
    #expect([1, nil, 3].publisher.replaceNil(with: 7).sequence == [1, 7, 3])
    #expect(digits.reduce(100, +).result == .success(145))
    #expect(nothing.reduce(100, +).result == .success(100))
    #expect(try digits.tryReduce(100, +).result.get() == 145)
    #expect(try nothing.tryReduce(100) { try failing($0, $1) }.result.get() == 100)
    #expect(throws: TestFailure.second) { try digits.tryReduce(1) { try failing($0, $1) }.result.get() }
    #expect(digits.setFailureType(to: TestFailure.self).sequence == 0..<10)
  }

  @Test func collectionsKnowTheirCountAndEnds() {
    #expect(Set([1, 2]).publisher.count() == Result<Int, Never>.Publisher(2))
    #expect((0..<Int.max).publisher.count() == Just(.max))
    #expect([1, 2].publisher.setFailureType(to: TestFailure.self).count().result == .success(2))
    #expect(digits.first() == Optional(0).publisher)
    #expect(digits.last() == Optional(9).publisher)
    #expect(nothing.first() == Int?.none.publisher)
    #expect(nothing.last() == Int?.none.publisher)
    #expect(digits.last { $0 < 5 } == Optional(4).publisher)
    #expect(digits.last { $0 > 10 } == Int?.none.publisher)
  }

  @Test func placesOfACollection() {
    #expect([7, 8, 9].publisher.output(at: 1) == Optional(8).publisher)
    #expect([7, 8, 9].publisher.output(at: 3) == Int?.none.publisher)
    #expect([7, 8, 9].publisher.output(at: -1) == Int?.none.publisher)
    #expect([7, 8, 9].publisher.output(in: 1..<3) == Numbers(sequence: [8, 9]))
    let set = Set([7])
    #expect(set.publisher.output(at: set.startIndex) == Optional(7).publisher)
    #expect(set.publisher.output(in: set.startIndex..<set.endIndex) == Numbers(sequence: [7]))
  }

  @Test func furtherElements() {
    let publisher = [4, 5].publisher
    #expect(publisher.prepend(2, 3) == Numbers(sequence: [2, 3, 4, 5]))
    #expect(publisher.prepend(2...3) == Numbers(sequence: [2, 3, 4, 5]))
    #expect(publisher.prepend([2, 3].publisher) == Numbers(sequence: [2, 3, 4, 5]))
    #expect(publisher.append(6, 7) == Numbers(sequence: [4, 5, 6, 7]))
    #expect(publisher.append(6...7) == Numbers(sequence: [4, 5, 6, 7]))
    #expect(publisher.append([6, 7].publisher) == Numbers(sequence: [4, 5, 6, 7]))
  }
}
