// Tests of demand: saturating arithmetic, comparisons, coding, traps.

import Foundation
import Testing
import Weir

@Suite struct DemandTests {
  typealias Demand = Subscribers.Demand

  /// The corners of the range, and their neighbours.
  static let corners: [Demand] = [.none, .max(1), .max(2), .max(.max - 1), .max(.max), .unlimited]

  /// A demand as an extended integer: `nil` is unlimited.
  private func sum(_ lhs: Demand, _ rhs: Demand) -> Demand {
    guard let left = lhs.max, let right = rhs.max else { return .unlimited }
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? .unlimited : .max(sum)
  }

  @Test func limits() {
    #expect(Demand.none.max == 0)
    #expect(Demand.max(7).max == 7)
    #expect(Demand.max(.max).max == .max)
    #expect(Demand.unlimited.max == nil)
    #expect(Demand.none == .max(0))
    #expect(Demand.max(.max) != .unlimited)
  }

  @Test(arguments: corners, corners)
  func additionSaturates(lhs: Demand, rhs: Demand) {
    #expect(lhs + rhs == sum(lhs, rhs))
    var total = lhs
    total += rhs
    #expect(total == sum(lhs, rhs))
    if let number = rhs.max {
      #expect(lhs + number == sum(lhs, rhs))
      var counted = lhs
      counted += number
      #expect(counted == sum(lhs, rhs))
    }
  }

  @Test(arguments: corners, corners)
  func subtractionKeepsUnlimitedAndStopsAtNone(lhs: Demand, rhs: Demand) {
    let expected: Demand
    switch (lhs.max, rhs.max) {
    case (nil, _): expected = .unlimited
    case (_, nil): expected = .none
    case (let left?, let right?):
      guard left >= right else { return }
      expected = .max(left - right)
    }
    #expect(lhs - rhs == expected)
    var rest = lhs
    rest -= rhs
    #expect(rest == expected)
    if let number = rhs.max {
      #expect(lhs - number == expected)
      var counted = lhs
      counted -= number
      #expect(counted == expected)
    }
  }

  @Test func negativeNumbersTurnTheOperationRound() {
    #expect(Demand.max(5) + -3 == .max(2))
    #expect(Demand.max(5) - -3 == .max(8))
    #expect(Demand.unlimited + .min == .unlimited)
    #expect(Demand.max(5) - .min == .unlimited)
    #expect(Demand.max(.max) - -1 == .unlimited)
  }

  @Test(arguments: corners, [0, 1, 2, Int.max - 1, Int.max])
  func multiplicationSaturates(lhs: Demand, factor: Int) {
    let expected: Demand
    if let left = lhs.max {
      let (product, overflow) = left.multipliedReportingOverflow(by: factor)
      expected = overflow ? .unlimited : .max(product)
    } else {
      expected = .unlimited
    }
    #expect(lhs * factor == expected)
    var product = lhs
    product *= factor
    #expect(product == expected)
  }

  @Test func noneTimesANegativeNumberIsNone() {
    #expect(Demand.none * -3 == .none)
    #expect(Demand.none * .min == .none)
  }

  @Test(arguments: corners, corners)
  func comparesWithUnlimitedOnTop(lhs: Demand, rhs: Demand) {
    let left = lhs.max.map { UInt($0) } ?? .max
    let right = rhs.max.map { UInt($0) } ?? .max
    #expect((lhs < rhs) == (left < right))
    #expect((lhs <= rhs) == (left <= right))
    #expect((lhs > rhs) == (left > right))
    #expect((lhs >= rhs) == (left >= right))
    #expect((lhs == rhs) == (left == right))
    #expect((lhs != rhs) == (left != right))
    if lhs == rhs { #expect(lhs.hashValue == rhs.hashValue) }
  }

  @Test(arguments: corners, [Int.min, -1, 0, 1, 2, Int.max - 1, Int.max])
  func comparesWithNumbersOnEitherSide(demand: Demand, number: Int) {
    // Unlimited is above every number; a negative number is below every demand.
    let order: Int = demand.max.map { $0 < number ? -1 : ($0 == number ? 0 : 1) } ?? 1
    #expect((demand < number) == (order < 0))
    #expect((demand <= number) == (order <= 0))
    #expect((demand > number) == (order > 0))
    #expect((demand >= number) == (order >= 0))
    #expect((demand == number) == (order == 0))
    #expect((demand != number) == (order != 0))
    #expect((number < demand) == (order > 0))
    #expect((number <= demand) == (order >= 0))
    #expect((number > demand) == (order < 0))
    #expect((number >= demand) == (order <= 0))
    #expect((number == demand) == (order == 0))
    #expect((number != demand) == (order != 0))
  }

  @Test func describesItself() {
    #expect("\(Demand.none)" == "max(0)")
    #expect("\(Demand.max(3))" == "max(3)")
    #expect("\(Demand.unlimited)" == "unlimited")
  }

  @Test(arguments: corners)
  func survivesCoding(demand: Demand) throws {
    let data = try JSONEncoder().encode([demand])
    #expect(try JSONDecoder().decode([Demand].self, from: data) == [demand])
  }

  @Test func isCodedAsOneNumber() throws {
    let demands: [Demand] = [.none, .max(3), .unlimited]
    let data = try JSONEncoder().encode(demands)
    #expect(String(decoding: data, as: UTF8.self) == "[0,3,9223372036854775808]")
  }

  @Test(arguments: ["[-1]", "[1.5]", "[\"max(3)\"]", "[null]"])
  func refusesWhatIsNoDemand(text: String) {
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([Demand].self, from: Data(text.utf8)) }
  }

  @Test(arguments: ["[9223372036854775809]", "[18446744073709551615]"])
  func whatIsBeyondUnlimitedIsUnlimited(text: String) throws {
    #expect(try JSONDecoder().decode([Demand].self, from: Data(text.utf8)) == [.unlimited])
  }

  @Test func trapsOnANegativeLimit() async {
    await #expect(processExitsWith: .failure) { _ = Subscribers.Demand.max(-1) }
  }

  @Test func trapsBelowNone() async {
    await #expect(processExitsWith: .failure) { _ = Subscribers.Demand.max(1) - .max(2) }
    await #expect(processExitsWith: .failure) { _ = Subscribers.Demand.max(1) - 2 }
    await #expect(processExitsWith: .failure) { _ = Subscribers.Demand.max(1) + -2 }
    await #expect(processExitsWith: .failure) { _ = Subscribers.Demand.max(5) + Int.min }
    await #expect(processExitsWith: .failure) { _ = Subscribers.Demand.max(1) * -1 }
  }
}
