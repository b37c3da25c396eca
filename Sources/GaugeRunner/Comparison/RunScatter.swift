// What two runs of one build differ by on this machine, learnt from earlier ones.

import Gauge
import GaugeStatistics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The scatter between runs of one build: how far apart two of them have been, row by row.
///
/// Of every two earlier runs of one build the difference of the logarithms is taken; of times, against the arithmetic
/// reference loop of the same row. A row's scale is their scaled median absolute value, which a few odd runs don't
/// move, and at least half of the median of its kind's, as twenty runs know a scale to a fifth. The bar is so many
/// scales as the farthest of all differences of its kind was, each by a scale of 0.6 % at least, and half as many
/// more (twice as many for the slow launches): the kind has a thousand times more differences than a row, and tells
/// what its tail is like. An odd run is off by no more in a row that scatters more, so that this is never more than the
/// farthest difference of the kind itself, and half as much again. It lies as much above the row's own largest
/// difference, too. Where a kind has too few rows and runs to tell its tail, the bar is twelve scales of its middle
/// row, or a tenth, at least. Between runs that lie farther apart in time than the earlier ones, which can't have shown
/// what changes meanwhile, the bar is half as high again.
/// A time of several threads that wait for each other has a bar of a factor of three at least: a run in fifteen takes
/// twice as long in most of such rows, which twenty runs need not have shown. What rare operations add to their mean
/// has a bar of a quarter at least.
///
/// Of the base's own build, twenty runs also tell what it usually takes: a single run differs from their middle by less
/// than from another single run. That holds as long as the compared runs lie no farther apart in time than these: what
/// the machine changes by meanwhile is in none of them.
struct RunScatter {
  /// What is known of a row.
  struct Known: Hashable {
    /// The standard deviation of the difference of two runs, as a logarithm.
    var scale: Double
    /// What two runs of one build are taken never to differ by, as a logarithm.
    var bar: Double
    /// The largest distance of the slow launches from the fastest in a run, as a logarithm.
    var spread: Double
  }

  /// What the fastest launch of the base's build usually takes.
  struct Usual: Hashable {
    /// The middle of its earlier runs, as a logarithm of cost: of times, against the arithmetic reference loop.
    var level: Double
    /// The same as measured.
    var measured: Double
    /// Runs that were asked.
    var runs: Int
    /// What a run is taken never to differ by from the middle of the others, as a logarithm.
    var bar = Double.infinity
  }

  /// A part of a row's launches.
  struct Place: Hashable {
    var key: ResultRow.Key
    var part: RunLevel.Part
  }

  /// Rows whose differences have a tail in common.
  private struct Family: Hashable {
    var metric: Metric
    var isOfSeveralThreads: Bool
    var part: RunLevel.Part
  }

  /// What the earlier runs say of a row.
  private struct Learnt {
    var place: Place
    var differences: [Double]
    /// Runs that they are of.
    var runs: Int
    var spread: Double
    /// How much higher its bar is for the time between the compared runs.
    var margin: Double
  }

  private var known: [Place: Known] = [:]
  private var usual: [ResultRow.Key: Usual] = [:]
  /// What `count` tells.
  private var counts: [ResultRow.Key: Int] = [:]
  /// Earlier runs, less the number of their builds, plus one: as many runs of one build would tell as much.
  let runs: Int

  /// Runs of one build that a scale is learnt from: fewer know it worse than to a fifth.
  static let neededRuns = 20
  /// The share of these that nobody may have slowed throughout, as the loop of stores beside a row tells. Of the runs
  /// that nobody has, those with at least half the usual number of calm launches count alone if they are as many: fewer
  /// launches differ by more.
  static let calmShare = 0.75
  /// How much farther than the farthest difference the bar lies: farther for the slow launches, which what other
  /// processes do reaches first.
  static func margin(_ part: RunLevel.Part) -> Double { part == .fast ? 1.5 : 2 }
  /// The least scale of a row, as a part of the median of its kind's.
  static let leastShare = 0.5
  /// Scales below which no bar lies, however small the farthest difference was: one row in two million lies beyond if
  /// the differences are normally distributed.
  static let leastScales = 5.0
  /// Runs of rows that tell what the tail of a kind is like. In recordings of 744 runs of rows two lay off throughout,
  /// by 5 and 7 %, which no other run of those rows did.
  static let neededForTail = 1000
  /// How many scales of a kind's middle row the tail reaches as long as fewer are known: those two lay off by 8 and 11.
  static let usualTailScales = 12.0
  /// What it reaches at most, however much the middle row scatters: a tenth.
  static let mostUsualTail = log(1.1)
  /// The least scale by which the farthest difference of a row is taken: five of these are the threshold of 3 %, below
  /// which no change of a time counts.
  static let leastTellingScale = 0.006
  /// The least bar of a time where several threads wait for each other: a factor of three.
  static let leastBarOfSeveralThreads = log(3.0)
  /// The least bar of a quotient of two such times: a quarter. In one run of thirty it was 8 % smaller than in any
  /// other, as its threads met in another way.
  static let leastBarOfQuotients = log(1.25)
  /// The least bar of a metric where several threads wait for each other.
  private static func leastBar(_ metric: Metric) -> Double {
    if metric.isJudgedAgainstLoop { return leastBarOfSeveralThreads }
    return metric.name.hasPrefix(Metric.meanByMedian.name) ? leastBarOfQuotients : 0
  }
  /// How much higher the bars are between runs that lie farther apart in time than the earlier ones: the state of the
  /// system's memory moved a row by 8 % within four hours, and by a scale of 1.7 % within each.
  static let marginOverTime = 1.5

