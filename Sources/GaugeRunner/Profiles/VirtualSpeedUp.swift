// What an operation would gain if a function were faster, from experiments: by how much their times, without the delays
// that stand for what others didn't save, lie below those of the experiments without a speed-up.

import GaugeStatistics

/// What is predicted for one function.
struct VirtualSpeedUp: Hashable {
  /// A predicted gain.
  struct Gain: Hashable {
    /// Share of the function's time that is saved, 0 to 1.
    var speedUp: Double
    /// Share of the operation's time that is saved, with its interval.
    var estimate: Estimate

    /// Whether the interval is as narrow as is wanted.
    var isKnown: Bool { estimate.interval.upper - estimate.interval.lower <= VirtualSpeedUp.widest }

    /// Whether nothing, or too little to tell, is gained.
    var isNone: Bool { isKnown && estimate.interval.contains(0) }
  }

  /// The function.
  var function: String
  /// Share of the threads' time that is spent in it, 0 to 1.
  var share: Double
  /// The experiments of each launch.
  var launches: [[ExperimentRecord.Experiment]] = []

  /// The widest interval that is wanted: ten points of a hundred.
  static let widest = 0.1
  /// Coverage that is wanted.
  static let confidence = 0.95
  /// Launches that there are at least, as each has its own places in memory and on processors.
  static let fewestLaunches = 3
  /// What the method itself leaves open, as a share of the operation: a thread is delayed when it is looked at, up to
  /// half a millisecond late, and the timers take a few hundredths of its time.
  static let resolution = 0.02

  /// Takes one more launch.
  mutating func add(_ record: ExperimentRecord) { launches.append(record.experiments) }

  /// Seconds of all experiments.
  var seconds: Double { launches.joined().reduce(0) { $0 + $1.time } / 1e9 }

  /// Rounds of experiments, of all launches.
  var rounds: Int { launches.reduce(0) { $0 + Self.rounds(of: $1).count } }

  /// Experiments of a launch that belong together: each speed-up once. What breaks off is left out.
  static func rounds(of experiments: [ExperimentRecord.Experiment]) -> [[Double: ExperimentRecord.Experiment]] {
    let count = Set(experiments.map(\.speedUp)).count
    guard count > 1 else { return [] }
    return stride(from: 0, to: experiments.count, by: count).compactMap { first in
      let part = experiments[first..<min(first + count, experiments.count)]
      let round = Dictionary(part.map { ($0.speedUp, $0) }, uniquingKeysWith: { first, _ in first })
      // An operation that takes no time has nothing to gain.
      return round.count == count && (round[0]?.effectiveTime ?? 0) > 0 ? round : nil
    }
  }

  /// The predicted gains, by rising speed-up. None where there is not a single round.
  var gains: [Gain] {
    let rounds = launches.map(Self.rounds(of:))
    let speedUps = Set(rounds.joined().flatMap(\.keys)).subtracting([0]).sorted()
    return speedUps.map { speedUp in
      let byLaunch = rounds.map { rounds in
        rounds.compactMap { round -> Double? in
          guard let faster = round[speedUp], let before = round[0] else { return nil }
          return 1 - faster.effectiveTime / before.effectiveTime
        }
      }
      return Gain(speedUp: speedUp, estimate: Self.estimate(byLaunch.filter { !$0.isEmpty }))
    }
  }

  /// The gain of several launches, each with the gains of its rounds.
  ///
  /// Rounds of one launch are alike in more than the speed-up: so the interval holds that of all rounds, by the signed
  /// ranks, and that of the launches' own estimates, by Student's distribution, where there are enough of them.
  static func estimate(_ launches: [[Double]]) -> Estimate {
    let all = PairedShift(launches.flatMap { $0 })
    let value = all.shift
    var interval = all.interval(confidence: confidence)
    let each = launches.map { PairedShift($0).shift }
    if each.count >= fewestLaunches {
      let count = Double(each.count)
      let mean = each.reduce(0, +) / count
      let variance = each.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
      let half =
        StudentDistribution(degreesOfFreedom: count - 1).quantile((1 + confidence) / 2)
        * (variance / count).squareRoot()
      interval = Interval(min(interval.lower, mean - half), max(interval.upper, mean + half))
    }
    return Estimate(value, interval.widened(by: resolution))
  }

  /// Whether all gains are known, or known to be none.
  var isDone: Bool {
    let gains = gains
    return launches.count >= Self.fewestLaunches && !gains.isEmpty && gains.allSatisfy(\.isKnown)
  }

  /// How many seconds of experiments more a gain would need, as its interval narrows with their square root.
  func secondsMore(for gain: Gain) -> Double {
    let width = gain.estimate.interval.upper - gain.estimate.interval.lower - 2 * Self.resolution
    let wanted = Self.widest - 2 * Self.resolution
    guard width.isFinite else { return max(1, seconds * Double(Self.fewestLaunches)) }
    return max(1, seconds * (width * width / (wanted * wanted) - 1))
  }
}
