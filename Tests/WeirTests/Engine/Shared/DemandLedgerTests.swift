// Tests of the demand word: saturation, sentinels, taking and settling.

import TestKit
import Testing

@testable import Weir

@Suite struct DemandLedgerTests {
  @Test func startsWithNothing() {
    let ledger = DemandLedger()
    #expect(ledger.demand == .none)
    #expect(ledger.isCancelled == false)
    #expect(ledger.take() == false)
  }

  @Test func countsDown() {
    let ledger = DemandLedger()
    #expect(ledger.add(.max(2)) == 0)
    #expect(ledger.add(.max(1)) == 2)
    #expect(ledger.demand == .max(3))
    #expect((0..<5).map { _ in ledger.take() } == [true, true, true, false, false])
    #expect(ledger.add(.max(1)) == 0)
    #expect(ledger.take() == true)
  }

  @Test func unlimitedNeverRunsOut() {
    let ledger = DemandLedger()
    ledger.add(.unlimited)
    #expect((0..<100).allSatisfy { _ in ledger.take() })
    #expect(ledger.demand == .unlimited)
    #expect(ledger.add(.max(1)) == DemandLedger.unlimited)
    #expect(ledger.demand == .unlimited)
  }

  static let corners: [Subscribers.Demand] = [.max(1), .max(2), .max(.max - 1), .unlimited]

  @Test(arguments: corners, corners)
  func additionSaturates(first: Subscribers.Demand, second: Subscribers.Demand) {
    let ledger = DemandLedger()
    ledger.add(first)
    ledger.add(second)
    // The largest limit and no limit are one word: no stream counts that far.
    let expected = first + second
    #expect(ledger.demand == (expected == .max(.max) ? .unlimited : expected))
  }

  @Test func addingNothingChangesNothing() {
    let ledger = DemandLedger()
    ledger.add(.none)
    #expect(ledger.demand == .none)
    ledger.add(.max(2))
    ledger.add(.none)
    #expect(ledger.demand == .max(2))
  }

  @Test func takesABatch() {
    let ledger = DemandLedger()
    #expect(ledger.take(upTo: 3) == 0)
    ledger.add(.max(5))
    #expect(ledger.take(upTo: 3) == 3)
    #expect(ledger.take(upTo: 3) == 2)
    #expect(ledger.take(upTo: 3) == 0)
    ledger.add(.unlimited)
    #expect(ledger.take(upTo: 1_000) == 1_000)
    #expect(ledger.demand == .unlimited)
    _ = ledger.cancel()
    #expect(ledger.take(upTo: 1) == 0)
  }

  @Test func settlesABatch() {
    let ledger = DemandLedger()
    ledger.add(.max(5))
    #expect(ledger.settle(0) == 5)
    #expect(ledger.settle(3) == 2)
    ledger.add(.max(4))
    #expect(ledger.settle(2) == 4)
    #expect(ledger.settle(4) == 0)
    ledger.add(.unlimited)
    #expect(ledger.settle(1_000) == DemandLedger.unlimited)
    _ = ledger.cancel()
    #expect(ledger.settle(1) == DemandLedger.cancelled)
  }

  @Test func cancellationIsForGood() {
    for demand in [Subscribers.Demand.none, .max(3), .unlimited] {
      let ledger = DemandLedger()
      ledger.add(demand)
      #expect(ledger.cancel() == DemandLedger.units(demand))
      #expect(ledger.isCancelled == true)
      #expect(ledger.cancel() == DemandLedger.cancelled)
      #expect(ledger.add(.unlimited) == DemandLedger.cancelled)
      #expect(ledger.take() == false)
      #expect(ledger.demand == .none)
    }
  }

  @Test func handsOutEachUnitOnceAmongThreads() {
    let ledger = DemandLedger()
    let taken = Counter()
    let adding = Counter(2)
    onThreads(4) { number in
      if number < 2 {
        for _ in 0..<2_000 { ledger.add(.max(2)) }
        adding.add(-1)
      } else {
        while adding.value > 0 || ledger.demand != .none { if ledger.take() { taken.add() } }
      }
    }
    #expect(taken.value == 8_000)
    #expect(ledger.demand == .none)
  }

  // MARK: An end that waits for demand

  @Test func anEndIsParkedOnlyWithoutDemand() {
    let ledger = DemandLedger()
    #expect(ledger.park() == 0)
    #expect(ledger.demand == .none)
    #expect(ledger.take() == false)
    #expect(ledger.add(.max(2)) == DemandLedger.parked)
    #expect(ledger.unpark() == true)
    #expect(ledger.unpark() == false)
    #expect(ledger.isCancelled == true)
  }

  @Test(arguments: [Subscribers.Demand.max(1), .max(7), .unlimited]) func anEndTakesWhatDemandThereIs(
    _ demand: Subscribers.Demand
  ) {
    let ledger = DemandLedger()
    ledger.add(demand)
    #expect(ledger.park() == (demand.max ?? DemandLedger.unlimited))
    #expect(ledger.isCancelled == true)
    #expect(ledger.unpark() == false)
  }

  @Test func anEndIsNotParkedAfterACancellationAndACancellationFindsAParkedEnd() {
    let ledger = DemandLedger()
    #expect(ledger.park() == 0)
    #expect(ledger.cancel() == DemandLedger.parked)
    #expect(ledger.park() == DemandLedger.cancelled)
    #expect(ledger.unpark() == false)
  }
}