  /// Nothing is known.
  init() { runs = 0 }

  /// Learns from earlier runs.
  ///
  /// - Parameters:
  ///   - earlier: The runs, all of this machine.
  ///   - rows: What is compared: the launches of the smaller side, and whether several threads run.
  ///   - interval: Seconds between the compared runs; `nil` where a date is missing.
  ///   - build: The base's executables, as `EarlierRun.build` tells them; empty where that isn't told.
  ///   - resolution: The smallest value of a metric that can be told from 0.
  /// - Complexity: O(rows · runs²).
  init(
    _ earlier: [EarlierRun], rows: [ResultRow.Key: (metric: Metric, launches: Int, isOfSeveralThreads: Bool)],
    interval: Double? = nil, base build: String = "", resolution: (Metric) -> Double
  ) {
    let earlier = Self.distinct(earlier)
    let calmStores = CalmStores(earlier.map(\.levels))
    // What slowed runs say is of a neighbour, not of the scatter.
    let calmBuilds = Dictionary(grouping: earlier.filter { !calmStores.isSlowed($0.levels) }, by: \.build).values
    let builds = Dictionary(grouping: earlier, by: \.build).values
    runs = builds.isEmpty ? 0 : earlier.count - builds.count + 1
    var families: [Family: [Learnt]] = [:]
    var usualFamilies: [Family: [Learnt]] = [:]
    for (key, row) in rows {
      let loop = key.of(Metric.referenceLoop.name)
      let isRate = row.metric.polarity == .higher
      func withRow(_ builds: some Collection<[EarlierRun]>, where isFitting: (EarlierRun) -> Bool) -> [[EarlierRun]] {
        builds.map { $0.filter { $0.levels[key] != nil && isFitting($0) } }.filter { $0.count > 1 }
      }
      let withAny = withRow(builds) { _ in true }
      counts[key] = Self.count(withAny)
      let calmLaunches = withAny.joined().map { Double($0.levels[key]!.launches) }
      let least = calmLaunches.isEmpty ? 0 : min(Double(row.launches), median(of: calmLaunches)) / 2
      let calm = withRow(calmBuilds) { calmStores.isCalm($0.levels, beside: key) }
      let full = calm.map { $0.filter { Double($0.levels[key]!.launches) >= least } }.filter { $0.count > 1 }
      let fitting = Self.isEnough(full) ? full : calm
      guard counts[key]! >= Self.neededRuns, Self.isEnough(fitting) else { continue }
      let spans = fitting.map { interval == nil ? 0 : Self.span($0) }
      let margin = interval ?? 0 > spans.max()! ? Self.marginOverTime : 1
      func place(_ part: RunLevel.Part) -> Place { Place(key: key, part: part) }
      for part in RunLevel.Part.allCases {
        let family = Family(metric: row.metric, isOfSeveralThreads: row.isOfSeveralThreads, part: part)
        var (differences, spread) = ([Double](), 0.0)
        for (runs, span) in zip(fitting, spans) {
          let levels = runs.map(\.levels)
          let measured = levels.map { $0[key]!.cost(part, isRate: isRate, resolution: resolution(row.metric)) }
          let loops = levels.map { levels in
            row.metric.isJudgedAgainstLoop ? levels[loop]?.cost(.fast, isRate: false, resolution: 0) : nil
          }
          let costs = zip(measured, loops).map { $0 - ($1 ?? 0) }
          // What runs of more launches differed by is less than what the compared ones do, by the square root of these.
          let shares = levels.map { Double(row.launches) / Double($0[key]!.launches) }
          for index in costs.indices {
            for other in costs[..<index].indices {
              let share = (shares[index] + shares[other]) / 2
              differences.append(abs(costs[index] - costs[other]) / min(1, share.squareRoot()))
            }
          }
          spread = levels.reduce(spread) { max($0, $1[key]!.spread(isRate: isRate, resolution(row.metric))) }
          // What threads meet by differs from run to run. What time changes lies in a middle as it does in one run.
          guard part == .fast, !build.isEmpty, runs[0].build == build,
            withAny.contains(where: { $0[0].build == build && $0.count >= Self.neededRuns }),
            Double(runs.count) >= Self.calmShare * Double(Self.neededRuns), !row.isOfSeveralThreads,
            !loops.contains(nil), interval ?? 0 <= span
          else { continue }
          usual[key] = Usual(level: median(of: costs), measured: median(of: measured), runs: runs.count)
          usualFamilies[family, default: []].append(
            Learnt(
              place: place(part), differences: Self.distances(costs, shares), runs: runs.count, spread: spread,
              margin: 1))
        }
        families[family, default: []].append(
          Learnt(
            place: place(part), differences: differences, runs: fitting.joined().count, spread: spread, margin: margin))
      }
    }
    for (family, rows) in families {
      known.merge(Self.learn(rows, leastBar: family.isOfSeveralThreads ? Self.leastBar(family.metric) : 0)) { $1 }
    }
    for (place, known) in usualFamilies.values.flatMap({ Self.learn($0, leastBar: 0) }) {
      usual[place.key]?.bar = known.bar
    }
  }

