// What replays, and what stores first and delivers later.

import Weir
import WeirQueues
import WeirVerify

private typealias Replay = ReplayCore<Payload, Never>

/// Two threads ask for one value each while the holder of the gate calls another subscriber.
///
/// - Parameters:
///   - kept: How many values were sent before; the holder is sending the next.
///   - hasBegun: Whether it has had the first of them.
private func requestsBesideADelivery(_ run: Run, kept: Int, hasBegun: Bool = false) {
  let core = Replay(limit: 3, name: "Replay")
  let other = Probe<Payload, Never>(run)
  core.subscribe(other)
  let probe = Probe<Payload, Never>(run, demand: .none, isSlow: true)
  core.subscribe(probe)
  for number in 1...kept { core.send(run.payload(number)) }
  let subscription = probe.subscription!
  if hasBegun { subscription.request(.max(1)) }
  let asked = Held(0)
  other.onValue = { _ in
    run.expect(run.waitLong { asked.value == 2 }, "asking waits for a delivery to another subscriber")
  }
  for number in 1...2 {
    run.thread("asker \(number)") {
      subscription.request(.max(1))
      asked.value += 1
    }
  }
  run.thread("sender") { core.send(run.payload(kept + 1)) }
  run.check {
    run.expect(probe.numbers, Array(1...(hasBegun ? 3 : 2)), "received")
    other.end()
    probe.end()
  }
}

