// How many values a subscriber asks for.

extension Subscribers {
  /// A number of values that are asked for: none, a count, or without limit.
  ///
  /// Arithmetic saturates at `unlimited`, which no subtraction reduces. A result below none traps, but for one case:
  /// anything less `unlimited` is none.
  @frozen
  public struct Demand: Equatable, Comparable, Hashable, Sendable {
    @usableFromInline let count: UInt

    @inlinable @inline(__always)
    init(count: UInt) { self.count = count }

    /// As many values as the publisher can produce.
    @_alwaysEmitIntoClient @inline(__always)
    public static var unlimited: Demand { Demand(count: UInt(Int.max) + 1) }

    /// No value.
    @_alwaysEmitIntoClient @inline(__always)
    public static var none: Demand { Demand(count: 0) }

    /// A limited number of values.
    ///
    /// - Parameter value: How many values; a negative number traps.
    @_alwaysEmitIntoClient @inline(__always)
    public static func max(_ value: Int) -> Demand {
      precondition(value >= 0, "demand cannot be negative")
      return Demand(count: UInt(bitPattern: value))
    }

    /// The limit as a number of values, or `nil` for `unlimited`.
    @_alwaysEmitIntoClient @inline(__always)
    public var max: Int? { self == .unlimited ? nil : Int(bitPattern: count) }
  }
}

// Operators with a number are disfavoured: otherwise the compiler would try each of them for every `$0 > 1` in a
// closure of a module that imports this one, and give up on chains of ten.
extension Subscribers.Demand {
  /// The sum; `unlimited` if either side is, or where the sum exceeds the largest limit.
  @_alwaysEmitIntoClient
  public static func + (lhs: Self, rhs: Self) -> Self {
    let (sum, overflow) = lhs.count.addingReportingOverflow(rhs.count)
    return overflow || sum > Self.unlimited.count ? .unlimited : Self(count: sum)
  }

  /// Adds a demand.
  @_alwaysEmitIntoClient
  public static func += (lhs: inout Self, rhs: Self) { lhs = lhs + rhs }

  /// The sum; traps if it is below none.
  @_alwaysEmitIntoClient
  @_disfavoredOverload
  public static func + (lhs: Self, rhs: Int) -> Self {
    guard rhs < 0, lhs != .unlimited else { return lhs + Self(count: rhs.magnitude) }
    precondition(lhs.count >= rhs.magnitude, "demand cannot be negative")
    return Self(count: lhs.count - rhs.magnitude)
  }

  /// Adds a number; traps if the result is below none.
  @_alwaysEmitIntoClient
  @_disfavoredOverload
  public static func += (lhs: inout Self, rhs: Int) { lhs = lhs + rhs }

  /// The product; `unlimited` where it exceeds the largest limit, and `unlimited` times any number. Traps if it is
  /// below none.
  @_alwaysEmitIntoClient
  @_disfavoredOverload
  public static func * (lhs: Self, rhs: Int) -> Self {
    guard lhs != .unlimited else { return .unlimited }
    precondition(rhs >= 0 || lhs == .none, "demand cannot be negative")
    let (product, overflow) = lhs.count.multipliedReportingOverflow(by: rhs.magnitude)
    return overflow || product > Self.unlimited.count ? .unlimited : Self(count: product)
  }

  /// Multiplies by a number; traps if the result is below none.
  @_alwaysEmitIntoClient
  @_disfavoredOverload
  public static func *= (lhs: inout Self, rhs: Int) { lhs = lhs * rhs }

  /// The difference; `unlimited` less anything stays unlimited, anything less `unlimited` is none. Traps below none.
  @_alwaysEmitIntoClient
  public static func - (lhs: Self, rhs: Self) -> Self {
    if lhs == .unlimited { return .unlimited }
    if rhs == .unlimited { return .none }
    precondition(lhs.count >= rhs.count, "demand cannot be negative")
    return Self(count: lhs.count - rhs.count)
  }

  /// Subtracts a demand, as `-` does; traps if the result is below none.
  @_alwaysEmitIntoClient
  public static func -= (lhs: inout Self, rhs: Self) { lhs = lhs - rhs }

