// Tests of subscribing to a publisher.

import TestKit
import Testing
import Weir

@Suite struct PublisherTests {
  @Test func subscribingAttachesTheSubscriberItself() {
    let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
    let subscriber = RecordingSubscriber(.max(1), of: Int.self, failingWith: TestFailure.self)
    publisher.subscribe(subscriber)
    #expect(publisher.subscriber?.combineIdentifier == subscriber.combineIdentifier)
    #expect(publisher.subscription?.history == [.requested(.max(1))])
  }

  @Test func canBeUsedThroughItsPrimaryAssociatedTypes() {
    func values(of publisher: some Publisher<Int, Never>) -> [Int] {
      var values: [Int] = []
      withExtendedLifetime(publisher.sink { values.append($0) }) {}
      return values
    }
    #expect(values(of: [1, 2].publisher) == [1, 2])
    #expect(values(of: Just(3)) == [3])
  }
}
