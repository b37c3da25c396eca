// Threads that stop until all others have come to their ends.
// No test file: the tests of Machine and Reduction go through all of it.

extension Machine {
  /// A thread that may freeze does so here, or goes on. It costs as much as being preempted.
  func freezeIfChosen() {
    let me = current
    guard me.mayFreeze, threads[1..<count].contains(where: { $0 !== me && !$0.isFinished && !$0.isFrozen }),
      choose(of: 2, costs: 0b10) == 1
    else { return }
    me.mayFreeze = false
    me.isFrozen = true
    reduction?.noteOpen()
    log?.note(me, "freezes")
  }

  /// All others have come to their ends: one that was frozen goes on.
  func thaw() -> SimulatedThread? {
    guard let thawed = threads[1..<count].first(where: { $0.isFrozen && $0.wanted?.value ?? 0 == 0 }) else {
      return nil
    }
    thawed.isFrozen = false
    thawed.hasYielded = false
    thawed.hasWaitedInVain = thawed.condition.map { !$0() } ?? false
    reduction?.noteOpen()
    reduction?.passTurn(from: current.number, to: thawed.number)
    log?.note(thawed, "goes on")
    return thawed
  }
}
