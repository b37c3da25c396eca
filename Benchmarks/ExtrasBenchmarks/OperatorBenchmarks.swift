// The operators that the extras add: each operation sends one value from a subject to a sink.

import Gauge
import Weir
import WeirExtras
import WeirQueues

@BenchmarkBuilder var extraOperatorBenchmarks: [Benchmark] {
  operation("extras/with-latest-from") { $0.withLatestFrom(Just(1)) { $0 &+ $1 } }
  operation("extras/pairwise") { $0.pairwise() }
  operation("extras/filter-or-complete") { $0.filterOrComplete { $0 >= 0 } }
  operation("extras/materialize") { $0.materialize() }
  operation("extras/materialize-dematerialize") { $0.materialize().dematerialize() }
  operation("extras/flat-map-latest") { $0.flatMapLatest { Just($0) } }
  operation("extras/flat-map-first") { $0.flatMapFirst { Just($0) } }
  operation("extras/combine-latest-5") { subject in
    let other = Just(1)
    return subject.combineLatest(other, other, other, other)
  }

  // Figures of what passes, and the same counted by hand: one time of 64 is measured.
  Benchmark("extras/measured", passes: .withoutLatency, limit: "extras/limit-measured") { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let sink = subject.measured("values", in: StreamMetrics()).sink { blackHole($0) }
    measureSends(to: subject, run)
    sink.cancel()
  }
  Benchmark("extras/limit-measured", passes: .withoutLatency) { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let count = opaque(CountedValues())
    let sink = subject.sink { value in
      let start = count.begin()
      blackHole(value)
      if let start { count.times.withLock { $0 += monotonicNanoseconds() - start } }
    }
    measureSends(to: subject, run)
    sink.cancel()
  }

  // What it costs that streams can be seen: in builds with the trait Inspection alone.
  if WeirInspector.isBuiltIn {
    inspected("inspection/off", isOn: false) { $0.scan(0) { $0 &+ $1 } }
    inspected("inspection/on", isOn: true) { $0.scan(0) { $0 &+ $1 } }
  }

  // The sender's context across a scheduler that delivers at once, and bound by hand. In no task, as a queue has none.
  Benchmark("extras/carrying", passes: .withoutLatency, limit: "extras/limit-carrying") { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let sink = subject.carrying(Request.$number).receive(on: ImmediateScheduler.shared).sink { blackHole($0) }
    measureSends(to: subject, run)
    sink.cancel()
  }
  Benchmark("extras/limit-carrying", passes: .withoutLatency) { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let sink = subject.sink { value in Request.$number.withValue(Request.number) { blackHole(value) } }
    measureSends(to: subject, run)
    sink.cancel()
  }
  // Nothing where nothing is left to another thread.
  operation("extras/carrying/unused") { $0.carrying(Request.$number).map { $0 &+ 1 } }

  Benchmark("extras/share-replay", over: .values("sinks", [1, 10]), passes: .withoutLatency) { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let shared: Publishers.ShareReplay = subject.shareReplay(bufferSize: 1)
    let sinks = (0..<run["sinks"]).map { _ in shared.sink { blackHole($0) } }
    run.elements = sinks.count
    measureSends(to: subject, run)
    withExtendedLifetime(sinks) {}
  }

  Benchmark("extras/replay-subject", over: .values("size", [16]), passes: .withoutLatency) { run in
    let subject = opaque(ReplaySubject<Int, Never>(bufferSize: run["size"]))
    let sink = subject.sink { blackHole($0) }
    measureSends(to: subject, run)
    sink.cancel()
  }

  // A task's value: by a publisher, and by the task.
  Benchmark("extras/task-to-publisher", passes: .withoutLatency, limit: "extras/limit-task-value") { (run) async in
    await run.measure { blackHole(try? await asyncToPublisher { 1 }.firstValue()) }
  }
  Benchmark("extras/limit-task-value", passes: .withoutLatency) { (run) async in
    await run.measure { blackHole(await Task { 1 }.value) }
  }

  // The same of a publisher that is there already, and of a continuation that the task resumes.
  Benchmark(
    "extras/task-to-publisher/made-before", passes: .withoutLatency, limit: "extras/limit-task-continuation"
  ) { (run) async in
    let publisher = opaque(asyncToPublisher { 1 })
    await run.measure { blackHole(try? await publisher.firstValue()) }
  }
  Benchmark("extras/limit-task-continuation", passes: .withoutLatency) { (run) async in
    await run.measure { blackHole(await resumedByTask()) }
  }

  // A thousand elements that are there already: by a publisher of the sequence, and by a task's loop.
  Benchmark(
    "extras/async-sequence-to-publisher", passes: .withoutLatency, limit: "extras/limit-async-sequence"
  ) { (run) async in
    let numbers = opaque(ReadyNumbers())
    run.elements = ReadyNumbers.count
    run.countedOperations = 100
    await run.measure { await allByPublisher(numbers) }
  }
  Benchmark("extras/limit-async-sequence", passes: .withoutLatency) { (run) async in
    let numbers = opaque(ReadyNumbers())
    run.elements = ReadyNumbers.count
    run.countedOperations = 100
    await run.measure { await allByTask(numbers) }
  }

  Benchmark("extras/relay", passes: .withoutLatency) { run in
    let relay = opaque(PassthroughRelay<Int>())
    let sink = relay.sink { blackHole($0) }
    var value = 0
    run.measure {
      value &+= 1
      relay.accept(value)
    }
    sink.cancel()
  }
}

