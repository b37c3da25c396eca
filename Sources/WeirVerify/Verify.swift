// The way in: explores the interleavings of a program's threads, and reports the schedule that breaks it.

import CExplorer

/// What an exploration that found nothing has covered.
public struct Coverage: Equatable, Sendable {
  /// How many schedules were run with as many preemptions as there were at most.
  public let schedules: Int
  /// All schedules with at most so many preemptions were run; -1 if not even those without one.
  public let preemptions: Int
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
/// The same call makes the same runs every time: nothing depends on the clock, on real threads or on what else runs.
/// Each call explores in a child process.
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
///   - reusesMemory: Whether freed memory is handed out again at once, as a real heap does: for what goes wrong with
///     recycled addresses, as ABA; without it, more uses of freed memory are found.
///   - program: Makes what the threads share, and declares on the run that it is given the threads and what must hold
///     at the end. Called for each run; it must do the same each time.
/// - Returns: What was covered.
/// - Throws: What broke it; or that the trait `Verification` is missing, without which there is nothing to explore.
@discardableResult
public func verify(
  bound: Int = 2, memory: MemoryModel = .tso, schedules: Int = 20_000, seed: UInt64 = 0, reusesMemory: Bool = false,
  _ program: @escaping @Sendable (Run) -> Void
) throws(VerificationFailure) -> Coverage {
  guard explorerIsBuiltIn else {
    throw VerificationFailure(
      reason: "weir is built without the trait Verification: add traits: [\"Verification\"] to the dependency on it",
      trace: [], preemptions: 0, schedules: 0)
  }
  let scenario = Scenario("program", bound: bound, reusesMemory: reusesMemory, program)
  let (finding, hasBegun) = explored(scenario, memory, atMost: schedules, seed)
  guard let failure = finding.failure else {
    return Coverage(schedules: finding.schedules, preemptions: finding.wholeBound)
  }
  let trace = inChild(seconds: secondsOfOneRun) { region in
    prepareChild()
    let exploration = Exploration(scenario, memory: memory)
    if hasBegun { exploration.warmUp() }
    _ = exploration.replay(finding.schedule) { line in if let text = line.ofTable { region.print(text) } }
  } done: { ended in
    Trace(ended.region.lines.map(String.init), ended.crash).lines
  }
  throw VerificationFailure(
    reason: failure, trace: trace, preemptions: finding.bound, schedules: finding.schedules)
}

/// How much processor time an exploration may take before it is taken for one without end, and how much one run.
private let secondsOfAll: UInt32 = 600
private let secondsOfOneRun: UInt32 = 20

/// - Returns: What was found, and whether a run has come to its end.
private func explored(
  _ scenario: Scenario, _ memory: MemoryModel, atMost schedules: Int, _ seed: UInt64
) -> (finding: Finding, hasBegun: Bool) {
  func explore(_ retries: Int) -> (finding: Finding, hasBegun: Bool) {
    let (finding, hasBegun, isStuck) = inChild(seconds: secondsOfAll) { region in
      prepareChild()
      let exploration = Exploration(scenario, memory: memory, mostSchedules: schedules, copy: region.schedule)
      // Another thread may have held a lock of the runtime when it was left behind.
      explorer_limit_wait(secondsOfOneRun)
      exploration.warmUp()
      region.part = 1
      explorer_limit_wait(20 * secondsOfAll)
      exploration.explore(seed: seed).write(to: region)
    } done: { ended in
      var finding = Finding(ended) ?? Finding()
      if let crash = ended.crash {
        finding.failure = ended.isOutOfTime ? "a run does not end" : crash
        finding.schedule = ended.region.schedule.schedule
      }
      return (finding, ended.region.part == 1, ended.isOutOfTime && ended.region.part == 0)
    }
    return isStuck && retries > 0 ? explore(retries - 1) : (finding, hasBegun)
  }
  return explore(2)
}

private func prepareChild() {
  installSimulatedMachine()
  explorer_ignore_accesses()
}
