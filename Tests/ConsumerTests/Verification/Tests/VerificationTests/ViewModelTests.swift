// The page's second example: a view model that two publishers call on threads of their own.

import Shared
import Testing
import Weir
import WeirVerify

@Suite struct ViewModelTests {
  @Test func theRightOneAddsUpWhatBothSend() throws {
    let coverage = try verify(bound: 2) { run in bothSend(run, to: RightCart.self) }
    #expect(coverage.preemptions == 2)
  }

  @Test func theBrokenOneRaces() throws {
    let failure = try #require(throws: VerificationFailure.self) {
      try verify(bound: 2) { run in bothSend(run, to: BrokenCart.self) }
    }
    #expect(failure.reason.contains("ViewModel.swift"))
    #expect(failure.trace.count <= 15)
  }
}

private func bothSend<Model: Cart>(_ run: Run, to: Model.Type) {
  let prices = PassthroughSubject<Int, Never>(), discounts = PassthroughSubject<Int, Never>()
  let model = Model(prices: prices, discounts: discounts)
  run.thread("prices") { prices.send(30) }
  run.thread("discounts") { discounts.send(10) }
  run.check { run.expect(model.total, 20, "total") }
}
