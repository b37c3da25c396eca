// The one result of a future: kept, forgotten, waited for and cancelled by several threads.

import Explorer
import Weir

/// A future and what keeps its promise.
private final class Promised {
  private(set) var promise: Future<Payload, Never>.Promise?
  private(set) var future: Future<Payload, Never>?

  init() { future = Future { self.promise = $0 } }

  func keep(_ payload: Payload) { promise?(.success(payload)) }

  func forget() { promise = nil }
}

let promiseScenarios = [
  // A promise that was kept and let go of is kept, also to one that subscribes meanwhile and asks later.
  Scenario("promise/subscribe-beside-kept-and-forgotten", bound: 3) { run in
    let promised = Promised()
    let probe = Probe<Payload, Never>(run, demand: .none)
    let future = promised.future!
    run.thread("subscriber") { future.subscribe(probe) }
    run.thread("keeper") {
      promised.keep(run.payload(1))
      promised.forget()
    }
    run.check {
      probe.subscription?.request(.max(1))
      probe.expect([1])
      run.expect(probe.completions, 1, "completions")
      probe.end()
    }
  },
  Scenario("promise/request-beside-kept", bound: 3) { run in
    let promised = Promised()
    let probe = Probe<Payload, Never>(run, demand: .none, isSlow: true)
    promised.future?.subscribe(probe)
    let subscription = probe.subscription!
    run.thread("asker") { subscription.request(.max(1)) }
    run.thread("keeper") {
      promised.keep(run.payload(1))
      promised.forget()
    }
    run.check {
      probe.expect([1])
      run.expect(probe.completions, 1, "completions")
      probe.end()
    }
  },
  Scenario("promise/cancel-beside-kept", bound: 3) { run in
    let promised = Promised()
    let probe = Probe<Payload, Never>(run)
    promised.future?.subscribe(probe)
    let subscription = probe.subscription!
    run.thread("canceller") { subscription.cancel() }
    run.thread("keeper") {
      promised.keep(run.payload(1))
      promised.forget()
    }
    run.check {
      run.expect(probe.numbers, in: [[], [1]], "received")
      probe.end()
    }
  },
  // Nobody keeps it: nothing comes, and nothing is kept.
  Scenario("promise/subscribe-beside-forgotten", bound: 3) { run in
    let promised = Promised()
    let probe = Probe<Payload, Never>(run)
    let future = promised.future!
    run.thread("subscriber") { future.subscribe(probe) }
    run.thread("keeper") { promised.forget() }
    run.check {
      probe.expect([])
      run.expect(probe.completions, 0, "completions")
      probe.end()
    }
  },
]
