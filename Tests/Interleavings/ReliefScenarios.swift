// The role of the thread that delivers for others, and how it passes on. The explorer's budget is one signal.

import Weir
import WeirQueues
import WeirVerify

/// What uses a gate to hand over within a budget: every signal is kept.
private final class RelievedList {
  private let run: Run
  private let gate = Gate<Payload>()
  private let serial: Guarded
  private var inside = 0
  private var sending: Int
  private(set) var numbers: [Int] = []
  /// Whether a thread has been asked for, and has not come yet.
  private var isHelperDue = false
  /// What starting a thread orders.
  private let start = AtomicWord(0)
  /// How many signals of each budget are gone from the beginning.
  private let used: Int
  /// Whether a thread that was let in looks for signals before it leaves, as one does that has an errand.
  private let looksFirst: Bool
  /// Whose sends have begun, and whose have returned.
  private(set) var begun: Set<Int> = []
  private(set) var returned: Set<Int> = []
  /// What a subscriber does within a delivery.
  var onDelivery: (Int) -> Void = { _ in }
  /// What is sent from within another's delivery.
  var nested: (inner: Int, outer: Int)?

  /// - Parameters:
  ///   - senders: How many threads call `send(_:)`.
  ///   - used: How many signals of each budget are gone from the beginning.
  ///   - isOwned: Whether the first of them owns the gate.
  ///   - looksFirst: Whether a thread that was let in looks for signals before it leaves.
  init(_ run: Run, senders: Int, used: Int = 0, isOwned: Bool = false, looksFirst: Bool = false) {
    self.run = run
    self.used = used
    self.looksFirst = looksFirst
    sending = senders
    serial = run.guarded("the list of a gate whose role passes on")
    if isOwned { run.prepare(asThread: 1) { for _ in 0..<2 where gate.enter() == .entered { _ = gate.leave() } } }
  }

  func send(_ numbers: [Int]) {
    for number in numbers {
      begun.insert(number)
      send(run.payload(number))
      returned.insert(number)
    }
    sending -= 1
  }

  /// Leaves a number to whoever holds the gate, without a try to get in.
  func handOver(_ number: Int) {
    handOver(run.payload(number))
    sending -= 1
  }

  private func handOver(_ payload: Payload) { if gate.handOver(payload) || gate.relieve() { settle() } }

  private func send(_ payload: Payload) {
    switch gate.enter() {
    case .entered:
      deliver(payload)
      if looksFirst || !gate.leave() { settle() }
    case .nested:
      run.expect(nested?.inner, payload.number, "sent by a thread that is delivering")
      deliver(payload)
    case .taken: handOver(payload)
    }
  }

  /// The thread that is started if nobody comes.
  func help() {
    while sending > 0 || isHelperDue {
      _ = run.wait(until: { self.isHelperDue || self.sending == 0 })
      guard isHelperDue else { continue }
      isHelperDue = false
      _ = start.exchange(0)
      gate.adopt()
      repeat { gate.takeHandedOver(deliver) } while !gate.leave()
    }
  }

  private func settle() {
    var budget = HandOverBudget(taken: used)
    repeat {
      if gate.takeHandedOver(within: &budget, orElse: { startHelper() }, deliver) { return }
    } while !gate.leave()
  }

  private func startHelper() -> Bool {
    run.expect(!isHelperDue, "two threads are asked for at once")
    _ = start.exchange(1)
    isHelperDue = true
    return true
  }

  private func deliver(_ payload: Payload) {
    run.expect(inside, 0, "the thread inside when another delivers")
    inside = run.threadNumber
    payload.use()
    serial.noteWrite()
    numbers.append(payload.number)
    run.pause("in a delivery")
    onDelivery(payload.number)
    inside = 0
    guard let nested, nested.outer == payload.number else { return }
    send(run.payload(nested.inner))
    run.expect(numbers.last, nested.inner, "delivered last, after a nested send")
  }

  /// Checks that each sender's numbers came once, in order.
  func expectAll(_ expected: [Int]) {
    run.expect(numbers.sorted(), expected, "received")
    for sender in Set(expected.map { $0 / 10 }) {
      let own = numbers.filter { $0 / 10 == sender }
      run.expect(own, own.sorted(), "order of sender \(sender)")
    }
    run.expect(gate.depth, 0, "signals left")
  }
}

let reliefScenarios = [
  Scenario("relief/two-senders", bound: 2) { run in
    let list = RelievedList(run, senders: 2)
    run.thread("A") { list.send([11, 12]) }
    run.thread("B") { list.send([21, 22]) }
    run.thread("helper") { list.help() }
    run.check { list.expectAll([11, 12, 21, 22]) }
  },
  Scenario("relief/owned", bound: 2) { run in
    let list = RelievedList(run, senders: 2, isOwned: true)
    run.thread("owner") { list.send([11]) }
    run.thread("B") { list.send([21, 22, 23]) }
    run.thread("helper") { list.help() }
    run.check { list.expectAll([11, 21, 22, 23]) }
  },
  // The owner gives the gate away while another thread finds out whether it is inside; or that one gives it away, and
  // the owner comes back, which hasn't found out yet that it owns the gate no more.
  Scenario("relief/owner-gives-away", bound: 3) { run in
    let list = RelievedList(run, senders: 2, used: 2, isOwned: true, looksFirst: true)
    run.thread("owner") { list.send([11, 12]) }
    run.thread("B") { list.handOver(21) }
    run.thread("helper") { list.help() }
    run.check { list.expectAll([11, 12, 21]) }
  },
  // A sender sleeps, to take over, and a third one comes while the role passes on.
  Scenario("relief/taken-over", bound: 1) { run in
    let list = RelievedList(run, senders: 4, used: 1)
    list.onDelivery = { number in
      if number == 11 { _ = run.wait(until: { list.returned.contains(21) }) }
      if number == 21 { _ = run.wait(until: { list.begun.contains(22) }) }
    }
    run.keep(list)
    run.thread("A") { list.send([11]) }
    run.thread("B") {
      list.send([21])
      _ = run.wait(until: { list.numbers.contains(21) })
      list.send([22])
    }
    run.thread("C") {
      _ = run.wait(until: { list.begun.contains(22) })
      list.send([31])
    }
    run.thread("helper") { list.help() }
    run.check {
      list.expectAll([11, 21, 22, 31])
      list.onDelivery = { _ in }
    }
  },
  // Whoever delivers sends from within that, also the thread that was started.
  Scenario("relief/nested", bound: 2) { run in
    let list = RelievedList(run, senders: 2, used: 2)
    list.nested = (inner: 39, outer: 21)
    run.thread("A") { list.send([11]) }
    run.thread("B") { list.send([21, 22]) }
    run.thread("helper") { list.help() }
    run.check { list.expectAll([11, 21, 22, 39]) }
  },
  Scenario("relief/three-senders", bound: 1) { run in
    let list = RelievedList(run, senders: 3)
    run.thread("A") { list.send([11]) }
    run.thread("B") { list.send([21, 22]) }
    run.thread("C") { list.send([31, 32]) }
    run.thread("helper") { list.help() }
    run.check { list.expectAll([11, 21, 22, 31, 32]) }
  },
]
