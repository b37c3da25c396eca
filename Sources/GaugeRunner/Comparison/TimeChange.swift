// The change of a time between two separate runs: of its fastest launch, of its slow ones, and what these may differ by
// although nothing has changed.

import Gauge
import GaugeStatistics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What two runs say about the change of a time.
///
/// The fastest launches of both sides are compared, each against the fastest of the arithmetic reference loop beside
/// them. A change counts beyond a bar: the threshold, what the instrument resolves, and what two runs of one build have
/// differed by on this machine, whichever is highest. It must stand as measured, too, and stand out from what the other
/// rows did. A memory loop that ran slower than it ever does raises the bar for "worse", one that ran faster that for
/// "better". Where somebody slowed one of the runs throughout, no time has a verdict. A row beside a loop that ran
/// slower or faster than it ever does is the same only where that can't hide a change.
///
/// A change that is too small for that counts, too, beyond the lower bar of what the base's build usually takes: a
/// single run scatters less about the middle of twenty than about another single one. It must be beyond it by the base,
/// too: what the machine has changed by since those twenty is in the base as well.
///
/// Where too few runs are known, the bars are wide, and the sides must lie apart.
struct TimeChange {
  /// The verdict.
  let verdict: Verdict
  /// The change that it is of, new over base, with what two runs of one build differ by at 95 %.
  let change: Change
  /// The bar and what it is held against, or what stands against a verdict.
  let reason: String
  /// The relative change that the verdict `same` leaves open; `nil` for other verdicts.
  let within: Double?

  /// What is taken of rows of which too few runs are known: a bar of two fifths, and a scale that lets through as the
  /// same what differs by a tenth. Where several threads wait for each other, one run in ten takes twice as long
  /// throughout, by where the machine lets them run: such rows are neither worse nor better.
  static func unknown(_ isOfSeveralThreads: Bool) -> RunScatter.Known {
    RunScatter.Known(
      scale: log(1 + widestSame) / 4, bar: isOfSeveralThreads ? .infinity : log(1.4), spread: .infinity)
  }

  /// The widest change within which rows are called the same, unless the threshold is wider: a quarter.
  static let widestSame = 0.25

  /// The share of a run's launches that may have been disturbed without doubt about the fastest, of which nothing tells
  /// it: one run in 30,000 then has no other launch.
  ///
  /// - Parameter launches: Launches that the fastest is taken of.
  static func mostUnseen(of launches: Int) -> Double { pow(1 / 30_000, 1 / Double(max(1, launches))) }
  /// How much slower a neighbour on the same core of the host makes code at most, as a logarithm.
  static let neighbour = log(2.0)

  /// A part of the launches on its way to a verdict.
  private struct Look {
    /// The change, as a logarithm of cost: against the loop, as measured, and against the other rows.
    var change: Double
    var measured: Double
    var amongOthers: Double
    var scale: Double
    /// The bar before what the loops add.
    var bar: Double
    /// The change within which the row is the same.
    var limit: Double
    /// The change that the project calls unimportant, or that the instrument can't tell from none.
    var unimportant: Double

    /// The change that all views agree in. As measured half of it is enough: that view is there for code that the
    /// processor's frequency doesn't touch, which the loop would otherwise condemn.
    var certain: Double { nearest([change, amongOthers, 2 * measured]) }
    /// The largest change that a view doesn't rule out.
    var largest: Double { max(abs(change), abs(measured)) + 2 * scale }
  }

