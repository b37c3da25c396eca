// Tests of the subscription that does nothing.

import Testing
import Weir

@Suite struct SubscriptionsTests {
  @Test func emptyIsAlwaysTheSame() {
    #expect(Subscriptions.empty.combineIdentifier == Subscriptions.empty.combineIdentifier)
  }

  @Test func emptyIgnoresEverything() {
    Subscriptions.empty.request(.none)
    Subscriptions.empty.request(.unlimited)
    Subscriptions.empty.cancel()
    Subscriptions.empty.cancel()
    #expect("\(Subscriptions.empty)" == "Empty")
    #expect(Mirror(reflecting: Subscriptions.empty).children.isEmpty)
    let shown = Subscriptions.empty as? any CustomPlaygroundDisplayConvertible
    #expect(shown?.playgroundDescription as? String == "Empty")
  }
}
