// Attacks with what the system allows: urgent threads on one processor, and a sandbox that comes late.

import CAttacks
import Weir
import WeirQueues

/// An urgent thread sends now and then, two ordinary ones all the time, on one processor: the urgent one must never
/// spin for a thread that it keeps from running.
private func attackWithPriority(_ run: Run, _ route: Route, contention: ContentionPolicy?) {
  let tally = run.tally
  let urgentLane = tally.lane()
  // Only the urgent thread's sends are timed: the others are kept from the processor at any place.
  let others = Tally()
  let witness = Witness(tally, cost: 500, order: route.order)
  let joint = route.make(witness, contention)
  let (isOver, mayStart, refused) = (Count(), Count(), Count())
  tally.limit = 100_000
  if contention == .handOver { tally.excuse = .handOver }
  let urgent = Runner {
    attack_pin(0)
    if attack_become_urgent() == 0 { refused.set(1) }
    mayStart.set(1)
    var number = 1
    while refused.value == 0, !run.isOver {
      attack_sleep(30_000)
      let sent = urgentLane.send(Tag.of(0, number), joint.sends[0])
      tally.judge(sent, hasArrived: witness.hasSeen(Tag.of(0, number)))
      number += 1
      tally.rounds.add()
    }
    isOver.set(1)
  }
  let ordinary = (1..<3).map { sender in
    let lane = others.lane()
    return Runner {
      attack_pin(0)
      while mayStart.value == 0 { attack_sleep(100_000) }
      var number = 1
      while isOver.value == 0 {
        lane.send(Tag.of(sender, number), joint.sends[sender])
        number += 1
      }
    }
  }
  urgent.join()
  for runner in ordinary { runner.join() }
  joint.cancellable.cancel()
  if refused.value == 1 { run.skip("no real-time priority is allowed here") }
}

let priorities: [Attack] = mainRoutes.filter { !$0.isPaired && $0.order == .all }.flatMap { route in
  [ContentionPolicy?.none, .handOver].compactMap { contention in
    if contention != nil, route.name != "passthrough" { return nil }
    return Attack("fifo", route.name + (contention == nil ? "" : "; hand-over")) { run in
      attackWithPriority(run, route, contention: contention)
    }
  }
}

/// Main owns many gates; then `membarrier` is forbidden, and other threads come.
private func attackInSandbox(_ run: Run, _ route: Route) {
  let tally = run.tally
  let lanes = (0..<senders).map { _ in tally.lane() }
  func targets() -> [(witness: Witness, joint: Joint)] {
    (0..<200).map { _ in
      let witness = Witness(tally, order: route.order)
      return (witness, route.make(witness, nil))
    }
  }
  let owned = targets()
  for target in owned { for number in 1...100 { target.joint.sends[0](Tag.of(0, number)) } }
  // What was sent before has no lane; those deliveries belong to nobody's send.
  tally.offThread.set(0)
  guard attack_forbid_membarrier() != 0 else { return run.skip("no filter of system calls is allowed here") }
  var next = owned
  var first = 101
  repeat {
    for target in next {
      onThreads(3) { sender in
        for number in (sender == 0 ? first : 1)...(sender == 0 ? first + 20 : 21) {
          let value = Tag.of(sender, number)
          let sent = lanes[sender].send(value, target.joint.sends[sender])
          tally.judge(sent, hasArrived: target.witness.hasSeen(value))
        }
      }
      tally.rounds.add()
      target.joint.cancellable.cancel()
      if run.isOver { break }
    }
    next = targets()
    first = 1
  } while !run.isOver
}

let sandboxes = mainRoutes.filter { !$0.isPaired && $0.order == .all }.map { route in
  Attack("seccomp", route.name) { run in attackInSandbox(run, route) }
}
