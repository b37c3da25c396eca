// Progress: whichever thread stops, and wherever, the others come to their ends without it, as the documentation says.

import Weir
import WeirQueues
import WeirVerify

let frozenScenarios = [
  Scenario("frozen/spsc-ring", bound: 2) { run in
    let ring = SPSCRing<Payload>(minimumCapacity: 2)
    oneEach(run, at: 2...3, { ring.enqueue($0) }, { ring.dequeue() }, { ring.close() })
  },
  Scenario("frozen/spsc", bound: 2) { run in
    let queue = SPSCLinkedQueue<Payload>()
    oneEach(run, at: 3...3, { queue.enqueue($0) }, { queue.dequeue() }, { queue.close() })
  },
  // Where no segment ends; the consumer needs no producer at all.
  Scenario("frozen/mpsc", bound: 2) { run in
    let queue = MPSCQueue<Payload>()
    let taken = Taken(run) { queue.dequeue() }
    for number in 1...2 {
      run.thread("producer \(number)", mayFreeze: true) { taken.put(number * 10) { queue.enqueue($0) } }
    }
    run.thread("consumer", mayFreeze: true) { taken.take(attempts: 2) }
    run.check { taken.expectAll(at: 2...2) }
  },
  // Where a segment ends, its producer alone may stop: other producers would wait for it, the consumer does not.
  Scenario("frozen/mpsc-consumer", bound: 2) { run in
    let queue = MPSCQueue<Payload>()
    oneEach(run, at: 5...5, { queue.enqueue($0) }, { queue.dequeue() }, { queue.close() })
  },
  Scenario("frozen/mpsc-close", bound: 2) { run in
    let queue = MPSCQueue<Payload>()
    closedByAnother(run, { queue.enqueue($0) }, { queue.dequeue() }, { queue.close() })
  },
  Scenario("frozen/mpmc", bound: 2) { run in
    let queue = MPMCQueue<Payload>(minimumCapacity: 2)
    let taken = Taken(run, isOrdered: false) { queue.dequeue() }
    for number in 1...2 {
      run.thread("thread \(number)", mayFreeze: true) {
        taken.put(number * 10) { queue.enqueue($0) }
        taken.take(attempts: 1)
      }
    }
    run.thread("both in batches", mayFreeze: true) {
      taken.putAll(31...32) { queue.enqueue(contentsOf: $0) }
      var batch: [Payload] = []
      queue.dequeue(atMost: 2, into: &batch)
      batch.forEach(taken.note)
    }
    run.check { taken.expectAll(at: 1...4) }
  },
  // Who overwrites has the oldest slot and the next position: others find the queue full or empty there.
  Scenario("frozen/mpmc-overwrite", bound: 2) { run in
    let queue = MPMCQueue<Payload>(minimumCapacity: 2)
    let taken = Taken(run, isOrdered: false) { queue.dequeue() }
    (1...2).forEach { number in taken.put(number) { queue.enqueue($0) } }
    run.thread("overwriter", mayFreeze: true) {
      guard case .replaced(let old) = queue.overwrite(with: run.payload(11)) else { return taken.accepted.append(11) }
      taken.accepted.append(11)
      taken.note(old)
    }
    run.thread("producer") { (21...22).forEach { number in taken.put(number) { queue.enqueue($0) } } }
    run.thread("consumer") { taken.take(attempts: 2) }
    run.check { taken.expectAll(at: 3...5) }
  },
  Scenario("frozen/mpmc-close", bound: 2) { run in
    let queue = MPMCQueue<Payload>(minimumCapacity: 2)
    closedByAnother(run, { queue.enqueue($0) }, { queue.dequeue() }, { queue.close() })
  },
  Scenario("frozen/trim", bound: 2) { run in
    let queue = SPSCLinkedQueue<Payload>()
    let taken = Taken(run) { queue.dequeue() }
    run.thread("producer", mayFreeze: true) { (11...15).forEach { number in taken.put(number) { queue.enqueue($0) } } }
    run.thread("consumer", mayFreeze: true) { taken.take(attempts: 5) }
    run.thread("trimmer", mayFreeze: true) { queue.trim() }
    run.check { taken.expectAll(at: 5...5) }
  },
  // Nobody waits at the ends.
  Scenario("frozen/channel", bound: 2) { run in
    let channel = Channel<Payload>(minimumCapacity: 2)
    let taken = Taken(run, isOrdered: false) { channel.receiver.tryReceive().taken() }
    for number in 1...2 {
      run.thread("sender \(number)", mayFreeze: true) {
        taken.put(number * 10) { channel.sender.trySend($0).isTaken }
      }
    }
    run.thread("receiver", mayFreeze: true) { taken.take(attempts: 2) }
    run.check { taken.expectAll(at: 2...2) }
  },
  Scenario("frozen/ledger", bound: 3) { run in
    let ledger = Held(DemandLedger())
    run.thread("asker", mayFreeze: true) { (1...2).forEach { _ in ledger.value.add(.max(1)) } }
    run.thread("taker", mayFreeze: true) { (1...2).forEach { _ in _ = ledger.value.take() } }
    run.thread("canceller", mayFreeze: true) { _ = ledger.value.cancel() }
    run.check { run.expect(ledger.value.isCancelled, "cancellation did not last") }
  },
  Scenario("frozen/one-shot", bound: 3) { run in
    let shot = Held(OneShot())
    let winners = Held(0)
    for number in 1...2 {
      run.thread("thread \(number)", mayFreeze: true) {
        run.pause("before it fires")
        if shot.value.fire() { winners.value += 1 }
      }
    }
    run.check { run.expect(winners.value, 1, "winners") }
  },
  Scenario("frozen/upstream-link", bound: 3) { run in
    let link = UpstreamLink(name: "Test")
    let upstream = CountingSubscription(run)
    run.thread("publisher", mayFreeze: true) { _ = link.connect(upstream) }
    run.thread("asker", mayFreeze: true) { link.request(.max(1)) }
    run.thread("canceller", mayFreeze: true) { link.cancel() }
    run.check { run.expect(upstream.cancels, 1, "cancels") }
  },
  Scenario("frozen/guarded-closures", bound: 3) { run in
    let sink = BareSink(run)
    run.keep(sink)
    run.thread("sender", mayFreeze: true) { (1...2).forEach { sink.handlers.receive($0, unless: sink.state) } }
    run.thread("canceller", mayFreeze: true) { sink.cancel() }
    run.check { run.expect(run.livePayloads, 0, "closures alive after the cancellation, with the sink still held") }
  },
  // The one that finds the gate taken leaves its signal. (Of two signals of one sender, the holder waits for the second
  // while that is being put into the queue.)
  Scenario("frozen/gate", bound: 3) { run in frozenSenders(run, isOwned: false) },
  Scenario("frozen/owned-gate", bound: 3) { run in frozenSenders(run, isOwned: true) },
  // Whoever cancels or subscribes needs no sender that has stopped while it delivers.
  Scenario("frozen/subject", bound: 2) { run in
    let subject = PassthroughSubject<Payload, Never>()
    let isDelivering = Held(false)
    let first = Probe<Payload, Never>(run, isSlow: true)
    first.onValue = { _ in isDelivering.value = true }
    let (cancelled, late) = (Probe<Payload, Never>(run), Probe<Payload, Never>(run))
    subject.subscribe(first)
    subject.subscribe(cancelled)
    let subscription = cancelled.subscription!
    run.thread("sender", mayFreeze: true) { subject.send(run.payload(1)) }
    run.thread("canceller") {
      _ = run.wait { isDelivering.value }
      subscription.cancel()
    }
    run.thread("subscriber") {
      _ = run.wait { isDelivering.value }
      subject.subscribe(late)
      run.expect(late.subscriptions, 1, "subscriptions when subscribe returns")
    }
    run.check {
      first.expect([1])
      first.end()
      late.end()
      cancelled.subscription = nil
    }
  },
  // Whoever brings work while another thread is at it leaves it there.
  Scenario("frozen/mailbox", bound: 3) { run in
    let work = Held(WorkInProgress())
    let done = Held(0)
    for number in 1...2 {
      run.thread("worker \(number)", mayFreeze: true) {
        guard work.value.raise() else { return }
        repeat {
          work.value.begin()
          done.value += 1
        } while work.value.settle(1) > 0
      }
    }
    run.check { run.expect(done.value, 2, "done") }
  },
]

