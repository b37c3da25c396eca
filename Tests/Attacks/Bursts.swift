// What hand-over leaves behind: the memory of a burst, and how much one `send` delivers for others.

import CAttacks
import Weir
import WeirQueues

private let burst = 10_000_000
/// What one `send` delivers at most: its budget, as many again while it looks for another thread, and its own value.
private let twoBudgets = 2049

/// The subscriber stalls while another thread sends many values, which are then delivered.
private func attackByBurst(_ run: Run, _ name: String, cancels: Bool) {
  let tally = run.tally
  tally.excuse = .handOver
  tally.mostInOneSend = twoBudgets
  let passed = relay(.handOver)
  let kept = current(.handOver)
  let send: (Int) -> Void = name == "passthrough" ? { passed.send($0) } : { kept.send($0) }
  let received = Count()
  let isStalled = Count()
  let mayGoOn = Count()
  let receive: (Int) -> Void = { value in
    if value == -1 {
      isStalled.set(1)
      while mayGoOn.value == 0 { attack_sleep(100_000) }
    }
    received.add()
    attack_state()!.pointee.delivered += 1
  }
  let values = name == "passthrough" ? passed.eraseToAnyPublisher() : kept.eraseToAnyPublisher()
  let sink = Box<AnyCancellable?>(values.sink(receiveValue: receive))
  let (stalled, sender) = (tally.lane(), tally.lane())
  func once(_ count: Int) {
    isStalled.set(0)
    mayGoOn.set(0)
    received.set(0)
    onThreads(2) { number in
      if number == 0 {
        stalled.send(-1) { send($0) }
        return
      }
      while isStalled.value == 0 { attack_sleep(100_000) }
      for value in 1...count { sender.send(value, send) }
      if cancels { sink.value?.cancel() }
      mayGoOn.set(1)
    }
    // What nobody's `send` is kept for is delivered by a thread of its own.
    while (name == "passthrough" ? passed.handOverDepth : kept.handOverDepth) > 0 { attack_sleep(1_000_000) }
    tally.rounds.add()
    if !cancels, received.value < count { tally.fail("values were lost") }
    if cancels { sink.value = values.sink(receiveValue: receive) }
  }
  // What is made once, for the queue and for the threads, is not the burst's.
  once(1000)
  tally.residentBefore = Int(attack_resident())
  repeat { once(burst) } while !run.isOver
  tally.residentAfter = Int(attack_resident())
  if tally.residentAfter * 10 > tally.residentBefore * 11 { tally.fail("memory is not given back") }
  sink.value?.cancel()
}

let bursts: [Attack] =
  ["passthrough", "current-value"].flatMap { name in
    [false, true].map { cancels in
      Attack("burst", "\(name); \(cancels ? "cancelled" : "drained")") { run in
        attackByBurst(run, name, cancels: cancels)
      }
    }
  }
  + mainRoutes.filter { ["passthrough", "current-value"].contains($0.name) }.map { route in
    Attack("capture", "\(route.name); hand-over; sink of 1 us") { run in
      run.tally.excuse = .handOver
      run.tally.limit = 50_000
      run.tally.mostInOneSend = twoBudgets
      flood(run, route, cost: 1000, contention: .handOver)
    }
  }
