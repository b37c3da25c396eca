// Streams as asynchronous sequences, beside `AsyncStream` in another file.

import Dispatch
import Gauge
import Weir
import WeirQueues

@BenchmarkBuilder var asyncValuesBenchmarks: [Benchmark] {
  // One task takes values that are there already: no thread is crossed.
  Benchmark("async/values/sequence", passes: .withoutLatency, limit: "async/stream/unfolding") {
    (run) async in
    var iterator = (0..<Int.max).publisher.values.makeAsyncIterator()
    await run.measure { blackHole(await iterator.next(isolation: #isolation)) }
  }

  // The same in a task that runs on an actor.
  Benchmark("async/values/sequence/on-actor", passes: .withoutLatency, limit: "async/stream/unfolding/on-actor") {
    (run) async in await Isolated().measureSequence(Unchecked(run))
  }

  // The standard library's sequence of values that are there already.
  Benchmark("async/stream/unfolding", passes: .withoutLatency) { (run) async in
    var iterator = unfolded().makeAsyncIterator()
    await run.measure { blackHole(await iterator.next(isolation: #isolation)) }
  }
  Benchmark("async/stream/unfolding/on-actor", passes: .withoutLatency) { (run) async in
    await Isolated().measureUnfolding(Unchecked(run))
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

  // A loop over values that are there already, behind three operators.
  Benchmark("async/values/operators/loop", passes: .withoutLatency, limit: "async/values/operators/sink") {
    (run) async in
    let numbers = opaque(0..<1000)
    run.elements = numbers.count
    await run.measure {
      var sum = 0
      for await number in withThreeOperators(numbers.publisher).values { sum &+= number }
      return sum
    }
  }

  // The same operators with a sink.
  Benchmark("async/values/operators/sink", passes: .withoutLatency, limit: "limit/closure-call") { run in
    let numbers = opaque(0..<1000)
    run.elements = numbers.count
    run.measure {
      var sum = 0
      _ = withThreeOperators(numbers.publisher).sink { sum &+= $0 }
      return sum
    }
  }

  // Values that are there already, by a sequence whose type is not known. The runtime takes 470 instructions for that
  // where an iterator only counts.
  Benchmark("async/values/existential", passes: .withoutLatency, limit: "async/stream/unfolding") {
    (run) async in
    let numbers: any AsyncSequence<Int, Never> = (0..<Int.max).publisher.values
    var iterator: any AsyncIteratorProtocol<Int, Never> = numbers.makeAsyncIterator()
    await run.measure { blackHole(await iterator.next(isolation: #isolation)) }
  }
  Benchmark("async/values/existential/on-actor", passes: .withoutLatency, limit: "async/stream/unfolding/on-actor") {
    (run) async in await Isolated().measureExistential(Unchecked(run))
  }

  // One value to a task that waits for it, and a semaphore back.
  Benchmark(
    "async/values/hop-and-back", threads: .several, openLoopRate: hopRate, limit: "thread/async-stream/hop-and-back"
  ) { run in
    let subject = PassthroughSubject<Int, Never>()
    let arrived = DispatchSemaphore(value: 0)
    Task.detached {
      var iterator = subject.values(buffering: .unbounded).makeAsyncIterator()
      arrived.signal()
      while await iterator.next() != nil { arrived.signal() }
    }
    arrived.wait()
    run.measure {
      subject.send(1)
      arrived.wait()
    }
    subject.send(completion: .finished)
  }

  // A task makes a promise that another one keeps, and waits: for that task, and for the promise.
  Benchmark("async/limit-task-value", passes: .withoutLatency) { (run) async in
    await run.measure { blackHole(await keptLater().task.value) }
  }
  Benchmark("async/future-value/waiting", passes: .withoutLatency, limit: "async/limit-task-value") { (run) async in
    await run.measure { blackHole(await keptLater().future.value) }
  }

  // The same promise, by a bare continuation that the other task resumes once it has kept it.
  Benchmark("async/limit-continuation", passes: .withoutLatency) { (run) async in
    await run.measure { blackHole(await resumedLater()) }
  }

  // One task makes a promise that is kept, and awaits it.
  Benchmark("async/future-value", passes: .withoutLatency) { (run) async in
    await run.measure { blackHole(await Future<Int, Never> { $0(.success(1)) }.value) }
  }
}

/// A promise that another task keeps, and that task.
private func keptLater() -> (future: Future<Int, Never>, task: Task<Int, Never>) {
  let (future, promise) = promised()
  return (
    future,
    Task {
      promise.value?(.success(1))
      return 1
    }
  )
}

/// What a continuation brings that another task resumes, which keeps a promise as well: as `keptLater`, but for the
/// wait.
private nonisolated(nonsending) func resumedLater() async -> Int {
  let (future, promise) = promised()
  let value = await withCheckedContinuation { continuation in
    Task {
      promise.value?(.success(1))
      continuation.resume(returning: 1)
    }
  }
  withExtendedLifetime(future) {}
  return value
}

/// A promise and what keeps it.
private func promised() -> (Future<Int, Never>, Unchecked<Future<Int, Never>.Promise?>) {
  var promise: Future<Int, Never>.Promise?
  let future = Future { promise = $0 }
  return (future, Unchecked(promise))
}

/// A sequence's own `map` would take all of its elements at once.
private func withThreeOperators(_ numbers: Publishers.Sequence<Range<Int>, Never>) -> some Publisher<Int, Never> {
  Publishers.Map(upstream: numbers) { $0 &+ 1 }.filter { $0 != 0 }.map { $0 &* 3 }
}

/// The numbers from 1 without end.
private func unfolded() -> AsyncStream<Int> {
  final class Newest { var number = 0 }
  let newest = Unchecked(Newest())
  return AsyncStream {
    newest.value.number &+= 1
    return newest.value.number
  }
}

/// An actor on which values are taken.
///
/// The closures name it: one that does not name the actor that it is formed on runs beside that, whatever `#isolation`
/// looks like.
private actor Isolated {
  func measureUnfolding(_ run: Unchecked<BenchmarkRun>) async {
    var iterator = unfolded().makeAsyncIterator()
    await run.value.measure { blackHole(await iterator.next(isolation: self)) }
  }

  func measureSequence(_ run: Unchecked<BenchmarkRun>) async {
    var iterator = (0..<Int.max).publisher.values.makeAsyncIterator()
    await run.value.measure { blackHole(await iterator.next(isolation: self)) }
  }

  func measureExistential(_ run: Unchecked<BenchmarkRun>) async {
    run.value.elements = 1000
    await run.value.measure {
      _ = self
      var sum = 0
      for await number in opaque((0..<1000).publisher.values as any AsyncSequence<Int, Never>) { sum &+= number }
      return sum
    }
  }
}
