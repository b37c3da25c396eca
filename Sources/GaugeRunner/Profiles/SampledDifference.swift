// What accounts for a time that no count explains: sampled stacks of launches in pairs, function by function.

import GaugeStatistics

/// By how much an operation takes longer in each function of the program, from launches of both sides in pairs.
///
/// A sample, or a wait, belongs to the innermost function of the program on its stack: what the library, the runtime
/// and the system do is done for that one. Functions are the same on both sides where their names are, as in
/// `ProfileDifference`. The change of a function is the shift of its time within the pairs (Hodges and Lehmann, 1963),
/// with the interval that the signed-rank test does not reject; a function is named where that leaves out 0. So what
/// one launch does by chance explains nothing, and what is left unexplained can be told.
struct SampledDifference {
  /// A launch's profiles, each of another kind; the weights of all are nanoseconds.
  typealias Launch = [Profile]

  /// A function of the program that takes more or less time than before.
  struct Site: Hashable {
    /// The function.
    var function: String
    /// Its file and the line with most of the change; empty where debug information doesn't tell.
    var place: String
    /// The change in nanoseconds by operation, those of all kinds together.
    var change: Estimate
    /// The change of each kind.
    var deltas: [Profile.Kind: Double]
    /// What it does more, and less, in words: the largest first.
    var causes: [String]
  }

  /// Nanoseconds of an operation before, by kind: the median of the launches.
  let before: [Profile.Kind: Double]
  /// The same after.
  let after: [Profile.Kind: Double]
  /// The change of all kinds together.
  let change: Estimate
  /// Functions whose change is certain, those first that add most.
  let sites: [Site]
  /// How many pairs of launches there were of the kind that had fewest.
  let pairs: Int

  /// How sure each change is.
  static let confidence = 0.99
  /// The fewest pairs for which an interval has two ends.
  static let fewestPairs = 8

  /// Compares launches.
  ///
  /// - Parameters:
  ///   - base: Launches of each kind before, by kind.
  ///   - new: As many of each kind after, each beside the one before.
  init(base: [Profile.Kind: [Profile]], new: [Profile.Kind: [Profile]]) {
    var totals: [Profile.Kind: Estimate] = [:]
    var charges: [String: Charge] = [:]
    var (before, after): ([Profile.Kind: Double], [Profile.Kind: Double]) = ([:], [:])
    var pairs = Int.max
    for (kind, launches) in base {
      let pair = zip(launches, new[kind] ?? []).map { (FunctionTimes($0), FunctionTimes($1)) }
      guard !pair.isEmpty else { continue }
      pairs = min(pairs, pair.count)
      before[kind] = median(of: pair.map(\.0.whole))
      after[kind] = median(of: pair.map(\.1.whole))
      totals[kind] = Self.shift(pair.map { $1.whole - $0.whole })
      let functions = Set(pair.flatMap { Array($0.functions.keys) + Array($1.functions.keys) })
      for function in functions {
        let (old, now) = (pair.map { $0.0.functions[function] }, pair.map { $0.1.functions[function] })
        charges[function, default: Charge()].add(kind, old, now)
      }
    }
    self.before = before
    self.after = after
    self.pairs = pairs == .max ? 0 : pairs
    change = totals.values.reduce(.exact(0), Self.sum)
    sites = charges.compactMap { name, charge in charge.site(named: name) }
      .sorted { ($1.change.value, $0.function) < ($0.change.value, $1.function) }
  }

  /// The share of the change that a function accounts for: above 1 where others made up for some of it.
  func share(of site: Site) -> Double { site.change.value / change.value }

  /// Between which shares that is: of the change as it was estimated.
  func shares(of site: Site) -> Interval { site.change.interval.mapped { $0 / change.value } }

  /// Whether an operation certainly takes longer than before.
  var isLonger: Bool { pairs >= Self.fewestPairs && change.interval.lower > 0 }

  /// The share of the change that no function with a certain change accounts for, 0 to 1.
  var unexplained: Double { max(0, 1 - sites.map(share).reduce(0, +)) }

  fileprivate static func shift(_ differences: [Double]) -> Estimate {
    let shift = PairedShift(differences)
    return Estimate(shift.shift, shift.interval(confidence: confidence))
  }

  fileprivate static func sum(_ first: Estimate, _ second: Estimate) -> Estimate {
    Estimate(
      first.value + second.value,
      Interval(first.interval.lower + second.interval.lower, first.interval.upper + second.interval.upper))
  }
}

extension SampledDifference {
  /// Nanoseconds of an operation in one launch, by function.
  fileprivate struct FunctionTimes {
    var whole = 0.0
    var functions: [String: FunctionTime] = [:]

    init(_ profile: Profile) {
      let scale = 1 / profile.amount
      for (stack, weight) in profile.weights {
        let time = Double(weight) * scale
        whole += time
        // The first frame stands for the benchmark.
        guard let place = stack.indices.dropFirst().last(where: { !stack[$0].isLibrary }) else { continue }
        let callee = place + 1 < stack.count ? stack[place + 1].function : ""
        functions[FunctionName.stable(stack[place].function), default: FunctionTime(frame: stack[place])]
          .add(time, stack[place], callee)
      }
    }
  }

  /// Nanoseconds of an operation in one function of one launch.
  fileprivate struct FunctionTime {
    var frame: ProfileFrame
    var time = 0.0
    var lines: [Int: Double] = [:]
    /// By what it calls of the library; empty for its own code.
    var callees: [String: Double] = [:]

    init(frame: ProfileFrame) { self.frame = frame }

    mutating func add(_ time: Double, _ frame: ProfileFrame, _ callee: String) {
      if self.frame.line == nil { self.frame = frame }
      self.time += time
      if let line = frame.line { lines[line, default: 0] += time }
      callees[callee, default: 0] += time
    }
  }

  /// What the pairs say of one function.
  fileprivate struct Charge {
    var frame: ProfileFrame?
    var change = Estimate.exact(0)
    var deltas: [Profile.Kind: Double] = [:]
    var lines: [Int: Double] = [:]
    var callees: [String: Double] = [:]

    mutating func add(_ kind: Profile.Kind, _ old: [FunctionTime?], _ new: [FunctionTime?]) {
      let shift = SampledDifference.shift(zip(old, new).map { ($1?.time ?? 0) - ($0?.time ?? 0) })
      change = SampledDifference.sum(change, shift)
      deltas[kind] = shift.value
      frame = new.compactMap { $0?.frame }.first ?? frame ?? old.compactMap { $0?.frame }.first
      let share = 1 / Double(old.count)
      for (times, sign) in [(old, -share), (new, share)] {
        for case let time? in times {
          lines.merge(time.lines.mapValues { $0 * sign }, uniquingKeysWith: +)
          callees.merge(time.callees.mapValues { $0 * sign }, uniquingKeysWith: +)
        }
      }
    }

    /// The function, where its change is certain.
    func site(named name: String) -> Site? {
      guard !change.interval.contains(0) else { return nil }
      let line = lines.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
      let causes = callees.filter { abs($0.value) >= 0.05 * abs(change.value) }
        .sorted { (abs($1.value), $0.key) < (abs($0.value), $1.key) }.prefix(3)
      return Site(
        function: frame?.function ?? name,
        place: [frame?.file, line.map { "\($0)" }].compactMap(\.self).joined(separator: ":"), change: change,
        deltas: deltas,
        causes: causes.map { "\($0.key.isEmpty ? "own code" : $0.key) \(Explanation.signed($0.value)) ns" })
    }
  }
}
