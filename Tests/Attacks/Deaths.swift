// Processes that fork while a thread is inside a subscriber, and threads that end there: what follows must be right or
// end with a message, never in silence.

import CAttacks
import Weir
import WeirQueues

/// What dies, and how.
private enum Death: String, CaseIterable {
  case forkMeanwhile = "fork; another thread is inside"
  case forkBetween = "fork; nobody is inside"
  case forkInside = "fork; inside its own subscriber"
  case exitInside = "a thread ends inside"
  case exitThenMany = "a thread ends inside; many follow"
}

/// Each trial is a process of its own: it prints `right` or its last words.
private func attackByDeath(_ run: Run, _ death: Death, _ route: Route) {
  let tally = run.tally
  repeat {
    let ended = Child([CommandLine.arguments[0], "--trial", "\(death.rawValue)|\(route.name)"]).end(milliseconds: 6000)
    tally.rounds.add()
    if ended.output.contains("right") { continue }
    let words = ended.errors.split(separator: "\n").first { !$0.isEmpty }.map(String.init)
    if let words {
      tally.note("says: \(words.prefix(120))")
    } else if ended.isOutOfTime {
      tally.fail("hangs in silence")
    } else {
      tally.fail(ended.output.contains("lost") ? "loses in silence" : "ends in silence with \(ended.code)")
    }
  } while !run.isOver
}

/// Plays one death in this process.
func runTrial(_ name: String) {
  let parts = name.split(separator: "|")
  guard parts.count == 2, let death = Death(rawValue: String(parts[0])),
    let route = allRoutes.first(where: { $0.name == parts[1] })
  else { return }
  let witness = Witness(Tally(), order: .gaps)
  let joint = route.make(witness, nil)
  // Owned by this thread, then shared: both are what programs have when it happens.
  for number in 1...100 { joint.sends[0](Tag.of(0, number)) }
  let (isInside, mayLeave) = (Count(), Count())
  func judge(_ sender: Int, _ number: Int) {
    let value = Tag.of(sender, number)
    joint.sends[sender](value)
    print(witness.hasSeen(value) ? "right" : "lost")
    flushOutput()
  }
  switch death {
  case .forkMeanwhile, .forkBetween:
    let stalls = Tag.of(1, 2)
    witness.whenReceived = { value in
      while value == stalls, mayLeave.value == 0 { attack_sleep(1_000_000) }
    }
    let other = Runner {
      joint.sends[1](Tag.of(1, 1))
      isInside.set(1)
      if death == .forkMeanwhile { joint.sends[1](Tag.of(1, 2)) }
      while mayLeave.value == 0 { attack_sleep(1_000_000) }
    }
    while isInside.value == 0 { attack_sleep(100_000) }
    attack_sleep(1_000_000)
    let child = attack_fork()
    if child == 0 {
      attack_alarm(4)
      judge(0, 101)
      attack_exit(0)
    }
    attack_reap(child, 0)
    mayLeave.set(1)
    other.join()
  case .forkInside:
    var children: [Int32] = []
    witness.whenReceived = { value in
      guard value == Tag.of(0, 101) else { return }
      children.append(attack_fork())
      if children[0] == 0 { attack_alarm(4) }
    }
    joint.sends[0](Tag.of(0, 101))
    if children.first == 0 {
      judge(0, 102)
      attack_exit(0)
    }
    if let child = children.first { attack_reap(child, 0) }
  case .exitInside, .exitThenMany:
    attack_alarm(4)
    let ends = Tag.of(1, 3)
    witness.whenReceived = { if $0 == ends { attack_end_thread() } }
    Runner { for number in 1...3 { joint.sends[1](Tag.of(1, number)) } }.join()
    if death == .exitThenMany {
      // They may have the former thread's identity.
      for number in 1...50 { Runner { joint.sends[2](Tag.of(2, number)) }.join() }
      if !witness.hasSeen(Tag.of(2, 50)) { print("lost") }
    }
    judge(0, 101)
  }
}

let deaths = Death.allCases.flatMap { death in
  ["passthrough", "current-value", "merge", "replay"].compactMap { name in allRoutes.first { $0.name == name } }.map {
    route in
    Attack("death", "\(death.rawValue); \(route.name)") { run in attackByDeath(run, death, route) }
  }
}
