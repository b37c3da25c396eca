// Every run of a scenario, from no preemption up to a bound.
// No test file: the tests of Machine and Reduction, and the litmus tests, go through all of it.

import CExplorer
import GaugeStatistics
import WeirQueues

/// What an exploration found.
package struct Finding: Equatable {
  /// Runs with up to the bound of preemptions, or until one failed.
  package var schedules = 0
  /// Operations in them.
  package var steps = 0
  package var seconds = 0.0
  /// The bound at which a run failed, or the last.
  package var bound = 0
  /// The greatest number of preemptions for which every run was made, or -1.
  package var wholeBound = -1
  /// Whether the mutation's site was passed.
  package var hasUsedMutation = false
  /// Whether the time was over before all was done.
  package var isCutShort = false
  package var failure: String?
  /// The run that failed.
  package var schedule = Schedule()
  package var sites: Set<Site> = []

  package init() {}
}

/// Explores one scenario. One at a time.
package struct Exploration {
  let scenario: Scenario
  let memory: MemoryModel
  let orders: Orders
  let bound: Int
  let mutation: Mutation?
  let copy: ScheduleCopy?
  let mostSchedules: Int
  let mostSeconds: Double

  /// - Parameters:
  ///   - scenario: What is explored.
  ///   - memory: What it runs on.
  ///   - orders: Which orders of steps are tried, in the memory of C++20; in that of x86 it is all of them.
  ///   - bound: Preemptions at most; by default the scenario's own.
  ///   - mostSchedules: A bound that will probably take more schedules is not begun.
  ///   - mostSeconds: No run is begun when so much processor time has been taken since the first one. One that is under
  ///     way is ended where `explorer_limit_time` was called.
  ///   - mutation: A planted bug.
  ///   - copy: Where the schedule under way is written, for those who outlive this process.
  package init(
    _ scenario: Scenario, memory: MemoryModel = .tso, orders: Orders = .distinct, bound: Int? = nil,
    mostSchedules: Int = .max, mostSeconds: Double = .infinity, mutation: Mutation? = nil, copy: ScheduleCopy? = nil
  ) {
    self.scenario = scenario
    self.memory = memory
    self.orders = orders
    self.mostSchedules = mostSchedules
    self.mostSeconds = mostSeconds
    self.bound = bound ?? scenario.bound
    self.mutation = mutation
    self.copy = copy
  }

  /// Runs the scenario in every order, fewest preemptions first, until a run fails.
  ///
  /// - Parameters:
  ///   - first: How many preemptions to begin with.
  ///   - most: How many runs there may be for a bound.
  package func explore(from first: Int = 0, atMost most: Int = .max) -> Finding {
    var finding = Finding()
    let start = explorer_seconds()
    let deadline = explorer_processor_seconds() + mostSeconds
    prepare()
    var former = 1.0
    for bound in first...bound {
      finding.bound = bound
      exploreAll(bound, &finding, atMost: most, until: deadline)
      if finding.failure != nil || finding.isCutShort || finding.schedules == most { break }
      finding.wholeBound = bound
      if !machine.choices.isBounded {
        // More preemptions than there was room for are not to be had.
        finding.bound = self.bound
        finding.wholeBound = self.bound
        break
      }
      // Of m places for a preemption, m over b are chosen: (m - b) / (b + 1) times as many with one more.
      let number = Double(finding.schedules)
      let next = number * (number / former) * Double(bound) / Double(bound + 1)
      if next > Double(mostSchedules) { break }
      former = number
    }
    finding.seconds = explorer_seconds() - start
    finding.sites = machine.passed?.sites ?? []
    return finding
  }

  /// Runs the scenario in every order as far as `mostSchedules` runs for a bound go, and that many drawn ones if they
  /// don't go far enough, until a run fails.
  ///
  /// - Parameter seed: What is drawn depends on this alone.
  package func explore(seed: UInt64) -> Finding {
    let deadline = explorer_processor_seconds() + mostSeconds
    var finding = explore(atMost: mostSchedules)
    if finding.failure == nil, finding.wholeBound < bound, !finding.isCutShort {
      sample(seed, &finding, until: deadline)
    }
    return finding
  }

  /// Runs the scenario once for each seed, with every turn drawn, and counts what its threads do.
  ///
  /// - Parameter seeds: What is drawn in a run depends on its seed alone.
  /// - Returns: The counts of each run; none, and why, if one failed.
  package func measure(seeds: Range<UInt64>) -> (counts: [ContentionCounts], failure: String?) {
    prepare()
    machine.passed = nil
    machine.reduction = nil
    explorer_heap_record(1)
    defer { explorer_heap_record(0) }
    // Which words are shared comes out on the way, and where a thread may lose its turn depends on it.
    for _ in 0..<Self.mostRounds {
      var counts: [ContentionCounts] = []
      var hasFoundShared = false
      for seed in seeds {
        machine.choices = Choices(bound: .max, random: SplitMix64(seed: seed), drawsEvenly: true)
        machine.counts = ContentionCounts()
        if let failure = runOnce().failure { return ([], failure) }
        hasFoundShared = hasFoundShared || machine.hasFoundShared
        counts += machine.counts.map { [$0] } ?? []
      }
      if !hasFoundShared { return (counts, nil) }
    }
    return ([], "more words were found to be shared in each of \(Self.mostRounds) rounds")
  }

  private static let mostRounds = 10

  /// Runs the first schedule, so that what the program makes once and keeps is there.
  package func warmUp() {
    WaitTable.prepare()
    prepare()
    machine.choices = Choices(bound: 0, copy: copy)
    copy?.note(run: 1, bound: 0)
    machine.reset()
    runWatched(Tally())
  }

  /// Runs one schedule again.
  ///
  /// - Returns: What went wrong.
  package func replay(_ schedule: Schedule, _ take: @escaping (LogLine) -> Void) -> String? {
    prepare()
    machine.reduction = nil
    machine.log = Log(take)
    defer { machine.log = nil }
    machine.choices = Choices(bound: .max, script: schedule.choices)
    machine.shared = Set(schedule.shared)
    if let failure = runOnce().failure {
      if machine.failure == nil { take(LogLine("*** \(failure)")) }
      return failure
    }
    // The log allocates, too.
    machine.log = nil
    var (failure, left) = runOnce()
    (failure, left) = runOnce()
    if failure == nil, left > 0 { failure = describe(left: left) }
    if let failure { take(LogLine("*** \(failure)")) }
    return failure
  }

  private func prepare() {
    machine = Machine(memory)
    machine.watchesSlots = !scenario.reusesMemory
    machine.timesEndEarly = scenario.timesEndEarly
    machine.mutation = mutation
    machine.passed = mutation == nil ? Passed() : nil
    machine.reduction = machine.memory.showsStoresAtOnce ? Reduction(orders) : nil
  }

  private func exploreAll(_ bound: Int, _ finding: inout Finding, atMost most: Int, until deadline: Double) {
    finding.schedules = 0
    finding.steps = 0
    machine.choices = Choices(bound: bound, copy: copy)
    guard var known = noteShared(&finding) else { return }
    while true {
      let isFirst = run(&finding, knowing: known)
      if finding.failure != nil || finding.isCutShort { return }
      if isFirst {
        finding.schedules = 0
        finding.steps = 0
        machine.choices = Choices(bound: bound, copy: copy)
        guard let shared = noteShared(&finding) else { return }
        known = shared
        continue
      }
      if finding.schedules == most || !machine.choices.advance(machine.reduction) {
        return
      }
      if isOver(deadline) {
        finding.isCutShort = true
        return
      }
    }
  }

  private func isOver(_ deadline: Double) -> Bool {
    deadline < .infinity && explorer_processor_seconds() >= deadline
  }

  /// - Returns: The words that are known to be shared, or `nil` if there are more than a scenario may have.
  private func noteShared(_ finding: inout Finding) -> [Int]? {
    let known = machine.shared.sorted()
    guard known.count <= ScheduleCopy.words else {
      finding.failure =
        "more than \(ScheduleCopy.words / 2) words are shared, which is the limit: have the threads share fewer"
      return nil
    }
    copy?.note(known)
    return known
  }

  private func sample(_ seed: UInt64, _ finding: inout Finding, until deadline: Double) {
    machine.reduction = nil
    finding.bound = bound
    finding.schedules = 0
    finding.steps = 0
    var seeds = SplitMix64(seed: seed)
    var expected = 0
    for _ in 0..<mostSchedules {
      guard finding.failure == nil, let known = noteShared(&finding) else { return }
      machine.choices = Choices(
        bound: bound, copy: copy, random: SplitMix64(seed: seeds.next()), expecting: expected)
      _ = run(&finding, knowing: known)
      expected = machine.choices.costly
      if finding.isCutShort || isOver(deadline) {
        finding.isCutShort = true
        return
      }
    }
  }

  /// Makes a run, and again if it leaves memory behind: what the runtime makes once and keeps is there then.
  ///
  /// - Returns: Whether it has shown words to be shared that were not known to be.
  private func run(_ finding: inout Finding, knowing known: [Int]) -> Bool {
    copy?.note(run: finding.schedules + 1, bound: finding.bound)
    var (failure, left) = runOnce()
    let isFirst = machine.hasFoundShared
    for _ in 0..<2 where failure == nil && left > 0 && !isFirst { (failure, left) = runOnce() }
    if machine.isOutOfTime {
      finding.isCutShort = true
      return false
    }
    if failure == nil, left > 0, !isFirst { failure = describe(left: left) }
    finding.schedules += 1
    finding.steps += machine.steps
    finding.hasUsedMutation = finding.hasUsedMutation || machine.mutationUses > 0
    if let failure {
      finding.failure = failure
      finding.schedule.choices = machine.choices.taken
      finding.schedule.shared = known
    }
    return isFirst
  }

  private func runOnce() -> (failure: String?, left: Int) {
    machine.reset()
    let tally = Tally()
    explorer_heap_begin(scenario.reusesMemory ? 0 : 1)
    runWatched(tally)
    let left = explorer_heap_end()
    if let failure = machine.failure { return (failure, 0) }
    if explorer_heap_double_frees() > 0 { return ("a block of memory is freed twice", 0) }
    if tally.live != 0 { return ("\(tally.live) payloads are never freed", 0) }
    return (nil, left)
  }

  private func describe(left: Int) -> String {
    left == 1 ? "1 block of memory is never freed" : "\(left) blocks of memory are never freed"
  }

  @inline(never)
  private func runWatched(_ tally: Tally) {
    let body = scenario.body
    machine.runAll {
      let run = Run(tally)
      body(run)
      run.runThreads()
    }
  }
}
