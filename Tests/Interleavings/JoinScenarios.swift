// Streams that join: who delivers, and what a send has done when it returns.

import Weir
import WeirVerify

/// Sends numbers, and expects each to be delivered when its send returns.
private func send(_ numbers: [Int], to subject: PassthroughSubject<Payload, Never>, _ probe: Probe<Payload, Never>) {
  let run = probe.run
  for number in numbers {
    subject.send(run.payload(number))
    run.expect(probe.numbers.contains(number), "\(number) was not delivered when its send returned")
  }
}

private func makeLanes(_ count: Int) -> [PassthroughSubject<Payload, Never>] {
  (0..<count).map { _ in PassthroughSubject<Payload, Never>() }
}

/// A sender passes a subscriber that it has cancelled, though the subject learns of that later.
private func sendBehindCancel(
  _ run: Run, _ lane: PassthroughSubject<Payload, Never>, _ stream: some Publisher<Payload, Never>
) {
  let probe = Probe<Payload, Never>(run)
  stream.subscribe(probe)
  let subscription = probe.subscription!
  let returned = Held(0)
  probe.onValue = { _ in
    run.expect(run.waitLong { returned.value == 1 }, "a send waits for a subscriber that its thread has cancelled")
  }
  run.thread("A") { lane.send(run.payload(11)) }
  run.thread("B") {
    subscription.cancel()
    lane.send(run.payload(12))
    returned.value = 1
  }
  run.check {
    run.expect(probe.numbers, in: [[], [11]], "received")
    probe.onValue = nil
    probe.end()
  }
}

private struct Failed: Error {}

/// A stream is cancelled, by what one thread does, while another one sends to it; the cancellation waits for that one,
/// as one does that stops its producer. In between a third thread may cancel it all.
///
/// - Parameters:
///   - isCancelled: Whether a third thread cancels.
///   - join: Joins the stream with another one that ends it.
///   - end: Has the stream cancelled.
private func cancelBesideSender(
  _ run: Run, alsoCancelled isCancelled: Bool = false,
  _ join: (AnyPublisher<Payload, Failed>, PassthroughSubject<Payload, Failed>) -> AnyPublisher<Payload, Failed>,
  _ end: @escaping (PassthroughSubject<Payload, Failed>) -> Void
) {
  let stream = PassthroughSubject<Payload, Failed>(), other = PassthroughSubject<Payload, Failed>()
  let returned = Held(0), cancelled = Held(0)
  let guarded = stream.handleEvents(receiveCancel: {
    cancelled.value += 1
    run.expect(run.waitLong { returned.value == 1 }, "a send waits for a cancellation")
  })
  let probe = Probe<Payload, Failed>(run)
  join(guarded.eraseToAnyPublisher(), other).subscribe(probe)
  let subscription = probe.subscription!
  run.thread("ends") { end(other) }
  run.thread("sends") {
    stream.send(run.payload(11))
    returned.value = 1
  }
  if isCancelled { run.thread("cancels") { subscription.cancel() } }
  run.check {
    run.expect(cancelled.value, 1, "cancellations")
    if !isCancelled { run.expect(probe.completions, 1, "completions") }
    // A trigger that has done its work is not cancelled, as in Combine.
    other.send(completion: .finished)
    probe.end()
  }
}

