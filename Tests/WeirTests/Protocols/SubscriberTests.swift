// Tests of the convenience of subscribers.

import TestKit
import Testing
import Weir

@Suite struct SubscriberTests {
  @Test func aSignalWithoutAValueNeedsNoArgument() {
    var count = 0
    let subscriber = AnySubscriber<Void, Never>(receiveValue: {
      count += 1
      return .max(2)
    })
    #expect(subscriber.receive() == .max(2))
    #expect(count == 1)
  }
}
