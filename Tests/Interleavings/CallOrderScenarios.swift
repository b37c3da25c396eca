// What orderings are for where subscribers are called: who calls one comes behind the former call, and who looks at one
// knows it.

import Weir
import WeirVerify

private typealias Receiver = Probe<Payload, Never>
private typealias Replay = ReplayCore<Payload, Never>

let callOrderScenarios = [
  // A value comes from the holder of the gate, after one that the subscriber has fetched outside.
  Scenario("order/current-behind-a-turn", bound: 1) { run in
    let subject = CurrentValueSubject<Int, Never>(0)
    let slow = Probe<Int, Never>(run, isSlow: true)
    let probe = Probe<Int, Never>(run, demand: .none)
    for probe in [slow, probe] { subject.subscribe(probe) }
    let subscription = probe.subscription!
    run.thread("sender") { (1...2).forEach(subject.send) }
    run.thread("asker") { subscription.request(.max(2)) }
    run.check {
      run.expect(probe.values, in: [[0, 1], [1, 2], [2]], "received")
      for probe in [slow, probe] { probe.end() }
    }
  },
  // The same where the holder has waited for that.
  Scenario("order/current-awaits-a-turn", bound: 1) { run in
    let subject = CurrentValueSubject<Int, Never>(0)
    let probe = Probe<Int, Never>(run, demand: .none)
    let slow = Probe<Int, Never>(run, isSlow: true)
    for probe in [probe, slow] { subject.subscribe(probe) }
    let subscription = probe.subscription!
    let isSecond = Held(false)
    probe.onValue = { value in if value == 1 { _ = run.wait { isSecond.value } } }
    run.thread("sender") {
      subject.send(1)
      isSecond.value = true
      subject.send(2)
    }
    run.thread("asker") { subscription.request(.max(2)) }
    run.check {
      run.expect(probe.values, in: [[0, 1], [1, 2], [2]], "received")
      probe.onValue = nil
      for probe in [probe, slow] { probe.end() }
    }
  },
  // A subscriber misses a value while another thread has its turn, and somebody asks for that: one learns of the other.
  Scenario("order/current-missed-in-a-turn", bound: 1) { run in
    let subject = CurrentValueSubject<Int, Never>(0)
    let first = Probe<Int, Never>(run)
    let probe = Probe<Int, Never>(run, demand: .none)
    for probe in [first, probe] { subject.subscribe(probe) }
    let subscription = probe.subscription!
    let (isInside, hasAsked) = (Held(false), Held(false))
    first.onValue = { value in if value == 1 { _ = run.wait { isInside.value } } }
    probe.onValue = { _ in
      guard probe.values.count == 1 else { return }
      isInside.value = true
      _ = run.wait { hasAsked.value }
    }
    run.thread("sender") { (1...2).forEach(subject.send) }
    run.thread("asker") { subscription.request(.max(1)) }
    run.thread("asker 2") {
      _ = run.wait { isInside.value }
      subscription.request(.max(1))
      hasAsked.value = true
    }
    run.check {
      run.expect(rises(probe.values), "received \(probe.values)")
      run.expect(probe.values.count == 2 || probe.values.last == 2, "asked for two, received \(probe.values)")
      for probe in [first, probe] {
        probe.onValue = nil
        probe.end()
      }
    }
  },
  // The holder of the gate brings a subscriber up to date when another thread's turn has just ended: behind that call.
  Scenario("order/current-asks-behind-a-turn", bound: 1) { run in
    let subject = CurrentValueSubject<Int, Never>(0)
    let first = Probe<Int, Never>(run)
    let probe = Probe<Int, Never>(run, demand: .none)
    let last = Probe<Int, Never>(run)
    for probe in [first, probe, last] { subject.subscribe(probe) }
    let subscription = probe.subscription!
    let call = run.guarded("call")
    let isInside = Held(false)
    first.onValue = { value in if value == 1 { _ = run.wait { isInside.value } } }
    probe.onValue = { _ in
      isInside.value = true
      call.noteWrite()
    }
    last.onValue = { value in
      if value == 1 { subject.send(2) }
      if value == 2 { subscription.request(.max(1)) }
    }
    run.thread("sender") { subject.send(1) }
    run.thread("asker") { subscription.request(.max(1)) }
    run.check {
      run.expect(probe.values, in: [[0, 2], [1, 2]], "received")
      for probe in [first, probe, last] {
        probe.onValue = nil
        probe.end()
      }
    }
  },
  // A subscriber that has missed one value asks while it misses the next: it gets one of them.
  Scenario("order/current-asks-as-it-misses", bound: 2) { run in
    let subject = CurrentValueSubject<Int, Never>(0)
    let slow = Probe<Int, Never>(run, isSlow: true)
    let probe = Probe<Int, Never>(run, demand: .max(1))
    for probe in [slow, probe] { subject.subscribe(probe) }
    subject.send(1)
    let subscription = probe.subscription!
    run.thread("sender") { subject.send(2) }
    run.thread("asker") { subscription.request(.max(1)) }
    run.check {
      run.expect(probe.values, in: [[0, 1], [0, 2]], "received")
      for probe in [slow, probe] { probe.end() }
    }
  },
  // Who finds that the holder of the gate is through with a subscriber calls it behind that: whether the gate was
  // entered as its owner or not, whether there is something to do before it is left, and beside a call within the call.
  Scenario("order/current-behind-the-holder", bound: 2) { run in callsBehindTheHolder(run) },
  Scenario("order/current-behind-the-owner", bound: 2) { run in callsBehindTheHolder(run, owns: true) },
  Scenario("order/current-behind-the-settling", bound: 2) { run in callsBehindTheHolder(run, settles: true) },
  // The same where the holder has called it as it has asked.
  Scenario("order/current-behind-an-asker", bound: 2) { run in
    let subject = CurrentValueSubject<Int, Never>(0)
    let probe = Probe<Int, Never>(run, demand: .none)
    let call = run.guarded("call")
    subject.subscribe(probe)
    let subscription = probe.subscription!
    probe.onValue = { value in
      if value == 0 { subject.send(1) }
      call.noteWrite()
    }
    for number in 1...2 { run.thread("asker \(number)") { subscription.request(.max(1)) } }
    run.check {
      run.expect(probe.values, [0, 1], "received")
      probe.onValue = nil
      probe.end()
    }
  },
  // A subscriber that is told of the end as it comes into the list asks for the newest value meanwhile.
  Scenario("order/current-end-at-a-join", bound: 2) { run in
    let subject = CurrentValueSubject<Int, Never>(0)
    let (first, late) = (Probe<Int, Never>(run, isSlow: true), Probe<Int, Never>(run, demand: .none))
    subject.subscribe(first)
    run.thread("sender") { subject.send(completion: .finished) }
    run.thread("subscriber") {
      subject.subscribe(late)
      late.subscription?.request(.max(1))
    }
    run.check {
      run.expect(late.values, in: [[], [0]], "received")
      run.expect(late.completions, 1, "completions")
      for probe in [first, late] { probe.end() }
    }
  },
  // A sender that waits sees what a subscriber has asked for that is called for that.
  Scenario("order/look-at-an-asker", bound: 1) { run in
    let subject = CurrentValueSubject<Int, Never>(0)
    let probe = Probe<Int, Never>(run, demand: .none, isSlow: true)
    subject.subscribe(probe)
    let subscription = probe.subscription!
    run.thread("asker") { subscription.request(.max(2)) }
    run.thread("sender") {
      guard run.wait(until: { !probe.values.isEmpty }) else { return }
      subject.send(1)
      run.expect(probe.values, [0, 1], "received when the value was sent")
    }
    run.check { probe.end() }
  },
  // A sender that waits looks at a subscriber that has come since the holder of the gate has entered.
  Scenario("order/look-at-a-new-subscriber", bound: 1) { run in
    let subject = PassthroughSubject<Int, Never>()
    let (first, late) = (Probe<Int, Never>(run, demand: .max(1)), Probe<Int, Never>(run, isSlow: true))
    first.onValue = { value in
      guard value == 1 else { return }
      subject.subscribe(late)
      subject.send(11)
    }
    subject.subscribe(first)
    run.thread("sender") { subject.send(1) }
    run.thread("other") { subject.send(2) }
    run.check {
      run.expect(first.values, in: [[1], [2]], "received by the first")
      run.expect(late.values, in: [[], [11, 2], [2, 11]], "received by the new one")
      first.onValue = nil
      for probe in [first, late] { probe.end() }
    }
  },
  // The same where that subscriber is being called further up the stack of the holder.
  Scenario("order/look-at-a-new-outer-call", bound: 1) { run in
    let subject = PassthroughSubject<Int, Never>()
    let (first, late) = (Probe<Int, Never>(run, demand: .max(1)), Probe<Int, Never>(run, isSlow: true))
    first.onValue = { value in
      guard value == 1 else { return }
      subject.subscribe(late)
      subject.send(11)
    }
    late.onValue = { value in if value == 11 { subject.send(12) } }
    subject.subscribe(first)
    run.thread("sender") { subject.send(1) }
    run.thread("other") { subject.send(2) }
    run.check {
      run.expect(first.values, in: [[1], [2]], "received by the first")
      run.expect(late.values.filter { $0 > 10 }, in: [[], [11, 12]], "received by the new one of its own")
      for probe in [first, late] {
        probe.onValue = nil
        probe.end()
      }
    }
  },
  Scenario("order/replay-look-at-a-new-subscriber", bound: 1) { run in
    let core = Replay(limit: 1, name: "Replay")
    let (first, late) = (Receiver(run, demand: .max(1)), Receiver(run, isSlow: true))
    first.onValue = { value in if value.number == 1 { core.subscribe(late) } }
    core.subscribe(first)
    run.thread("sender") { core.send(run.payload(1)) }
    run.thread("other") { core.send(run.payload(2)) }
    run.check {
      run.expect(first.numbers, in: [[1], [2]], "received by the first")
      run.expect(late.numbers, in: [[], [1, 2], [2]], "received by the new one")
      first.onValue = nil
      for probe in [first, late] { probe.end() }
    }
  },
  // Who finds that the holder of the gate is through with a subscriber calls it behind that.
  Scenario("order/replay-behind-the-holder", bound: 1) { run in
    let core = Replay(limit: 2, name: "Replay")
    let probe = Receiver(run, demand: .none)
    core.subscribe(probe)
    for number in 1...2 { core.send(run.payload(number)) }
    let subscription = probe.subscription!
    for number in 1...2 { run.thread("asker \(number)") { subscription.request(.max(1)) } }
    run.check {
      run.expect(probe.numbers, [1, 2], "received")
      probe.end()
    }
  },
  // The holder comes behind who has called a subscriber outside, or waits for it.
  Scenario("order/replay-behind-a-turn", bound: 1) { run in replaysBehindATurn(run, awaitsIt: false) },
  Scenario("order/replay-awaits-a-turn", bound: 1) { run in replaysBehindATurn(run, awaitsIt: true) },
  // Who finds the stream over knows how many values there have been.
  Scenario("order/replay-end", bound: 1) { run in
    let core = Replay(limit: 3, name: "Replay")
    let (first, late) = (Receiver(run), Receiver(run))
    first.onValue = { value in
      guard value.number == 1 else { return }
      _ = run.wait { late.values.count == 1 }
      core.send(run.payload(2))
      core.send(completion: .finished)
    }
    core.subscribe(first)
    run.thread("sender") { core.send(run.payload(1)) }
    run.thread("subscriber") { core.subscribe(late) }
    run.check {
      run.expect(late.numbers, [1, 2], "received")
      run.expect(late.completions, 1, "completions")
      first.onValue = nil
      for probe in [first, late] { probe.end() }
    }
  },
  // The same where it has missed the last value, and asks while the holder of the gate ends the stream.
  Scenario("order/replay-asks-at-the-end", bound: 1) { run in
    let core = Replay(limit: 3, name: "Replay")
    let (probe, slow) = (Receiver(run, demand: .max(1)), Receiver(run, isSlow: true))
    for probe in [probe, slow] { core.subscribe(probe) }
    core.send(run.payload(1))
    let subscription = probe.subscription!
    run.thread("sender") {
      core.send(run.payload(2))
      core.send(completion: .finished)
    }
    run.thread("asker") { subscription.request(.max(2)) }
    run.check {
      run.expect(probe.numbers, [1, 2], "received")
      run.expect(probe.completions, 1, "completions")
      for probe in [probe, slow] { probe.end() }
    }
  },
]

