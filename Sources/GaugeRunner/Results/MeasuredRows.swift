// A run's rows by what they are compared by.

import Gauge
import GaugeStatistics

/// All launches of one metric of one benchmark.
struct MeasuredRows {
  /// What was measured, as the first launch describes it.
  let metric: Metric
  /// One finite value per launch that has one, in time order; where they are exact, what a subtraction leaves of equal
  /// ones is 0, as it is printed.
  let values: [Double]
  /// The values of the launches beside which nobody slowed the loop of stores; all values where these are too few.
  let calm: [Double]
  /// The share of launches that somebody disturbed, where the loops of stores don't tell for certain which: of the
  /// run's where there is none beside these, and of these where hardly any were calm, as what came and went between two
  /// turns of a loop is in those; else 0.
  let unseenDisturbance: Double
  /// All launches, with a value or without.
  let launches: Int
  /// Why the first launch without a value has none; `nil` if all have one.
  let unavailable: String?
  /// Operations behind all values together.
  let operations: Int
  /// The fewest and the most operations behind a value.
  let operationsOfEach: ClosedRange<Int>

  /// What the loop of stores tells of a run's launches, by their place in it.
  private struct Disturbance {
    var measured: Set<Int> = []
    var disturbed: Set<Int> = []
    var share: Double { measured.isEmpty ? 0 : Double(disturbed.count) / Double(measured.count) }
  }

  private init(_ rows: [ResultRow], _ disturbance: Disturbance) {
    let ordered = rows.sorted { ($0.sequence, $0.launch) < ($1.sequence, $1.launch) }
    let metric = ordered[0].metric
    self.metric = metric
    launches = ordered.count
    operations = ordered.reduce(0) { boundedSum($0, $1.iterations) }
    let counted = ordered.filter { if case .value(let value) = $0.outcome { value.isFinite } else { false } }
      .map(\.iterations)
    operationsOfEach = (counted.min() ?? 0)...(counted.max() ?? 0)
    let isExact = metric.kind == .exact || metric.isCount
    func finite(_ rows: [ResultRow]) -> [Double] {
      rows.compactMap { row in
        guard case .value(let value) = row.outcome, value.isFinite else { return nil }
        return isExact ? withoutRest(value, of: metric) : value
      }
    }
    values = finite(ordered)
    let calm = finite(ordered.filter { !disturbance.disturbed.contains($0.sequence) })
    self.calm = calm.count >= Self.fewestCalm ? calm : values
    if ordered.contains(where: { disturbance.measured.contains($0.sequence) }) {
      let disturbed = 1 - Double(calm.count) / Double(max(1, values.count))
      unseenDisturbance = disturbed > Self.mostDisturbed ? disturbed : 0
    } else {
      unseenDisturbance = disturbance.share
    }
    unavailable =
      ordered.lazy.compactMap { row -> String? in
        switch row.outcome {
        case .unavailable(let reason): reason
        case .value(let value): value.isFinite ? nil : "measured \(value)"
        }
      }.first
  }

  /// `operationsOfEach` in words.
  var describedOperations: String {
    let (least, most) = (operationsOfEach.lowerBound, operationsOfEach.upperBound)
    if least < most { return "\(least) to \(most) operations" }
    return most == 1 ? "one operation" : "\(most) operations"
  }

  /// Groups the rows of a run.
  ///
  /// - Parameter calmStores: What a turn of the loop of stores takes where nobody slows it; by default what it takes in
  ///   the calmest launches of this run.
  static func grouped(_ results: Results, calmStores: Double? = nil) -> [ResultRow.Key: MeasuredRows] {
    var disturbance = Disturbance()
    if let calm = calmStores ?? Self.calmStores(results) {
      let stores = stores(results)
      disturbance.measured = Set(stores.map(\.launch))
      disturbance.disturbed = Set(stores.filter { $0.value > calm * disturbingFactor }.map(\.launch))
    }
    return Dictionary(grouping: results.rows, by: \.key).mapValues { MeasuredRows($0, disturbance) }
  }

  /// How much longer a turn of the loop of stores takes in a launch that somebody disturbs: a neighbour on the same
  /// core of the host, which no counter of the machine shows, takes it to 1.3 times and more.
  static let disturbingFactor = 1.1
  /// Launches of a row that must have been calm.
  static let fewestCalm = 3
  /// The share of a row's launches that may be disturbed without doubt about the others: where nine in ten were, three
  /// calm ones of an operation of 29 ms took 31, 38 and 43.
  static let mostDisturbed = 0.75

  /// What a turn of the loop of stores takes in the calmest launches of a run; `nil` where it wasn't measured.
  static func calmStores(_ results: Results) -> Double? {
    calmStores(stores(results).map(\.value))
  }

  /// What a turn of the loop of stores takes in the calmest of some launches; `nil` without any.
  static func calmStores(_ turns: [Double]) -> Double? {
    turns.isEmpty ? nil : quantile(0.01, ofSorted: turns.sorted())
  }

  /// What a turn of the loop of stores took, by the launch's place in the run.
  private static func stores(_ results: Results) -> [(launch: Int, value: Double)] {
    results.rows.compactMap { row in
      guard row.metric.name == Metric.referenceStores.name, case .value(let value) = row.outcome, value.isFinite else {
        return nil
      }
      return (row.sequence, value)
    }
  }

  /// Relative difference up to which two exact values are one: rounding in a quotient of counts.
  static let exactTolerance = 1e-9

  /// Whether two exact values are the same.
  static func equal(_ left: Double, _ right: Double) -> Bool {
    abs(left - right) <= exactTolerance * max(abs(left), abs(right))
  }

  /// Whether every launch has the same value.
  var repeats: Bool { values.allSatisfy { Self.equal($0, values[0]) } }

  /// The median over the launches, the value itself where all launches agree; `nil` without values.
  var middle: Double? { values.isEmpty ? nil : repeats ? values[0] : median(of: values) }

  /// The median over the launches with its bootstrap interval of some confidence, the value itself where all launches
  /// agree; `nil` without values.
  func estimate(confidence: Double) -> Estimate? {
    guard let middle else { return nil }
    if repeats { return .exact(middle) }
    // The percentile method: BCa has nothing to correct a median of few launches by.
    return Estimate(middle, MedianBootstrap(values).interval(confidence: confidence))
  }

  /// Whether this is of the machine: a loop of the instrument that times it, or what others did to it.
  var tellsOfMachine: Bool {
    (metric.name.hasPrefix("reference_") || metric.name == Metric.foreignLoad.name) && metric.polarity == .neither
      && !values.isEmpty
  }
}

extension ResultRow.Key {
  /// The key of another metric of the same benchmark.
  func of(_ metric: String) -> ResultRow.Key {
    ResultRow.Key(benchmark: benchmark, parameters: parameters, metric: metric)
  }
}