/// A producer and a consumer, each of which may stop.
///
/// - Parameter counts: How many elements are taken at last.
private func oneEach(
  _ run: Run, at counts: ClosedRange<Int>, _ enqueue: @escaping (Payload) -> Bool,
  _ dequeue: @escaping () -> Payload?, _ close: @escaping () -> Void
) {
  let taken = Taken(run, dequeue)
  run.thread("producer", mayFreeze: true) {
    (11..<11 + counts.upperBound).forEach { taken.put($0, enqueue) }
    close()
  }
  run.thread("consumer", mayFreeze: true) { taken.take(attempts: counts.upperBound) }
  run.check { taken.expectAll(at: counts) }
}

/// A producer, a consumer, and somebody who closes the queue; each may stop.
private func closedByAnother(
  _ run: Run, _ enqueue: @escaping (Payload) -> Bool, _ dequeue: @escaping () -> Payload?,
  _ close: @escaping () -> Void
) {
  let taken = Taken(run, dequeue)
  run.thread("producer", mayFreeze: true) { (11...12).forEach { taken.put($0, enqueue) } }
  run.thread("closer", mayFreeze: true) { close() }
  run.thread("consumer", mayFreeze: true) { taken.take(attempts: 2) }
  run.check { taken.expectAll(at: 0...2) }
}

/// Two threads that send a signal each through a gate.
private func frozenSenders(_ run: Run, isOwned: Bool) {
  let list = GatedList(run, isOwned: isOwned)
  for sender in 1...2 {
    run.thread("sender \(sender)", mayFreeze: true) { list.send(sender * 10, patiently: false) }
  }
  run.check { list.expectAll([10, 20]) }
}
