// How much the machine changed under a comparison: between the runs, by the reference loops, by other processes and by
// what the whole suite did; within a run, by its halves.

import Gauge
import GaugeStatistics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What two runs tell about the machine they ran on.
struct MachineDrift {
  /// What changed from run to run for most of a suite, as far as one metric tells.
  struct SuiteShift: Hashable {
    /// The median of the benchmarks' changes, as a logarithm of the ratio.
    var centre = 0.0
    /// Their scaled median absolute deviation from it: the standard deviation, if they are normally distributed.
    var scatter = 0.0

    /// The largest change that is not far out among the suite's.
    var reach: Double { abs(centre) + SuiteShift.farOut * scatter }

    /// Standard deviations beyond which one row in 16,000 would be by chance.
    static let farOut = 4.0
  }

  /// What other processes did on both sides while a benchmark was measured.
  struct ForeignLoads: Hashable {
    /// Processors that they kept busy on the base side: the mean over launches.
    var before: Double
    /// The same of the new side.
    var after: Double
    /// Processors that the machine has.
    var processors: Int
  }

  private let base: [ResultRow.Key: MeasuredRows]
  private let new: [ResultRow.Key: MeasuredRows]
  private let machine: (base: [ResultRow.Key: MeasuredRows], new: [ResultRow.Key: MeasuredRows])
  private let processors: Int?
  private let loops: [String]
  private let shifts: [String: SuiteShift]
  /// The changes of a metric's rows, as logarithms, where they are too few for an estimate of what the suite did.
  private let few: [String: [ResultRow.Key: Double]]
  private let options: ComparisonOptions

  /// Fewest rows of a metric for an estimate of what the suite did.
  static let minimumRows = 10

  /// Looks at two runs.
  ///
  /// - Parameters:
  ///   - base: The run that is compared with.
  ///   - new: The run that is judged.
  ///   - processors: Processors that the machine has, where the runs say it.
  ///   - options: Tolerances.
  /// - Complexity: O(rows · log rows).
  init(
    base: [ResultRow.Key: MeasuredRows], new: [ResultRow.Key: MeasuredRows], processors: Int?,
    options: ComparisonOptions
  ) {
    self.base = base
    self.new = new
    self.processors = processors
    machine = (base.filter { $0.value.tellsOfMachine }, new.filter { $0.value.tellsOfMachine })
    loops = Set(machine.base.keys.map(\.metric)).intersection(machine.new.keys.map(\.metric))
      .subtracting([Metric.foreignLoad.name]).sorted()
    self.options = options
    var ratios: [String: [ResultRow.Key: Double]] = [:]
    for (key, rows) in base {
      guard rows.metric.isTime, let other = new[key], !rows.values.isEmpty, !other.values.isEmpty else { continue }
      let (before, after) = (median(of: rows.values), median(of: other.values))
      if before > options.timeResolution && after > options.timeResolution {
        ratios[key.metric, default: [:]][key] = log(after / before)
      }
    }
    few = ratios.filter { $0.value.count < Self.minimumRows }
    shifts = ratios.filter { $0.value.count >= Self.minimumRows }.compactMapValues { ratios in
      Summary(Array(ratios.values)).map {
        SuiteShift(centre: $0.median, scatter: 1.4826 * $0.medianAbsoluteDeviation)
      }
    }
  }

  /// Whether a metric has too few rows for an estimate of what the suite did.
  func isOfFewRows(_ metric: String) -> Bool { few[metric] != nil }

  /// The change of a row, as a logarithm, that is not out of the ordinary between two runs of one build.
  ///
  /// Many rows tell it by what the suite did. A few can't: what most of the *other* rows did may be the machine's doing,
  /// and by how much a row may lie off that is taken from its own launches. Their plain deviation is large wherever the
  /// launches of a run fall into two modes, and two runs that lie in either mode mostly differ by no more than a few of it:
  /// in runs of one build, a neighbour coming and going between them, by 3.6 of it at most. What the loops of the instrument
  /// noticed may be several times as much for code that needs what they don't.
  func ordinaryChange(of key: ResultRow.Key) -> Double {
    guard let rows = few[key.metric], let old = spread(base[key]), let now = spread(new[key]) else {
      return suiteShift(of: key.metric).reach
    }
    let others = rows.filter { $0.key != key }.values.sorted()
    let centre = others.isEmpty ? 0 : median(ofSorted: others)
    let machine = abs(log(ratio(for: key)))
    return SuiteShift(centre: centre, scatter: ((old * old + now * now) / 2).squareRoot() + machine).reach
  }

