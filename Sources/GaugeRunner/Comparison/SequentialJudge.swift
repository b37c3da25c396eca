// Judging interleaved launches of two builds while they come in, with the error of the whole suite kept.

import GaugeStatistics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Decides a row at each of a few looks at its pairs of launches, or asks for more.
///
/// A pair is a launch of each side, one directly behind the other in random order. A row has changed where the shift of
/// logarithms lies beyond the threshold by the signed-rank test of the pairs or by the Mann-Whitney test of the
/// launches, each at half the level: the first is sharper where the machine drifts, the second where launches fall into
/// modes. It is the same where both one-sided tests of either kind put the shift within the margin, which is wider for
/// rows whose launches differ by more: no number of launches that anybody waits for tells those to a hundredth. Within
/// such a margin a row whose interval leaves out no change, and reaches beyond the threshold, stays open until the last
/// look. The error of the suite is shared evenly among its rows, and each row's share among the looks by Pocock-like
/// alpha spending.
struct SequentialJudge {
  /// Pairs at each look where no others are asked for.
  static let usualLooks = [20, 30, 45, 68, 100, 150]

  /// The threshold where none is asked for: a change of half a per cent is found of launches that deviate by as much.
  static let usualThreshold = 0.001

  /// The resolution where none is asked for. Both sides run the same measuring loop, and a batch of operations is timed
  /// to a few nanoseconds, so that a tenth of a cycle of each operation shows.
  static let usualResolution = 0.03

  /// Pairs at each look.
  let looks: [Int]
  /// Relative change from which on one is for the worse or the better.
  let threshold: Double
  /// Relative change within which a row is the same, if its launches differ by little.
  let margin: Double
  /// The part of the deviation of a row's launches within which it is the same, if they differ by more.
  static let deviationShare = 0.75
  /// The widest margin, as a logarithm.
  static let widestMargin = 0.2
  /// Difference of the medians that is not judged, in nanoseconds.
  let resolution: Double
  /// The least value that is told from none.
  let floor: Double
  /// What a project says about its own rows, in place of `threshold` and `resolution`.
  let thresholds: [Threshold]
  /// Whether time is no matter: all looks are used before a row is the same within a margin that its deviation widens,
  /// and the fastest launches of neighbouring pairs are tested, too.
  let isPatient: Bool
  private let changeLevels: [Double]
  private let sameLevels: [Double]
  private let distributions: [MannWhitneyDistribution?]

  /// - Parameters:
  ///   - rows: Rows of the suite.
  ///   - threshold: Relative change that counts.
  ///   - margin: Relative change within which a row is the same, at least the threshold.
  ///   - resolution: Difference of the medians that is not judged, in nanoseconds.
  ///   - thresholds: What a project says about its own rows.
  ///   - suiteError: Chance of any false change over the suite.
  ///   - rowError: Chance that a row is called the same that isn't.
  ///   - looks: Pairs at each look, rising.
  ///   - isPatient: Whether time is no matter.
  ///   - floor: The least value that is told from none.
  init(
    rows: Int, threshold: Double = usualThreshold, margin: Double = 0.004, resolution: Double = usualResolution,
    thresholds: [Threshold] = [], suiteError: Double = 0.001, rowError: Double = 0.05,
    looks: [Int] = usualLooks, isPatient: Bool = false,
    floor: Double = usualResolution
  ) {
    self.threshold = threshold
    self.margin = max(margin, threshold)
    self.resolution = resolution
    self.thresholds = thresholds
    self.looks = looks
    self.isPatient = isPatient
    self.floor = floor
    let shares = looks.map { Double($0) / Double(looks.last ?? 1) }
    changeLevels =
      AlphaSpending(looks: shares, error: suiteError / Double(max(1, rows)), function: .pocock).levels
    sameLevels = AlphaSpending(looks: shares, error: rowError, function: .pocock).levels
    distributions = looks.map {
      $0 * $0 <= MannWhitneyDistribution.largestProduct ? MannWhitneyDistribution($0, $0) : nil
    }
  }

