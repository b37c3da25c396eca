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

  /// It was not.
  @Test func whatIsSentIntoAChannelIsAmongAllEvents() {
    let bus = EventBus()
    var seen: [String] = []
    let all: AnyPublisher<Any, Never> = bus.events
    let tokens = [bus.events(Int.self).sink { seen.append("channel \($0)") }, all.sink { seen.append("all \($0)") }]
    bus.channel(Int.self).send(1)
    bus.send(2)
    #expect(seen == ["all 1", "channel 1", "all 2", "channel 2"])
    withExtendedLifetime(tokens) {}
  }
}
