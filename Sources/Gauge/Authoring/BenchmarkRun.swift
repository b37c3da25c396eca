// What a benchmark's body is given: its parameters, and the closure that it measures.

import GaugeStatistics

/// One run of a benchmark's body, at one point of its grid, in a launch of its own.
///
/// Not for use from several threads at once: setup, `measure` and teardown belong to the body.
public final class BenchmarkRun {
  /// Elements that one operation handles, at least 1; set it before `measure` to get time per element and throughput
  /// right. Default 1.
  public var elements = 1 {
    didSet { check(elements >= 1, "elements is \(elements), but must be at least 1", of: "elements") }
  }

  /// Bytes that one operation handles, at least 1; set it before `measure` to get the bandwidth. Default: not told.
  public var bytes: Int? {
    didSet { check(bytes.map { $0 >= 1 } ?? true, "bytes is \(bytes ?? 0), but must be at least 1", of: "bytes") }
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
  private let declaration: Declaration
  private var recorded: [Metric: [Double]] = [:]
  private var hasMeasured = false
  private var isMeasuring = false
  /// The first misuse of this run, which fails the launch.
  private(set) var misuse: String?

  /// What of the benchmark and the launch decides about the use of its run.
  struct Declaration {
    /// Whether the operation has the body's thread alone.
    var isSingleThreaded = false
    /// The author's own metrics.
    var metrics: [Metric] = []
    /// Whether the launch is one for those metrics.
    var records = false
  }

  init(point: GridPoint, measurer: any Measurer, declaration: Declaration = Declaration()) {
    self.point = point
    self.measurer = measurer
    self.declaration = declaration
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
  /// result goes to `blackHole`, so it can't be optimised away, and neither can anything be hoisted out of the loop
  /// that depends on memory.
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

  /// Measures an operation that several threads repeat at once. To be called once in a body,
  /// instead of the other forms.
  ///
  /// The threads start together. Their time per operation is that of a thread, their throughput that of all of them.
  ///
  /// ```swift
  /// Benchmark("lock/contended", over: .threads([1, 2, 4, 8]), threads: .several) { run in
  ///   let counter = LockedCounter()
  ///   try run.measure(threads: run["threads"]) { counter.add(1) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - threads: How many threads, at least 1.
  ///   - operation: What each of them repeats. It must end by itself: a thread that waits for another one waits for
  ///     ever once that has stopped.
  /// - Throws: `GroupFailure` where a thread can't be started.
  @inlinable @inline(__always)
  public func measure<Result>(threads: Int, operation: @escaping @Sendable () -> Result) throws(GroupFailure) {
    try measureGroups([ThreadGroup("", threads: threads, operation: operation)])
  }

  /// Measures groups of threads that do different things at once. To be called once in a body,
  /// instead of the other forms.
  ///
  /// All threads start together. Besides the scores of all of them there are those of each group: `time_NAME` is that
  /// of one of its threads, `throughput_NAME` that of the whole group.
  ///
  /// - Parameter groups: The groups, at least one, each with a name of its own.
  /// - Throws: `GroupFailure` where a thread can't be started.
  public func measure(_ groups: ThreadGroup...) throws(GroupFailure) {
    for group in groups where !Self.isName(group.name) {
      complain("the group name '\(group.name)' is not made of ASCII letters, digits and _")
    }
    try measureGroups(groups)
  }

  @usableFromInline
  func measureGroups(_ groups: [ThreadGroup]) throws(GroupFailure) {
    if groups.isEmpty { complain("measure was given no group of threads") }
    if Set(groups.map(\.name)).count != groups.count { complain("two groups of threads have the same name") }
    for group in groups where group.threads < 1 {
      complain("the group '\(group.name)' has \(group.threads) threads, but must have at least 1")
    }
    if declaration.isSingleThreaded { complain("groups of threads need a benchmark declared with threads: .several") }
    let settings = settings()
    guard misuse == nil else { return }
    try measurer.run(groups, settings)
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 == UInt8(ascii: "_") || Self.isAlphanumeric($0) }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    default: UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
  }

  /// Records a value of a metric of the author's own, in a launch made for that; in others this does nothing, so that
  /// nothing is in the way of what they measure. Several values of one metric make their median.
  ///
  /// ```swift
  /// let hitRate = Metric("hit_rate", unit: "%", polarity: .higher)
  /// return Benchmark("cache/lookup", metrics: [hitRate]) { run in
  ///   let cache = Cache(capacity: 100)
  ///   run.measure { cache.lookUp(7) }
  ///   run.record(hitRate, cache.hitRate * 100)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - metric: One of those that the benchmark was declared with.
  ///   - value: A finite number, in the metric's unit.
  public func record(_ metric: Metric, _ value: Double) {
    guard declaration.metrics.contains(metric) else {
      complain("the metric '\(metric.name)' was recorded, but the benchmark was not declared with it")
      return
    }
    guard value.isFinite else {
      complain("the value \(value) of the metric '\(metric.name)' is not a number")
      return
    }
    if declaration.records { recorded[metric, default: []].append(value) }
  }

  /// What was recorded of the author's own metrics, once the body has returned.
  var records: [Measurement] {
    guard declaration.records else { return [] }
    return declaration.metrics.map { metric in
      guard let values = recorded[metric] else {
        return Measurement(metric, .unavailable("the body recorded no value"))
      }
      return Measurement(metric, .value(median(of: values)), iterations: values.count, samples: values.count)
    }
  }

  /// Ends the body because the benchmark can't run here: the launch is reported as skipped, not as failed.
  ///
  /// ```swift
  /// Benchmark("cache/shared", threads: .several) { run in
  ///   guard processors > 1 else { try run.skip("needs two processors") }
  ///   let cache = Cache(capacity: 100)
  ///   run.measure { cache.lookUp(7) }
  /// }
  /// ```
  ///
  /// - Parameter reason: Why, in words that fit behind `skipped: `.
  /// - Throws: `BenchmarkSkipped`, always.
  public func skip(_ reason: String) throws(BenchmarkSkipped) -> Never { throw BenchmarkSkipped(reason) }

  /// The batches to run; none at all after a misuse.
  @usableFromInline
  func startMeasuring() -> Batches {
    let settings = settings()
    guard misuse == nil else { return Batches() }
    let batches = measurer.start(settings)
    isMeasuring = true
    return batches
  }

  /// Notes that the body measures, and takes what it has set.
  private func settings() -> MeasuringSettings {
    if hasMeasured { complain("the body called measure twice: make it two benchmarks") }
    hasMeasured = true
    return MeasuringSettings(elements: elements, bytes: bytes, countedOperations: countedOperations)
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
    if !hasMeasured, recorded.isEmpty { return "the body never called measure" }
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
