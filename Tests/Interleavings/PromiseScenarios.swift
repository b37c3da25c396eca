// The one result of a future: kept, forgotten, waited for and cancelled by several threads.

import Weir
import WeirVerify

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
  // A task that waits is resumed once: the promise is kept before it is in the list, or after.
  Scenario("promise/wait-beside-kept", bound: 3) { run in
    let promised = Promised()
    let future = promised.future!
    let awaited = Held(0)
    run.thread("task") {
      TaskThread().run(run) {
        let payload = await future.value
        payload.use()
        awaited.value = payload.number
      }
    }
    run.thread("keeper") {
      promised.keep(run.payload(1))
      promised.forget()
    }
    run.check { run.expect(awaited.value, 1, "awaited") }
  },
  // The same with a subscriber, of whom one thread takes care while the task is resumed.
  Scenario("promise/wait-and-subscribe-beside-kept", bound: 2) { run in
    let promised = Promised()
    let probe = Probe<Payload, Never>(run)
    let future = promised.future!
    let awaited = Held(0)
    run.thread("task") { TaskThread().run(run) { awaited.value = await future.value.number } }
    run.thread("subscriber") { future.subscribe(probe) }
    run.thread("keeper") {
      promised.keep(run.payload(1))
      promised.forget()
    }
    run.check {
      run.expect(awaited.value, 1, "awaited")
      probe.expect([1])
      run.expect(probe.completions, 1, "completions")
      probe.end()
    }
  },
]
