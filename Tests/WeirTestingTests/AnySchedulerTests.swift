// Tests of schedulers whose type is hidden.

import TestKit
import Testing
import Weir
import WeirTesting

@Suite struct AnySchedulerTests {
  @Test func everythingGoesToTheHiddenScheduler() {
    let hidden = TestScheduler()
    let scheduler = hidden.eraseToAnyScheduler()
    var log: [String] = []
    scheduler.schedule { log.append("now") }
    scheduler.schedule(after: scheduler.now.advanced(by: .seconds(1))) { log.append("later") }
    let token = scheduler.schedule(after: scheduler.now.advanced(by: .seconds(2)), interval: .seconds(1)) {
      log.append("tick")
    }
    hidden.advance(by: .seconds(3))
    token.cancel()
    #expect(log == ["now", "later", "tick", "tick"])
    #expect(scheduler.now == hidden.now && scheduler.minimumTolerance == .zero)
  }

  @Test func operatorsTakeIt() {
    let hidden = TestScheduler()
    let scheduler: AnySchedulerOf<TestScheduler<VirtualTime, Never>> = AnyScheduler(hidden)
    var values: [Int] = []
    let token = Just(1).delay(for: .seconds(1), scheduler: scheduler).sink { values.append($0) }
    hidden.run()
    #expect(values == [1])
    token.cancel()
  }
}