let replayScenarios = [
  Scenario("replay/send-subscribe", bound: 2) { run in
    let core = Replay(limit: 1, name: "Replay")
    let probe = Probe<Payload, Never>(run)
    run.thread("subscriber") { core.subscribe(probe) }
    run.thread("sender") { (1...2).forEach { core.send(run.payload($0)) } }
    run.check {
      run.expect(probe.numbers, in: [[1, 2], [2]], "received")
      probe.end()
    }
  },
  // Whoever comes late gets the value that the others got last.
  Scenario("replay/send-send", bound: 2) { run in
    let core = Replay(limit: 1, name: "Replay")
    let probe = Probe<Payload, Never>(run, isSlow: true)
    core.subscribe(probe)
    for sender in 1...2 { run.thread("sender \(sender)") { core.send(run.payload(sender * 10)) } }
    run.check {
      probe.expect([10, 20])
      let late = Probe<Payload, Never>(run)
      core.subscribe(late)
      run.expect(late.numbers, [probe.numbers[1]], "received late")
      late.end()
      probe.end()
    }
  },
  Scenario("replay/request-send", bound: 2) { run in
    let core = Replay(limit: 3, name: "Replay")
    let probe = Probe<Payload, Never>(run, demand: .none)
    core.subscribe(probe)
    let subscription = probe.subscription!
    run.thread("asker") { (1...2).forEach { _ in subscription.request(.max(1)) } }
    run.thread("sender") { (1...3).forEach { core.send(run.payload($0)) } }
    run.check {
      run.expect(probe.numbers, [1, 2], "received")
      probe.end()
    }
  },
  // Who subscribes while others are served has what was sent before, and gets what is under way from its sender.
  Scenario("replay/subscribe-beside-a-delivery", bound: 2) { run in
    let core = Replay(limit: 2, name: "Replay")
    core.send(run.payload(1))
    let slow = Probe<Payload, Never>(run, isSlow: true)
    core.subscribe(slow)
    let late = Probe<Payload, Never>(run)
    run.thread("subscriber") {
      core.subscribe(late)
      run.expect(!late.numbers.isEmpty, "nothing received when subscribe returned")
    }
    run.thread("sender") { core.send(run.payload(2)) }
    run.check {
      slow.expect([1, 2])
      run.expect(late.numbers, [1, 2], "received late")
      late.end()
      slow.end()
    }
  },
  // Who has subscribed misses nothing, however many values come while it is given what was kept.
  Scenario("replay/subscribe-beside-sends", bound: 3) { run in
    let core = Replay(limit: 2, name: "Replay")
    (1...2).forEach { core.send(run.payload($0)) }
    let late = Probe<Payload, Never>(run, isSlow: true)
    run.thread("subscriber") { core.subscribe(late) }
    run.thread("sender") { (3...5).forEach { core.send(run.payload($0)) } }
    run.check {
      run.expect(late.numbers, in: (1...4).map { Array($0...5) }, "received")
      let later = Probe<Payload, Never>(run)
      core.subscribe(later)
      run.expect(later.numbers, [4, 5], "received later")
      later.end()
      late.end()
    }
  },
  // Where nothing is kept, a subscriber gets what is sent from some value on, and then all.
  Scenario("replay/subscribe-beside-sends-of-what-is-not-kept", bound: 2) { run in
    let core = Replay(limit: 0, name: "Replay", contention: .handOver)
    let other = Probe<Payload, Never>(run)
    core.subscribe(other)
    let late = Probe<Payload, Never>(run, isSlow: true)
    run.thread("subscriber") { core.subscribe(late) }
    run.thread("sender 1") { core.send(run.payload(1)) }
    run.thread("sender 2") { core.send(run.payload(2)) }
    run.check {
      run.expect(other.numbers.sorted(), [1, 2], "received by the other")
      run.expect(late.numbers[...], other.numbers.suffix(late.numbers.count), "received")
      late.end()
      other.end()
    }
  },
  // Who has asked for one value lets others be pushed out until it asks again, and misses nothing from then on.
  Scenario("replay/request-again-beside-sends", bound: 3) { run in
    let core = Replay(limit: 2, name: "Replay")
    (1...2).forEach { core.send(run.payload($0)) }
    let late = Probe<Payload, Never>(run, demand: .max(1), isSlow: true)
    late.onValue = { _ in if late.numbers.count == 1 { late.subscription?.request(.unlimited) } }
    run.thread("subscriber") { core.subscribe(late) }
    run.thread("sender") { (3...6).forEach { core.send(run.payload($0)) } }
    run.check {
      let expected = (1...6).flatMap { first in
        (first + 1...max(first + 1, 5)).map { [first] + (1...6).suffix(7 - $0) }
      }
      run.expect(late.numbers, in: expected, "received")
      late.onValue = nil
      late.end()
    }
  },
  // What a subscriber sends within a call beside a delivery comes after that call, whether the delivery is over or not.
  Scenario("replay/send-in-a-call-beside-a-delivery", bound: 2) { run in
    let core = Replay(limit: 1, name: "Replay")
    core.send(run.payload(1))
    let other = Probe<Payload, Never>(run, isSlow: true)
    core.subscribe(other)
    let (late, calls) = (Probe<Payload, Never>(run), Held(0))
    late.onValue = { value in
      calls.value += 1
      run.expect(calls.value, 1, "calls under way")
      run.pause("in the subscriber")
      if value.number == 1 { (3...4).forEach { core.send(run.payload($0)) } }
      calls.value -= 1
    }
    run.thread("subscriber") { core.subscribe(late) }
    run.thread("sender") { core.send(run.payload(2)) }
    run.check {
      run.expect(late.numbers, in: [[2], [1, 2, 3, 4], [1, 3, 2, 4], [1, 3, 4, 2]], "received")
      run.expect(other.numbers.suffix(late.numbers.count), late.numbers[...], "received by the other")
      late.onValue = nil
      late.end()
      other.end()
    }
  },
  // Whoever asks, whoever is about to call: nobody calls beside the other, and nothing is left behind.
  Scenario("replay/request-beside-a-delivery", bound: 3) { run in
    let core = Replay(limit: 3, name: "Replay")
    let probe = Probe<Payload, Never>(run, demand: .none, isSlow: true)
    core.subscribe(probe)
    core.send(run.payload(1))
    let subscription = probe.subscription!
    run.thread("asker") { (1...2).forEach { _ in subscription.request(.max(1)) } }
    run.thread("sender") { core.send(run.payload(2)) }
    run.check {
      run.expect(probe.numbers, [1, 2], "received")
      probe.end()
    }
  },
  Scenario("replay/requests-beside-a-delivery", bound: 2) { run in requestsBesideADelivery(run, kept: 1) },
  Scenario("replay/requests-for-what-is-there", bound: 2) { run in requestsBesideADelivery(run, kept: 3, hasBegun: true)
  },
  // Whoever is given values beside a delivery keeps no more than the limit once all is over.
  Scenario("replay/keeps-no-more-than-the-limit", bound: 2) { run in
    let core = Replay(limit: 1, name: "Replay")
    let probe = Probe<Payload, Never>(run, demand: .none)
    core.subscribe(probe)
    core.send(run.payload(1))
    let subscription = probe.subscription!
    for number in 1...2 { run.thread("asker \(number)") { subscription.request(.max(1)) } }
    run.thread("sender") { (2...3).forEach { core.send(run.payload($0)) } }
    run.check {
      run.expect(core.keptCount, 1, "values kept")
      probe.end()
    }
  },
  // Who asks for the first value gets it itself, before the request returns, whoever is sending.
  Scenario("replay/first-value-by-request", bound: 3) { run in
    let core = Replay(limit: 1, name: "Replay")
    core.send(run.payload(1))
    let probe = Probe<Payload, Never>(run, demand: .none, isSlow: true)
    core.subscribe(probe)
    let subscription = probe.subscription!
    probe.onValue = { _ in
      if probe.numbers.count == 1 { run.expect(run.threadNumber, 2, "the thread that the first value came on") }
    }
    run.thread("sender") { core.send(run.payload(2)) }
    run.thread("asker") {
      subscription.request(.unlimited)
      run.expect(!probe.numbers.isEmpty, "no value when the first request returns")
    }
    run.check {
      run.expect(probe.numbers, in: [[1, 2], [2]], "received")
      probe.onValue = nil
      probe.end()
    }
  },
  // Who asks while it is being called leaves that to the holder of the gate, which looks again.
  Scenario("replay/request-in-a-call", bound: 4) { run in
    let core = Replay(limit: 3, name: "Replay")
    let probe = Probe<Payload, Never>(run, demand: .max(1))
    core.subscribe(probe)
    core.send(run.payload(1))
    let subscription = probe.subscription!
    run.thread("asker") { subscription.request(.max(1)) }
    run.thread("sender") { core.send(run.payload(2)) }
    run.check {
      run.expect(probe.numbers, [1, 2], "received")
      probe.end()
    }
  },
  Scenario("replay/request-cancel-send", bound: 2) { run in
    let core = Replay(limit: 3, name: "Replay")
    let probe = Probe<Payload, Never>(run, demand: .none)
    core.subscribe(probe)
    core.send(run.payload(1))
    let subscription = probe.subscription!
    run.thread("asker") { subscription.request(.max(2)) }
    run.thread("canceller") { subscription.cancel() }
    run.thread("sender") { core.send(run.payload(2)) }
    run.check {
      run.expect(probe.numbers, in: [[], [1], [1, 2]], "received")
      probe.end()
    }
  },
  Scenario("replay/cancel-send", bound: 2) { run in
    let core = Replay(limit: 1, name: "Replay")
    let probe = Probe<Payload, Never>(run)
    core.subscribe(probe)
    let subscription = probe.subscription!
    run.thread("canceller") { subscription.cancel() }
    run.thread("sender") { (1...2).forEach { core.send(run.payload($0)) } }
    run.check {
      run.expect(probe.numbers, in: [[], [1], [1, 2]], "received")
      core.send(run.payload(3))
      run.expect(probe.numbers.last != 3, "received a value after the cancellation")
      probe.end()
    }
  },
  Scenario("replay/subscribe-complete", bound: 3) { run in
    let core = Replay(limit: 1, name: "Replay")
    core.send(run.payload(1))
    let probe = Probe<Payload, Never>(run)
    run.thread("subscriber") { core.subscribe(probe) }
    run.thread("completer") { core.send(completion: .finished) }
    run.check {
      run.expect(probe.numbers, [1], "received")
      run.expect(probe.completions, 1, "completions")
      probe.end()
    }
  },
  // Of those that come first, one subscribes to the upstream.
  // Who asks between the end's being offered and its being over gets the end, too.
  Scenario("replay/request-complete", bound: 3) { run in
    let core = Replay(limit: 1, name: "Replay")
    core.send(run.payload(1))
    let probe = Probe<Payload, Never>(run, demand: .none)
    core.subscribe(probe)
    let subscription = probe.subscription!
    run.thread("asker") { subscription.request(.max(1)) }
    run.thread("completer") { core.send(completion: .finished) }
    run.check {
      run.expect(probe.numbers, [1], "received")
      run.expect(probe.completions, 1, "completions")
      probe.end()
    }
  },
  Scenario("replay/admit-admit", bound: 4) { run in
    let core = Replay(limit: 1, name: "Replay")
    let admissions = [Held<Bool?>(nil), Held<Bool?>(nil)]
    for number in 0...1 { run.thread("guest \(number)") { admissions[number].value = core.admit() } }
    run.check { run.expect(admissions.filter { $0.value == true }.count, 1, "connections") }
  },
  // Whoever comes while the last one goes is told that the connection is over, or gets what is kept.
  Scenario("replay/last-cancels-next-comes", bound: 3) { run in
    let core = Replay(limit: 1, name: "Replay")
    run.expect(core.admit(), true, "connects")
    let former = Probe<Payload, Never>(run)
    let next = Probe<Payload, Never>(run)
    core.subscribe(former)
    core.send(run.payload(1))
    let admission = Held<Bool?>(nil)
    run.thread("last") { former.end() }
    run.thread("next") {
      admission.value = core.admit()
      if admission.value != nil { core.subscribe(next) }
    }
    run.check {
      run.expect(admission.value != true, "a second connection")
      run.expect(next.numbers, admission.value == nil ? [] : [1], "received")
      next.end()
    }
  },
  // Whoever comes when the last one has gone beside the upstream's end gets what is kept, or is told that it is over.
  Scenario("replay/last-cancels-upstream-finishes", bound: 3) { run in
    let core = Replay(limit: 1, name: "Replay")
    run.expect(core.admit(), true, "connects")
    let last = Probe<Payload, Never>(run)
    core.subscribe(last)
    let feed = ReplayFeed(core)
    feed.receive(subscription: CountingSubscription(run))
    _ = feed.receive(run.payload(1))
    run.thread("last") { last.end() }
    run.thread("upstream") { feed.receive(completion: .finished) }
    run.check {
      let admission = core.admit()
      run.expect(admission != true, "a second connection")
      guard admission != nil else { return }
      let next = Probe<Payload, Never>(run)
      core.subscribe(next)
      run.expect(next.numbers, [1], "received")
      next.end()
    }
  },
  // What a subscriber sends while another thread is leaving a value behind comes before what its thread sends later.
  Scenario("replay/nested-send-hand-over", bound: 2) { run in
    let core = Replay(limit: 4, name: "Replay", contention: .handOver)
    let (probe, isOwn) = (Probe<Payload, Never>(run, isSlow: true), Held(false))
    core.subscribe(probe)
    probe.onValue = { value in
      guard value.number == 1 else { return }
      isOwn.value = run.threadNumber == 1
      core.send(run.payload(3))
    }
    run.thread("sender") { [1, 4].forEach { core.send(run.payload($0)) } }
    run.thread("other") { core.send(run.payload(2)) }
    run.check {
      run.expect(probe.numbers.sorted(), [1, 2, 3, 4], "received")
      let orders = isOwn.value ? [[1, 3, 4]] : [[1, 3, 4], [1, 4, 3]]
      run.expect(probe.numbers.filter { $0 != 2 }, in: orders, "received of the sender")
      run.expect(core.handOverDepth, 0, "signals left")
      probe.onValue = nil
      probe.end()
    }
  },
]

