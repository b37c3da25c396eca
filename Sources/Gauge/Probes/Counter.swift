// What is counted around a fixed number of operations, whatever counts it: the heap's hooks, the system, the core.

/// Readings of up to sixteen counters at one moment: a vector, as an array would be allocated while allocations are
/// counted.
typealias Counts = SIMD16<UInt64>

extension Counts {
  /// Readings of the first eight counters, and 0 for the others.
  init(
    _ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64, _ fifth: UInt64, _ sixth: UInt64,
    _ seventh: UInt64, _ eighth: UInt64
  ) {
    self.init(lowHalf: SIMD8(first, second, third, fourth, fifth, sixth, seventh, eighth), highHalf: .zero)
  }
}

/// One number that a counter tells.
struct CountedQuantity {
  /// How the number follows from the readings.
  enum Form {
    /// What the operations added, by operation.
    case perOperation
    /// The reading behind the operations.
    case atEnd
    /// One reading behind the operations divided by another one.
    case quotient(of: Int)
    /// The largest peak of single operations, each of them marked.
    case peak
  }

  /// What the number is.
  var metric: Metric
  /// Its place in the readings.
  var lane: Int
  /// How it follows from them.
  var form = Form.perOperation
  /// Why it can't be had in this process; `nil` where it can.
  var absence: String?

  /// The measurement that readings around some operations make, those of as many empty ones subtracted.
  ///
  /// - Parameters:
  ///   - start: The readings before.
  ///   - end: The readings behind.
  ///   - empty: What as many empty operations differed by.
  ///   - operations: The operations.
  ///   - varies: Whether the number may be another one in the next launch, as what several threads count depends on
  ///     their timing.
  func measurement(
    from start: Counts, to end: Counts, less empty: Counts = .zero, operations: Int, varies: Bool
  ) -> Measurement {
    var metric = metric
    if varies { metric.kind = .sampled }
    if let absence { return Measurement(metric, .unavailable(absence)) }
    let value: Double
    switch form {
    case .perOperation:
      // Signed: what the harness itself counts may vary by a few. The heap's counts may not: less than none is none.
      let difference = Int64(bitPattern: end[lane] &- start[lane] &- empty[lane])
      let isOfHeap = Metric.heap.contains { $0.name == metric.name }
      value = Double(isOfHeap ? max(difference, 0) : difference) / Double(operations)
    case .atEnd: value = Double(end[lane])
    case .peak:
      guard end[lane] != Counter.noPeak else {
        return Measurement(metric, .unavailable("operations of several threads at once have no peak of their own"))
      }
      value = Double(end[lane])
    case .quotient(let divisor):
      guard end[divisor] != 0 else { return Measurement(metric, .unavailable("there is nothing to divide by")) }
      value = Double(end[lane]) / Double(end[divisor])
    }
    return Measurement(metric, .value(value), iterations: operations, samples: 1)
  }
}

/// Counters that are read before and after operations. A class and no closure: nothing is retained to read them.
class Counter {
  /// What can be told, and what can't and why.
  let quantities: [CountedQuantity]

  init(_ quantities: [CountedQuantity]) {
    self.quantities = quantities
  }

  /// Whether there is anything to count.
  final var isPresent: Bool { quantities.contains { $0.absence == nil } }

  /// The quantities, asked behind the operations: those that could not be read in between say so.
  final func concluded() -> [CountedQuantity] {
    quantities.map {
      var quantity = $0
      quantity.absence = quantity.absence ?? failure(ofLane: quantity.lane).map { "while it was measured: " + $0 }
      return quantity
    }
  }

  /// Why what was read in a place since the start does not hold; `nil` where it does.
  func failure(ofLane lane: Int) -> String? { nil }

  /// All readings at this moment; those of absent quantities are 0.
  func read() -> Counts { .zero }

  /// What stands for a peak in readings that have none.
  static let noPeak = UInt64.max

  /// The place of the peaks of single operations in the readings; `nil` where these have none.
  var peakLane: Int? { nil }
  /// Begins to look for a peak.
  func markPeak() {}
  /// The peak since the mark.
  func readPeak() -> UInt64 { 0 }
}

/// The calls of the heap.
final class HeapCounter: Counter {
  private let hooks: HeapHooks?

  /// - Parameter hooks: The preloaded counters, where the launch has them.
  init(_ hooks: HeapHooks?) {
    self.hooks = hooks
    let absence = hooks == nil ? HeapHooks.absence : nil
    super.init(
      Metric.heap.enumerated().map {
        CountedQuantity(metric: $1, lane: $0, form: $1 == .peakHeap ? .peak : .perOperation, absence: absence)
      })
  }

  override func read() -> Counts {
    guard let counts = hooks?.read() else { return .zero }
    return Counts(counts.allocations, counts.frees, counts.bytes, Self.noPeak, 0, 0, 0, 0)
  }

  override var peakLane: Int? { hooks == nil ? nil : 3 }
  override func markPeak() { hooks?.markPeak() }
  override func readPeak() -> UInt64 { hooks?.readPeak() ?? 0 }
}
