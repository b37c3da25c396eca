// What a benchmark's body is given: its parameters, and the closure that it measures.

/// One run of a benchmark's body, at one point of its grid, in a launch of its own.
///
/// Not for use from several threads at once: setup, `measure` and teardown belong to the body.
public final class BenchmarkRun {
  /// Elements that one operation handles, at least 1; set it before `measure` to get time per element and throughput
  /// right. Default 1.
  public var elements = 1 {
    didSet { check(elements >= 1, "elements is \(elements), but must be at least 1", of: "elements") }
  }

  /// Operations between the two readings of a counter (the heap's, or the instructions'), at least 1; set it before
  /// `measure`. Default 1000.
  ///
  /// The number is fixed so that counts repeat exactly. Lower it for an operation of more than some 20 µs: instructions
  /// are counted under callgrind, about fifty times slower, and all the operations together should stay below a second
  /// there. Raise it where something rare must show, such as the growth of a buffer once in a million operations.
  public var countedOperations = 1000 {
    didSet {
      check(
        countedOperations >= 1, "countedOperations is \(countedOperations), but must be at least 1",
        of: "countedOperations")
    }
  }

  let point: GridPoint
  private let measurer: any Measurer
  private var hasMeasured = false
  private var isMeasuring = false
  /// The first misuse of this run, which fails the launch.
  private(set) var misuse: String?

  init(point: GridPoint, measurer: any Measurer) {
    self.point = point
    self.measurer = measurer
  }

  /// The value of a whole-number parameter.
  ///
  /// - Parameter name: Name of an axis that was declared with whole numbers. Any other name ends the launch, failed.
  public subscript(name: String) -> Int {
    guard let value = Int(self[text: name]) else {
      measurer.abandon("the parameter '\(name)' is not a whole number: read it with run[text: \"\(name)\"]")
    }
    return value
  }

  /// The value of a parameter as text.
  ///
  /// - Parameter name: Name of an axis. Any other name ends the launch, failed.
  public subscript(text name: String) -> String {
    guard let value = point[name] else {
      measurer.abandon("there is no parameter '\(name)': the axes are '\(point.text)'")
    }
    return value
  }

  /// Measures an operation. To be called once in a body.
  ///
  /// The operation runs as often as the pass needs: warm-up and the choice of the number of repetitions included. Its
  /// result goes to `blackHole`, so it can't be optimised away, and neither can anything be hoisted out of the loop that
  /// depends on memory.
  ///
  /// - Parameter operation: What to measure.
  /// - Throws: What the operation throws; measuring ends there.
  @inlinable @inline(__always)
  public func measure<Result: ~Copyable, Failure: Error>(_ operation: () throws(Failure) -> Result) throws(Failure) {
    let batches = startMeasuring()
    try batches.run(operation)
    finishMeasuring()
  }

  /// Measures an asynchronous operation. To be called once in a body.
  ///
  /// Like the synchronous form; the operation is awaited each time, one after the other.
  ///
  /// - Parameter operation: What to measure.
  /// - Throws: What the operation throws; measuring ends there.
  @inlinable @inline(__always)
  public nonisolated(nonsending) func measure<Result: ~Copyable, Failure: Error>(
    _ operation: () async throws(Failure) -> Result
  ) async throws(Failure) {
    let batches = startMeasuring()
    try await batches.run(operation)
    finishMeasuring()
  }

  /// The batches to run; none at all after a misuse.
  @usableFromInline
  func startMeasuring() -> Batches {
    if hasMeasured { complain("the body called measure twice: make it two benchmarks") }
    hasMeasured = true
    guard misuse == nil else { return Batches() }
    let batches = measurer.start(MeasuringSettings(elements: elements, countedOperations: countedOperations))
    isMeasuring = true
    return batches
  }

  /// Reports what the batches told.
  @usableFromInline
  func finishMeasuring() {
    guard isMeasuring else { return }
    isMeasuring = false
    measurer.finish()
  }

  /// What is wrong with the run once its body has returned, if anything is.
  var verdict: String? {
    if let misuse { return misuse }
    if !hasMeasured { return "the body never called measure" }
    return isMeasuring ? "the measured operation threw, and the body caught the error" : nil
  }

  private func complain(_ complaint: String) {
    misuse = misuse ?? complaint
  }

  private func check(_ isLegal: Bool, _ complaint: String, of name: String) {
    if hasMeasured {
      complain("\(name) was set after measure: set it before")
    } else if !isLegal {
      complain(complaint)
    }
  }
}
