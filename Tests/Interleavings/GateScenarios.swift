// The gate: signals of several senders, each delivered once, one at a time, in its sender's order.

import Explorer
import Weir

let gateScenarios = [
  Scenario("gate/two-senders", bound: 5) { run in
    let list = GatedList(run)
    run.thread("A") { list.send(11) }
    run.thread("B") { list.send(21) }
    run.check { list.expectAll([11, 21]) }
  },
  Scenario("gate/two-each", bound: 3) { run in
    let list = GatedList(run)
    run.thread("A") { [11, 12].forEach(list.send) }
    run.thread("B") { [21, 22].forEach(list.send) }
    run.check { list.expectAll([11, 12, 21, 22]) }
  },
  Scenario("gate/three-senders", bound: 2) { run in
    let list = GatedList(run)
    for sender in 1...3 { run.thread("sender \(sender)") { list.send(sender * 10) } }
    run.check { list.expectAll([10, 20, 30]) }
  },
  Scenario("gate/slow-delivery", bound: 3) { run in
    let list = GatedList(run)
    list.disown()
    list.onDelivery = { _ in run.pause("in a delivery") }
    run.thread("A") { [11, 12].forEach(list.send) }
    run.thread("B") { [21, 22].forEach(list.send) }
    run.check { list.expectAll([11, 12, 21, 22]) }
  },
  // A send from within a delivery is nested: it is delivered at once, and never finds the gate taken by itself.
  Scenario("gate/nested", bound: 3) { run in
    let list = GatedList(run)
    list.nests(12, in: 11)
    run.thread("A") { list.send(11) }
    run.thread("B") { [21, 22].forEach(list.send) }
    run.check { list.expectAll([11, 12, 21, 22]) }
  },
  // The holder finds a signal that is counted behind one that is not yet.
  Scenario("gate/hand-over-order", bound: 2) { run in
    let list = GatedList(run)
    list.disown()
    run.thread("A") { list.send(11) }
    run.thread("B") { [21, 22].forEach(list.send) }
    run.thread("C") { list.send(31) }
    run.check { list.expectAll([11, 21, 22, 31]) }
  },
  // The queue's segments come back at the same address.
  Scenario("gate/recycled-segments", bound: 3, reusesMemory: true) { run in
    let list = GatedList(run)
    list.disown()
    run.thread("A") { [11, 12].forEach(list.handOver) }
    run.thread("B") { [21, 22].forEach(list.handOver) }
    run.check { list.expectAll([11, 12, 21, 22]) }
  },
  Scenario("gate/no-heavy-barrier", bound: 4) { run in
    run.heavyBarrierWorks = false
    let list = GatedList(run)
    run.thread("A") { [11, 12].forEach(list.send) }
    run.thread("B") { [21].forEach(list.send) }
    run.check { list.expectAll([11, 12, 21]) }
  },
]

// The owned state. Thread A is the owner, or about to become it.
let ownedGateScenarios = [
  Scenario("owned-gate/enter", bound: 6) { run in
    let list = GatedList(run, isOwned: true)
    run.thread("A") { list.send(11) }
    run.thread("B") { list.send(21) }
    run.check { list.expectAll([11, 21]) }
  },
  Scenario("owned-gate/hand-over", bound: 6) { run in
    let list = GatedList(run, isOwned: true)
    run.thread("A") { list.send(11) }
    run.thread("B") { list.handOver(21) }
    run.check { list.expectAll([11, 21]) }
  },
  Scenario("owned-gate/try-enter", bound: 5) { run in
    let list = GatedList(run, isOwned: true)
    run.thread("A") { [11, 12].forEach { list.send($0, patiently: false) } }
    run.thread("B") { list.send(21, patiently: false) }
    run.check { list.expectAll([11, 12, 21]) }
  },
  Scenario("owned-gate/re-enter", bound: 3) { run in
    let list = GatedList(run, isOwned: true)
    run.thread("A") { [11, 12, 13].forEach(list.send) }
    run.thread("B") { list.send(21) }
    run.check { list.expectAll([11, 12, 13, 21]) }
  },
  Scenario("owned-gate/two-each", bound: 4) { run in
    let list = GatedList(run, isOwned: true)
    run.thread("A") { [11, 12].forEach(list.send) }
    run.thread("B") { [21, 22].forEach { list.send($0, patiently: false) } }
    run.check { list.expectAll([11, 12, 21, 22]) }
  },
  Scenario("owned-gate/nested", bound: 4) { run in
    let list = GatedList(run, isOwned: true)
    list.nests(12, in: 11)
    run.thread("A") { list.send(11) }
    run.thread("B") { [21, 22].forEach { list.send($0, patiently: false) } }
    run.check { list.expectAll([11, 12, 21, 22]) }
  },
  // An owner that has something to do before it leaves looks for signals first.
  Scenario("owned-gate/settle", bound: 4) { run in
    let list = GatedList(run, isOwned: true)
    run.thread("A") { list.send(11, settling: true) }
    run.thread("B") { [21, 22].forEach(list.handOver) }
    run.check { list.expectAll([11, 21, 22]) }
  },
  Scenario("owned-gate/adopt", bound: 4) { run in
    let list = GatedList(run, entries: 1)
    run.thread("A") { [11, 12].forEach(list.send) }
    run.thread("B") { list.send(21) }
    run.check { list.expectAll([11, 12, 21]) }
  },
  Scenario("owned-gate/adopt-hand-over", bound: 4) { run in
    let list = GatedList(run, entries: 1)
    run.thread("A") { [11, 12].forEach(list.send) }
    run.thread("B") { list.handOver(21) }
    run.check { list.expectAll([11, 12, 21]) }
  },
  Scenario("owned-gate/two-adopt", bound: 4) { run in
    let list = GatedList(run, entries: 1)
    run.thread("A") { [11, 12].forEach { list.send($0, patiently: false) } }
    run.thread("B") { [21, 22].forEach { list.send($0, patiently: false) } }
    run.check { list.expectAll([11, 12, 21, 22]) }
  },
  Scenario("owned-gate/two-revokers", bound: 3) { run in
    let list = GatedList(run, isOwned: true)
    run.thread("A") { list.send(11, patiently: false) }
    run.thread("B") { list.send(21, patiently: false) }
    run.thread("C") { list.send(31, patiently: false) }
    run.check { list.expectAll([11, 21, 31]) }
  },
  Scenario("owned-gate/two-hand-over", bound: 3) { run in
    let list = GatedList(run, isOwned: true)
    run.thread("A") { list.send(11, settling: true) }
    run.thread("B") { list.handOver(21) }
    run.thread("C") { list.handOver(31) }
    run.check { list.expectAll([11, 21, 31]) }
  },
  Scenario("owned-gate/adopt-two-hand-over", bound: 2) { run in
    let list = GatedList(run, entries: 1)
    run.thread("A") { [11, 12].forEach(list.send) }
    run.thread("B") { list.handOver(21) }
    run.thread("C") { list.send(31, patiently: false) }
    run.check { list.expectAll([11, 12, 21, 31]) }
  },
]

