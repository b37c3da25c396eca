// What orderings are for: whoever learns of an operation sees what its thread did before.

import Weir
import WeirQueues
import WeirVerify

let orderScenarios = [
  // A closed queue, also to one that finds it drained.
  Scenario("order/ring-closed") { run in
    let ring = SPSCRing<Int>(minimumCapacity: 2)
    isSeen(run, by: ["observer": { ring.isClosed }, "consumer": { ring.isDrained }]) { ring.close() }
  },
  Scenario("order/spsc-closed") { run in
    let queue = SPSCLinkedQueue<Int>()
    isSeen(run, by: ["observer": { queue.isClosed }, "consumer": { queue.isDrained }]) { queue.close() }
  },
  Scenario("order/mpsc-closed") { run in
    let queue = MPSCQueue<Int>()
    isSeen(run, by: ["observer": { queue.isClosed }, "consumer": { queue.isDrained }]) { queue.close() }
  },
  Scenario("order/mpmc-closed") { run in
    let queue = MPMCQueue<Int>(minimumCapacity: 2)
    isSeen(run, by: ["observer": { queue.isClosed }, "consumer": { queue.isDrained }]) { queue.close() }
  },
  // One that refuses an element.
  Scenario("order/mpsc-refuses") { run in
    let queue = MPSCQueue<Int>()
    isSeen(run, by: ["producer": { !queue.enqueue(1) }]) { queue.close() }
  },
  Scenario("order/mpmc-refuses") { run in
    let queue = MPMCQueue<Int>(minimumCapacity: 2)
    isSeen(run, by: ["producer": { queue.offer(1) == .closed(1) }]) { queue.close() }
  },
  Scenario("order/mpmc-refuses-batch") { run in
    let queue = MPMCQueue<Int>(minimumCapacity: 2)
    isSeen(run, by: ["producer": { queue.enqueue(contentsOf: [1]) == 0 }]) { queue.close() }
  },
  Scenario("order/mpmc-does-not-overwrite") { run in
    let queue = MPMCQueue<Int>(minimumCapacity: 2)
    isSeen(run, by: ["producer": { queue.overwrite(with: 1) == .closed(1) }]) { queue.close() }
  },
  // An element that is counted.
  Scenario("order/ring-counted") { run in
    let ring = SPSCRing<Int>(minimumCapacity: 2)
    isSeen(run, by: ["observer": { ring.count > 0 }]) { _ = ring.enqueue(1) }
  },
  Scenario("order/spsc-counted") { run in
    let queue = SPSCLinkedQueue<Int>()
    isSeen(run, by: ["consumer": { queue.count > 0 }]) { queue.enqueue(1) }
  },
  Scenario("order/mpsc-counted") { run in
    let queue = MPSCQueue<Int>()
    isSeen(run, by: ["consumer": { queue.count > 0 }]) { queue.enqueue(1) }
  },
  Scenario("order/mpmc-counted") { run in
    let queue = MPMCQueue<Int>(minimumCapacity: 2)
    isSeen(run, by: ["observer": { queue.count > 0 }]) { _ = queue.enqueue(1) }
  },
  // Whoever counts has never seen more taken than added.
  Scenario("order/ring-count") { run in
    let ring = SPSCRing<Int>(minimumCapacity: 2)
    run.keep(ring)
    countsNoLess(run, { _ = ring.enqueue(1) }, { ring.dequeue() }, { ring.count })
  },
  Scenario("order/mpmc-count") { run in
    let queue = MPMCQueue<Int>(minimumCapacity: 2)
    countsNoLess(run, { _ = queue.enqueue(1) }, { queue.dequeue() }, { queue.count })
  },
  // An element that is looked at, or was offered.
  Scenario("order/mpsc-peek") { run in
    let queue = MPSCQueue<Payload>()
    run.thread("producer") { queue.enqueue(run.payload(1)) }
    run.thread("consumer") { _ = queue.peek { $0.use() } }
    run.check { queue.dequeue()?.use() }
  },
  Scenario("order/ring-offer") { run in
    let ring = SPSCRing<Payload>(minimumCapacity: 2)
    run.thread("producer") { _ = ring.offer(run.payload(1)) }
    run.thread("consumer") { ring.dequeue()?.use() }
    run.check { ring.dequeue()?.use() }
  },
  Scenario("order/spsc-offer") { run in
    let queue = SPSCLinkedQueue<Payload>()
    run.thread("producer") { _ = queue.offer(run.payload(1)) }
    run.thread("consumer") { queue.dequeue()?.use() }
    run.check { queue.dequeue()?.use() }
  },
  // The answer to a consumer that wants no more.
  Scenario("order/ring-answers", bound: 2) { run in
    let ring = SPSCRing<Payload>(minimumCapacity: 2)
    answers(run, { ring.enqueue($0) }, { ring.dequeue() }, { ring.closeReceiving() }, { ring.isDrained })
  },
  Scenario("order/ring-answers-an-offer", bound: 2) { run in
    let ring = SPSCRing<Payload>(minimumCapacity: 2)
    answers(run, { ring.offer($0).isTaken }, { ring.dequeue() }, { ring.closeReceiving() }, { ring.isDrained })
  },
  Scenario("order/spsc-answers", bound: 2) { run in
    let queue = SPSCLinkedQueue<Payload>()
    answers(run, { queue.enqueue($0) }, { queue.dequeue() }, { queue.closeReceiving() }, { queue.isDrained })
  },
  // A signal that is counted is in the queue, to a holder that looks before it tries to leave.
  Scenario("order/gate-count", bound: 1) { run in
    let list = GatedList(run)
    list.disown()
    list.onDelivery = { _ in run.pause("in a delivery") }
    run.thread("holder") { list.send(11, settling: true) }
    run.thread("other") { list.send(21, patiently: false) }
    run.check { list.expectAll([11, 21]) }
  },
  // What a job for a batch counts, while more comes, is there.
  Scenario("order/mailbox-batch", bound: 1) { run in
    isDelivered(run) { subject, jobs, probe in
      subject.receive(on: jobs, options: JobList.SchedulerOptions(batch: 4)).subscribe(probe)
    }
  },
  Scenario("order/timed-batch", bound: 1) { run in
    isDelivered(run) { subject, jobs, probe in
      subject.collect(.byTimeOrCount(jobs, 1, 1), options: JobList.SchedulerOptions(batch: 4)).map { $0[0] }
        .subscribe(probe)
    }
  },
  // A request, by whatever the one that delivers learns of it.
  Scenario("order/ledger-unlimited") { run in
    let ledger = Held(DemandLedger())
    isSeen(
      run,
      by: [
        "takes one": { ledger.value.take() }, "takes some": { ledger.value.take(upTo: 2) > 0 },
        "looks": { ledger.value.isUnlimited },
      ]
    ) { ledger.value.add(.unlimited) }
  },
  Scenario("order/ledger-counted") { run in
    let ledger = Held(DemandLedger())
    isSeen(run, by: ["takes some": { ledger.value.take(upTo: 2) > 0 }]) { ledger.value.add(.max(2)) }
  },
  Scenario("order/ledger-settle") { run in
    let ledger = Held(DemandLedger())
    isSeen(run, by: ["settles": { ledger.value.settle(0) > 0 }]) { ledger.value.add(.unlimited) }
  },
  // The end of a stream that waits for a request.
  Scenario("order/ledger-park") { run in
    let ledger = Held(DemandLedger())
    isSeen(run, by: ["asker": { ledger.value.unpark() }]) { _ = ledger.value.park() }
  },
  // A publisher that isn't one of Weir's calls on two threads in turn: each is on its way while the other one is in.
  Scenario("order/turnstile", bound: 2) { run in
    let turnstile = Held(Turnstile())
    let turn = Held(AtomicWord(0))
    let state = run.guarded("the subscriber's state")
    for me in 0...1 {
      run.thread("publisher \(me)") {
        for call in [me, me + 2] {
          while turn.value.acquireLoad() != call { spinHint() }
          turnstile.value.pass("Test") { state.noteWrite() }
          turn.value.publish(call + 1)
        }
      }
    }
    run.check { run.expect(turn.value.acquireLoad(), 4, "calls") }
  },
  // The package's own lock, which is one step to all other scenarios.
  Scenario("order/spin-lock") { run in
    let lock = Held(WordLock())
    let locked = run.guarded("what is locked")
    var holders = 0
    func step() {
      lock.value.lock()
      locked.noteWrite()
      holders += 1
      run.pause("with the lock")
      run.expect(holders, 1, "holders")
      holders -= 1
      lock.value.unlock()
    }
    for name in ["first", "second", "third"] { run.thread(name) { step() } }
    run.check { step() }
  },
  // A sender is let past two calls of subscribers that want nothing more, one within the other.
  Scenario("order/let-past-two-calls", bound: 1) { run in
    let subject = PassthroughSubject<Int, Never>()
    let (outer, inner) = (Probe<Int, Never>(run, demand: .max(1)), Probe<Int, Never>(run, demand: .max(1)))
    let hasReturned = Held(false)
    outer.onValue = { if $0 == 1 { subject.send(11) } }
    inner.onValue = { if $0 == 11 { _ = run.waitLong { hasReturned.value } } }
    for probe in [outer, inner] { subject.subscribe(probe) }
    run.thread("sender") { subject.send(1) }
    run.thread("other") {
      subject.send(2)
      hasReturned.value = true
    }
    run.check {
      run.expect(outer.values, in: [[1], [2]], "received by the one")
      run.expect(inner.values, in: [[2], [11]], "received by the other")
      for probe in [outer, inner] {
        probe.onValue = nil
        probe.end()
      }
    }
  },
  Scenario("order/replay-let-past", bound: 1) { run in
    let core = ReplayCore<Int, Never>(limit: 1, name: "Replay")
    let probe = Probe<Int, Never>(run, demand: .max(1))
    let hasReturned = Held(false)
    probe.onValue = { if $0 == 1 { _ = run.waitLong { hasReturned.value } } }
    core.subscribe(probe)
    run.thread("sender") { core.send(1) }
    run.thread("other") {
      core.send(2)
      hasReturned.value = true
    }
    run.check {
      run.expect(probe.values, in: [[1], [2]], "received")
      probe.onValue = nil
      probe.end()
    }
  },
  // A subscription's place: written before it is used, and emptied behind all users.
  Scenario("order/subscription", bound: 3) { run in
    let state = Held(SubscriptionState())
    let place = run.guarded("the subscription's place")
    run.thread("publisher") {
      guard state.value.beginActivation() else { return }
      place.noteWrite()
      if !state.value.endActivation() { place.noteWrite() }
    }
    run.thread("user") {
      guard state.value.beginUse() else { return }
      place.noteRead()
      if state.value.endUse() { place.noteWrite() }
    }
    run.thread("canceller") {
      guard state.value.end() == .active else { return }
      place.noteRead()
      if state.value.endLastUse() { place.noteWrite() }
    }
  },
]

