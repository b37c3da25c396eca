// Subjects: one value to many sinks, and the coming and going of subscribers.

import Gauge
import Weir

@BenchmarkBuilder var subjectBenchmarks: [Benchmark] {
  // A thousand sinks take nearly as long as a hundred thousand sends a second leave: hence the lower rate.
  Benchmark(
    "subject/passthrough/send", over: .values("sinks", [1, 10, 100, 1000]), openLoopRate: sendRate / 2,
    limit: "limit/closure-call"
  ) { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let sinks = (0..<run["sinks"]).map { _ in subject.sink { blackHole($0) } }
    run.elements = sinks.count
    measureSends(to: subject, run)
    withExtendedLifetime(sinks) {}
  }

  // To nobody.
  Benchmark("subject/passthrough/send/no-sink", passes: .withoutLatency) { run in
    measureSends(to: opaque(PassthroughSubject<Int, Never>()), run)
  }

  // To a subscriber that asks for one value at a time.
  Benchmark("subject/passthrough/send/one-at-a-time", passes: .withoutLatency, limit: "limit/closure-call") { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let asker = Asker<Never>(batch: 1)
    subject.subscribe(asker)
    measureSends(to: subject, run)
    withExtendedLifetime(asker) {}
  }

  // To a subscriber that asks for as many again whenever it has had all that it asked for.
  Benchmark(
    "subject/passthrough/send/batches", over: .values("batch", [128]), passes: .withoutLatency,
    limit: "limit/closure-call"
  ) { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let asker = Asker<Never>(batch: run["batch"])
    subject.subscribe(asker)
    measureSends(to: subject, run)
    withExtendedLifetime(asker) {}
  }

  Benchmark(
    "subject/current-value/send", over: .values("sinks", [1, 100]), openLoopRate: sendRate, limit: "limit/closure-call"
  ) { run in
    let subject = opaque(CurrentValueSubject<Int, Never>(0))
    let sinks = (0..<run["sinks"]).map { _ in subject.sink { blackHole($0) } }
    run.elements = sinks.count
    var value = 0
    run.measure {
      value &+= 1
      subject.send(value)
    }
    withExtendedLifetime(sinks) {}
  }

  Benchmark("subject/current-value/read", passes: .withoutLatency) { run in
    let subject = opaque(CurrentValueSubject<Int, Never>(1))
    run.measure { subject.value }
  }

  // Subscribes per operation. Alone, and with others that stay: neither may cost more the more there are.
  Benchmark("subject/passthrough/subscribe-cancel", over: .values("others", [0, 10_000]), openLoopRate: sendRate) {
    run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let others = (0..<run["others"]).map { _ in subject.sink { blackHole($0) } }
    run.measure { subject.sink { blackHole($0) }.cancel() }
    withExtendedLifetime(others) {}
  }

  // Subscribes per operation, and sends one value to the subscriber while it is there.
  Benchmark("subject/passthrough/subscribe-send-cancel", passes: .withoutLatency) { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    var value = 0
    run.measure {
      let sink = subject.sink { blackHole($0) }
      value &+= 1
      subject.send(value)
      sink.cancel()
    }
  }

  // One upstream subscription, many sinks.
  Benchmark("subject/share", over: .values("sinks", [2, 10]), openLoopRate: sendRate, limit: "limit/closure-call") {
    run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let shared = subject.map { $0 &+ 1 }.share()
    let sinks = (0..<run["sinks"]).map { _ in shared.sink { blackHole($0) } }
    run.elements = sinks.count
    measureSends(to: subject, run)
    withExtendedLifetime(sinks) {}
  }

  Benchmark("subject/multicast", over: .values("sinks", [2]), passes: .withoutLatency, limit: "limit/closure-call") {
    run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let multicast = subject.map { $0 &+ 1 }.multicast { PassthroughSubject<Int, Never>() }
    let sinks = (0..<run["sinks"]).map { _ in multicast.sink { blackHole($0) } }
    let connection = multicast.connect()
    run.elements = sinks.count
    measureSends(to: subject, run)
    connection.cancel()
    withExtendedLifetime(sinks) {}
  }
}

/// Asks for one value, and for one more with each.
private final class Asker<Failure: Error>: Subscriber {
  private let batch: Int
  private var left: Int

  init(batch: Int) {
    self.batch = batch
    left = batch
  }

  func receive(subscription: any Subscription) { subscription.request(.max(batch)) }

  func receive(_ input: Int) -> Subscribers.Demand {
    blackHole(input)
    left -= 1
    guard left == 0 else { return .none }
    left = batch
    return .max(batch)
  }

  func receive(completion: Subscribers.Completion<Failure>) {}
}
