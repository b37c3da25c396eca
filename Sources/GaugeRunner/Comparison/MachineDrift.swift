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
    /// By how much more than usual it changed, as a logarithm of its time's ratio; above 0 in either direction.
    var excess: Double
  }

  private let machine: (base: [ResultRow.Key: MeasuredRows], new: [ResultRow.Key: MeasuredRows])
  /// Titles of the benchmarks that both sides call ones of several threads.
  private let ofSeveralThreads: Set<String>
  private let processors: Int?
  private let loops: [String]
  private let scatter: RunScatter
  /// What stands against a verdict on times where somebody slowed one of the runs throughout; else `nil`.
  let slowedSide: String?
  /// The changes of a metric's rows, as logarithms of costs.
  private struct Changes {
    var byKey: [ResultRow.Key: Double] = [:]
    /// The same without the keys, in rising order.
    var sorted: [Double] = []

    init(_ changes: [ResultRow.Key: Double]) { (byKey, sorted) = (changes, changes.values.sorted()) }
  }

  /// By metric, from the base, and from what its build usually takes.
  private let changes, changesFromUsual: [String: Changes]
  /// What the launches of both sides tell of a metric, in rising order, with their means.
  private struct Launches {
    var before: [Double] = []
    var after: [Double] = []
    var means: (before: Double, after: Double)?

    init(before: [Double], after: [Double]) {
      (self.before, self.after) = (before.sorted(), after.sorted())
      if let first = Summary(self.before)?.mean, let second = Summary(self.after)?.mean { means = (first, second) }
    }
  }

  /// The launches of the whole run, by metric.
  private let whole: [String: Launches]
  /// By benchmark, how long an operation stood ready without a processor, as a share of its time: of those whose
  /// operations are long enough that each is interrupted where others want the processors.
  private let interruptions: [ResultRow.Key: (before: Double, after: Double)]
  private let options: ComparisonOptions

  /// How much more than a loop of the instrument code may notice of the machine: in runs of one build beside a
  /// neighbour on the same core, rows became slower by up to four times what the loops did.
  static let sensitivity = 4.0
  /// Fewest other rows of a metric that tell what all of them did.
  static let minimumRows = 2
  /// What a loop may differ by between two runs where earlier ones don't tell, as a logarithm.
  static let usualLoopChange = 0.02
  /// Nanoseconds from which on an operation is long: others that want the processors may interrupt it each time.
  static let longOperation = 1e6
  /// By how much of an operation's time the sides may differ in what it waited for a processor.
  static let mostWaitChange = 0.5

  /// Looks at two runs.
  ///
  /// - Parameters:
  ///   - base: The run that is compared with.
  ///   - new: The run that is judged.
  ///   - processors: Processors that the machine has, where the runs say it.
  ///   - scatter: What two runs of one build differ by.
  ///   - severalThreads: Titles of benchmarks that both sides call ones of several threads; `nil` goes by their rows.
  ///   - slowedSide: That somebody slowed one of the runs throughout, in words; `nil` where nobody did.
  ///   - options: Tolerances.
  /// - Complexity: O(rows · log rows).
  init(
    base: [ResultRow.Key: MeasuredRows], new: [ResultRow.Key: MeasuredRows], processors: Int?,
    scatter: RunScatter = RunScatter(), severalThreads: Set<String>? = nil, slowedSide: String? = nil,
    options: ComparisonOptions
  ) {
    self.processors = processors
    self.slowedSide = slowedSide
    self.scatter = scatter
    self.options = options
    machine = (base.filter { $0.value.tellsOfMachine }, new.filter { $0.value.tellsOfMachine })
    ofSeveralThreads =
      severalThreads ?? SeveralThreads.titles(of: base).intersection(SeveralThreads.titles(of: new))
    loops = Set(machine.base.keys.map(\.metric)).intersection(machine.new.keys.map(\.metric))
      .subtracting([Metric.foreignLoad.name, Metric.referenceLoop.name]).sorted()
    var (changes, fromUsual): ([String: [ResultRow.Key: Double]], [String: [ResultRow.Key: Double]]) = ([:], [:])
    for (key, rows) in base {
      guard rows.metric.isTime, rows.metric.polarity != .neither, let before = RunLevel(rows), let other = new[key],
        let after = RunLevel(other)
      else { continue }
      let resolution = options.resolution(of: rows.metric)
      let isRate = rows.metric.polarity == .higher
      let cost = after.cost(.fast, isRate: isRate, resolution: resolution)
      changes[key.metric, default: [:]][key] = cost - before.cost(.fast, isRate: isRate, resolution: resolution)
      if let usual = scatter.usual(key) { fromUsual[key.metric, default: [:]][key] = cost - usual.measured }
    }
    interruptions = base.reduce(into: [:]) { interruptions, row in
      guard row.key.metric == Metric.time.name, row.value.metric.nanosecondsOfUnit == 1 else { return }
      let waits = row.key.of(Metric.readyWait.name)
      guard let times = (row.value.middle, new[row.key]?.middle) as? (Double, Double),
        let waited = (base[waits]?.middle, new[waits]?.middle) as? (Double, Double),
        min(times.0, times.1) >= Self.longOperation
      else { return }
      interruptions[row.key.of("")] = (waited.0 / times.0, waited.1 / times.1)
    }
    self.changes = changes.mapValues { Changes($0) }
    changesFromUsual = fromUsual.mapValues { Changes($0) }
    let sides = [machine.base, machine.new].map { side in
      Dictionary(grouping: side, by: \.key.metric).mapValues { $0.flatMap(\.value.telling) }
    }
    whole = Set(sides.flatMap(\.keys)).reduce(into: [:]) { whole, metric in
      whole[metric] = Launches(before: sides[0][metric] ?? [], after: sides[1][metric] ?? [])
    }
  }

  /// How much slower the arithmetic reference loop ran beside this benchmark's launches, as a logarithm; `nil` where a
  /// side has none.
  func referenceChange(for key: ResultRow.Key) -> Double? { change(of: Metric.referenceLoop.name, for: key) }

  /// What the arithmetic reference loop took beside this benchmark's launches on the new side, as a logarithm;
  /// `nil` where they have none.
  func reference(for key: ResultRow.Key) -> Double? {
    guard let rows = machine.new[key.of(Metric.referenceLoop.name)] else { return nil }
    return RunLevel(rows)?.cost(.fast, isRate: false, resolution: 0)
  }

  /// What most of the other rows of the metric did: the middle one of their changes, as logarithms, or the middle two
  /// of an even number, the smaller one first: of two rows one may be the change of code. `nil` where there are fewer.
  ///
  /// A change of code enters little as long as it reaches fewer than half of the benchmarks. One that slows all of them
  /// down alike can't be told from a slower machine by two separate runs.
  ///
  /// - Parameters:
  ///   - key: The row that is left out.
  ///   - fromUsual: Whether the changes are those from what the base's build usually takes.
  func otherRows(than key: ResultRow.Key, fromUsual: Bool = false) -> ClosedRange<Double>? {
    guard let all = (fromUsual ? changesFromUsual : changes)[key.metric] else { return nil }
    let own = all.byKey[key]
    let count = all.sorted.count - (own == nil ? 0 : 1)
    return count < Self.minimumRows ? nil : middle(of: all.sorted, without: own)
  }

  /// The middle one of numbers in rising order, or the middle two.
  ///
  /// - Parameter left: One of them that is left out.
  /// - Complexity: O(log count).
  private func middle(of sorted: [Double], without left: Double? = nil) -> ClosedRange<Double> {
    var place = left == nil ? sorted.count : 0
    if let left {
      // The first that isn't smaller.
      var end = sorted.count
      while place < end {
        let half = place + (end - place) / 2
        if sorted[half] < left { place = half + 1 } else { end = half }
      }
    }
    let count = sorted.count - (left == nil ? 0 : 1)
    func number(_ index: Int) -> Double { sorted[index < place ? index : index + 1] }
    return number((count - 1) / 2)...number(count / 2)
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

  /// The memory loop that ran slower or faster than in any of the earlier runs, if one did: a row that stayed where it
  /// was meanwhile may have changed.
  ///
  /// - Parameter key: The benchmark beside whose launches it ran.
  func hidingLoop(for key: ResultRow.Key) -> LoopChange? {
    [true, false].compactMap { unusualLoop(for: key, slower: $0) }
      .filter { scatter.of(key.of($0.loop), .fast) != nil }.max { $0.excess < $1.excess }
  }

  /// The change of a loop's fastest launch beside a benchmark, or over the whole run where these are too few.
  private func change(of loop: String, for key: ResultRow.Key) -> Double? {
    let sides = launches(of: loop, with: key)
    guard !sides.before.isEmpty, !sides.after.isEmpty else { return nil }
    let levels = [sides.before, sides.after].map { RunLevel.fastest($0, isRate: false) }
    return levels[0] > 0 && levels[1] > 0 ? log(levels[1] / levels[0]) : nil
  }

  /// What other processes kept busy on both sides while this benchmark was measured; `nil` where that was little and
  /// differs by no more than the tolerance, and where either side does not tell it of this benchmark.
  ///
  /// - Parameters:
  ///   - key: The benchmark.
  ///   - largest: The part of the processors that is little; by default what still leaves a time its meaning.
  func foreignLoads(for key: ResultRow.Key, largest: Double? = nil) -> ForeignLoads? {
    let load = Metric.foreignLoad.name
    let own = key.of(load)
    guard let processors, isOfSeveralThreads(key), machine.base[own] != nil, machine.new[own] != nil else { return nil }
    guard let (before, after) = launches(of: load, with: key).means else { return nil }
    let isAlike = abs(after - before) <= options.foreignLoadTolerance * Double(processors)
    guard !isAlike || max(before, after) > (largest ?? options.largestForeignLoad) * Double(processors) else {
      return nil
    }
    return ForeignLoads(before: before, after: after, processors: processors)
  }

  /// Whether long operations of a benchmark waited for a processor on one side for longer than on the other, by more
  /// than half of their time. The wait is no part of that time, but what they find in the caches behind it is.
  ///
  /// - Parameters:
  ///   - key: The benchmark.
  ///   - after: `true` if the new side is the one that waited longer, `false` if the base is.
  func areInterrupted(_ key: ResultRow.Key, after: Bool) -> Bool {
    guard let waits = interruptions[key.of("")] else { return false }
    return (waits.after - waits.before) * (after ? 1 : -1) > Self.mostWaitChange
  }

  /// Whether both sides call a benchmark one of several threads: the new side's word alone makes nothing more lenient.
  func isOfSeveralThreads(_ key: ResultRow.Key) -> Bool { ofSeveralThreads.contains(key.title) }

  /// What the launches of a benchmark tell of the machine,
  /// or those of the whole run where these are too few, in rising order.
  private func launches(of metric: String, with key: ResultRow.Key) -> Launches {
    let own = key.of(metric)
    let (base, new) = (machine.base[own], machine.new[own])
    let (before, after) = (base?.telling ?? [], new?.telling ?? [])
    let isEnough = min(base?.values.count ?? 0, new?.values.count ?? 0) >= options.minimumLaunches
    return (isEnough ? nil : whole[metric]) ?? Launches(before: isEnough ? before : [], after: isEnough ? after : [])
  }
}

extension MeasuredRows {
  /// The launches that tell what the machine was like: of a loop the calm ones, of which the times are taken, too. A
  /// row of which too few launches were calm on one side alone is compared with them all, and so must the loop be.
  fileprivate var telling: [Double] { metric.name == Metric.foreignLoad.name ? values : calm }
}

/// The number nearest to 0 of some that have one sign; 0 where they haven't.
func nearest(_ numbers: [Double]) -> Double {
  numbers.allSatisfy { $0 > 0 } ? numbers.min()! : numbers.allSatisfy { $0 < 0 } ? numbers.max()! : 0
}
