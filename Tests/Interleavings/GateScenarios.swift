// The gate: signals of several senders, each delivered once, one at a time, in its sender's order.

import Weir
import WeirVerify

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
  // A revoker, and a third thread that comes while it is at it: what the owner sends afterwards comes behind the
  // third's.
  Scenario("owned-gate/third-comes-and-goes", bound: 3) { run in
    let list = GatedList(run, isOwned: true)
    run.thread("owner") { [11, 12].forEach { list.send($0, patiently: false) } }
    run.thread("revoker") { list.visit() }
    run.thread("third") { list.handOver(31) }
    run.check { list.expectAll([11, 12, 31]) }
  },
  Scenario("owned-gate/third-and-fourth", bound: 2) { run in
    let list = GatedList(run, isOwned: true)
    run.thread("owner") { [11, 12].forEach { list.send($0, patiently: false) } }
    run.thread("revoker") { list.visit() }
    run.thread("third") { list.handOver(31) }
    run.thread("fourth") { list.send(41, patiently: false) }
    run.check { list.expectAll([11, 12, 31, 41]) }
  },
]