  /// Compares the two sides of a row.
  ///
  /// - Parameters:
  ///   - key: Benchmark, parameters and metric.
  ///   - old: The baseline's launches, not empty.
  ///   - now: The new side's launches, not empty.
  ///   - drift: What the machine did meanwhile.
  ///   - scatter: What two runs of one build differ by.
  ///   - threshold: The relative change that does not matter.
  ///   - difference: The absolute difference that does not matter, in the unit of the values.
  ///   - resolution: The smallest value that the instrument can tell from 0.
  init(
    _ key: ResultRow.Key, _ old: MeasuredRows, _ now: MeasuredRows, drift: MachineDrift, scatter: RunScatter,
    threshold: Double, difference: Double, resolution: Double
  ) {
    let (before, after) = (RunLevel(old)!, RunLevel(now)!)
    let isRate = now.metric.polarity == .higher
    let reference = drift.referenceChange(for: key)
    let others = drift.otherRows(than: key)
    let learnt = scatter.of(key, .fast)
    // Launches that scatter as they never did are of another machine than what was learnt is of.
    let spread = max(before.spread(isRate: isRate, resolution), after.spread(isRate: isRate, resolution))
    let isKnown = learnt.map { spread <= max(1.5 * $0.spread, log(1 + threshold)) } ?? false
    let fallback = Self.unknown(drift.isOfSeveralThreads(key))

    func look(_ part: RunLevel.Part, _ costs: [Double]? = nil) -> Look {
      let costs = costs ?? [before, after].map { $0.cost(part, isRate: isRate, resolution: resolution) }
      let measured = costs[1] - costs[0]
      let change = measured - (reference ?? 0)
      var known = scatter.of(key, part) ?? fallback
      // What a change is the same within stays: launches that scatter make a verdict no easier.
      // Where other rows' odd runs have raised the bar, it stays as narrow as this row's own runs allow.
      let widest = log(1 + Self.widestSame)
      let limit = known.bar <= widest ? known.bar : min(4 * known.scale, widest)
      if !isKnown { known.bar = max(known.bar, fallback.bar) }
      let least = log(1 + threshold)
      let smaller = exp(isRate ? -costs.max()! : costs.min()!)
      let unimportant = log(1 + difference / smaller)
      return Look(
        change: change, measured: measured,
        amongOthers: others.map { nearest([measured - $0.lowerBound, measured - $0.upperBound]) } ?? change,
        scale: known.scale,
        bar: max(known.bar, least, unimportant),
        limit: max(limit, least, unimportant), unimportant: unimportant)
    }
    /// The bar in the direction of a change, and the loop that raises it. Where no loop was beside these launches,
    /// those beside others tell whether the slower side may owe it to a neighbour.
    func raised(_ look: Look) -> (bar: Double, loop: MachineDrift.LoopChange?) {
      if drift.slowedSide != nil { return (.infinity, nil) }
      let loop = drift.unusualLoop(for: key, slower: look.change > 0)
      let slower = look.change > 0 ? now : old
      let isInterrupted = drift.areInterrupted(key, after: look.change > 0)
      let unseen = Self.isInDoubt(slower) || isInterrupted ? Self.neighbour : 0
      return (look.bar + MachineDrift.sensitivity * (loop?.excess ?? 0) + unseen, loop)
    }
    func told(_ look: Look) -> Change {
      let sign = isRate ? -1.0 : 1
      let ends = [-2, 2].map { exp(sign * look.change + $0 * look.scale) }
      return Change(scale: .ratio, estimate: Estimate(exp(sign * look.change), Interval(ends[0], ends[1])))
    }

    let against = reference == nil ? "" : ", against \(Metric.referenceLoop.name)"
    let fast = look(.fast)
    let (bar, loop) = raised(fast)
    let (lower, upper) = fast.change > 0 ? (old, now) : (now, old)
    let apart = upper.isApart(above: lower, isRate)
    if abs(fast.certain) > bar, isKnown || apart {
      within = nil
      (verdict, change) = (fast.change > 0 ? .worse : .better, told(fast))
      reason = "its fastest launch\(against): beyond \(Self.percent(bar))"
      return
    }
    if isKnown, let (usual, changeFromUsual) = Self.fromUsual(key, after, isRate, resolution, drift, scatter) {
      let lower = max(usual.bar, log(1 + threshold), fast.unimportant) + bar - fast.bar
      if abs(nearest([changeFromUsual, fast.certain])) > lower {
        (verdict, change, within) = (fast.change > 0 ? .worse : .better, told(fast), nil)
        reason =
          "its fastest launch\(against): beyond \(Self.percent(lower)) by the base and by the middle of \(usual.runs) "
          + "runs of its build"
        return
      }
    }
    // Where too few runs are known, the fastest launch may have been a lucky one.
    for (before, after) in isKnown ? [] : [(1, 0.25), (0.25, 1)] {
      let edges = [abs(old.edge(before, isRate, of: old.calm)), abs(now.edge(after, isRate, of: now.calm))]
      let gap = look(.fast, edges.map { RunLevel.cost(of: $0, isRate: isRate, resolution: resolution) })
      let (bar, _) = raised(gap)
      guard abs(gap.certain) > bar, (gap.change > 0) == (before > after) else { continue }
      within = nil
      (verdict, change) = (gap.change > 0 ? .worse : .better, told(look(.slow)))
      reason = "three quarters of its launches\(against), and all of the other side: beyond \(Self.percent(bar))"
      return
    }
    // The slow launches of several threads tell how these have met.
    if isKnown, !drift.isOfSeveralThreads(key), scatter.of(key, .slow) != nil {
      let slow = look(.slow)
      let (bar, _) = raised(slow)
      if abs(slow.certain) > bar {
        within = nil
        (verdict, change) = (slow.change > 0 ? .worse : .better, told(slow))
        reason =
          "its slow launches\(against): beyond \(Self.percent(bar)); the fastest changed by "
          + percentChange(exp(fast.change))
        return
      }
    }
    change = told(fast)
    let hiding = drift.hidingLoop(for: key)
    let hidden = MachineDrift.sensitivity * (hiding?.excess ?? 0)
    // What the slow launches did is known to be usual only from earlier runs.
    if drift.slowedSide == nil, fast.largest + hidden <= fast.limit, isKnown || abs(look(.slow).change) <= fast.limit {
      verdict = .same
      within = exp(fast.limit) - 1
      let why =
        learnt == nil
        ? Self.missing(scatter.count(key))
        : !isKnown ? Self.scattering : "two runs of one build may differ by \(Self.percent(fast.bar))"
      let isUnresolved = fast.unimportant >= fast.limit && abs(fast.change) > log(1 + threshold)
      reason =
        isUnresolved
        ? "the fastest launches differ by no more than \(quantity(difference, of: now.metric)), which is not judged"
        : isKnown && fast.bar <= fast.limit ? "" : "within \(Self.percent(fast.limit)): \(why)"
      return
    }
    verdict = .notEnoughData
    within = nil
    let farthest = max(abs(fast.change), abs(fast.measured))
    let slower = fast.change > 0 ? now : old
    if let slowedSide = drift.slowedSide {
      reason = slowedSide
    } else if let loop, abs(fast.change) > fast.bar {
      reason =
        "\(loop.loop) changed, too, by \(Self.percent(loop.excess)) more than it does from run to run: the bar is "
        + Self.percent(bar)
    } else if Self.isInDoubt(slower), abs(fast.change) > fast.bar {
      reason =
        "others slowed down \(digits(100 * slower.unseenDisturbance)) % of the launches, and nothing tells for certain "
        + "which: the bar is \(Self.percent(bar))"
    } else if abs(fast.change) > fast.bar, drift.areInterrupted(key, after: fast.change > 0) {
      reason =
        "others interrupted the operations of \(fast.change > 0 ? "the new run" : "the base") alone: the bar is "
        + Self.percent(bar)
    } else if let hiding, fast.largest <= fast.limit, fast.largest + hidden > fast.limit {
      reason =
        "\(hiding.loop) changed by \(Self.percent(hiding.excess)) more than it does from run to run, which may hide a "
        + "change"
    } else if let reference, farthest > fast.limit, abs(reference) > farthest / 2 {
      reason = "the machine's reference loop changed by \(percentChange(exp(reference)))"
    } else if abs(fast.change) > bar, let others, abs(fast.amongOthers) <= bar {
      let nearer = fast.measured > 0 ? others.upperBound : others.lowerBound
      reason = "most other rows changed by \(percentChange(exp(nearer))), too"
    } else if learnt == nil, bar == .infinity {
      reason = "several threads: \(Self.missing(scatter.count(key)))"
    } else if learnt == nil {
      let orNotApart = abs(fast.certain) > bar ? " or not apart" : ""
      reason = "below \(Self.percent(bar))\(orNotApart): \(Self.missing(scatter.count(key)))"
    } else if !isKnown {
      reason =
        Self.scattering
        + (bar == .infinity
          ? "" : ": the bar of the fastest is \(Self.percent(bar)), and nothing is known of the slow ones")
    } else if fast.bar > fast.limit {
      reason = "two runs of one build may differ by \(Self.percent(fast.bar))"
    } else {
      reason = "near the bar of \(Self.percent(bar))"
    }
  }

