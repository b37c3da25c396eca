// Subscriptions and sinks: connecting, asking, cancelling and completing at once; what ends is freed once, and not used
// after.

import Weir
import WeirQueues
import WeirVerify

let subscriptionScenarios = [
  Scenario("upstream-link/connect-cancel", bound: 4) { run in
    let link = UpstreamLink(name: "Test")
    let upstream = CountingSubscription(run)
    run.thread("publisher") { _ = link.connect(upstream) }
    run.thread("canceller") { link.cancel() }
    run.check {
      run.expect(upstream.cancels, 1, "cancels")
      run.expect(!link.isConnected, "still connected")
    }
  },
  Scenario("upstream-link/two-connect-cancel", bound: 3) { run in
    let link = UpstreamLink(name: "Test")
    let upstreams = [CountingSubscription(run), CountingSubscription(run)]
    for (number, upstream) in upstreams.enumerated() {
      run.thread("publisher \(number)") { _ = link.connect(upstream) }
    }
    run.thread("canceller") { link.cancel() }
    run.check { for upstream in upstreams { run.expect(upstream.cancels, 1, "cancels") } }
  },
  Scenario("upstream-link/request-cancel", bound: 4) { run in
    let link = UpstreamLink(name: "Test")
    _ = link.connect(CountingSubscription(run))
    run.keep(link)
    run.thread("asker") { link.request(.max(1)) }
    run.thread("canceller") { link.cancel() }
    run.thread("canceller 2") { link.cancel() }
    run.check { run.expect(run.livePayloads, 0, "upstreams alive after the end") }
  },
  Scenario("upstream-link/request-complete-cancel", bound: 4) { run in
    let link = UpstreamLink(name: "Test")
    let ends = Held(0)
    _ = link.connect(CountingSubscription(run))
    run.keep(link)
    run.thread("asker") { link.request(.max(1)) }
    run.thread("completer") { if link.complete() { ends.value += 1 } }
    run.thread("canceller") { if link.disconnect() { ends.value += 1 } }
    run.check {
      run.expect(ends.value, 1, "ends")
      run.expect(run.livePayloads, 0, "upstreams alive after the end")
    }
  },
  Scenario("any-cancellable/two-cancels", bound: 4) { run in
    let calls = Held(0)
    let serial = run.guarded("the cancelled")
    let payload = Held<Payload?>(run.payload())
    let cancellable = AnyCancellable { [payload = payload.value] in
      payload?.use()
      serial.noteWrite()
      calls.value += 1
    }
    run.keep(cancellable)
    payload.value = nil
    for number in 1...3 { run.thread("canceller \(number)") { cancellable.cancel() } }
    run.check {
      run.expect(calls.value, 1, "calls")
      run.expect(run.livePayloads, 0, "closures alive after the cancellation")
    }
  },
  Scenario("upstreams/add-open", bound: 4) { run in
    let upstreams = HeldUpstreams()
    let subscriptions = [CountingSubscription(run), CountingSubscription(run)]
    run.thread("publisher") { subscriptions.forEach { upstreams.list.add($0) } }
    run.thread("asker") { upstreams.list.open() }
    run.thread("asker 2") { upstreams.list.open() }
    run.check {
      upstreams.list.open()
      for subscription in subscriptions { run.expect(subscription.requests, 1, "requests") }
      upstreams.list.cancel()
    }
  },
  Scenario("upstreams/cancel-cancel", bound: 4) { run in
    let upstreams = HeldUpstreams()
    upstreams.list.add(CountingSubscription(run))
    for number in 1...2 { run.thread("canceller \(number)") { upstreams.list.cancel() } }
    run.check { run.expect(run.livePayloads, 0, "upstreams alive after the cancellation") }
  },
]

private final class HeldUpstreams {
  let list = Upstreams(isOpen: false)
}

/// What the closures of a sink have captured: whoever frees it has to come behind all who were in it.
private final class Captured {
  private let memory: Guarded

  init(_ run: Run) { memory = run.guarded("what a closure has captured") }

  deinit { memory.noteWrite() }

  func use() { memory.noteRead() }
}

