// An interval on the real line, and an estimate that never travels without one.

/// A closed interval; its ends may be infinite where the data bound nothing.
public struct Interval: Hashable, Sendable {
  /// The lower end.
  public var lower: Double
  /// The upper end, not below `lower`.
  public var upper: Double

  /// Creates an interval.
  public init(_ lower: Double, _ upper: Double) {
    precondition(lower <= upper, "an interval's lower end must not be above its upper end")
    self.lower = lower
    self.upper = upper
  }

  /// The whole line: what is known without data.
  public static let unbounded = Interval(-.infinity, .infinity)

  /// Whether a value lies within, ends included.
  public func contains(_ value: Double) -> Bool { lower <= value && value <= upper }

  /// The interval with both ends moved outwards by the same amount.
  public func widened(by amount: Double) -> Interval { Interval(lower - amount, upper + amount) }

  /// The interval with both ends moved in the same direction.
  public func shifted(by amount: Double) -> Interval { Interval(lower + amount, upper + amount) }

  /// The interval of a rising function of the value.
  public func mapped(_ rising: (Double) -> Double) -> Interval { Interval(rising(lower), rising(upper)) }
}

/// A point estimate with the interval that says how well it is known.
public struct Estimate: Hashable, Sendable {
  /// The point estimate.
  public var value: Double
  /// The confidence interval, in the unit of `value`.
  public var interval: Interval

  /// Creates an estimate.
  public init(_ value: Double, _ interval: Interval) {
    self.value = value
    self.interval = interval
  }

  /// An estimate known exactly: its interval is the value itself.
  public static func exact(_ value: Double) -> Estimate { Estimate(value, Interval(value, value)) }
}
