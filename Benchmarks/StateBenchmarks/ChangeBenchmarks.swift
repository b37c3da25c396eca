// Changes of states: a write, and what it makes happen.

import Gauge
import Weir
import WeirState

@BenchmarkBuilder var changeBenchmarks: [Benchmark] {
  // A write into a part of the value, without rules.
  Benchmark("state/managed/set", over: .values("observers", [0, 1, 10]), passes: .withoutLatency) { run in
    let state = opaque(ManagedState(wrappedValue: Plain()))
    let sinks = (0..<run["observers"]).map { _ in state.sink { (diff: DiffedValue<Plain>) in blackHole(diff.number) } }
    var number = 0
    run.measure {
      number &+= 1
      state.wrappedValue.number = number
    }
    withExtendedLifetime(sinks) {}
  }

  // The same with a rule that follows the value, and one that is bound to a part.
  Benchmark("state/managed/set-with-rules", over: .values("observers", [0, 10]), passes: .withoutLatency) { run in
    let state = opaque(ManagedState(wrappedValue: Ruled()))
    let sinks = (0..<run["observers"]).map { _ in state.sink { (diff: DiffedValue<Ruled>) in blackHole(diff.number) } }
    var number = 0
    run.measure {
      number &+= 1
      state.wrappedValue.number = number
    }
    withExtendedLifetime(sinks) {}
  }

  Benchmark("state/ui/set", over: .values("observers", [1]), passes: .withoutLatency) { run in
    let state = opaque(UIState(wrappedValue: Plain()))
    let sinks = (0..<run["observers"]).map { _ in state.sink { (diff: DiffedValue<Plain>) in blackHole(diff.number) } }
    var number = 0
    run.measure {
      number &+= 1
      state.wrappedValue.number = number
    }
    withExtendedLifetime(sinks) {}
  }

  Benchmark("state/value-subject/set", over: .values("observers", [0, 1, 10]), passes: .withoutLatency) { run in
    let subject = opaque(ValueSubject(wrappedValue: Plain()))
    let sinks = (0..<run["observers"]).map { _ in
      subject.sink { (diff: DiffedValue<Plain>) in blackHole(diff.number) }
    }
    var number = 0
    run.measure {
      number &+= 1
      subject.wrappedValue.number = number
    }
    withExtendedLifetime(sinks) {}
  }

  Benchmark("state/managed/read", passes: .withoutLatency) { run in
    let state = opaque(ManagedState(wrappedValue: Plain()))
    run.measure { state.wrappedValue.number }
  }

  // A part of the value as a binding: made, written through and let go.
  Benchmark("state/managed/dynamic-member", passes: .withoutLatency) { run in
    let state = opaque(ManagedState(wrappedValue: Plain()))
    var number = 0
    run.measure {
      number &+= 1
      let part: UIBinding<Int> = state.number
      part.wrappedValue = number
    }
  }
}

private struct Plain: BehavioralStateContract {
  var number = 0
  var text = ""
}

private struct Ruled: BehavioralStateContract {
  var number = 0
  var doubled = 0
  var history = 0

  mutating func applyRules() { doubled = number &* 2 }

  @SubscriptionBuilder
  static func applyBindingRules(to state: RulesPublisher) -> [AnyCancellable] {
    state.bind(to: \.number) { (ruled: inout Ruled) in ruled.history = ruled.number &* 3 }
  }
}
