// What a run may take, and what is said where it takes more; and spinners that come to limits of their own.

import CExplorer

extension Machine {
  func isEnabled(_ thread: SimulatedThread) -> Bool {
    if thread.isFinished || thread.isFrozen { return false }
    if let lock = thread.wanted { return lock.value == 0 }
    if let condition = thread.condition { return condition() }
    return true
  }

  /// How many steps a run may have.
  static let mostSteps = 5_000

  static let tooManyChoices =
    "more than \(ScheduleCopy.choices) choices in one run, which is the limit: have the threads do less"

  static let differentProgram =
    "the program is not the same from run to run: what it does must not depend on addresses, hashes, random numbers, "
    + "clocks, or what former runs have left"

  /// What to say of a run that has had as many steps as it may.
  var endlessness: String {
    let start = "no end after \(Self.mostSteps) steps"
    let left = threads[1..<count].filter { !$0.isFinished && !$0.isFrozen }
    func waits(_ thread: SimulatedThread) -> Bool { thread.wanted != nil || thread.condition != nil }
    let spinners = left.filter { !waits($0) && ($0.spin?.step ?? -1) >= lastWrite }
    if lastWrite < steps - Self.mostSteps / 5, !spinners.isEmpty,
      left.allSatisfy({ thread in waits(thread) || spinners.contains { $0 === thread } })
    {
      let told = spinners.map { "\($0.name) spins at \($0.spin!.place.fileAndLine)" }
      return "\(start): \(told.joined(separator: ", ")), and nobody writes what would end that"
    }
    return "\(start), which are the most that a run may have: a loop that waits for another thread has to call "
      + "spinHint(), and a program that does more has to be made smaller"
  }

  /// Counts a step of the run.
  func countStep() {
    steps += 1
    current.steps += 1
    if steps > Self.mostSteps { fail(endlessness) }
    noteProgress()
  }

  /// The run, or work of the explorer's own at its end, has come a step further: it may take long, and is not stuck. It
  /// ends where the time is over.
  func noteProgress() {
    explorer_note_step()
    if explorer_time_is_over() != 0 { stop() }
  }

  // MARK: Spinners with limits

  /// How many rounds a spinner may have while no other thread has a turn. One that has more has no limit.
  private static let mostRoundsAlone = 100
  /// How many steps these may have.
  private static let mostStepsAlone = 500

  /// Whether a spinner goes on at once. One that counts its rounds may come to its limit before another thread does
  /// anything: that is a choice, and costs as much as a preemption. One without a limit is found out by its rounds; of
  /// that run nothing more is tried, as it is what comes of waiting, too. One that has come to another place since is
  /// behind a limit: there it may wait, or go on to the next limit, which costs no more.
  func spinsAlone(_ thread: SimulatedThread) -> Bool {
    if thread.roundsAlone == 0 {
      // Otherwise nobody is there who could do something before.
      guard thread.canSpinAlone,
        threads[1..<count].contains(where: { $0 !== thread && (isEnabled($0) || !$0.buffer.isEmpty) })
      else { return false }
      thread.canSpinAlone = false
      guard choose(of: 2, costs: 0b10) == 1 else { return false }
      thread.stepsBefore = steps
      thread.isBehindLimit = false
    } else if thread.isBehindLimit {
      thread.isBehindLimit = false
      thread.roundsAlone = 0
      guard choose(of: 2) == 1 else { return false }
      thread.stepsBefore = steps
    }
    thread.roundsAlone += 1
    if thread.roundsAlone <= Self.mostRoundsAlone, steps - thread.stepsBefore <= Self.mostStepsAlone { return true }
    thread.roundsAlone = 0
    choices.idle()
    return false
  }

  /// Whether the running thread, about to touch a word, is a spinner that goes on to its limit, and looks again at what
  /// it has spun on: no other thread comes before. What it looks at behind a limit is looked at anew.
  func looksAgain(at word: Word?, changes: Bool) -> Bool {
    let thread = current
    guard !changes, let word else {
      thread.roundsAlone = 0
      thread.isBehindLimit = false
      thread.isLookingAgain = false
      return false
    }
    if thread.isBehindLimit { thread.looks = 0 }
    let bit = UInt64(1) << UInt64(word.number & 63)
    thread.isLookingAgain = thread.roundsAlone > 0 && thread.looks & bit != 0
    thread.looks |= bit
    return thread.isLookingAgain
  }
}

extension SimulatedThread {
  /// Whether a look is worth telling: of a spinner's, those of its first rounds are.
  var isWorthTelling: Bool { !isLookingAgain || roundsAlone < 4 }

  func forgetLooks() {
    roundsAlone = 0
    isBehindLimit = false
    looks = 0
    isLookingAgain = false
    placesSinceWrite.removeAll(keepingCapacity: true)
  }

  /// The thread, which may be a spinner that goes on to its limit, is at a place. All rounds up to a limit are at the
  /// same places as the first, which ends where it first spins.
  func notePlace(_ place: Place) {
    ours {
      if placesSinceWrite.contains(where: { $0.isSame(as: place) }) { return }
      placesSinceWrite.append(place)
      if roundsAlone > 0 { isBehindLimit = true }
    }
  }
}