  /// The standard deviation of the launches' logarithms; `nil` where it can't be had.
  private func spread(_ rows: MeasuredRows?) -> Double? {
    guard let values = rows?.values, values.allSatisfy({ $0 > 0 }) else { return nil }
    return Summary(values.map { log($0) })?.standardDeviation
  }

  /// The ratio of a reference loop's time, new over base, while this benchmark was measured; 1 within the tolerance.
  ///
  /// The benchmark's own launches are asked where they are enough for a median, else those of the whole run. Of several
  /// loops, which may strain different parts of the core, the one that changed most counts.
  func ratio(for key: ResultRow.Key) -> Double {
    let ratios = loops.map { loop in
      let (before, after) = launches(of: loop, with: key)
      return median(of: after) / median(of: before)
    }
    let farthest = ratios.filter { $0 > 0 && $0.isFinite }.max { abs(log($0)) < abs(log($1)) } ?? 1
    return abs(farthest - 1) > options.referenceTolerance ? farthest : 1
  }

  /// What other processes kept busy on both sides while this benchmark was measured; `nil` where that differs by no
  /// more than the tolerance, and where either side does not tell it of this benchmark.
  func foreignLoads(for key: ResultRow.Key) -> ForeignLoads? {
    let load = Metric.foreignLoad.name
    guard let processors, machine.base[key.of(load)] != nil, machine.new[key.of(load)] != nil else { return nil }
    let sides = launches(of: load, with: key)
    guard let before = Summary(sides.before)?.mean, let after = Summary(sides.after)?.mean else { return nil }
    guard abs(after - before) > options.foreignLoadTolerance * Double(processors) else { return nil }
    return ForeignLoads(before: before, after: after, processors: processors)
  }

  /// What the launches of a benchmark tell of the machine, or those of the whole run where these are too few.
  private func launches(of metric: String, with key: ResultRow.Key) -> (before: [Double], after: [Double]) {
    let own = key.of(metric)
    let (before, after) = (machine.base[own]?.values ?? [], machine.new[own]?.values ?? [])
    guard min(before.count, after.count) < options.minimumLaunches else { return (before, after) }
    return (
      machine.base.filter { $0.key.metric == metric }.flatMap(\.value.values),
      machine.new.filter { $0.key.metric == metric }.flatMap(\.value.values)
    )
  }

  /// How a time metric changed over the whole suite: an estimate of what differs from run to run of one build and is not
  /// seen by the launches within a run, above all another tenant on the same core.
  ///
  /// Medians, so that a change of code enters little as long as it reaches fewer than half of the benchmarks. One that
  /// slows all of them down alike can't be told from a slower machine by two separate runs.
  ///
  /// - Returns: No change for other metrics and with fewer than `minimumRows` rows.
  func suiteShift(of metric: String) -> SuiteShift { shifts[metric] ?? SuiteShift() }

  /// By how much the second half of a run's launches lies off the first.
  ///
  /// - Parameter values: One value per launch in time order.
  /// - Returns: The distance of the halves' medians; the middle launch of an odd number belongs to neither.
  static func withinRun(_ values: [Double]) -> Double {
    let half = values.count / 2
    guard half > 0 else { return 0 }
    return abs(median(of: values.suffix(half)) - median(of: values.prefix(half)))
  }
}

extension MeasuredRows {
  /// Whether this is of the machine: a loop of the instrument that times it, or what others did to it.
  fileprivate var tellsOfMachine: Bool {
    (metric.name.hasPrefix("reference_") || metric.name == Metric.foreignLoad.name) && metric.polarity == .neither
      && !values.isEmpty
  }
}

extension ResultRow.Key {
  /// The key of another metric of the same benchmark.
  fileprivate func of(_ metric: String) -> ResultRow.Key {
    ResultRow.Key(benchmark: benchmark, parameters: parameters, metric: metric)
  }
}
