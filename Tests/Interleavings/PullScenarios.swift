// What a task takes of an asynchronous sequence while its upstream sends, ends and is cancelled.

import Weir
import WeirQueues
import WeirVerify

private typealias Puller = PullSubscriber<Payload, Never>

extension PullSubscriber<Payload, Never> {
  /// Takes what is there, as a call of `next` does before it waits.
  ///
  /// - Returns: Numbers of values, and whether the stream had ended then.
  fileprivate func takeAll() -> (numbers: [Int], isOver: Bool) {
    var numbers: [Int] = []
    while beginTaking() {
      guard let payload = endTaking() else { return (numbers, true) }
      payload.use()
      numbers.append(payload.number)
    }
    return (numbers, false)
  }

  /// Takes all until the end, in a task that waits for what is not there yet.
  ///
  /// - Returns: Numbers of values.
  fileprivate func awaitAll() async -> [Int] {
    var numbers: [Int] = []
    while let payload = await next() {
      payload.use()
      numbers.append(payload.number)
    }
    return numbers
  }
}

let pullScenarios = [
  Scenario("pull/send-take", bound: 3) { run in
    let puller = Puller(.unbounded)
    puller.receive(subscription: CountingSubscription(run))
    let taken = Held<[Int]>([])
    run.thread("sender") {
      for number in 1...2 { _ = puller.receive(run.payload(number)) }
      puller.receive(completion: .finished)
    }
    run.thread("taker") { taken.value = puller.takeAll().numbers }
    run.check {
      let rest = puller.takeAll()
      run.expect(rest.isOver, "not over")
      run.expect(taken.value + rest.numbers, [1, 2], "taken")
    }
  },
  // Two tasks share what comes; each has a part of it in order.
  Scenario("pull/take-take", bound: 2) { run in
    let puller = Puller(.newest(2))
    puller.receive(subscription: CountingSubscription(run))
    let taken = [Held<[Int]>([]), Held<[Int]>([])]
    run.thread("sender") { for number in 1...2 { _ = puller.receive(run.payload(number)) } }
    for index in 0...1 { run.thread("taker \(index)") { taken[index].value = puller.takeAll().numbers } }
    run.check {
      let all = taken.map(\.value) + [puller.takeAll().numbers]
      for part in all { run.expect(part, part.sorted(), "out of order") }
      run.expect(all.flatMap { $0 }.sorted(), [1, 2], "taken")
    }
  },
  // What was kept is freed, and the upstream is cancelled once.
  Scenario("pull/send-cancel-take", bound: 3) { run in
    let puller = Puller(.unbounded)
    let subscription = CountingSubscription(run)
    puller.receive(subscription: subscription)
    let taken = Held<[Int]>([])
    run.thread("sender") { for number in 1...2 { _ = puller.receive(run.payload(number)) } }
    run.thread("canceller") { puller.cancel() }
    run.thread("taker") { taken.value = puller.takeAll().numbers }
    run.check {
      run.expect(puller.takeAll().numbers, [], "taken after the cancellation")
      run.expect(taken.value, in: [[], [1], [2], [1, 2]], "taken")
      run.expect(subscription.cancels, 1, "cancels of the upstream")
    }
  },
  Scenario("pull/subscribe-cancel", bound: 3) { run in
    let puller = Puller(.backpressure(1))
    let subscription = CountingSubscription(run)
    run.thread("subscriber") { puller.receive(subscription: subscription) }
    run.thread("canceller") { puller.cancel() }
    run.check {
      run.expect(subscription.cancels, 1, "cancels of the upstream")
      run.expect(puller.takeAll().isOver, "not over")
    }
  },
  Scenario("pull/end-cancel", bound: 3) { run in
    let puller = Puller(.unbounded)
    let subscription = CountingSubscription(run)
    puller.receive(subscription: subscription)
    _ = puller.receive(run.payload(1))
    run.thread("ender") { puller.receive(completion: .finished) }
    run.thread("canceller") { puller.cancel() }
    run.check {
      run.expect(subscription.cancels, in: [0, 1], "cancels of the upstream")
      run.expect(puller.takeAll().numbers, [], "taken after the cancellation")
    }
  },
  // A task that finds nothing waits: what comes before it is in the list, or after, resumes it once.
  Scenario("pull/send-wait", bound: 3) { run in
    let puller = Puller(.unbounded)
    puller.receive(subscription: CountingSubscription(run))
    let taken = Held<[Int]>([])
    run.thread("sender") {
      for number in 1...2 { _ = puller.receive(run.payload(number)) }
      puller.receive(completion: .finished)
    }
    run.thread("taker") { TaskThread().run(run) { taken.value = await puller.awaitAll() } }
    run.check {
      run.expect(taken.value, [1, 2], "taken")
      run.expect(puller.takeAll().isOver, "not over")
    }
  },
  Scenario("pull/wait-cancel", bound: 3) { run in
    let puller = Puller(.backpressure(0))
    let subscription = CountingSubscription(run)
    puller.receive(subscription: subscription)
    let taken = Held<[Int]>([])
    run.thread("taker") { TaskThread().run(run) { taken.value = await puller.awaitAll() } }
    run.thread("sender") { _ = puller.receive(run.payload(1)) }
    run.thread("canceller") { puller.cancel() }
    run.check {
      run.expect(taken.value, in: [[], [1]], "taken")
      run.expect(puller.takeAll().numbers, [], "taken after the cancellation")
      run.expect(subscription.cancels, 1, "cancels of the upstream")
    }
  },
  // The call asks before there is a subscription, and waits.
  Scenario("pull/wait-subscribe", bound: 3) { run in
    let puller = Puller(.backpressure(0))
    let subscription = AnsweringSubscription { number in
      if number < 3 { _ = puller.receive(run.payload(number)) } else { puller.receive(completion: .finished) }
    }
    let taken = Held<[Int]>([])
    run.thread("taker") { TaskThread().run(run) { taken.value = await puller.awaitAll() } }
    run.thread("subscriber") { puller.receive(subscription: subscription) }
    run.check {
      run.expect(taken.value, [1, 2], "taken")
      run.expect(subscription.count.value, 3, "requests")
      puller.cancel()
    }
  },
  // Whoever asks gets what was asked for: neither more comes than was asked for, nor does a request go missing.
  Scenario("pull/ask-ask", bound: 2) { run in
    let puller = Puller(.backpressure(0))
    let subscription = AnsweringSubscription { number in _ = puller.receive(run.payload(number)) }
    puller.receive(subscription: subscription)
    let taken = [Held(0), Held(0)]
    for index in 0...1 {
      run.thread("asker \(index)") {
        guard puller.beginTaking() else { return run.expect(false, "nothing after asking") }
        taken[index].value = puller.endTaking()?.number ?? 0
      }
    }
    run.check {
      run.expect(subscription.count.value, 2, "values")
      run.expect(taken.map(\.value).sorted(), [1, 2], "taken")
      puller.cancel()
    }
  },
  // The upstream stays for as long as a call is asking it, which doesn't retain it, and is freed behind that.
  Scenario("pull/ask-end-cancel", bound: 3) { run in
    let puller = Puller(.backpressure(0))
    let subscription = CountingSubscription(run)
    puller.receive(subscription: subscription)
    for index in 0...1 {
      run.thread("asker \(index)") { if puller.beginTaking() { run.expect(puller.endTaking() == nil, "a value") } }
    }
    run.thread("ender") { puller.receive(completion: .finished) }
    run.thread("canceller") { puller.cancel() }
    run.check { [weak subscription] in
      run.expect(subscription == nil, "the upstream is kept behind the end")
      run.expect(puller.takeAll().isOver, "not over")
    }
  },
]

/// An upstream that answers each request at once.
private final class AnsweringSubscription: Subscription {
  let count = Held(0)
  private let answer: (Int) -> Void
  private let serial = SpinLock()

  init(_ answer: @escaping (Int) -> Void) { self.answer = answer }

  func request(_ demand: Subscribers.Demand) {
    serial.lock()
    count.value += 1
    answer(count.value)
    serial.unlock()
  }

  func cancel() {}
}
