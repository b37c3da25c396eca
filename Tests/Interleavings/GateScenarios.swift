// The gate: signals of several senders, each delivered once, one at a time, in its sender's order.

import Explorer
import Weir

let gateScenarios = [
  Scenario("gate/two-senders", bound: 5) { run in
    let list = GatedList(run)
    run.thread("A") { list.send(run.payload(11)) }
    run.thread("B") { list.send(run.payload(21)) }
    run.check { list.expectAll([11, 21]) }
  },
  Scenario("gate/two-each", bound: 5) { run in
    let list = GatedList(run)
    run.thread("A") { [11, 12].forEach { list.send(run.payload($0)) } }
    run.thread("B") { [21, 22].forEach { list.send(run.payload($0)) } }
    run.check { list.expectAll([11, 12, 21, 22]) }
  },
  Scenario("gate/three-senders", bound: 4) { run in
    let list = GatedList(run)
    for sender in 1...3 { run.thread("sender \(sender)") { list.send(run.payload(sender * 10)) } }
    run.check { list.expectAll([10, 20, 30]) }
  },
  Scenario("gate/slow-delivery", bound: 4) { run in
    let list = GatedList(run)
    list.onDelivery = { _ in run.pause("in a delivery") }
    run.thread("A") { [11, 12].forEach { list.send(run.payload($0)) } }
    run.thread("B") { [21, 22].forEach { list.send(run.payload($0)) } }
    run.check { list.expectAll([11, 12, 21, 22]) }
  },
  // A send from within a delivery is nested: it is delivered at once, and never finds the gate taken by itself.
  Scenario("gate/nested", bound: 3) { run in
    let list = GatedList(run)
    list.onDelivery = { number in
      guard number == 11 else { return }
      list.send(run.payload(12))
      run.expect(list.numbers.last, 12, "delivered last, after a nested send")
    }
    run.thread("A") { list.send(run.payload(11)) }
    run.thread("B") { [21, 22].forEach { list.send(run.payload($0)) } }
    run.check { list.expectAll([11, 12, 21, 22]) }
  },
  // Nodes of the hand-over list come back at the same address.
  Scenario("gate/recycled-nodes", bound: 2, reusesMemory: true) { run in
    let list = GatedList(run)
    run.thread("A") { [11, 12].forEach { list.send(run.payload($0)) } }
    run.thread("B") { [21, 22].forEach { list.send(run.payload($0)) } }
    run.thread("C") { list.send(run.payload(31)) }
    run.check { list.expectAll([11, 12, 21, 22, 31]) }
  },
]

/// What uses a gate in the plainest way: every signal is kept.
final class GatedList {
  private let run: Run
  private let gate = Gate<Payload>()
  private let serial: Guarded
  private(set) var numbers: [Int] = []
  var onDelivery: (Int) -> Void = { _ in }

  init(_ run: Run) {
    self.run = run
    serial = run.guarded("the gate's list")
  }

  func send(_ payload: Payload) {
    switch gate.enter() {
    case .entered:
      deliver(payload)
      if !gate.leave() { settle() }
    case .nested: deliver(payload)
    case .taken: if gate.handOver(payload) { settle() }
    }
  }

  private func settle() {
    repeat { gate.takeHandedOver(deliver) } while !gate.leave()
  }

  private func deliver(_ payload: Payload) {
    payload.use()
    serial.noteWrite()
    numbers.append(payload.number)
    onDelivery(payload.number)
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
