// Threads that wait: for a gate, in a line, and in circles.

import Weir
import WeirQueues
import WeirVerify

/// Makes the table of waiting threads before anything is explored, so that all runs are alike.
func prepareWaiting() { WaitTable.prepare() }

let waitingScenarios = [
  Scenario("waiting/two-senders", bound: 3) { run in
    let list = GatedList(run)
    run.thread("A") { [11, 12].forEach { list.sendWaiting($0) } }
    run.thread("B") { list.sendWaiting(21) }
    run.check {
      list.expectAll([11, 12, 21])
      run.expect(list.handedOver, 0, "delivered by another thread")
    }
  },
  Scenario("waiting/three-senders", bound: 2) { run in
    let list = GatedList(run)
    for sender in 1...3 { run.thread("sender \(sender)") { list.sendWaiting(sender * 10) } }
    run.check {
      list.expectAll([10, 20, 30])
      run.expect(list.handedOver, 0, "delivered by another thread")
    }
  },
  Scenario("waiting/slow-delivery", bound: 2) { run in
    let list = GatedList(run)
    list.onDelivery = { _ in run.pause("in a delivery") }
    for sender in 1...3 { run.thread("sender \(sender)") { list.sendWaiting(sender * 10) } }
    run.check {
      list.expectAll([10, 20, 30])
      run.expect(list.handedOver, 0, "delivered by another thread")
    }
  },
  Scenario("waiting/owned", bound: 3) { run in
    let list = GatedList(run, isOwned: true)
    run.thread("owner") { [11, 12].forEach { list.sendWaiting($0) } }
    run.thread("B") { list.sendWaiting(21) }
    run.check {
      list.expectAll([11, 12, 21])
      run.expect(list.handedOver, 0, "delivered by another thread")
    }
  },
  Scenario("waiting/owned-third", bound: 2) { run in
    let list = GatedList(run, isOwned: true)
    run.thread("owner") { [11, 12].forEach { list.sendWaiting($0) } }
    run.thread("B") { list.sendWaiting(21) }
    run.thread("C") { list.sendWaiting(31) }
    run.check {
      list.expectAll([11, 12, 21, 31])
      run.expect(list.handedOver, 0, "delivered by another thread")
    }
  },
  // One that waits, and one that leaves its signal.
  Scenario("waiting/beside-hand-over", bound: 2) { run in
    let list = GatedList(run)
    run.thread("A") { [11, 12].forEach { list.sendWaiting($0) } }
    run.thread("B") { list.sendWaiting(21) }
    run.thread("C") { list.handOver(31) }
    run.check { list.expectAll([11, 12, 21, 31]) }
  },
  // The holder leaves a second time while the one that it has woken is on its way and another leaves a signal.
  Scenario("waiting/leave-while-one-is-woken", bound: 2) { run in
    let list = GatedList(run)
    let hasLooked = Held(false)
    list.onDelivery = { if $0 == 11 { _ = run.wait { hasLooked.value } } }
    run.thread("A") { [11, 12].forEach { list.sendWaiting($0) } }
    run.thread("B") {
      list.sendWaiting(21) {
        hasLooked.value = true
        return false
      }
    }
    run.thread("C") { list.handOver(31) }
    run.check { list.expectAll([11, 12, 21, 31]) }
  },
  Scenario("waiting/let-through", bound: 3) { run in
    let list = GatedList(run)
    list.onDelivery = { _ in run.pause("in a delivery") }
    run.thread("A") { [11, 12].forEach { list.sendWaiting($0) } }
    run.thread("B") { [21, 22].forEach { list.sendWaiting($0, unless: { true }) } }
    run.check { list.expectAll([11, 12, 21, 22]) }
  },
  // Who looks at what only the holder keeps alive keeps the holder from leaving.
  Scenario("waiting/look", bound: 3) { run in
    let list = GatedList(run)
    run.thread("A") { list.sendWaiting(11) }
    run.thread("B") { list.look() }
    run.check { list.expectAll([11]) }
  },
]

/// Subjects whose subscribers send to each other's subjects.
private func circle(_ run: Run, of count: Int, _ deliveries: @escaping (Int) -> Void) -> [PassthroughSubject<
  Int, Never
>] {
  let subjects = (0..<count).map { _ in PassthroughSubject<Int, Never>() }
  for (place, subject) in subjects.enumerated() {
    let probe = Probe<Int, Never>(run)
    probe.onValue = { value in
      deliveries(value)
      if value < 10 { subjects[(place + 1) % count].send(value + 10) }
    }
    subject.subscribe(probe)
    // The probe keeps all subjects.
    run.check {
      probe.end()
      probe.onValue = nil
    }
  }
  return subjects
}

let contentionScenarios = [
  Scenario("circle/two", bound: 2) { run in
    var values: [Int] = []
    let subjects = circle(run, of: 2) { values.append($0) }
    run.thread("A") { subjects[0].send(1) }
    run.thread("B") { subjects[1].send(2) }
    run.check { run.expect(values.sorted(), [1, 2, 11, 12], "received") }
  },
  Scenario("circle/two-joined-by-a-third", bound: 0) { run in
    var values: [Int] = []
    let subjects = circle(run, of: 2) { values.append($0) }
    run.thread("A") { subjects[0].send(1) }
    run.thread("B") { subjects[1].send(2) }
    run.thread("C") { subjects[0].send(33) }
    run.check { run.expect(values.sorted(), [1, 2, 11, 12, 33], "received") }
  },
  Scenario("circle/three", bound: 1) { run in
    var values: [Int] = []
    let subjects = circle(run, of: 3) { values.append($0) }
    for number in 0..<3 { run.thread("thread \(number)") { subjects[number].send(number) } }
    run.check { run.expect(values.sorted(), [0, 1, 2, 10, 11, 12], "received") }
  },
  Scenario("circle/four", bound: 0) { run in
    var values: [Int] = []
    let subjects = circle(run, of: 4) { values.append($0) }
    for number in 0..<4 { run.thread("thread \(number)") { subjects[number].send(number) } }
    run.check { run.expect(values.sorted(), [0, 1, 2, 3, 10, 11, 12, 13], "received") }
  },
]
