// The demand ledger: what was asked for is taken once, and nothing after cancellation.

import Weir
import WeirVerify

let ledgerScenarios = [
  Scenario("ledger/request-take", bound: 4) { run in
    let ledger = Held(DemandLedger())
    let taken = Held(0)
    run.thread("asker") { (1...2).forEach { _ in ledger.value.add(.max(1)) } }
    run.thread("taker") { for _ in 1...3 where ledger.value.take() { taken.value += 1 } }
    run.check {
      while ledger.value.take() { taken.value += 1 }
      run.expect(taken.value, 2, "taken")
    }
  },
  Scenario("ledger/two-takers", bound: 4) { run in
    let ledger = Held(DemandLedger())
    let taken = [Held(0), Held(0)]
    ledger.value.add(.max(2))
    for number in 0...1 {
      run.thread("taker \(number)") { for _ in 1...2 where ledger.value.take() { taken[number].value += 1 } }
    }
    run.check { run.expect(taken[0].value + taken[1].value, 2, "taken") }
  },
  Scenario("ledger/request-cancel-take", bound: 4) { run in
    let ledger = Held(DemandLedger())
    let isCancelled = Held(false)
    let cancellers = Held(0)
    func cancel() {
      if ledger.value.cancel() != .min { cancellers.value += 1 }
      isCancelled.value = true
    }
    run.thread("asker") {
      ledger.value.add(.max(1))
      ledger.value.add(.unlimited)
    }
    run.thread("taker") {
      let before = isCancelled.value
      let hasTaken = ledger.value.take()
      run.expect(!(before && hasTaken), "demand was taken after cancellation")
      cancel()
    }
    run.thread("canceller") { cancel() }
    run.check {
      run.expect(cancellers.value, 1, "first to cancel")
      run.expect(ledger.value.isCancelled && !ledger.value.take(), "cancellation did not last")
    }
  },
  // Whoever adds to an empty ledger serves it until it is empty again, settling a batch at a time.
  Scenario("ledger/settle", bound: 4) { run in
    let ledger = Held(DemandLedger())
    let serial = run.guarded("the server of demand")
    let served = Held(0)
    func ask() {
      guard ledger.value.add(.max(1)) == 0 else { return }
      var batch = 1
      while batch > 0 {
        serial.noteWrite()
        served.value += batch
        batch = ledger.value.settle(batch)
      }
    }
    for number in 1...3 { run.thread("asker \(number)") { ask() } }
    run.check {
      run.expect(served.value, 3, "served")
      run.expect(ledger.value.demand, .none, "left over")
    }
  },
  Scenario("ledger/settle-cancel", bound: 4) { run in
    let ledger = Held(DemandLedger())
    run.thread("server") {
      guard ledger.value.add(.max(2)) == 0 else { return }
      let left = ledger.value.settle(1)
      run.expect(left, in: [1, .min], "left after one of two")
    }
    run.thread("canceller") { _ = ledger.value.cancel() }
    run.check { run.expect(ledger.value.isCancelled, "cancellation did not last") }
  },
  Scenario("one-shot/two-threads", bound: 4) { run in
    let shot = Held(OneShot())
    let winners = Held(0)
    for number in 1...3 { run.thread("thread \(number)") { if shot.value.fire() { winners.value += 1 } } }
    run.check { run.expect(winners.value, 1, "winners") }
  },
]

/// Something in a class, for closures to share.
final class Held<Value: ~Copyable> {
  private var held: Value
  private let accesses = Unguarded()

  init(_ value: consuming Value) { held = value }

  var value: Value {
    _read {
      accesses.noteRead()
      yield held
    }
    _modify {
      accesses.noteWrite()
      yield &held
    }
  }
}