/// What a thread does before an operation is seen by others, each of which says whether it has learnt of the operation.
private func isSeen(
  _ run: Run, by others: KeyValuePairs<String, () -> Bool>, _ operation: @escaping () -> Void
) {
  let before = run.guarded("what was done before")
  run.thread("first") {
    before.noteWrite()
    operation()
  }
  for (name, hasLearnt) in others { run.thread(name) { if hasLearnt() { before.noteRead() } } }
}

/// Two values that one thread sends, with a pause between them, while another works off the jobs.
private func isDelivered(
  _ run: Run, by attach: (PassthroughSubject<Payload, Never>, JobList, Probe<Payload, Never>) -> Void
) {
  let jobs = JobList(run)
  let probe = Probe<Payload, Never>(run)
  let subject = PassthroughSubject<Payload, Never>()
  attach(subject, jobs, probe)
  run.thread("sender") {
    subject.send(run.payload(1))
    run.pause("between two values")
    subject.send(run.payload(2))
  }
  run.thread("worker") { jobs.work() }
  run.check {
    probe.expect([1, 2])
    probe.end()
  }
}

/// An element that goes in and out while a third thread counts.
private func countsNoLess(
  _ run: Run, _ enqueue: @escaping () -> Void, _ dequeue: @escaping () -> Int?, _ count: @escaping () -> Int
) {
  run.thread("producer") { enqueue() }
  run.thread("consumer") { _ = dequeue() }
  run.thread("observer") { run.expect(count(), in: [0, 1], "count") }
}

/// A producer that learns that the consumer wants no more: what it has added before is there once the queue is drained.
private func answers(
  _ run: Run, _ put: @escaping (Payload) -> Bool, _ dequeue: @escaping () -> Payload?, _ close: @escaping () -> Void,
  _ isDrained: @escaping () -> Bool
) {
  let taken = Taken(run, dequeue)
  let hasClosed = AtomicWord(0)
  run.thread("producer") {
    taken.put(11, put)
    // Who only waits learns nothing of what was done before.
    while hasClosed.acquireLoad() == 0 { spinHint() }
    taken.put(12, put)
  }
  run.thread("consumer") {
    close()
    hasClosed.publish(1)
    if isDrained() { run.expect(taken.numbers, taken.accepted, "taken when the queue was drained") }
  }
  run.check {
    taken.expectAll(at: 0...1)
    run.expect(isDrained(), "not drained in the end")
  }
}
