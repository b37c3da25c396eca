// The way in: explores the interleavings of a program's threads, and reports the schedule that breaks it.

import CExplorer

/// What an exploration that found nothing has covered.
public struct Coverage: Equatable, Sendable {
  /// How many schedules were run with as many preemptions as there were at most.
  public let schedules: Int
  /// All schedules with at most so many preemptions were run; -1 if not even those without one.
  public let preemptions: Int
  /// Whether the time that a call may take was over before the bound was reached: there are schedules that were neither
  /// run nor drawn, and how many depends on the machine.
  public let isCutShort: Bool
}

/// What broke a program, and how to get there.
public struct VerificationFailure: Error, CustomStringConvertible, Sendable {
  /// What was wrong.
  public let reason: String
  /// The schedule as a table, a line each: a column for each thread, and time goes down.
  public let trace: [String]
  /// How many preemptions the schedule may have: with fewer, none failed.
  public let preemptions: Int
  /// How many schedules were run with so many, this one included.
  public let schedules: Int

  /// The reason, and the table below.
  public var description: String {
    let line = "\(reason) (schedule \(schedules) of those with \(preemptions) preemptions at most)"
    return trace.isEmpty ? reason : ([line] + trace).joined(separator: "\n")
  }
}

/// Runs a program of up to four threads in every interleaving, fewest preemptions first, until one breaks it.
///
/// The program is written on the words, locks and queues of WeirQueues, on Weir's subjects and operators, and on
/// `NonAtomic` fields. It breaks where something that it expects is not so, where threads race for a field or wait for
/// each other for ever, where it crashes or doesn't end, and where it frees memory twice, never, or too early.
///
/// The same call makes the same runs every time: nothing depends on the clock, on real threads or on what else runs,
/// but how far it comes in the time that it may take. Each call explores in a child process.
///
/// ```swift
/// try verify(bound: 2) { run in
///   let count = AtomicWord(0)
///   run.thread("A") { _ = count.add(1) }
///   run.thread("B") { _ = count.add(1) }
///   run.check { run.expect(count.acquireLoad(), 2, "count") }
/// }
/// ```
///
/// - Parameters:
///   - bound: The preemption bound: how often in a run a thread may lose its turn where it could have gone on. Most
///     bugs need one or two.
///   - memory: What processors may do with what threads store. Code for more than x86 should hold with `.rc11`, too.
///   - schedules: How many schedules there may be for a number of preemptions. A number that takes more is not tried in
///     every order; in its place, so many are drawn at random with `bound` preemptions at most.
///   - seed: What is drawn depends on this alone.
///   - seconds: How much processor time the exploration may take, in seconds. What takes longer is not explored to the
///     bound, which ``Coverage/isCutShort`` tells.
///   - reusesMemory: Whether freed memory is handed out again at once, as a real heap does: for what goes wrong with
///     recycled addresses, as ABA; without it, more uses of freed memory are found.
///   - program: Makes what the threads share, and declares on the run that it is given the threads and what must hold
///     at the end. Called for each run; it must do the same each time.
/// - Returns: What was covered.
/// - Throws: What broke it, or what ended the exploration early; that an argument makes no sense; or that the trait
///   `Verification` is missing, without which there is nothing to explore.
@discardableResult
public func verify(
  bound: Int = 2, memory: MemoryModel = .tso, schedules: Int = 20_000, seed: UInt64 = 0, seconds: Int = 600,
  reusesMemory: Bool = false, _ program: @escaping @Sendable (Run) -> Void
) throws(VerificationFailure) -> Coverage {
  func refuse(_ reason: String) -> VerificationFailure {
    VerificationFailure(reason: reason, trace: [], preemptions: 0, schedules: 0)
  }
  if let problem = mistake(bound, memory, schedules, seconds) { throw refuse(problem) }
  guard explorerIsBuiltIn else {
    throw refuse("weir is built without the trait Verification: add traits: [\"Verification\"] to the dependency on it")
  }
  // No run has more steps than that, and so no more preemptions.
  let scenario = Scenario("program", bound: min(bound, Machine.mostSteps), reusesMemory: reusesMemory, program)
  let (finding, hasBegun) = explored(scenario, memory, atMost: schedules, seed, for: seconds)
  guard let failure = finding.failure else {
    return Coverage(
      schedules: finding.schedules, preemptions: finding.wholeBound == scenario.bound ? bound : finding.wholeBound,
      isCutShort: finding.isCutShort)
  }
  let trace = inChild(seconds: secondsOfTrace) { region in
    prepareChild()
    explorer_watch(secondsOfBlocking, secondsOfComputing)
    let exploration = Exploration(scenario, memory: memory)
    if hasBegun { exploration.warmUp() }
    _ = exploration.replay(finding.schedule) { line in if let text = line.ofTable { region.print(text) } }
  } done: { ended in
    Trace(ended.region.lines.map(String.init), ended.crash).lines
  }
  throw VerificationFailure(
    reason: failure, trace: trace, preemptions: finding.bound, schedules: finding.schedules)
}

/// What is wrong with arguments of `verify`.
private func mistake(_ bound: Int, _ memory: MemoryModel, _ schedules: Int, _ seconds: Int) -> String? {
  if bound < 0 { return "bound is \(bound): it must be 0 or more" }
  if schedules < 1 { return "schedules is \(schedules): it must be 1 or more" }
  if seconds < 1 { return "seconds is \(seconds): it must be 1 or more" }
  if case .rc11(let stale) = memory, stale < 0 { return "stale is \(stale): it must be 0 or more" }
  return nil
}

/// For how many seconds a run may be blocked, and compute without a step, before it is taken for one without end. Steps
/// take less than a millisecond.
private let secondsOfBlocking: UInt32 = 3
private let secondsOfComputing: UInt32 = 5
private let secondsOfTrace: UInt32 = 60

/// - Returns: What was found, and whether a run has come to its end.
private func explored(
  _ scenario: Scenario, _ memory: MemoryModel, atMost schedules: Int, _ seed: UInt64, for seconds: Int
) -> (finding: Finding, hasBegun: Bool) {
  func explore(_ retries: Int) -> (finding: Finding, hasBegun: Bool) {
    // The exploration ends by itself when its time is over.
    let most = UInt32(clamping: min(seconds, 1_000_000) + 60)
    let (finding, hasBegun, isStuck) = inChild(seconds: most) { region in
      prepareChild()
      let exploration = Exploration(
        scenario, memory: memory, mostSchedules: schedules, mostSeconds: Double(seconds), copy: region.schedule)
      explorer_watch(secondsOfBlocking, secondsOfComputing)
      explorer_limit_time(Double(seconds))
      exploration.warmUp()
      region.part = 1
      exploration.explore(seed: seed).write(to: region)
    } done: { ended in
      (Finding(of: ended), ended.region.part == 1, ended.hasBlocked && ended.region.part == 0)
    }
    // Another thread may have held a lock of the runtime when it was left behind: not twice.
    return isStuck && retries > 0 ? explore(retries - 1) : (finding, hasBegun)
  }
  return explore(1)
}

private func prepareChild() {
  installSimulatedMachine()
  explorer_ignore_accesses()
}
