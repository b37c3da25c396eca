// Subjects: subscribing, cancelling, sending and completing on several threads at once.

import Weir
import WeirVerify

private typealias Subject = PassthroughSubject<Payload, Never>
private typealias Receiver = Probe<Payload, Never>

let subjectScenarios = [
  Scenario("subject/send-send", bound: 3) { run in
    let subject = Subject()
    let probe = Receiver(run)
    subject.subscribe(probe)
    run.thread("A") { [11, 12].forEach { subject.send(run.payload($0)) } }
    run.thread("B") { [21, 22].forEach { subject.send(run.payload($0)) } }
    run.check {
      probe.expect([11, 12, 21, 22])
      probe.end()
    }
  },
  Scenario("subject/subscribe-send", bound: 3) { run in
    let subject = Subject()
    let probe = Receiver(run)
    run.thread("subscriber") { subject.subscribe(probe) }
    run.thread("sender") { (1...2).forEach { subject.send(run.payload($0)) } }
    run.check {
      run.expect(probe.numbers, in: [[], [2], [1, 2]], "received")
      subject.send(run.payload(3))
      run.expect(probe.numbers.last, 3, "last received")
      probe.end()
    }
  },
  Scenario("subject/two-subscribe-send", bound: 2) { run in
    let subject = Subject()
    let probes = [Receiver(run), Receiver(run)]
    for (number, probe) in probes.enumerated() { run.thread("subscriber \(number)") { subject.subscribe(probe) } }
    run.thread("sender") { (1...2).forEach { subject.send(run.payload($0)) } }
    run.check {
      for probe in probes {
        run.expect(probe.numbers, in: [[], [2], [1, 2]], "received")
        probe.end()
      }
    }
  },
  Scenario("subject/cancel-send", bound: 3) { run in
    let subject = Subject()
    let probe = Receiver(run, isSlow: true)
    subject.subscribe(probe)
    let subscription = probe.subscription!
    let isCancelled = Held(false)
    run.thread("sender") {
      for number in 1...2 {
        let before = isCancelled.value
        subject.send(run.payload(number))
        if before { run.expect(probe.numbers.last != number, "received a value sent after the cancellation") }
      }
    }
    run.thread("canceller") {
      subscription.cancel()
      isCancelled.value = true
    }
    run.check {
      run.expect(probe.numbers, in: [[], [1], [1, 2]], "received")
      subject.send(run.payload(3))
      run.expect(probe.numbers.last != 3, "received a value after the cancellation")
      probe.subscription = nil
    }
  },
  Scenario("subject/cancel-frees", bound: 2) { run in
    let subject = Subject()
    let subscription = Held<(any Subscription)?>(nil)
    run.keep(subscription)
    do {
      let probe = Receiver(run)
      subject.subscribe(probe)
      subscription.value = probe.subscription
      probe.subscription = nil
      let payload = run.payload(9)
      probe.onValue = { _ in payload.use() }
    }
    run.thread("sender") { subject.send(run.payload(1)) }
    run.thread("canceller") { subscription.value?.cancel() }
    run.thread("sender 2") { subject.send(run.payload(2)) }
    run.check {
      run.expect(run.livePayloads, 0, "payloads alive after the cancellation, with the subscription still held")
    }
  },
  Scenario("subject/cancel-cancel-send", bound: 2) { run in
    let subject = Subject()
    let probe = Receiver(run, isSlow: true)
    subject.subscribe(probe)
    let subscription = probe.subscription!
    run.thread("sender") { subject.send(run.payload(1)) }
    run.thread("canceller") { subscription.cancel() }
    run.thread("canceller 2") { subscription.cancel() }
    run.check {
      run.expect(probe.numbers, in: [[], [1]], "received")
      probe.subscription = nil
    }
  },
  Scenario("subject/subscribe-cancel-send", bound: 3) { run in
    let subject = Subject()
    let probe = Receiver(run)
    run.thread("subscriber") {
      subject.subscribe(probe)
      probe.subscription?.cancel()
      probe.subscription = nil
    }
    run.thread("sender") { (1...2).forEach { subject.send(run.payload($0)) } }
    run.check {
      run.expect(probe.numbers, in: [[], [1], [2], [1, 2]], "received")
      subject.send(run.payload(3))
      run.expect(probe.numbers.last != 3, "received a value after the cancellation")
    }
  },
  Scenario("subject/complete-send", bound: 3) { run in
    let subject = Subject()
    let probe = Receiver(run, isSlow: true)
    subject.subscribe(probe)
    run.thread("sender") { (1...2).forEach { subject.send(run.payload($0)) } }
    run.thread("completer") { subject.send(completion: .finished) }
    run.check {
      run.expect(probe.numbers, in: [[], [1], [1, 2]], "received")
      run.expect(probe.completions, 1, "completions")
      probe.end()
    }
  },
  Scenario("subject/complete-complete-cancel", bound: 2) { run in
    let subject = Subject()
    let probe = Receiver(run, isSlow: true)
    subject.subscribe(probe)
    let subscription = probe.subscription!
    for number in 1...2 { run.thread("completer \(number)") { subject.send(completion: .finished) } }
    run.thread("canceller") { subscription.cancel() }
    run.check {
      run.expect(probe.completions, in: [0, 1], "completions")
      probe.end()
    }
  },
  Scenario("subject/subscribe-complete", bound: 4) { run in
    let subject = Subject()
    let probe = Receiver(run)
    run.thread("subscriber") { subject.subscribe(probe) }
    run.thread("completer") { subject.send(completion: .finished) }
    run.check {
      run.expect(probe.completions, 1, "completions")
      run.expect(probe.subscriptions, 1, "subscriptions")
      probe.end()
    }
  },
  Scenario("subject/request-send", bound: 3) { run in
    let subject = Subject()
    let probe = Receiver(run, demand: .none)
    subject.subscribe(probe)
    let subscription = probe.subscription!
    run.thread("asker") { (1...2).forEach { _ in subscription.request(.max(1)) } }
    run.thread("sender") { (1...3).forEach { subject.send(run.payload($0)) } }
    run.check {
      run.expect(probe.values.count <= 2 && rises(probe.numbers), "received \(probe.numbers) for a demand of 2")
      subject.send(run.payload(4))
      subject.send(run.payload(5))
      run.expect(probe.values.count, 2, "received in the end")
      probe.end()
    }
  },
  // Senders that wait deliver their values themselves, and none of them sleeps for ever.
  Scenario("subject/wait", bound: 3) { run in
    let subject = Subject(contention: .wait)
    let probe = Receiver(run)
    subject.subscribe(probe)
    probe.onValue = { run.expect($0.number / 10, run.threadNumber, "the thread that delivers a sender's value") }
    for sender in 1...2 {
      run.thread("sender \(sender)") {
        subject.send(run.payload(sender * 10))
        run.expect(probe.numbers.contains(sender * 10), "send returned before the value was delivered")
      }
    }
    run.check {
      probe.expect([10, 20])
      probe.onValue = nil
      probe.end()
    }
  },
  Scenario("subject/wait-cancel", bound: 2) { run in
    let subject = Subject(contention: .wait)
    let probe = Receiver(run, isSlow: true)
    subject.subscribe(probe)
    let subscription = probe.subscription!
    probe.onValue = { run.expect($0.number / 10, run.threadNumber, "the thread that delivers a sender's value") }
    for sender in 1...2 { run.thread("sender \(sender)") { subject.send(run.payload(sender * 10)) } }
    run.thread("canceller") { subscription.cancel() }
    run.check {
      run.expect(probe.numbers, in: [[], [10], [20], [10, 20], [20, 10]], "received")
      probe.onValue = nil
      probe.end()
    }
  },
]

