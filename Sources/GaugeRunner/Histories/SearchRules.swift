// What decides where a commit stands between two others, with the error of a whole search kept.

import GaugeStatistics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The rules of a search for a commit.
///
/// The error of the search is stated beforehand, and a quarter of it is for each of four: for the difference between
/// the good and the bad commit; for all questions where a commit stands between two others, which share it evenly; for
/// the step that was found; and for what that leaves. The last two may be asked twice, as counts may mislead a search,
/// and have half of it each time. In each, the looks at growing numbers of launches share it in turn.
struct SearchRules {
  /// Where a commit stands between an earlier and a later one.
  enum Side: Hashable {
    /// It does as the earlier one.
    case before
    /// It does as the later one.
    case after
    /// It does as neither: it is between them or beyond them, or the launches don't tell.
    case neither
  }

  /// Chance of a wrong answer over a whole search, where none is asked for.
  static let usualError = 0.01
  /// Rounds of launches at each look. There are few questions, and each is worth minutes: more than `gauge ab` has of a
  /// row.
  static let looks = SequentialJudge.usualLooks + [225, 340, 510, 765, 1150]
  /// The part of the difference of two commits up to which a third is like one of them.
  static let tolerance = 1.0 / 3

  /// Whether a launch counts what is searched for, so that one tells it.
  let isExact: Bool
  /// Relative change that doesn't matter.
  let threshold: Double
  /// Difference that doesn't matter, in the unit of what is searched for.
  let resolution: Double
  /// The least value that is told from none.
  let floor: Double
  /// Chance of a wrong answer over the whole search.
  let error: Double
  /// Questions where a commit stands that launches answer, at most.
  let questions: Int
  /// What decides whether the good and the bad commit differ.
  let judge: SequentialJudge
  /// What decides whether the sides of a step do.
  let stepJudge: SequentialJudge
  private let levels: [Double]

  /// - Parameters:
  ///   - commits: Commits to be searched.
  ///   - isExact: Whether a launch counts what is searched for, so that one tells it.
  ///   - threshold: Relative change that doesn't matter.
  ///   - resolution: Difference that doesn't matter, in the unit of what is searched for.
  ///   - floor: The least value that is told from none.
  ///   - error: Chance of a wrong answer over the whole search.
  init(
    commits: Int, isExact: Bool, threshold: Double = SequentialJudge.usualThreshold,
    resolution: Double = SequentialJudge.usualResolution, floor: Double = SequentialJudge.usualResolution,
    error: Double = usualError
  ) {
    self.isExact = isExact
    self.threshold = threshold
    self.resolution = resolution
    self.floor = floor
    self.error = error
    // Twice as many as halving takes, and some for commits that are like neither.
    questions = 2 * (Int.bitWidth - max(1, commits - 1).leadingZeroBitCount) + 4
    func judge(_ error: Double) -> SequentialJudge {
      SequentialJudge(
        rows: 1, threshold: threshold, resolution: resolution, suiteError: error, looks: Self.looks, isPatient: true,
        floor: floor)
    }
    self.judge = judge(error / 4)
    stepJudge = judge(error / 8)
    let looks = Self.looks.map { Double($0) / Double(Self.looks.last!) }
    levels = AlphaSpending(looks: looks, error: error / 4 / Double(questions), function: .pocock).levels
  }

  /// A value on the scale that differences are taken on: counts as they are, of what varies the logarithm.
  func position(_ value: Double) -> Double {
    isExact ? value : log(max(value, resolution, floor))
  }

  /// The confidence of the interval of what a step leaves, at each look.
  var restConfidence: Double { 1 - error / 8 / Double(Self.looks.count) }

  /// The shift of positions that counts, of what varies.
  var leastShift: Double { height(of: threshold) }

  /// The difference of positions of a relative change.
  func height(of change: Double) -> Double { log(1 + change) }

  /// By how much the positions of later values lie above those of earlier ones, of what varies, with the interval of
  /// 95 %.
  func shift(_ earlier: [Double], _ later: [Double]) -> Estimate {
    let shift = PairedShift(zip(earlier, later).map { position($1) - position($0) })
    return Estimate(shift.shift, shift.interval(confidence: 0.95))
  }

  /// A change between two values, or of a shift of positions.
  ///
  /// - Parameters:
  ///   - shift: The difference of positions, with its interval.
  ///   - base: The value that it is of, where values are exact.
  func change(_ shift: Estimate, from base: Double) -> Change {
    guard isExact else {
      return Change(scale: .ratio, estimate: Estimate(exp(shift.value), shift.interval.mapped { exp($0) }))
    }
    return base > 0 && base + shift.value > 0
      ? Change(scale: .ratio, estimate: .exact((base + shift.value) / base))
      : Change(scale: .difference, estimate: shift)
  }

  /// Whether a difference of exact values doesn't matter.
  func isNone(_ difference: Double, of base: Double) -> Bool {
    abs(difference) <= max(threshold * abs(base), resolution, MeasuredRows.exactTolerance * abs(base))
  }

  /// Where an exact value stands between two others.
  func side(of value: Double, between earlier: Double, and later: Double) -> Side {
    let part = (value - earlier) / (later - earlier)
    if abs(part) < Self.tolerance { return .before }
    return abs(part - 1) < Self.tolerance ? .after : .neither
  }

  /// Where a commit stands, by launches of all three in turn.
  ///
  /// A side is taken where the launches put the commit within a third of the difference, by one-sided signed-rank tests
  /// against both ends of that. The last look is content with the nearer half.
  ///
  /// - Parameters:
  ///   - launches: Positions of the earlier commit, of the commit, and of the later one, one of each per round.
  ///   - look: Index of the look; there are as many rounds as it says.
  ///   - rises: Whether the later commit lies above the earlier one.
  /// - Returns: `nil` where more launches are needed.
  func side(_ launches: [[Double]], at look: Int, rises: Bool) -> Side? {
    func isBelow(_ part: Double) -> Bool { pValue(launches, part, rises ? .less : .greater) <= levels[look] }
    func isAbove(_ part: Double) -> Bool { pValue(launches, part, rises ? .greater : .less) <= levels[look] }
    let third = Self.tolerance
    if isBelow(third) {
      if isAbove(-third) { return .before }
      if isBelow(-third) { return .neither }
    } else if isAbove(1 - third) {
      if isBelow(1 + third) { return .after }
      if isAbove(1 + third) { return .neither }
    } else if isAbove(third), isBelow(1 - third) {
      return .neither
    }
    guard look == Self.looks.count - 1 else { return nil }
    return isBelow(0.5) ? .before : isAbove(0.5) ? .after : .neither
  }

  /// The p-value of a commit that stands at a part of the way from the earlier to the later one: by its rounds, or by
  /// the fastest launches of neighbouring rounds, which are sharper where a machine is only slower at times.
  private func pValue(_ launches: [[Double]], _ part: Double, _ alternative: MannWhitney.Alternative) -> Double {
    func pValue(_ launches: [[Double]]) -> Double {
      let differences = launches[1].indices.map {
        launches[1][$0] - ((1 - part) * launches[0][$0] + part * launches[2][$0])
      }
      // Counting all signs of many rounds takes long, and changes nothing.
      return SignedRank(differences, exact: differences.count <= 30).pValue(alternative)
    }
    return min(1, 2 * min(pValue(launches), pValue(launches.map(SequentialJudge.fastest))))
  }
}
