// Tests of what a job holds that is submitted again and again.

import TestKit
import Testing

@testable import Weir

@Suite struct JobSchedulerTests {
  @Test func aTicketHoldsItsOwnerFromEachIssueToItsRun() {
    weak var weakOwner: Link?
    let runs = Counter()
    let ticket: JobTicket
    do {
      let owner = Link(onRequest: { _, _ in }, onCancel: { _ in runs.add() })
      weakOwner = owner
      ticket = JobTicket(owner: owner) { $0.cancel() }
      ticket.issue()
      ticket.issue()
    }
    #expect(weakOwner != nil)
    ticket.redeem()
    #expect(weakOwner != nil)
    ticket.redeem()
    #expect(weakOwner == nil)
    #expect(runs.value == 2)
  }

  @Test func aHoldMayEndAfterTheWorkOrWithoutIt() {
    weak var weakOwner: Link?
    let runs = Counter()
    let ticket: JobTicket
    do {
      let owner = Link(onRequest: { _, _ in }, onCancel: { _ in runs.add() })
      let other = Link(onRequest: { _, _ in }, onCancel: { _ in })
      weakOwner = owner
      ticket = JobTicket(owner: owner) { $0.cancel() }
      ticket.issue()
      ticket.issue()
      #expect(ticket.hasOwner(of: JobTicket(owner: owner) { _ in }))
      #expect(!ticket.hasOwner(of: JobTicket(owner: other) { _ in }))
    }
    ticket.work()
    ticket.endHold()
    #expect(weakOwner != nil)
    ticket.endHold()
    #expect(weakOwner == nil)
    #expect(runs.value == 1)
  }

  @Test func schedulersThatTakeClosuresMakeNone() {
    let owner = Link(onRequest: { _, _ in }, onCancel: { _ in })
    #expect(makeJob(on: ManualScheduler(), options: nil, for: owner) { _ in } == nil)
    #expect(makeJob(on: ImmediateScheduler.shared, options: nil, for: owner) { _ in } == nil)
  }
}