  /// The runs without those that another one holds: copies, and parts of a merged file. Of how far runs lie apart, the
  /// same launches tell nothing.
  private static func distinct(_ runs: [EarlierRun]) -> [EarlierRun] {
    var distinct: [EarlierRun] = []
    for run in runs.sorted(by: { $0.levels.count > $1.levels.count })
    where !distinct.contains(where: { $0.holds(run) }) {
      distinct.append(run)
    }
    return distinct
  }

  /// How many runs of one build would tell as much.
  private static func count(_ builds: [[EarlierRun]]) -> Int {
    builds.isEmpty ? 0 : builds.reduce(1) { $0 + $1.count - 1 }
  }

  /// Whether so many of the runs fit that something is learnt.
  private static func isEnough(_ builds: [[EarlierRun]]) -> Bool {
    Double(count(builds)) >= calmShare * Double(neededRuns)
  }

  /// How far each run lies from the middle of the others; less where it had more launches than the compared ones.
  private static func distances(_ costs: [Double], _ shares: [Double]) -> [Double] {
    costs.indices.map { index in
      let others = costs.indices.filter { $0 != index }.map { costs[$0] }
      return abs(costs[index] - median(of: others)) / min(1, shares[index].squareRoot())
    }
  }

  /// Seconds that runs lie apart; without the first and the last run, as a clock may have been wrong.
  private static func span(_ runs: [EarlierRun]) -> Double {
    let seconds = runs.compactMap(\.seconds).sorted().dropFirst().dropLast()
    return (seconds.last ?? 0) - (seconds.first ?? 0)
  }

  private static func learn(_ rows: [Learnt], leastBar: Double) -> [Place: Known] {
    let own = rows.map { 1.4826 * median(of: $0.differences) }
    let least = median(of: own) * leastShare
    let scales = own.map { max($0, least) }
    // In a row that hardly scatters a small difference is many scales, which says nothing of other rows; in the row
    // itself it is what two runs have differed by.
    let farthest = zip(rows, scales).map { $0.differences.max()! / max($1, leastTellingScale) }.max()!
    let farthestOfAll = rows.map { $0.differences.max()! }.max()!
    let isTailKnown = rows.reduce(0) { $0 + $1.runs } >= neededForTail
    let usualTail = isTailKnown ? 0 : min(median(of: own) * usualTailScales, mostUsualTail)
    return Dictionary(
      uniqueKeysWithValues: zip(rows, scales).map { row, scale in
        let margin = margin(row.place.part)
        let tail = margin * min(scale * farthest, farthestOfAll)
        let bar = max(leastScales * scale, tail, usualTail, margin * row.differences.max()!)
        return (row.place, Known(scale: scale, bar: max(leastBar, row.margin * bar), spread: row.spread))
      })
  }

  /// How many runs of one build have a row, less the number of builds, plus one.
  func count(_ key: ResultRow.Key) -> Int { counts[key] ?? 0 }

  /// What is known of a row; `nil` where too few runs are.
  func of(_ key: ResultRow.Key, _ part: RunLevel.Part) -> Known? { known[Place(key: key, part: part)] }

  /// What the base's build usually takes; `nil` where fewer than `neededRuns` of it have the row, where the
  /// compared runs lie farther apart in time than these, and of several threads.
  func usual(_ key: ResultRow.Key) -> Usual? { usual[key] }
}

extension Metric {
  /// Whether a slower processor makes this slower: times, but not what tells of the machine itself.
  fileprivate var isJudgedAgainstLoop: Bool { isTime && polarity != .neither }
}

extension RunLevel {
  /// How far the slow launches lie from the fastest, as a logarithm.
  func spread(isRate: Bool, _ resolution: Double) -> Double {
    cost(.slow, isRate: isRate, resolution: resolution) - cost(.fast, isRate: isRate, resolution: resolution)
  }
}