let joinScenarios = [
  Scenario("join/merge", bound: 2) { run in
    let lanes = makeLanes(2)
    let probe = Probe<Payload, Never>(run, isSlow: true)
    lanes[0].merge(with: lanes[1]).subscribe(probe)
    for number in 0...1 {
      run.thread("lane \(number)") { send([1, 2].map { (number + 1) * 10 + $0 }, to: lanes[number], probe) }
    }
    run.check {
      probe.expect([11, 12, 21, 22])
      probe.end()
    }
  },
  Scenario("join/merge-three", bound: 0) { run in
    let lanes = makeLanes(3)
    let probe = Probe<Payload, Never>(run)
    Publishers.MergeMany(lanes).subscribe(probe)
    for number in 0...2 { run.thread("lane \(number)") { send([(number + 1) * 10], to: lanes[number], probe) } }
    run.check {
      probe.expect([10, 20, 30])
      probe.end()
    }
  },
  Scenario("join/merge-hand-over", bound: 1) { run in
    let lanes = makeLanes(3)
    let probe = Probe<Payload, Never>(run)
    Publishers.MergeMany(lanes).contention(.handOver).subscribe(probe)
    for number in 0...2 {
      run.thread("lane \(number)") {
        lanes[number].send(run.payload((number + 1) * 10))
        lanes[number].send(completion: .finished)
      }
    }
    run.check {
      probe.expect([10, 20, 30])
      run.expect(probe.completions, 1, "completions")
      probe.end()
    }
  },
  // What the sink sends itself goes behind what was left to its thread.
  Scenario("join/merge-nested", bound: 2) { run in
    let lanes = makeLanes(3)
    let probe = Probe<Payload, Never>(run, demand: .max(8))
    Publishers.MergeMany(lanes).subscribe(probe)
    probe.onValue = { value in if value.number == 11 { lanes[2].send(run.payload(31)) } }
    run.thread("A") { [11, 12].forEach { lanes[0].send(run.payload($0)) } }
    run.thread("B") {
      lanes[1].send(run.payload(21))
      lanes[1].send(completion: .finished)
    }
    run.check {
      probe.expect([11, 12, 21, 31])
      probe.end()
    }
  },
  Scenario("join/send-behind-cancel", bound: 1) { run in
    let lanes = makeLanes(2)
    sendBehindCancel(run, lanes[0], lanes[0].merge(with: lanes[1]))
  },
  Scenario("join/send-behind-cancel-of-two", bound: 0) { run in
    let lanes = makeLanes(3)
    sendBehindCancel(run, lanes[0], lanes[0].merge(with: lanes[1]).merge(with: lanes[2]))
  },
  // A stream that is opened while the sink is busy is subscribed to by its sender, which goes on at once.
  Scenario("join/flat-map-opens-early", bound: 1) { run in
    let lanes = makeLanes(2)
    let outer = PassthroughSubject<Int, Never>()
    let probe = Probe<Payload, Never>(run)
    outer.flatMap { lanes[$0] }.subscribe(probe)
    outer.send(0)
    let isOpened = Held(0)
    probe.onValue = { value in
      guard value.number == 11 else { return }
      run.expect(run.waitLong { isOpened.value == 1 }, "opening a stream waits for the sink")
    }
    run.thread("lane") { send([11], to: lanes[0], probe) }
    run.thread("outer") {
      outer.send(1)
      isOpened.value = 1
      send([21, 22], to: lanes[1], probe)
      lanes[1].send(completion: .finished)
      outer.send(completion: .finished)
    }
    run.check {
      lanes[0].send(completion: .finished)
      probe.expect([11, 21, 22])
      run.expect(probe.completions, 1, "completions")
      probe.onValue = nil
      probe.end()
    }
  },
  Scenario("join/flat-map-opens", bound: 2) { run in
    let lanes = makeLanes(2)
    let outer = PassthroughSubject<Int, Never>()
    let probe = Probe<Payload, Never>(run, isSlow: true)
    outer.flatMap { lanes[$0] }.subscribe(probe)
    outer.send(0)
    run.thread("outer") {
      outer.send(1)
      outer.send(completion: .finished)
    }
    run.thread("lane") {
      send([11, 12], to: lanes[0], probe)
      lanes[0].send(completion: .finished)
    }
    run.check {
      lanes[1].send(run.payload(21))
      lanes[1].send(completion: .finished)
      probe.expect([11, 12, 21])
      run.expect(probe.completions, 1, "completions")
      probe.end()
    }
  },
  // Whoever asks delivers what waits and asks the lanes outside the gate, value by value.
  Scenario("join/flat-map-asks", bound: 2) { run in
    let lanes = makeLanes(2)
    let probe = Probe<Payload, Never>(run, demand: .max(1))
    [0, 1].publisher.flatMap { lanes[$0] }.subscribe(probe)
    let subscription = probe.subscription!
    lanes[0].send(run.payload(11))
    lanes[1].send(run.payload(21))
    run.thread("asker") { (1...2).forEach { _ in subscription.request(.max(1)) } }
    run.thread("lane") { lanes[0].send(run.payload(12)) }
    run.check {
      subscription.request(.unlimited)
      probe.expect([11, 12, 21])
      lanes[1].send(run.payload(22))
      probe.expect([11, 12, 21, 22])
      probe.end()
    }
  },
  Scenario("join/known-streams", bound: 2) { run in
    let lane = PassthroughSubject<Payload, Never>()
    let outer = PassthroughSubject<AnyPublisher<Payload, Never>, Never>()
    let probe = Probe<Payload, Never>(run, isSlow: true)
    outer.flatMap { $0 }.subscribe(probe)
    outer.send(lane.eraseToAnyPublisher())
    run.thread("outer") {
      outer.send([11, 12, 13].map { run.payload($0) }.publisher.eraseToAnyPublisher())
      outer.send(completion: .finished)
    }
    run.thread("lane") {
      send([21], to: lane, probe)
      lane.send(completion: .finished)
    }
    run.check {
      probe.expect([11, 12, 13, 21])
      run.expect(probe.completions, 1, "completions")
      probe.end()
    }
  },
  Scenario("join/switch", bound: 2) { run in
    let lanes = makeLanes(2)
    let outer = PassthroughSubject<PassthroughSubject<Payload, Never>, Never>()
    let probe = Probe<Payload, Never>(run, isSlow: true)
    outer.switchToLatest().subscribe(probe)
    outer.send(lanes[0])
    run.thread("outer") {
      outer.send(lanes[1])
      lanes[1].send(run.payload(21))
    }
    run.thread("former") { [11, 12].forEach { lanes[0].send(run.payload($0)) } }
    run.check {
      lanes[1].send(run.payload(22))
      lanes[0].send(run.payload(13))
      run.expect(probe.numbers.last, 22, "the last value")
      run.expect(probe.numbers.filter { $0 > 20 }, [21, 22], "received of the new stream")
      run.expect(rises(probe.numbers), "received \(probe.numbers)")
      probe.end()
    }
  },
  Scenario("join/zip", bound: 2) { run in
    let lanes = [PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()]
    let probe = Probe<Int, Never>(run, isSlow: true)
    var sent = [0, 0]
    lanes[0].zip(lanes[1]) { $0 * 10 + $1 }.subscribe(probe)
    for (number, lane) in lanes.enumerated() {
      run.thread("lane \(number)") {
        for place in 1...2 {
          lane.send(place)
          sent[number] = place
          run.expect(
            probe.values.count >= sent.min()!, "a pair was not delivered when its second value's send returned")
        }
      }
    }
    run.check {
      run.expect(probe.values, [11, 22], "received")
      probe.end()
    }
  },
  // A value that completes nothing during a delivery may do so a moment later: then its thread delivers the pair.
  Scenario("join/zip-beside-delivery", bound: 4) { run in
    let lanes = [BareLane(), BareLane()]
    let probe = Probe<Int, Never>(run)
    var isSending = false
    probe.onValue = { value in
      if value == 22 {
        run.expect(run.threadNumber == 1 || isSending, "delivered by a thread that sent none of the pair")
      }
      guard value == 11 else { return }
      isSending = true
      lanes[1].send(2)
      isSending = false
    }
    lanes[0].zip(lanes[1]) { $0 * 10 + $1 }.subscribe(probe)
    lanes[0].send(1)
    run.thread("first lane") { lanes[0].send(2) }
    run.thread("second lane") { lanes[1].send(1) }
    run.check {
      run.expect(probe.values, [11, 22], "received")
      probe.end()
    }
  },
  // Who finds a delivery under way knows what it has left in the other lane: a value that completes a pair is delivered
  // when its send returns.
  Scenario("order/zip-look", bound: 1) { run in
    let lanes = [BareLane(), BareLane()]
    let probe = Probe<Int, Never>(run)
    let isInside = Held(false)
    probe.onValue = { value in
      guard value == 11 else { return }
      isInside.value = true
      run.pause("in the delivery")
    }
    lanes[0].zip(lanes[1]) { $0 * 10 + $1 }.subscribe(probe)
    run.thread("both lanes") {
      lanes[1].send(1)
      lanes[1].send(2)
      lanes[0].send(1)
    }
    run.thread("first lane") {
      guard run.wait(until: { isInside.value }) else { return }
      lanes[0].send(2)
      run.expect(probe.values, [11, 22], "received when the second pair's value was sent")
    }
    run.check {
      run.expect(probe.values, [11, 22], "received")
      probe.onValue = nil
      probe.end()
    }
  },
  Scenario("join/zip-three", bound: 0) { run in
    let lanes = (0...2).map { _ in PassthroughSubject<Int, Never>() }
    let probe = Probe<Int, Never>(run)
    lanes[0].zip(lanes[1], lanes[2]) { $0 * 100 + $1 * 10 + $2 }.subscribe(probe)
    for lane in lanes {
      run.thread("lane") {
        lane.send(1)
        lane.send(completion: .finished)
      }
    }
    run.check {
      run.expect(probe.values, [111], "received")
      run.expect(probe.completions, 1, "completions")
      probe.end()
    }
  },
  // A value that is asked for while the tuple that was the last is being delivered waits for that.
  Scenario("join/combine-latest-beside-request", bound: 2) { run in
    let lanes = [BareLane(), BareLane()]
    let probe = Probe<Int, Never>(run, demand: .max(2))
    let asked = Held(false)
    let returned = Held(false)
    probe.onValue = { value in
      if value == 21 { _ = run.waitLong { returned.value } }
      if value == 22 { run.expect(run.threadNumber, 2, "the thread that delivers 22") }
    }
    lanes[0].combineLatest(lanes[1]) { $0 * 10 + $1 }.subscribe(probe)
    lanes.reversed().forEach { $0.send(1) }
    run.thread("delivering") { lanes[0].send(2) }
    run.thread("sender") {
      _ = run.waitLong { asked.value }
      let isAsked = asked.value
      lanes[1].send(2)
      returned.value = true
      if isAsked { run.expect(probe.values.last, 22, "the newest when what was asked for is sent") }
    }
    run.thread("asker") {
      _ = run.wait { probe.values.count == 2 }
      probe.subscription?.request(.max(1))
      asked.value = true
    }
    run.check { probe.end() }
  },
  Scenario("join/combine-latest", bound: 2) { run in
    let lanes = [PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()]
    let probe = Probe<Int, Never>(run, isSlow: true)
    lanes[0].combineLatest(lanes[1]) { $0 * 10 + $1 }.subscribe(probe)
    lanes.forEach { $0.send(1) }
    for (number, lane) in lanes.enumerated() {
      run.thread("lane \(number)") {
        lane.send(2)
        let isThere = probe.values.contains { number == 0 ? $0 / 10 == 2 : $0 % 10 == 2 }
        run.expect(isThere, "a value was not delivered when its send returned")
      }
    }
    run.check {
      run.expect(probe.values, in: [[11, 21, 22], [11, 12, 22]], "received")
      probe.end()
    }
  },
  Scenario("join/switch-beside-sender", bound: 2) { run in
    let lanes = makeLanes(2)
    let outer = PassthroughSubject<AnyPublisher<Payload, Never>, Never>()
    let probe = Probe<Payload, Never>(run)
    let returned = Held(0)
    outer.switchToLatest().subscribe(probe)
    outer.send(
      lanes[0].handleEvents(receiveCancel: {
        run.expect(run.waitLong { returned.value == 1 }, "a send waits for a cancellation")
      }).eraseToAnyPublisher())
    run.thread("outer") {
      outer.send(lanes[1].eraseToAnyPublisher())
      send([21], to: lanes[1], probe)
    }
    run.thread("former") {
      lanes[0].send(run.payload(11))
      returned.value = 1
    }
    run.check {
      run.expect(probe.numbers, in: [[21], [11, 21]], "received")
      probe.end()
    }
  },
  Scenario("join/zip-ends-beside-sender", bound: 2) { run in
    cancelBesideSender(run, { $0.zip($1) { one, _ in one }.eraseToAnyPublisher() }) { $0.send(completion: .finished) }
  },
  Scenario("join/combine-latest-ends-beside-sender", bound: 2) { run in
    cancelBesideSender(run, { $0.combineLatest($1) { one, _ in one }.eraseToAnyPublisher() }) {
      $0.send(completion: .failure(Failed()))
    }
  },
  Scenario("join/prefix-ends-beside-sender", bound: 2) { run in
    cancelBesideSender(run, { $0.prefix(untilOutputFrom: $1).eraseToAnyPublisher() }) { $0.send(run.payload()) }
  },
  Scenario("join/merge-ends-beside-sender", bound: 2) { run in
    cancelBesideSender(run, { $0.merge(with: $1).eraseToAnyPublisher() }) { $0.send(completion: .failure(Failed())) }
  },
  Scenario("join/merge-ends-beside-cancel", bound: 1) { run in
    cancelBesideSender(run, alsoCancelled: true, { $0.merge(with: $1).eraseToAnyPublisher() }) {
      $0.send(completion: .failure(Failed()))
    }
  },
  Scenario("join/zip-ends-beside-cancel", bound: 1) { run in
    cancelBesideSender(run, alsoCancelled: true, { $0.zip($1) { one, _ in one }.eraseToAnyPublisher() }) {
      $0.send(completion: .finished)
    }
  },
]

/// A stream without a gate of its own, so that fewer steps have to be explored.
private final class BareLane: Publisher {
  typealias Output = Int
  typealias Failure = Never

  private var subscriber: AnySubscriber<Int, Never>?

  func receive(subscriber: some Subscriber<Int, Never>) {
    self.subscriber = AnySubscriber(subscriber)
    subscriber.receive(subscription: Subscriptions.empty)
  }

  func send(_ value: Int) { _ = subscriber?.receive(value) }
}