/// What a sink is made of, without a source: a thread that delivers and one that cancels.
final class BareSink {
  let handlers: GuardedClosures<Int, Never>
  let state = SubscriptionState()
  let run: Run
  let received = Held(0)
  let completions = Held(0)

  /// - Parameter isTrusted: Whether there is a publisher of Weir's, which calls serially.
  init(_ run: Run, isTrusted: Bool = true) {
    self.run = run
    let payload = run.payload()
    let captured = Captured(run)
    let (received, completions) = (received, completions)
    handlers = GuardedClosures(
      receiveValue: { number in
        payload.use()
        captured.use()
        received.value += 1
        run.pause("in the closure")
        payload.use()
        captured.use()
      },
      receiveCompletion: { _ in
        payload.use()
        captured.use()
        completions.value += 1
      })
    _ = state.beginActivation()
    if isTrusted { handlers.trust() }
    _ = state.endActivation()
  }

  func cancel() {
    guard state.cancel() == .active else { return }
    _ = state.endUse()
    handlers.retireUnlessBusy()
  }

  func complete() {
    handlers.finish(.finished) {
      guard state.end() == .active else { return false }
      _ = state.endUse()
      return true
    }
  }
}

let sinkScenarios = [
  Scenario("guarded-closures/value-cancel", bound: 4) { run in
    let sink = BareSink(run)
    run.keep(sink)
    run.thread("sender") { (1...2).forEach { sink.handlers.receive($0, unless: sink.state) } }
    run.thread("canceller") {
      sink.cancel()
      let received = sink.received.value
      run.pause("after the cancellation")
      run.expect(sink.received.value - received, in: [0, 1], "values received after the cancellation")
    }
    run.check { run.expect(run.livePayloads, 0, "closures alive after the cancellation, with the sink still held") }
  },
  Scenario("guarded-closures/complete-cancel", bound: 4) { run in
    let sink = BareSink(run)
    run.keep(sink)
    run.thread("sender") {
      sink.handlers.receive(1, unless: sink.state)
      sink.complete()
    }
    run.thread("canceller") { sink.cancel() }
    run.check { run.expect(run.livePayloads, 0, "closures alive after the end, with the sink still held") }
  },
  Scenario("guarded-closures/no-heavy-barrier", bound: 4) { run in
    run.heavyBarrierWorks = false
    let sink = BareSink(run)
    run.keep(sink)
    run.thread("sender") { (1...2).forEach { sink.handlers.receive($0, unless: sink.state) } }
    run.thread("canceller") { sink.cancel() }
  },
  // Cancelled while the publisher comes to be trusted.
  Scenario("guarded-closures/trust-cancel", bound: 4) { run in
    let sink = BareSink(run, isTrusted: false)
    run.keep(sink)
    run.thread("subscriber") { sink.handlers.trust() }
    run.thread("canceller") { sink.cancel() }
    run.check { run.expect(run.livePayloads, 0, "closures alive after the cancellation, with the sink still held") }
  },
  // A publisher that is not one of Weir's, and calls from two threads at once.
  Scenario("guarded-closures/untrusted-values-cancel", bound: 3) { run in
    let sink = BareSink(run, isTrusted: false)
    run.keep(sink)
    for number in 1...2 { run.thread("sender \(number)") { sink.handlers.receive(number, unless: sink.state) } }
    run.thread("canceller") { sink.cancel() }
    run.check { run.expect(run.livePayloads, 0, "closures alive after the cancellation, with the sink still held") }
  },
  Scenario("guarded-closures/untrusted-values-complete", bound: 3) { run in
    let sink = BareSink(run, isTrusted: false)
    run.keep(sink)
    for number in 1...2 { run.thread("sender \(number)") { sink.handlers.receive(number, unless: sink.state) } }
    run.thread("finisher") { sink.complete() }
    run.check {
      run.expect(sink.completions.value, 1, "completions received")
      run.expect(run.livePayloads, 0, "closures alive after the end, with the sink still held")
    }
  },
  Scenario("sink/subject-value-cancel", bound: 3) { run in
    let subject = PassthroughSubject<Payload, Never>()
    let sink: Subscribers.Sink<Payload, Never>
    do {
      let payload = run.payload()
      sink = Subscribers.Sink(
        receiveCompletion: { _ in payload.use() },
        receiveValue: {
          $0.use()
          payload.use()
          run.pause("in the closure")
          payload.use()
        })
    }
    subject.subscribe(sink)
    run.keep(sink)
    run.thread("sender") { (1...2).forEach { subject.send(run.payload($0)) } }
    run.thread("canceller") { sink.cancel() }
    run.check { run.expect(run.livePayloads, 0, "closures alive after the cancellation, with the sink still held") }
  },
  Scenario("sink/subject-complete-cancel", bound: 3) { run in
    let subject = PassthroughSubject<Payload, Never>()
    let sink: Subscribers.Sink<Payload, Never>
    do {
      let payload = run.payload()
      sink = Subscribers.Sink(receiveCompletion: { _ in payload.use() }, receiveValue: { _ in payload.use() })
    }
    subject.subscribe(sink)
    run.keep(sink)
    run.thread("sender") {
      subject.send(run.payload(1))
      subject.send(completion: .finished)
    }
    run.thread("canceller") { sink.cancel() }
    run.thread("canceller 2") { sink.cancel() }
    run.check { run.expect(run.livePayloads, 0, "closures alive after the end, with the sink still held") }
  },
  // Cancelled while its subscription comes: ended and let go of, or, before it comes, left as it is.
  Scenario("sink/subscribe-cancel", bound: 3) { run in
    cancelWhileSubscribing(run) { payload in
      Subscribers.Sink<Int, Never>(receiveCompletion: { _ in payload.use() }, receiveValue: { _ in payload.use() })
    }
  },
  Scenario("assign/subscribe-cancel", bound: 3) { run in
    cancelWhileSubscribing(run) { Subscribers.Assign(object: Written($0), keyPath: \.number) }
  },
  // A delivery to several sinks goes past one that was cancelled meanwhile, though it is called directly by now.
  Scenario("sink/direct-cancel", bound: 3) { run in
    let subject = PassthroughSubject<Int, Never>()
    let cancellation = Held<Moment?>(nil), wasSeen = Held(false)
    let first = subject.sink { _ in
      run.pause("in the first closure")
      cancellation.value.map(run.hear)
      wasSeen.value = cancellation.value != nil
    }
    let second = subject.sink { _ in run.expect(!wasSeen.value, "a value came after the cancellation") }
    subject.send(1)
    run.keep(first)
    run.thread("sender") { subject.send(2) }
    run.thread("canceller") {
      second.cancel()
      cancellation.value = run.now()
    }
  },
  // The same for a sink that is becoming one that is called directly.
  Scenario("sink/first-value-cancel", bound: 3) { run in
    let subject = PassthroughSubject<Int, Never>()
    let cancellation = Held<Moment?>(nil), wasSeen = Held(false)
    let sink = subject.sink { _ in run.expect(!wasSeen.value, "a value came after the cancellation") }
    let nesting = subject.sink { value in
      guard value == 1 else { return }
      cancellation.value.map(run.hear)
      wasSeen.value = cancellation.value != nil
      subject.send(2)
    }
    run.keep(nesting)
    run.thread("sender") { subject.send(1) }
    run.thread("canceller") {
      sink.cancel()
      cancellation.value = run.now()
    }
  },
]

/// What is written by a subscriber.
private final class Written {
  var number = 0
  let payload: Payload

  init(_ payload: Payload) { self.payload = payload }
}

/// Cancels a subscriber while it gets its subscription, and again in the end, as `cancel()` does nothing before that.
///
/// - Parameter makeSubscriber: Makes one that keeps the payload until its stream is over.
private func cancelWhileSubscribing<S: Subscriber<Int, Never> & Cancellable & AnyObject>(
  _ run: Run, _ makeSubscriber: (Payload) -> S
) {
  let subject = PassthroughSubject<Int, Never>()
  let subscriber = makeSubscriber(run.payload())
  run.keep(subscriber)
  run.thread("publisher") { subject.subscribe(subscriber) }
  run.thread("canceller") { subscriber.cancel() }
  run.check {
    subscriber.cancel()
    run.expect(run.livePayloads, 0, "payloads alive after the cancellation, with the subscriber still held")
  }
}