/// What uses a gate in the plainest way: every signal is kept.
final class GatedList {
  private let run: Run
  private let gate = Gate<Payload>()
  private let serial: Guarded
  /// The thread that holds the gate; 0 without one.
  private var inside = 0
  private(set) var numbers: [Int] = []
  var onDelivery: (Int) -> Void = { _ in }

  /// - Parameter entries: How often the first thread has been inside.
  init(_ run: Run, entries: Int = 0) {
    self.run = run
    serial = run.guarded("the gate's list")
    run.prepare(asThread: 1) { for _ in 0..<entries where gate.enter() == .entered { _ = gate.leave() } }
  }

  /// A gate owned by the first thread.
  convenience init(_ run: Run, isOwned: Bool) { self.init(run, entries: isOwned ? 2 : 0) }

  /// Lets the gate be nobody's for good.
  func disown() {
    run.heavyBarrierWorks = false
    for _ in 0..<2 where gate.enter() == .entered { _ = gate.leave() }
    run.heavyBarrierWorks = true
  }

  /// Sends another number from within a delivery.
  func nests(_ inner: Int, in outer: Int) {
    onDelivery = { [unowned self] number in
      guard number == outer else { return }
      send(inner)
      run.expect(numbers.last, inner, "delivered last, after a nested send")
    }
  }

  func send(_ number: Int) { send(number, patiently: true) }

  /// - Parameters:
  ///   - patiently: Whether a taken gate is worth a short wait.
  ///   - settling: Whether the holder looks for signals before it tries to leave.
  func send(_ number: Int, patiently: Bool = true, settling: Bool = false) {
    let payload = run.payload(number)
    switch patiently ? gate.enter() : gate.tryEnter() {
    case .entered:
      begin()
      deliver(payload)
      if settling || !leave() { settle() }
    case .nested:
      run.expect(inside, run.threadNumber, "the holder when a thread is nested")
      deliver(payload)
    case .taken: handOver(payload)
    }
  }

  func handOver(_ number: Int) { handOver(run.payload(number)) }

  private func handOver(_ payload: Payload) {
    guard gate.handOver(payload) else { return }
    begin()
    settle()
  }

  private func settle() {
    repeat { gate.takeHandedOver(deliver) } while !leave()
  }

  private func begin() {
    run.expect(inside, 0, "the thread inside when another enters")
    inside = run.threadNumber
  }

  private func leave() -> Bool {
    inside = 0
    if gate.leave() { return true }
    begin()
    return false
  }

  private func deliver(_ payload: Payload) {
    payload.use()
    serial.noteWrite()
    numbers.append(payload.number)
    onDelivery(payload.number)
    serial.noteWrite()
  }

  /// Expects these numbers, each once, those of a sender (the tens) in order, and the gate free.
  func expectAll(_ expected: [Int]) {
    onDelivery = { _ in }
    run.expect(numbers.sorted(), expected, "delivered")
    for sender in Set(numbers.map { $0 / 10 }) {
      run.expect(rises(numbers.filter { $0 / 10 == sender }), "sender \(sender)'s signals came in the order \(numbers)")
    }
    run.expect(gate.tryEnter(), .entered, "the gate afterwards")
    run.expect(gate.leave(), "the gate can't be left")
  }
}
