// A run before its first launch: the benchmarks, the plan, and what the result file will say about the machine.

import Foundation
import Gauge

/// What a run is to do, and where.
struct PlannedRun {
  /// What decides the plan.
  let options: RunOptions
  /// The benchmarks that are measured.
  let choice: BenchmarkChoice
  /// What is preloaded into counting launches, by executable.
  let libraries: [String: CountingLibraries]
  /// The launches.
  let plan: LaunchPlan
  /// The machine and the build, in the order of the file.
  let environment: [(name: String, value: String)]
  /// Where it is remembered for later comparisons; `nil` outside a package.
  let earlier: EarlierRuns?

  /// Benchmarks that get more launches than others.
  let needed: NeededLaunches

  /// Builds, lists and plans.
  ///
  /// - Parameters:
  ///   - program: What is around.
  ///   - arguments: Where the benchmarks and the earlier runs are.
  ///   - options: What decides the plan.
  ///   - recorded: Which benchmarks get more launches than others, of a run that is gone on with, and the file and line
  ///     that say so; `nil` learns it from the earlier runs.
  /// - Throws: `CommandFailure` where something can't be built or listed, a filter fits nothing, or `recorded` doesn't
  ///   fit the benchmarks.
  init(
    _ program: Program, _ arguments: Arguments, _ options: RunOptions,
    recorded: (needed: NeededLaunches, place: String)? = nil
  ) throws(CommandFailure) {
    var options = options
    // Before all that takes minutes: a revision may be mistyped.
    if let name = options.affectedSince { options.pinRevision(try program.commit(affectedSince: name)) }
    // A run can be gone on with by its executables, whatever is known of them then: they are all of them.
    var choice = try program.choose(arguments, filters: options.filters, tags: options.tags, everything: true)
    if let shard = options.shard {
      let whole = choice.points.count
      choice.points = shard.points(choice.points)
      guard whole == 0 || !choice.points.isEmpty else {
        throw CommandFailure(
          code: .usage, message: "shard \(shard.index)/\(shard.count) has none of the \(whole) benchmarks",
          advice: "N of --shard I/N is at most their number: \(whole).")
      }
    }
    if let commit = options.affectedSince {
      let unaffected = try program.unaffected(choice, since: commit, filters: options.filters)
      choice.points.removeAll { unaffected.contains($0.title) }
    }
    self.options = options
    self.choice = choice
    if let flawed = choice.points.first(where: { $0.flaw != nil }), let flaw = flawed.flaw, !options.allowsDebug {
      throw CommandFailure(
        code: .broke, message: "\(flawed.executable) was built \(flaw): its times say nothing",
        advice: "Build it with 'swift build -c release'; --allow-debug measures it nevertheless.")
    }
    let libraries = Dictionary(
      uniqueKeysWithValues: Set(choice.executables).map { ($0, CountingLibraries(beside: $0)) })
    self.libraries = libraries
    earlier = arguments.has("--earlier") || program.package != nil ? program.earlierRuns(arguments) : nil
    let allocators = choice.executables.compactMap { libraries[$0]?.description }
    let machine =
      Fingerprint().fields(
        folder: choice.folder, executables: choice.executables, options: options.text,
        allocator: Array(Set(allocators)).sorted().joined(separator: "; ")) + MachineConditions().fields
    let shares = Self.shares(choice.points, options)
    let timed = choice.points.filter { options.selection.takes(.time) && $0.passes.contains(.time) }
    let launches = shares[.time]!.launches
    if let (needed, place) = recorded {
      guard options.launches == nil || needed.launches.isEmpty, needed.fits(timed, planned: launches) else {
        throw CommandFailure(
          code: .badFile,
          message: "\(place): field '\(NeededLaunches.field)': expected benchmarks that are measured, each with "
            + "\(launches) to \(NeededLaunches.most * launches) launches, found '\(excerpt(of: needed.text))'",
          advice: "Without --resume a new run takes the file's place.")
      }
      self.needed = needed
    } else if let earlier, options.launches == nil, !timed.isEmpty, Files.stamp(of: earlier.folder) != nil {
      self.needed = NeededLaunches(
        program.knownRuns(arguments).filter { Likeness.isLike($0.environment, machine) }, of: timed, planned: launches)
    } else {
      self.needed = NeededLaunches()
    }
    plan = try Self.plan(choice.points, options, libraries, shares, self.needed)
    let listings = Limits(of: choice.points).fields + SeveralThreads.fields(of: choice.points)
    environment =
      machine + [(Results.plannedField, "\(plan.launches.count)")]
      + (self.needed.launches.isEmpty ? [] : [(NeededLaunches.field, self.needed.text)])
      + listings
  }

