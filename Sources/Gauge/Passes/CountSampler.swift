// Counts per operation: warm-up, then a fixed number of operations between two readings of counters.

/// One counted batch of operations.
struct CountSampler: Sampler {
  /// Operations to count.
  let operations: Int
  /// Whether the next operations count.
  private(set) var isWarm: Bool
  /// The readings around the counted operations; `nil` until they ran.
  private(set) var readings: (start: Counts, end: Counts)?

  /// - Parameters:
  ///   - operations: Operations to count, after a tenth as many, but one at least, for warm-up.
  ///   - isWarm: Whether the warm-up has been.
  init(operations: Int, isWarm: Bool = false) {
    self.operations = operations
    self.isWarm = isWarm
  }

  func nextCount() -> Int? {
    if !isWarm { return Self.warmUp(for: operations) }
    return readings == nil ? operations : nil
  }

  /// Operations before the ones that count.
  static func warmUp(for operations: Int) -> Int { max(1, operations / 10) }

  mutating func record(from start: Counts, to end: Counts) {
    if isWarm {
      readings = (start, end)
    } else {
      isWarm = true
    }
  }

  /// Takes a reading into those behind the operations.
  mutating func keep(_ value: UInt64, inLane lane: Int) { readings?.end[lane] = value }

  /// What the readings differ by.
  var difference: Counts? { readings.map { $0.end &- $0.start } }

  /// The quantities that the readings tell.
  ///
  /// - Parameter empty: What as many empty operations differed by.
  func measurements(
    _ quantities: [CountedQuantity], varies: Bool, less empty: Counts = .zero
  ) -> [Measurement] {
    guard let readings else { return Self.unavailable(quantities, varies: varies) }
    return quantities.map {
      $0.measurement(from: readings.start, to: readings.end, less: empty, operations: operations, varies: varies)
    }
  }

  /// The same quantities where nothing was counted.
  static func unavailable(_ quantities: [CountedQuantity], varies: Bool) -> [Measurement] {
    quantities.map { quantity in
      var quantity = quantity
      quantity.absence = quantity.absence ?? "the operations were not counted"
      return quantity.measurement(from: .zero, to: .zero, operations: 1, varies: varies)
    }
  }
}
