// Attacks by senders that never rest: starvation, livelock, and all that must hold for each of their values.

import CAttacks
import Weir
import WeirQueues

private let microseconds = ["0 us": 0, "0.2 us": 200, "1 us": 1000, "100 us": 100_000]

/// Four threads send as fast as they can.
///
/// - Parameters:
///   - cost: How long the subscriber takes for a value, in nanoseconds.
///   - contention: What senders do, `nil` for what is the default.
///   - subscribes: Whether a fifth thread subscribes and cancels meanwhile.
func flood(_ run: Run, _ route: Route, cost: Int, contention: ContentionPolicy? = nil, subscribes: Bool = false) {
  let tally = run.tally
  let probes = subscribes && route.canSubscribe
  if probes { tally.excuse = .standstill(senders: senders) }
  let witness = Witness(tally, cost: cost, order: route.order, looksForStandstills: probes)
  let joint = route.make(witness, contention)
  let each = run.sends.map { $0 / senders } ?? .max
  let returned = (0..<senders).map { _ in Count() }
  let working = Count(senders)
  var bodies: [() -> Void] = (0..<senders).map { sender in
    let lane = tally.lane()
    let send = joint.sends[sender]
    return {
      var number = 1
      while number <= each, run.sends != nil || !run.isOver {
        if route.isPaired {
          // Nobody runs away, or the operator keeps what the others lack.
          while number > (returned.map(\.value).min() ?? 0) + 1000, run.sends != nil || !run.isOver { yieldToOthers() }
        }
        let isDue = !route.isPaired || !(0..<senders).contains { $0 != sender && returned[$0].value < number }
        let value = Tag.of(sender, number)
        let sent = lane.send(value, send)
        if isDue, joint.delivers[sender] { tally.judge(sent, hasArrived: witness.hasSeen(value)) }
        returned[sender].set(number)
        number += 1
      }
      working.add(-1)
    }
  }
  if probes, let subscribe = joint.subscribe {
    tally.subscribers = 2
    bodies.append {
      var isEven = false
      while working.value > 0 {
        isEven.toggle()
        probe(tally, hasFirstValue: joint.hasFirstValue, pauses: isEven, subscribe)
      }
    }
  }
  onThreads(bodies.count) { bodies[$0]() }
  tally.rounds.add()
  joint.cancellable.cancel()
}

/// Subscribes and cancels, and looks at what comes.
///
/// - Parameters:
///   - hasFirstValue: Whether there must be a value as soon as there is a subscription.
///   - pauses: Whether the subscription lasts for a while.
func probe(
  _ tally: Tally, hasFirstValue: Bool, pauses: Bool,
  _ subscribe: (@escaping (Int) -> Void) -> AnyCancellable
) {
  let witness = Witness(tally, senders: senders, order: .gaps)
  let received = Count()
  let state = attack_state()!
  state.pointee.asking = Int64(witness.identity)
  let sink = subscribe { value in
    if value > 0 { witness.receive(value) }
    received.add()
  }
  state.pointee.asking = 0
  if hasFirstValue, received.value == 0 { tally.missingFirst.add() }
  if pauses { busy(3000) }
  sink.cancel()
}

let starvation = mainRoutes.flatMap { route in
  microseconds.sorted { $0.value < $1.value }.map { name, cost in
    Attack("starvation", "\(route.name); sink of \(name)") { run in
      run.tally.limit = cost > 1000 ? 500_000 : 50_000
      flood(run, route, cost: cost)
    }
  }
}

let contended = allRoutes.map { route in
  Attack("contended", route.name) { run in flood(run, route, cost: 0, subscribes: true) }
}

/// Main sends one value to whose subscriber takes 5 ms, and would then tell three senders to stop.
let livelocks = (mainRoutes.filter { !$0.isPaired }).map { route in
  Attack("livelock", route.name) { run in
    run.tally.limit = 500_000
    while !run.isOver { livelock(run, route) }
  }
}

private func livelock(_ run: Run, _ route: Route) {
  let tally = run.tally
  let (isOver, started) = (Count(), Count())
  let witness = Witness(tally, cost: 200, order: route.order)
  let joint = route.make(witness, nil)
  let slow = Tag.of(0, 1)
  witness.slowValue = slow
  let runners = (1..<senders).map { sender in
    let lane = tally.lane()
    return Runner {
      var number = 1
      while isOver.value == 0 {
        let value = Tag.of(sender, number)
        let sent = lane.send(value, joint.sends[sender])
        tally.judge(sent, hasArrived: witness.hasSeen(value))
        if number == 50 { started.add() }
        number += 1
      }
    }
  }
  while started.value < senders - 1 { yieldToOthers() }
  let sent = tally.lane().send(slow, joint.sends[0])
  tally.judge(sent, hasArrived: witness.hasSeen(slow))
  isOver.set(1)
  for runner in runners { runner.join() }
  joint.cancellable.cancel()
  tally.rounds.add()
}