  /// What the pairs say at a look.
  struct Judgement {
    /// The change with its plain 95 % interval.
    var change: Change
    /// `notEnoughData` asks for more pairs.
    var verdict: Verdict
    /// What a reader must know besides.
    var reason: String
    /// Pairs that would probably decide an undecided row, and the threshold that would decide it after the last look;
    /// `nil` for a decided one.
    var missing: Missing?
    /// The relative change that the verdict `same` leaves open; `nil` for other verdicts.
    var within: Double?
  }

  /// What an undecided row lacks.
  struct Missing: Hashable {
    /// Pairs, in all, with which nine such rows in ten are decided.
    var pairs: Int
    /// The relative change that the last look can tell from none.
    var threshold: Double
  }

  /// Judges a row.
  ///
  /// - Parameters:
  ///   - before: Nanoseconds of the base side, one per pair; what is below the resolution counts as that.
  ///   - after: The same of the new side.
  ///   - look: Index of the look; there are as many pairs as it says.
  ///   - key: The row; `nil` where a project's own thresholds don't matter.
  /// - Returns: `nil` where the sides don't have as many launches as the look takes.
  func judge(_ before: [Double], _ after: [Double], at look: Int, of key: ResultRow.Key? = nil) -> Judgement? {
    guard !before.isEmpty, before.count == after.count else { return nil }
    let threshold = key.flatMap { thresholds.relative($0) } ?? self.threshold
    let resolution = key.flatMap { thresholds.absolute($0) } ?? self.resolution
    let least = max(resolution, floor)
    let (old, new) = (before.map { log(max($0, least)) }, after.map { log(max($0, least)) })
    let differences = zip(old, new).map { $1 - $0 }
    let paired = PairedShift(differences)
    let unpaired = HodgesLehmann(old, new, distribution: distributions[look])
    let intervals = [paired.interval(confidence: 0.95), unpaired.interval(confidence: 0.95)]
    let usesPairs = intervals[0].upper - intervals[0].lower <= intervals[1].upper - intervals[1].lower
    let shift = usesPairs ? paired.shift : unpaired.shift
    let interval = intervals[usesPairs ? 0 : 1]
    let change = Change(scale: .ratio, estimate: Estimate(exp(shift), interval.mapped { exp($0) }))
    let isUnresolved = abs(median(of: after) - median(of: before)) <= resolution
    let sorted = (old.sorted(), new.sorted())
    let beyond = log(1 + threshold)
    if !isUnresolved, pValue(old, new, sorted, beyond: beyond, look) <= changeLevels[look] {
      return Judgement(change: change, verdict: shift > 0 ? .worse : .better, reason: "")
    }
    // What the instrument does not resolve is within the margin, too.
    let plain = max(log(1 + max(margin, threshold)), log(1 + resolution / max(median(of: before), least)))
    let isWide = !isPatient || look == looks.count - 1
    let within = max(plain, isWide ? min(Self.widestMargin, Self.deviationShare * Self.deviation(sorted)) : 0)
    // As long as a change that counts shows within a wide margin, a later look may find it.
    let shows = interval.lower > 0 && interval.upper > beyond || interval.upper < 0 && interval.lower < -beyond
    let mayBeFound = shows && !isUnresolved && within > plain && look < looks.count - 1
    let outside = min(TwoOneSidedTests.signedRanks(differences, threshold: within), ranks(sorted, within, look))
    let isSame = !mayBeFound && min(1, 2 * outside) <= sameLevels[look]
    let reason =
      isUnresolved && !isSame
      ? "the medians differ by no more than \(digits(resolution)) ns"
      : isSame && within > plain ? "within \(digits((exp(within) - 1) * 100)) %, as its launches differ by more" : ""
    return Judgement(
      change: change, verdict: isSame ? .same : .notEnoughData, reason: reason,
      missing: isSame ? nil : missing(differences, abs(shift), beyond: beyond, within: within, mayBeFound, look),
      within: isSame ? exp(within) - 1 : nil)
  }