/// A subscriber that has missed the second value asks for two while the holder of the gate calls another one with the
/// third: it gets the second outside, and the third of the holder.
///
/// - Parameter awaitsIt: Whether it is still at the second when the holder comes to it.
private func replaysBehindATurn(_ run: Run, awaitsIt: Bool) {
  let core = Replay(limit: 3, name: "Replay")
  let slow = Receiver(run, isSlow: true)
  let probe = Receiver(run, demand: .max(1))
  for probe in [slow, probe] { core.subscribe(probe) }
  for number in 1...2 { core.send(run.payload(number)) }
  let subscription = probe.subscription!
  let isThrough = Held(false)
  if awaitsIt {
    slow.onValue = { value in if value.number == 3 { isThrough.value = true } }
    probe.onValue = { value in if value.number == 2 { _ = run.wait { isThrough.value } } }
  }
  run.thread("sender") { core.send(run.payload(3)) }
  run.thread("asker") { subscription.request(.max(2)) }
  run.check {
    run.expect(probe.numbers, [1, 2, 3], "received")
    for probe in [slow, probe] {
      probe.onValue = nil
      probe.end()
    }
  }
}

/// A subscriber misses the second value, which is sent from within its call with the first, and another thread asks for
/// it meanwhile: it gets it when that call is over.
///
/// - Parameters:
///   - owns: Whether the sender owns the gate.
///   - settles: Whether the sender has something to do before it leaves the gate.
private func callsBehindTheHolder(_ run: Run, owns: Bool = false, settles: Bool = false) {
  let subject = CurrentValueSubject<Int, Never>(0)
  let probe = Probe<Int, Never>(run, demand: .max(2))
  let other = Probe<Int, Never>(run, isSlow: true)
  let call = run.guarded("call")
  let subscribeOther = { subject.subscribe(other) }
  subject.subscribe(probe)
  if !owns { subscribeOther() }
  let subscription = probe.subscription!
  probe.onValue = { value in
    if value == 1 {
      subject.send(2)
      if settles { other.subscription?.cancel() }
    }
    call.noteWrite()
  }
  run.thread("sender") {
    // The second thing that is done with a gate makes its thread the owner.
    if owns { subscribeOther() }
    subject.send(1)
  }
  run.thread("asker") { subscription.request(.max(1)) }
  run.check {
    run.expect(probe.values, [0, 1, 2], "received")
    probe.onValue = nil
    for probe in [probe, other] { probe.end() }
  }
}