  /// Whether launches for time that somebody disturbed are made once more: not where their number is asked for.
  var repeatsDisturbed: Bool { options.launches == nil }

  /// Whether what it measures depends on the machine's state.
  var measuresTime: Bool {
    let passes: Set<LaunchRequest.Pass> = [.time, .latency, .openLatency, .resources, .hardware, .singleShot, .custom]
    return plan.launches.contains { passes.contains($0.pass) }
  }

  /// The share of each pass, of which nothing more is known than how many benchmarks take part.
  private static func shares(_ points: [BenchmarkPoint], _ options: RunOptions) -> [LaunchRequest.Pass: Effort.Share] {
    var counts: [LaunchRequest.Pass: Int] = [:]
    for point in points {
      for pass in point.passes where options.selection.takes(pass) { counts[pass, default: 0] += 1 }
    }
    return options.effort.shares(points: counts)
  }

  /// The plan of a run of which nothing is known from earlier ones.
  ///
  /// - Throws: `CommandFailure` with code `usage` for more than a result file can hold.
  static func plan(
    _ points: [BenchmarkPoint], _ options: RunOptions, _ libraries: [String: CountingLibraries]
  ) throws(CommandFailure) -> LaunchPlan {
    try plan(points, options, libraries, shares(points, options), NeededLaunches())
  }

  /// The plan of a run. Where nothing can be counted, one counting launch says so.
  ///
  /// - Throws: `CommandFailure` with code `usage` for more than a result file can hold.
  private static func plan(
    _ points: [BenchmarkPoint], _ options: RunOptions, _ libraries: [String: CountingLibraries],
    _ shares: [LaunchRequest.Pass: Effort.Share], _ needed: NeededLaunches
  ) throws(CommandFailure) -> LaunchPlan {
    func share(_ point: BenchmarkPoint, _ pass: LaunchRequest.Pass, _ asked: Int?) -> Effort.Share {
      var share = shares[pass]!
      if point.hasThreads { share.launches = max(share.launches, Effort.fewestWhereCountsVary[pass] ?? 0) }
      if pass == .time, let launches = needed.launches[point.title] { share.launches = launches }
      // Of what varies as many are made as are asked for, but never fewer than a verdict takes.
      let several = max(share.launches, asked ?? 0)
      switch pass {
      case .time, .latency, .openLatency, .custom, .singleShot: share.launches = asked ?? share.launches
      case .allocations, .references:
        if point.hasThreads { share.launches = several }
        if libraries[point.executable]?.hooks == nil { share.launches = 1 }
      case .allocator: share.launches = libraries[point.executable]?.jemalloc == nil ? 1 : several
      case .systemCalls: if point.hasThreads { share.launches = several }
      case .resources, .hardware: share.launches = several
      case .counts, .profile: break
      }
      return share
    }
    try expectReadable(points, options) { point, pass, asked in share(point, pass, asked).launches }
    return LaunchPlan(points: points, selection: options.selection, seed: options.seed) { point, pass in
      share(point, pass, options.launches)
    }
  }

  /// Refuses a run whose result file could have more records than are read.
  ///
  /// - Parameter launches: How many a pass over a benchmark takes, where so many are asked for.
  private static func expectReadable(
    _ points: [BenchmarkPoint], _ options: RunOptions, launches: (BenchmarkPoint, LaunchRequest.Pass, Int?) -> Int
  ) throws(CommandFailure) {
    func rows(_ asked: Int?) -> Int {
      var rows = 0
      for point in points {
        for pass in point.passes where options.selection.takes(pass) {
          let most = launches(point, pass, asked) * (pass == .time && asked == nil ? 2 : 1)
          rows += most * options.selection.mostRows(of: pass)
        }
      }
      return rows
    }
    // The header is one, and the row that the run ends with.
    let room = CSV.Limits().records - 2
    let wanted = rows(options.launches)
    guard wanted > room else { return }
    // The most that fit: more launches never are fewer rows.
    var (fitting, tooMany) = (0, options.launches ?? 1)
    while tooMany - fitting > 1 {
      let middle = (fitting + tooMany) / 2
      if rows(middle) > room { tooMany = middle } else { fitting = middle }
    }
    throw CommandFailure(
      code: .usage, message: "the result file could have \(wanted) rows, and no more than \(room) can be read",
      advice: fitting > 0
        ? "--launches \(fitting) fits." : "Take fewer benchmarks or metrics, or a part of the suite: --shard 1/N.")
  }
}
