// How many launches a run makes, and how long each may measure.

import Gauge

/// How much time a run is given.
enum Effort: String, Hashable, Sendable {
  /// A look: within 90 seconds for 25 benchmarks.
  case quick
  /// Enough to judge by.
  case normal
  /// As much as helps.
  case full

  /// Launches of one pass over one benchmark.
  struct Share: Hashable, Sendable {
    /// Number of launches, each a fresh process.
    var launches: Int
    /// Measuring time of each, in milliseconds.
    var budget: Int
  }

  /// The share of every pass where time is no concern.
  private var ample: [LaunchRequest.Pass: Share] {
    timed.merging([.counts: Self.counting]) { $1 }
  }

  /// Once, as a second launch would count the same. How long it takes depends on what is counted alone: the time is
  /// what to expect.
  private static let counting = Share(launches: 1, budget: 500)

  /// Launches with which counts that vary can get a verdict in any suite: the smallest p-value of ten launches a side
  /// is 2 in 184,756, which Holm's correction leaves below 5 % among 4,600 rows; of five it is 2 in 252: enough for 6.
  static let launchesWhereCountsVary = 10

  private static let varying = Share(launches: launchesWhereCountsVary, budget: 10)

  private var timed: [LaunchRequest.Pass: Share] {
    switch self {
    case .quick:
      [
        .time: Share(launches: 16, budget: 25), .latency: Share(launches: 12, budget: 20),
        .openLatency: Share(launches: 12, budget: 20), .allocations: Share(launches: 5, budget: 10),
        .custom: Share(launches: 8, budget: 20), .resources: Share(launches: 8, budget: 20),
        .systemCalls: Share(launches: 3, budget: 10), .references: Share(launches: 3, budget: 10),
        .allocator: Self.varying, .hardware: Self.varying,
        .singleShot: Share(launches: 12, budget: 10),
      ]
    case .normal:
      [
        .time: Share(launches: 20, budget: 40), .latency: Share(launches: 10, budget: 40),
        .openLatency: Share(launches: 10, budget: 40), .allocations: Share(launches: 5, budget: 20),
        .custom: Share(launches: 10, budget: 40), .resources: Share(launches: 10, budget: 40),
        .systemCalls: Share(launches: 3, budget: 10), .references: Share(launches: 3, budget: 10),
        .allocator: Self.varying, .hardware: Self.varying,
        .singleShot: Share(launches: 20, budget: 10),
      ]
    case .full:
      [
        .time: Share(launches: 60, budget: 100), .latency: Share(launches: 20, budget: 100),
        .openLatency: Share(launches: 20, budget: 100), .allocations: Share(launches: 8, budget: 20),
        .custom: Share(launches: 20, budget: 100), .resources: Share(launches: 20, budget: 100),
        .systemCalls: Share(launches: 3, budget: 10), .references: Share(launches: 3, budget: 10),
        .allocator: Self.varying, .hardware: Self.varying,
        .singleShot: Share(launches: 60, budget: 10),
      ]
    }
  }

  /// The least share that still tells something: a comparison needs five launches a side to judge a time.
  private static let least: [LaunchRequest.Pass: Share] = [
    .time: Share(launches: 5, budget: 10), .latency: Share(launches: 5, budget: 10),
    .openLatency: Share(launches: 5, budget: 10), .allocations: Share(launches: 2, budget: 10),
    .custom: Share(launches: 5, budget: 10), .resources: Share(launches: 5, budget: 10),
    .systemCalls: Share(launches: 2, budget: 10), .references: Share(launches: 2, budget: 10),
    .allocator: varying, .hardware: varying,
    .singleShot: Share(launches: 5, budget: 10),
  ]

  /// The fewest launches of passes whose counts repeat, and need few launches, over a benchmark of several threads:
  /// there they vary, and a verdict needs more. These are short, and not part of what is cut.
  static let fewestWhereCountsVary: [LaunchRequest.Pass: Int] = [
    .allocations: launchesWhereCountsVary, .references: launchesWhereCountsVary, .systemCalls: launchesWhereCountsVary,
  ]

  /// Time that a whole run should stay under, in milliseconds; `nil` takes what it takes.
  private var ceiling: Double? {
    switch self {
    case .quick: 75_000
    case .normal: 7 * 60_000
    case .full: nil
    }
  }

  /// The shares for a run, cut where there are many benchmarks: first the measuring time, then the launches, never
  /// below the least that tells something.
  ///
  /// - Parameter points: How many benchmark points take part in each pass.
  func shares(points: [LaunchRequest.Pass: Int]) -> [LaunchRequest.Pass: Share] {
    var shares = ample
    guard let ceiling else { return shares }
    // Cutting a time by its excess, and that twice, comes close enough: the start of a process can't be cut.
    for _ in 0..<3 {
      let excess = ceiling / Self.duration(of: shares, points: points)
      guard excess < 1 else { return shares }
      for (pass, least) in Self.least {
        shares[pass]!.budget = max(least.budget, Int(Double(shares[pass]!.budget) * excess))
      }
    }
    for _ in 0..<3 {
      let excess = ceiling / Self.duration(of: shares, points: points)
      guard excess < 1 else { return shares }
      for (pass, least) in Self.least {
        shares[pass]!.launches = max(least.launches, Int(Double(shares[pass]!.launches) * excess))
      }
    }
    return shares
  }

  /// Expected time of a run in milliseconds.
  static func duration(of shares: [LaunchRequest.Pass: Share], points: [LaunchRequest.Pass: Int]) -> Double {
    points.reduce(0) { sum, entry in
      guard let share = shares[entry.key] else { return sum }
      return sum + Double(entry.value * share.launches) * duration(ofLaunch: share.budget)
    }
  }

  /// Expected time of one launch in milliseconds: start, calibration and set-up, then warm-up and measuring.
  static func duration(ofLaunch budget: Int) -> Double { 20 + 1.5 * Double(budget) }
}