  /// What would decide a row, by the normal approximation of the paired tests at the last look's levels: more than the
  /// pairs that it has.
  private func missing(
    _ differences: [Double], _ shift: Double, beyond: Double, within: Double, _ mayBeFound: Bool, _ look: Int
  ) -> Missing {
    let scatter = max(1.4826 * (Summary(differences)?.medianAbsoluteDeviation ?? 0), 1e-6)
    func pairs(_ level: Double, _ distance: Double) -> Double {
      guard distance > 0 else { return .infinity }
      let deviations = NormalDistribution.quantile(0.9) - NormalDistribution.quantile(level)
      return (deviations * scatter / distance) * (deviations * scatter / distance)
    }
    let (changed, same) = (changeLevels.last! / 4, sameLevels.last! / 2)
    // A change that may be found keeps a row from being the same until the last look.
    let untilSame = max(pairs(same, within - shift), mayBeFound ? Double(looks.last!) : 0)
    let needed = max(min(pairs(changed, shift - beyond), untilSame), Double(looks[look] + 1))
    let reach =
      shift + (NormalDistribution.quantile(0.9) - NormalDistribution.quantile(same)) * scatter
      / Double(looks.last!).squareRoot()
    return Missing(pairs: Int(min(needed.rounded(.up), 1e6)), threshold: exp(reach) - 1)
  }

  /// What launches of one side deviate by, as logarithms: disturbed ones count little,
  /// and two modes no more than they scatter.
  private static func deviation(_ sorted: (old: [Double], new: [Double])) -> Double {
    let deviations = [sorted.old, sorted.new].compactMap { Summary($0) }.map {
      min(1.4826 * $0.medianAbsoluteDeviation, $0.standardDeviation ?? 0)
    }
    return deviations.min() ?? 0
  }

  /// The p-value of a shift within the threshold.
  private func pValue(
    _ before: [Double], _ after: [Double], _ sorted: (old: [Double], new: [Double]), beyond: Double, _ look: Int
  ) -> Double {
    let differences = zip(before, after).map { $1 - $0 }
    let paired = min(
      SignedRank(differences.map { $0 - beyond }).pValue(.greater),
      SignedRank(differences.map { $0 + beyond }).pValue(.less))
    let unpaired = min(tail(sorted, -beyond, .greater, look), tail(sorted, beyond, .less, look))
    // Two sides and two kinds of tests.
    guard isPatient else { return min(1, 4 * min(paired, unpaired)) }
    // Sides that do the same may be swapped in any block of pairs, so that the fastest of each are pairs again.
    let (old, new) = (Self.fastest(before), Self.fastest(after))
    let fastest = zip(old, new).map { $1 - $0 }
    let ofFastest = min(
      SignedRank(fastest.map { $0 - beyond }).pValue(.greater), SignedRank(fastest.map { $0 + beyond }).pValue(.less))
    return min(1, 6 * min(paired, unpaired, ofFastest))
  }

  /// The fewest blocks of neighbouring launches of which the fastest is taken.
  private static let blocks = 20

  /// The fastest launch of each block of neighbours: of as many blocks as the first look has launches, or some more.
  ///
  /// - Parameter launches: In the order of time; as they are where there are too few to take the fastest of several.
  static func fastest(_ launches: [Double]) -> [Double] {
    let size = max(1, launches.count / blocks)
    return stride(from: 0, through: launches.count - size, by: size).map { launches[$0..<$0 + size].min()! }
  }

  /// The larger p-value of both one-sided tests of the launches.
  private func ranks(_ sorted: (old: [Double], new: [Double]), _ within: Double, _ look: Int) -> Double {
    max(tail(sorted, -within, .less, look), tail(sorted, within, .greater, look))
  }

  private func tail(
    _ sorted: (old: [Double], new: [Double]), _ shift: Double, _ alternative: MannWhitney.Alternative, _ look: Int
  ) -> Double {
    MannWhitney(
      sorted: sorted.old, sorted.new.map { $0 + shift }, method: distributions[look] == nil ? .asymptotic : .exact,
      distribution: distributions[look]
    ).pValue(alternative)
  }
}