private typealias Current = CurrentValueSubject<Int, Never>

/// Two threads ask for a value each, and say when they have.
private func twoAsk(_ run: Run, _ subscription: any Subscription, _ asked: Held<Int>) {
  for number in 1...2 {
    run.thread("asker \(number)") {
      subscription.request(.max(1))
      asked.value += 1
    }
  }
}

let currentScenarios = [
  // A subscriber has its first value when it has subscribed, whoever is delivering to others.
  Scenario("current/first-value", bound: 2) { run in
    let subject = Current(0)
    let slow = Probe<Int, Never>(run, isSlow: true)
    subject.subscribe(slow)
    let probe = Probe<Int, Never>(run)
    run.thread("sender") { (1...2).forEach { subject.send($0) } }
    run.thread("subscriber") {
      let before = subject.value
      subject.subscribe(probe)
      run.expect(!probe.values.isEmpty, "no value when the subscription returns")
      run.expect(probe.values[0] >= before, "\(probe.values[0]) came first, after \(before) was there")
    }
    run.check {
      run.expect(rises(probe.values), "received \(probe.values)")
      run.expect(probe.values.last, 2, "received last")
      run.expect(slow.values, [0, 1, 2], "received by the first subscriber")
      probe.end()
      slow.end()
    }
  },
  Scenario("current/ask-while-others-are-called", bound: 2) { run in
    let subject = Current(0)
    let slow = Probe<Int, Never>(run, isSlow: true)
    subject.subscribe(slow)
    let probe = Probe<Int, Never>(run, demand: .none)
    subject.subscribe(probe)
    let subscription = probe.subscription!
    run.thread("sender") { (1...2).forEach { subject.send($0) } }
    run.thread("asker") { (1...2).forEach { _ in subscription.request(.max(1)) } }
    run.check {
      run.expect(rises(probe.values) && !probe.values.isEmpty && probe.values.count <= 2, "received \(probe.values)")
      run.expect(probe.values.count == 2 || probe.values.last == 2, "asked for two, received \(probe.values)")
      subscription.request(.unlimited)
      run.expect(rises(probe.values), "received \(probe.values)")
      run.expect(probe.values.last, 2, "received last")
      probe.end()
      slow.end()
    }
  },
  // Who asks for the first value gets it itself, before the request returns, whoever is sending.
  Scenario("current/first-value-by-request", bound: 3) { run in
    let subject = Current(0)
    let probe = Probe<Int, Never>(run, demand: .none, isSlow: true)
    subject.subscribe(probe)
    let subscription = probe.subscription!
    probe.onValue = { _ in
      if probe.values.count == 1 { run.expect(run.threadNumber, 2, "the thread that the first value came on") }
    }
    run.thread("sender") { subject.send(1) }
    run.thread("asker") {
      subscription.request(.unlimited)
      run.expect(!probe.values.isEmpty, "no value when the first request returns")
    }
    run.check {
      run.expect(probe.values, in: [[0, 1], [1]], "received")
      probe.onValue = nil
      probe.end()
    }
  },
  // What is missed and asked for while another thread has the turn comes when that is over.
  Scenario("current/ask-in-anothers-turn", bound: 1) { run in
    let subject = Current(0)
    let probe = Probe<Int, Never>(run, demand: .none)
    subject.subscribe(probe)
    let next = Probe<Int, Never>(run)
    subject.subscribe(next)
    let subscription = probe.subscription!
    let asked = Held(0)
    let missed = Held(0)
    probe.onValue = { value in if value == 0 { _ = run.waitLong { missed.value == 1 } } }
    next.onValue = { _ in
      missed.value = 1
      _ = run.waitLong { asked.value > 0 }
    }
    run.thread("sender") { subject.send(1) }
    twoAsk(run, subscription, asked)
    run.check {
      run.expect(probe.values, in: [[0, 1], [1]], "received")
      for probe in [probe, next] {
        probe.onValue = nil
        probe.end()
      }
    }
  },
  // Only one of those that ask may call the subscriber beside the holder of the gate.
  Scenario("current/two-ask-while-others-are-called", bound: 2) { run in
    let subject = Current(0)
    let slow = Probe<Int, Never>(run)
    subject.subscribe(slow)
    let probe = Probe<Int, Never>(run, demand: .none, isSlow: true)
    subject.subscribe(probe)
    let subscription = probe.subscription!
    let asked = Held(0)
    slow.onValue = { _ in
      run.expect(run.waitLong { asked.value == 2 }, "asking waits for a delivery to another subscriber")
    }
    run.thread("sender") { subject.send(1) }
    twoAsk(run, subscription, asked)
    run.check {
      run.expect(probe.values, in: [[0, 1], [1]], "received")
      probe.end()
      slow.end()
    }
  },
  // A subscriber that is being called beside the holder of the gate is let go of when that call is over.
  Scenario("current/ask-cancel-while-others-are-called", bound: 2) { run in
    let subject = Current(0)
    let slow = Probe<Int, Never>(run, isSlow: true)
    subject.subscribe(slow)
    let probe = Held<Probe<Int, Never>?>(Probe(run, demand: .none, isSlow: true))
    let payload = run.payload(9)
    probe.value!.onValue = { _ in payload.use() }
    subject.subscribe(probe.value!)
    let subscription = probe.value!.subscription!
    probe.value!.subscription = nil
    probe.value = nil
    run.thread("sender") { subject.send(1) }
    run.thread("asker") { subscription.request(.max(1)) }
    run.thread("canceller") { subscription.cancel() }
    run.check { slow.end() }
  },
  Scenario("current/cancel-in-the-first-value", bound: 2) { run in
    let subject = Current(0)
    let slow = Probe<Int, Never>(run, isSlow: true)
    subject.subscribe(slow)
    run.thread("sender") { (1...2).forEach { subject.send($0) } }
    run.thread("subscriber") {
      let probe = Probe<Int, Never>(run)
      let payload = run.payload(9)
      probe.onValue = { [unowned probe] _ in
        payload.use()
        probe.end()
      }
      subject.subscribe(probe)
      run.expect(probe.values.count, 1, "values before the cancellation")
    }
    run.check {
      run.expect(run.livePayloads, 0, "payloads alive after the cancellation")
      slow.end()
    }
  },
  Scenario("current/send-send", bound: 3) { run in
    let subject = Current(0)
    let probe = Probe<Int, Never>(run)
    subject.subscribe(probe)
    for sender in 1...2 {
      run.thread("sender \(sender)") {
        subject.send(sender)
        run.expect(subject.value != 0, "the value is older than the one sent")
      }
    }
    run.check {
      run.expect(probe.values.sorted(), [0, 1, 2], "received")
      run.expect(probe.values.first, 0, "received first")
      run.expect(probe.values.last, subject.value, "received last")
      probe.end()
    }
  },
  Scenario("current/set-read", bound: 4) { run in
    let subject = Current(0)
    run.thread("setter") {
      subject.value = 1
      subject.value = 2
      run.expect(subject.value, 2, "read back")
    }
    run.thread("reader") {
      let first = subject.value
      let second = subject.value
      run.expect(first <= second, "the value went back from \(first) to \(second)")
    }
    run.check { run.expect(subject.value, 2, "the value") }
  },
  Scenario("current/subscribe-send", bound: 3) { run in
    let subject = Current(0)
    let probe = Probe<Int, Never>(run)
    run.thread("subscriber") { subject.subscribe(probe) }
    run.thread("sender") { (1...2).forEach { subject.send($0) } }
    run.check {
      run.expect(probe.values, in: [[0, 1, 2], [1, 2], [2]], "received")
      probe.end()
    }
  },
  Scenario("current/subscribe-send-send", bound: 2) { run in
    let subject = Current(0)
    let probe = Probe<Int, Never>(run)
    run.thread("subscriber") { subject.subscribe(probe) }
    for sender in 1...2 { run.thread("sender \(sender)") { subject.send(sender) } }
    run.check {
      let values = probe.values
      run.expect(Set(values).count, values.count, "different values among \(values)")
      run.expect(values.last, subject.value, "received last")
      run.expect(!values.dropFirst().contains(0), "0 came late: \(values)")
      probe.end()
    }
  },
  Scenario("current/request-send", bound: 3) { run in
    let subject = Current(0)
    let probe = Probe<Int, Never>(run, demand: .none)
    subject.subscribe(probe)
    let subscription = probe.subscription!
    run.thread("asker") { (1...2).forEach { _ in subscription.request(.max(1)) } }
    run.thread("sender") { (1...2).forEach { subject.send($0) } }
    run.check {
      run.expect(rises(probe.values) && probe.values.count <= 2, "received \(probe.values)")
      run.expect(probe.values.count == 2 || probe.values.last == 2, "asked for two, received \(probe.values)")
      subscription.request(.unlimited)
      run.expect(probe.values.last, 2, "received last")
      run.expect(rises(probe.values), "received \(probe.values)")
      probe.end()
    }
  },
  Scenario("current/wait", bound: 3) { run in
    let subject = CurrentValueSubject<Int, Never>(0, contention: .wait)
    let probe = Probe<Int, Never>(run)
    subject.subscribe(probe)
    for sender in 1...2 { run.thread("sender \(sender)") { subject.send(sender) } }
    run.check {
      run.expect(probe.values.sorted(), [0, 1, 2], "received")
      run.expect(probe.values.last, subject.value, "received last")
      probe.end()
    }
  },
  // A send from within a delivery goes behind what another thread has stored before.
  Scenario("current/nested-send", bound: 3) { run in
    let subject = Current(0)
    let probe = Probe<Int, Never>(run)
    subject.subscribe(probe)
    probe.onValue = { if $0 == 1 { subject.send(2) } }
    run.thread("sender") { subject.send(1) }
    run.thread("sender 2") { subject.send(3) }
    run.check {
      run.expect(probe.values.sorted(), [0, 1, 2, 3], "received")
      run.expect(probe.values.last, subject.value, "received last")
      probe.onValue = nil
      probe.end()
    }
  },
  // What the holder sends itself goes behind what others have stored and left to it.
  Scenario("current/nested-send-hand-over", bound: 3) { run in
    let subject = Current(0, contention: .handOver)
    let probe = Probe<Int, Never>(run)
    subject.subscribe(probe)
    probe.onValue = { if $0 == 1 { subject.send(2) } }
    run.thread("sender") { subject.send(1) }
    run.thread("sender 2") { subject.send(3) }
    run.check {
      run.expect(probe.values.sorted(), [0, 1, 2, 3], "received")
      run.expect(probe.values.last, subject.value, "received last")
      probe.onValue = nil
      probe.end()
    }
  },
  Scenario("current/complete-send", bound: 3) { run in
    let subject = Current(0)
    let probe = Probe<Int, Never>(run)
    subject.subscribe(probe)
    run.thread("sender") { (1...2).forEach { subject.send($0) } }
    run.thread("completer") { subject.send(completion: .finished) }
    run.check {
      run.expect(probe.values, in: [[0], [0, 1], [0, 1, 2]], "received")
      run.expect(probe.completions, 1, "completions")
      run.expect(subject.value, probe.values.last, "the value")
      probe.end()
    }
  },
]

extension Probe where Input == Payload {
  var numbers: [Int] { values.map(\.number) }

  /// Expects these numbers, each once, those of a sender (the tens) in order.
  func expect(_ expected: [Int]) {
    run.expect(numbers.sorted(), expected, "received")
    for sender in Set(numbers.map { $0 / 10 }) {
      run.expect(rises(numbers.filter { $0 / 10 == sender }), "sender \(sender)'s values came in the order \(numbers)")
    }
  }
}