  /// How far the new side's fastest launch lies from what the base's build usually takes: the change that the loop, the
  /// other rows and, by half, the values as measured agree in.
  private static func fromUsual(
    _ key: ResultRow.Key, _ after: RunLevel, _ isRate: Bool, _ resolution: Double, _ drift: MachineDrift,
    _ scatter: RunScatter
  ) -> (usual: RunScatter.Usual, change: Double)? {
    guard let usual = scatter.usual(key), let loop = drift.reference(for: key) else { return nil }
    let cost = after.cost(.fast, isRate: isRate, resolution: resolution)
    let (change, measured) = (cost - loop - usual.level, cost - usual.measured)
    let others = drift.otherRows(than: key, fromUsual: true)
    let amongOthers = others.map { nearest([measured - $0.lowerBound, measured - $0.upperBound]) } ?? change
    return (usual, nearest([change, amongOthers, 2 * measured]))
  }

  /// Whether all launches of a side may have been disturbed.
  private static func isInDoubt(_ side: MeasuredRows) -> Bool {
    side.unseenDisturbance > mostUnseen(of: side.values.count)
  }

  /// A change as a person reads it.
  static func percent(_ logarithm: Double) -> String { "\(digits(100 * (exp(logarithm) - 1))) %" }

  /// What is said where launches lie farther apart than in the runs that were learnt from.
  static let scattering = "launches scatter more than in any earlier run"

  /// What is missing where too few runs are known.
  static func missing(_ runs: Int) -> String {
    "\(runs) earlier runs of one build have it, \(RunScatter.neededRuns) tell finer"
  }
}

extension MeasuredRows {
  /// Whether three quarters of the launches of one side cost less, or more, than all of the other.
  fileprivate func isApart(above lower: MeasuredRows, _ isRate: Bool) -> Bool {
    lower.edge(0.75, isRate) < edge(0, isRate) || lower.edge(1, isRate) < edge(0.25, isRate)
  }

  /// A quantile of the launches by what they cost.
  fileprivate func edge(_ share: Double, _ isRate: Bool, of launches: [Double]? = nil) -> Double {
    quantile(share, ofSorted: (launches ?? values).map { isRate ? -$0 : $0 }.sorted())
  }
}