private enum Request {
  @TaskLocal static var number = 0
}

/// What `measured` keeps of one subscription.
private final class CountedValues {
  let count = AtomicWord(0)
  let times = Lock(0)

  /// - Returns: The time, for one value of 64.
  @inline(__always)
  func begin() -> Int? {
    let number = count.relaxedLoad()
    count.relaxedStore(number &+ 1)
    return number & 63 == 0 ? monotonicNanoseconds() : nil
  }
}

/// What a task brings that resumes a continuation.
private func resumedByTask() async -> Int {
  await withCheckedContinuation { continuation in
    Task { continuation.resume(returning: 1) }
  }
}

/// Numbers that never have to be waited for.
private struct ReadyNumbers: AsyncSequence, Sendable {
  static let count = 1000

  struct Iterator: AsyncIteratorProtocol {
    var number = 0

    mutating func next() async -> Int? { await next(isolation: #isolation) }

    mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
      guard number < count else { return nil }
      number += 1
      return number
    }
  }

  func makeAsyncIterator() -> Iterator { Iterator() }
}

private func allByPublisher(_ numbers: ReadyNumbers) async {
  var sink: AnyCancellable?
  await withCheckedContinuation { continuation in
    sink = AnyPublisher.fromAsyncSequence(numbers)
      .sink(receiveCompletion: { _ in continuation.resume() }, receiveValue: { blackHole($0) })
  }
  withExtendedLifetime(sink) {}
}

private func allByTask(_ numbers: ReadyNumbers) async {
  await withCheckedContinuation { continuation in
    Task {
      for await number in numbers { blackHole(number) }
      continuation.resume()
    }
  }
}

private func operation<Result: Publisher>(
  _ name: String, _ make: @escaping (PassthroughSubject<Int, Never>) -> Result
) -> Benchmark {
  Benchmark(name, passes: .withoutLatency) { run in
    let subject = opaque(PassthroughSubject<Int, Never>())
    let sink = make(subject).sink(receiveCompletion: { _ in }, receiveValue: { blackHole($0) })
    measureSends(to: subject, run)
    sink.cancel()
  }
}

/// Measures one send of a changing value.
@inline(__always)
private func measureSends(to subject: some Subject<Int, Never>, _ run: BenchmarkRun) {
  var value = 0
  run.measure {
    value &+= 1
    subject.send(value)
  }
}

/// A chain of one operator, of which each value passes two subscriptions.
private func inspected<Stream: Publisher<Int, Never>>(
  _ name: String, isOn: Bool, _ make: @escaping (PassthroughSubject<Int, Never>) -> Stream
) -> Benchmark {
  Benchmark(name, passes: .withoutLatency) { run in
    WeirInspector.isOn = isOn
    defer { WeirInspector.isOn = false }
    let subject = opaque(PassthroughSubject<Int, Never>())
    let sink = make(subject).sink { blackHole($0) }
    measureSends(to: subject, run)
    sink.cancel()
  }
}
