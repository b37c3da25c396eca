// Tests of the subscription class that all of Weir's publishers share.

import TestKit
import Testing

@testable import Weir

@Suite struct LinkTests {
  @Test func passesItselfToItsClosures() {
    var requests: [Subscribers.Demand] = []
    var cancellations = 0
    var sender: Link?
    let link = Link(
      onRequest: { link, demand in
        sender = link
        requests.append(demand)
      },
      onCancel: { link in
        sender = link
        cancellations += 1
      })
    link.request(.max(2))
    #expect(sender === link)
    link.cancel()
    #expect(requests == [.max(2)])
    #expect(cancellations == 1)
    sender = nil
  }

  @Test func describesItself() {
    let link = Link(onRequest: { _, _ in }, onCancel: { _ in })
    #expect("\(link)" == "Subscription")
    #expect(link.playgroundDescription as? String == "Subscription")
    #expect(link.customMirror.children.isEmpty)
    #expect(link.combineIdentifier == CombineIdentifier(link))
  }

  @Test func someDemandIsRequired() async {
    Subscribers.Demand.max(1).requireSome("Link")
    Subscribers.Demand.unlimited.requireSome("Link")
    await #expect(processExitsWith: .failure) { Subscribers.Demand.none.requireSome("Link") }
  }
}
