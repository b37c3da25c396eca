// Tests of listening to all of a bus's events, where no other `events` is in sight.

import Testing
import Weir
import WeirExtras

@Suite struct EventBusEventsTests {
  @Test func eventsOfAllTypesAreOneStream() {
    let bus = EventBus()
    var seen: [String] = []
    let all: AnyPublisher<Any, Never> = bus.events
    let token = all.sink { seen.append("\($0)") }
    bus.send(1)
    bus.send("two")
    #expect(seen == ["1", "two"])
    token.cancel()
  }
}
