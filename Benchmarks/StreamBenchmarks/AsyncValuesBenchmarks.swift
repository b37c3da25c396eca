// Streams as asynchronous sequences, beside `AsyncStream` in another file.

import Gauge
import Weir

@BenchmarkBuilder var asyncValuesBenchmarks: [Benchmark] {
  // One task takes values that are there already: no thread is crossed.
  Benchmark("async/values/sequence", passes: .withoutLatency, limit: "subject/async-stream/yield-next") {
    (run) async in
    var iterator = (0..<Int.max).publisher.values.makeAsyncIterator()
    await run.measure { blackHole(await iterator.next(isolation: #isolation)) }
  }

  // One task sends a value and takes it. An asynchronous sequence asks for one value at a time, so a buffer keeps it.
  Benchmark("async/values/subject", passes: .withoutLatency, limit: "subject/async-stream/yield-next") {
    (run) async in
    let subject = PassthroughSubject<Int, Never>()
    let buffered = subject.buffer(size: 16, prefetch: .byRequest, whenFull: .dropNewest)
    var iterator = buffered.values.makeAsyncIterator()
    var value = 0
    await run.measure {
      value &+= 1
      subject.send(value)
      blackHole(await iterator.next(isolation: #isolation))
    }
  }

  // The same with a sequence that keeps what comes between the calls.
  Benchmark("async/values/kept", passes: .withoutLatency, limit: "subject/async-stream/yield-next") { (run) async in
    let subject = PassthroughSubject<Int, Never>()
    var iterator = subject.values(buffering: .unbounded).makeAsyncIterator()
    var value = 0
    await run.measure {
      value &+= 1
      subject.send(value)
      blackHole(await iterator.next(isolation: #isolation))
    }
  }

  // Values that are there already, behind three operators.
  Benchmark("async/values/operators", passes: .withoutLatency, limit: "subject/async-stream/yield-next") {
    (run) async in
    // A sequence's own `map` would take all of its elements at once.
    let numbers = Publishers.Map(upstream: (0..<Int.max).publisher) { $0 &+ 1 }.filter { $0 != 0 }.map { $0 &* 3 }
    var iterator = numbers.values.makeAsyncIterator()
    await run.measure { blackHole(await iterator.next(isolation: #isolation)) }
  }

  // Values that are there already, by a sequence whose type is not known.
  Benchmark("async/values/existential", passes: .withoutLatency, limit: "subject/async-stream/yield-next") {
    (run) async in
    let numbers: any AsyncSequence<Int, Never> = (0..<Int.max).publisher.values
    var iterator: any AsyncIteratorProtocol<Int, Never> = numbers.makeAsyncIterator()
    await run.measure { blackHole(await iterator.next(isolation: #isolation)) }
  }

  // One task makes a promise that is kept, and awaits it.
  Benchmark("async/future-value", passes: .withoutLatency) { (run) async in
    await run.measure { blackHole(await Future<Int, Never> { $0(.success(1)) }.value) }
  }
}