private typealias Store = SubjectCore<Int, Never>

let reservationScenarios = [
  // The order of storing is the order of delivery.
  Scenario("reservation/store-store", bound: 3) { run in
    let core = Store(name: "Store", latest: LatestValue(0))
    let probe = Probe<Int, Never>(run, isSlow: true)
    core.subscribe(probe, to: core)
    for number in 1...2 {
      run.thread("writer \(number)") { core.deliver(number, core.reserve(number, keeping: number)) }
    }
    run.check {
      run.expect(probe.values.sorted(), [0, 1, 2], "received")
      run.expect(probe.values.last, core.value, "received last")
      probe.end()
    }
  },
  // Writers that store under a lock of their own: everybody sees all values in their order.
  Scenario("reservation/counted", bound: 3) { run in
    let core = Store(name: "Store", latest: LatestValue(0))
    let turn = Held(Lock(()))
    let probe = Probe<Int, Never>(run)
    core.subscribe(probe, to: core)
    for number in 1...2 {
      run.thread("writer \(number)") {
        let (value, reservation) = turn.value.withLock { _ in
          let value = core.value + 1
          return (value, core.reserve(value, keeping: value))
        }
        core.deliver(value, reservation)
      }
    }
    run.check {
      run.expect(probe.values, [0, 1, 2], "received")
      probe.end()
    }
  },
  Scenario("reservation/store-subscribe", bound: 3) { run in
    let core = Store(name: "Store", latest: LatestValue(0))
    let probe = Probe<Int, Never>(run)
    run.thread("subscriber") { core.subscribe(probe, to: core) }
    run.thread("writer") { (1...2).forEach { core.deliver($0, core.reserve($0, keeping: $0)) } }
    run.check {
      run.expect(probe.values, in: [[0, 1, 2], [1, 2], [2]], "received")
      probe.end()
    }
  },
  // One value is delivered later, by its writer or together with the other one's.
  Scenario("reservation/later", bound: 3) { run in
    let core = Store(name: "Store", latest: LatestValue(0))
    let turn = Held(Lock(()))
    let probe = Probe<Int, Never>(run)
    core.subscribe(probe, to: core)
    for number in 1...2 {
      run.thread("writer \(number)") {
        let (value, reservation) = turn.value.withLock { _ in
          let value = core.value + 1
          return (value, core.reserve(value, keeping: value, deliveringLater: number == 1))
        }
        core.deliver(value, reservation)
      }
    }
    run.check {
      run.expect(probe.values, [0, 1, 2], "received")
      probe.end()
    }
  },
  // The gate belongs to a writer, and another one has left its value in the queue.
  Scenario("reservation/later-owned", bound: 3) { run in
    let core = Store(name: "Store", latest: LatestValue(0))
    let probe = Probe<Int, Never>(run)
    core.subscribe(probe, to: core)
    run.thread("owner") { (1...3).forEach { core.deliver($0, core.reserve($0, keeping: $0)) } }
    run.thread("other") { core.deliver(9, core.reserve(9, keeping: 9, deliveringLater: true)) }
    run.check {
      run.expect(probe.values.filter { $0 != 9 }, [0, 1, 2, 3], "received of the owner")
      run.expect(probe.values.count { $0 == 9 }, 1, "received of the other")
      run.expect(probe.values.last, core.value, "received last")
      probe.end()
    }
  },
  Scenario("reservation/later-subscribe", bound: 3) { run in
    let core = Store(name: "Store", latest: LatestValue(0))
    let probe = Probe<Int, Never>(run)
    run.thread("subscriber") { core.subscribe(probe, to: core) }
    run.thread("writer") {
      let reservations = (1...2).map { ($0, core.reserve($0, keeping: $0, deliveringLater: true)) }
      for (value, reservation) in reservations { core.deliver(value, reservation) }
    }
    run.check {
      run.expect(probe.values, in: [[0, 1, 2], [1, 2], [2]], "received")
      probe.end()
    }
  },
]
