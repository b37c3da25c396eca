// Events to the listeners of one bus.

import Gauge
import Weir
import WeirExtras

@BenchmarkBuilder var eventBusBenchmarks: [Benchmark] {
  // To everyone who listens to the type.
  Benchmark("event-bus/send", over: .values("listeners", [1, 1000]), passes: .withoutLatency) { run in
    let bus = opaque(EventBus())
    let listeners = (0..<run["listeners"]).map { _ in bus.events(Opened.self).sink { blackHole($0.number) } }
    run.elements = listeners.count
    run.countedOperations = max(20, 1000 / listeners.count)
    var number = 0
    run.measure {
      number &+= 1
      bus.send(Opened(number: number))
    }
    withExtendedLifetime(listeners) {}
  }

  // To one listener, while a thousand listen to other types of events or to other cases of this one.
  Benchmark("event-bus/send-case", over: .values("others", [1000]), passes: .withoutLatency) { run in
    let channel = opaque(EventChannel<Pressed>())
    let others = (0..<run["others"]).map { number in
      channel.events(for: number + 1).sink { blackHole($0.key) }
    }
    let listener = channel.events(for: 0).sink { blackHole($0.key) }
    run.measure { channel.send(Pressed(key: 0)) }
    withExtendedLifetime((others, listener)) {}
  }
}

private struct Opened {
  var number: Int
}

private struct Pressed: CasedEvent {
  var key: Int
  var eventCase: Int { key }
}