  /// The difference; `unlimited` less any number stays unlimited. Traps if it is below none.
  @_alwaysEmitIntoClient
  @_disfavoredOverload
  public static func - (lhs: Self, rhs: Int) -> Self {
    rhs < 0 ? lhs + Self(count: rhs.magnitude) : lhs - .max(rhs)
  }

  /// Subtracts a number; traps if the result is below none.
  @_alwaysEmitIntoClient
  @_disfavoredOverload
  public static func -= (lhs: inout Self, rhs: Int) { lhs = lhs - rhs }

  /// Returns `true` if the first demand is smaller than the second; nothing is greater than `unlimited`.
  @_alwaysEmitIntoClient
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.count < rhs.count }

  /// Returns `true` if the demand is greater than a number; `unlimited` is greater than any number.
  @_alwaysEmitIntoClient
  @_disfavoredOverload
  public static func > (lhs: Self, rhs: Int) -> Bool { lhs.count > rhs }

  /// Returns `true` if the demand is equal to a number or greater.
  @_alwaysEmitIntoClient
  @_disfavoredOverload
  public static func >= (lhs: Self, rhs: Int) -> Bool { lhs.count >= rhs }

  /// Returns `true` if a number is greater than the demand.
  @_alwaysEmitIntoClient
  @_disfavoredOverload
  public static func > (lhs: Int, rhs: Self) -> Bool { lhs > rhs.count }

  /// Returns `true` if a number is equal to the demand or greater.
  @_alwaysEmitIntoClient
  @_disfavoredOverload
  public static func >= (lhs: Int, rhs: Self) -> Bool { lhs >= rhs.count }

  /// Returns `true` if the demand is smaller than a number.
  @_alwaysEmitIntoClient
  @_disfavoredOverload
  public static func < (lhs: Self, rhs: Int) -> Bool { lhs.count < rhs }

  /// Returns `true` if a number is smaller than the demand.
  @_alwaysEmitIntoClient
  @_disfavoredOverload
  public static func < (lhs: Int, rhs: Self) -> Bool { lhs < rhs.count }

  /// Returns `true` if the demand is equal to a number or smaller.
  @_alwaysEmitIntoClient
  @_disfavoredOverload
  public static func <= (lhs: Self, rhs: Int) -> Bool { lhs.count <= rhs }

  /// Returns `true` if a number is equal to the demand or smaller.
  @_alwaysEmitIntoClient
  @_disfavoredOverload
  public static func <= (lhs: Int, rhs: Self) -> Bool { lhs <= rhs.count }

  /// Returns `true` if the demand is equal to a number; `unlimited` equals no number.
  @_alwaysEmitIntoClient
  @_disfavoredOverload
  public static func == (lhs: Self, rhs: Int) -> Bool { lhs.count == rhs }

  /// Returns `true` if the demand is not equal to a number; `unlimited` equals no number.
  @_alwaysEmitIntoClient
  @_disfavoredOverload
  public static func != (lhs: Self, rhs: Int) -> Bool { lhs.count != rhs }

  /// Returns `true` if a number is equal to the demand; `unlimited` equals no number.
  @_alwaysEmitIntoClient
  @_disfavoredOverload
  public static func == (lhs: Int, rhs: Self) -> Bool { lhs == rhs.count }

  /// Returns `true` if a number is not equal to the demand; `unlimited` equals no number.
  @_alwaysEmitIntoClient
  @_disfavoredOverload
  public static func != (lhs: Int, rhs: Self) -> Bool { lhs != rhs.count }
}

extension Subscribers.Demand: Codable {
  /// Reads a demand that `encode(to:)` has written; a number beyond unlimited is unlimited.
  ///
  /// - Throws: `DecodingError` if there is no number, or a negative one.
  public init(from decoder: any Decoder) throws {
    let count = try decoder.singleValueContainer().decode(UInt.self)
    self.init(count: Swift.min(count, Self.unlimited.count))
  }

  /// Writes the demand as one number; unlimited is one more than the largest limit.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(count)
  }
}

extension Subscribers.Demand: CustomStringConvertible {
  /// `unlimited`, or `max(n)` with the number of values.
  public var description: String { max.map { "max(\($0))" } ?? "unlimited" }
}
