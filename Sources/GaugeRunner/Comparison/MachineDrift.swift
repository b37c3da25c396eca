// How much the machine changed between two runs: by the reference loops, by other processes and by what the other
// benchmarks did.

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
  /// What other processes did on both sides while a benchmark was measured.
  struct ForeignLoads: Hashable {
    /// Processors that they kept busy on the base side: the mean over launches.
    var before: Double
    /// The same of the new side.
    var after: Double
    /// Processors that the machine has.
    var processors: Int
  }

  /// A loop of the instrument that ran slower or faster than it does from run to run.
  struct LoopChange: Hashable {
    /// The metric of the loop.
    var loop: String
    /// The logarithm of its time's ratio, new over base, less what is usual; above 0 for a slower machine.
    var excess: Double
  }

  private let machine: (base: [ResultRow.Key: MeasuredRows], new: [ResultRow.Key: MeasuredRows])
  private let processors: Int?
  private let loops: [String]
  private let scatter: RunScatter
  /// The changes of a metric's rows, as logarithms of costs.
  private let changes: [String: [ResultRow.Key: Double]]
  private let options: ComparisonOptions

  /// How much more than a loop of the instrument code may notice of the machine: in runs of one build beside a neighbour
  /// on the same core, rows became slower by up to four times what the loops did.
  static let sensitivity = 4.0
  /// Fewest other rows of a metric that tell what all of them did.
  static let minimumRows = 2
  /// What a loop may differ by between two runs where earlier ones don't tell, as a logarithm.
  static let usualLoopChange = 0.02

  /// Looks at two runs.
  ///
  /// - Parameters:
  ///   - base: The run that is compared with.
  ///   - new: The run that is judged.
  ///   - processors: Processors that the machine has, where the runs say it.
  ///   - scatter: What two runs of one build differ by.
  ///   - options: Tolerances.
  /// - Complexity: O(rows · log rows).
  init(
    base: [ResultRow.Key: MeasuredRows], new: [ResultRow.Key: MeasuredRows], processors: Int?,
    scatter: RunScatter = RunScatter(), options: ComparisonOptions
  ) {
    self.processors = processors
    self.scatter = scatter
    self.options = options
    machine = (base.filter { $0.value.tellsOfMachine }, new.filter { $0.value.tellsOfMachine })
    loops = Set(machine.base.keys.map(\.metric)).intersection(machine.new.keys.map(\.metric))
      .subtracting([Metric.foreignLoad.name, Metric.referenceLoop.name]).sorted()
    var changes: [String: [ResultRow.Key: Double]] = [:]
    for (key, rows) in base {
      guard rows.metric.isTime, rows.metric.polarity != .neither, let before = RunLevel(rows), let other = new[key],
        let after = RunLevel(other)
      else { continue }
      let resolution = options.resolution(of: rows.metric)
      let isRate = rows.metric.polarity == .higher
      changes[key.metric, default: [:]][key] =
        after.cost(.fast, isRate: isRate, resolution: resolution)
        - before.cost(.fast, isRate: isRate, resolution: resolution)
    }
    self.changes = changes
  }

  /// How much slower the arithmetic reference loop ran beside this benchmark's launches, as a logarithm; `nil` where a
  /// side has none.
  func referenceChange(for key: ResultRow.Key) -> Double? { change(of: Metric.referenceLoop.name, for: key) }

  /// What most of the other rows of the metric did: the median of their changes, as logarithms; `nil` where there are
  /// fewer than two.
  ///
  /// A change of code enters little as long as it reaches fewer than half of the benchmarks. One that slows all of them
  /// down alike can't be told from a slower machine by two separate runs.
  func otherRows(than key: ResultRow.Key) -> Double? {
    guard let rows = changes[key.metric] else { return nil }
    let others = rows.filter { $0.key != key }.values
    return others.count < Self.minimumRows ? nil : median(of: others)
  }

  /// The memory loop that ran out of its usual bounds in one direction, if one did: the one that did most.
  ///
  /// - Parameters:
  ///   - key: The benchmark beside whose launches they ran.
  ///   - slower: Whether a slower machine is looked for, or a faster one.
  func unusualLoop(for key: ResultRow.Key, slower: Bool) -> LoopChange? {
    let reference = referenceChange(for: key) ?? 0
    return loops.compactMap { loop -> LoopChange? in
      guard let change = change(of: loop, for: key) else { return nil }
      let moved = nearest([change, change - reference]) * (slower ? 1 : -1)
      let excess = moved - (scatter.of(key.of(loop), .fast)?.bar ?? Self.usualLoopChange)
      return excess > 0 ? LoopChange(loop: loop, excess: excess) : nil
    }.max { $0.excess < $1.excess }
  }

  /// The change of a loop's fast launches beside a benchmark, or over the whole run where these are too few.
  private func change(of loop: String, for key: ResultRow.Key) -> Double? {
    let sides = launches(of: loop, with: key)
    guard !sides.before.isEmpty, !sides.after.isEmpty else { return nil }
    let levels = [sides.before, sides.after].map { quantile(RunLevel.Part.fast.share, ofSorted: $0.sorted()) }
    return levels[0] > 0 && levels[1] > 0 ? log(levels[1] / levels[0]) : nil
  }

  /// What other processes kept busy on both sides while this benchmark was measured; `nil` where that was little and
  /// differs by no more than the tolerance, and where either side does not tell it of this benchmark.
  func foreignLoads(for key: ResultRow.Key) -> ForeignLoads? {
    let load = Metric.foreignLoad.name
    guard let processors, isOfSeveralThreads(key) else { return nil }
    let sides = launches(of: load, with: key)
    guard let before = Summary(sides.before)?.mean, let after = Summary(sides.after)?.mean else { return nil }
    let isAlike = abs(after - before) <= options.foreignLoadTolerance * Double(processors)
    guard !isAlike || max(before, after) > options.largestForeignLoad * Double(processors) else { return nil }
    return ForeignLoads(before: before, after: after, processors: processors)
  }

  /// Whether both sides tell what other processes did, as benchmarks of several threads do.
  func isOfSeveralThreads(_ key: ResultRow.Key) -> Bool {
    let own = key.of(Metric.foreignLoad.name)
    return machine.base[own] != nil && machine.new[own] != nil
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
}

/// The number nearest to 0 of some that have one sign; 0 where they haven't.
func nearest(_ numbers: [Double]) -> Double {
  numbers.allSatisfy { $0 > 0 } ? numbers.min()! : numbers.allSatisfy { $0 < 0 } ? numbers.max()! : 0
}
