// The scheduler with a thread of its own, beside a dispatch queue and beside two threads that spin for each other.

import Dispatch
import Gauge
import Weir
import WeirDispatch
import WeirExtras
import WeirQueues

/// Operations per second in the open loop.
private let hopRate = 10_000

@BenchmarkBuilder var eventLoopBenchmarks: [Benchmark] {
  // One value there by a stream, and a word back: an operation is over when the sender, which spins meanwhile, sees it.
  Benchmark("event-loop/hop-and-back", threads: .several, openLoopRate: hopRate, limit: "limit/ping-pong") { run in
    let loop = EventLoopScheduler()
    measureHops(run, on: loop)
    loop.shutDown()
  }
  Benchmark(
    "event-loop/hop-and-back/dispatch-queue", threads: .several, openLoopRate: hopRate, limit: "limit/ping-pong"
  ) { run in measureHops(run, on: DispatchQueue(label: "benchmark")) }

  // The same where the loop's thread always has to be woken.
  Benchmark(
    "event-loop/hop-and-back/asleep", threads: .several, openLoopRate: hopRate,
    limit: "event-loop/hop-and-back/dispatch-queue"
  ) { run in
    let loop = EventLoopScheduler(spinningFor: .zero)
    measureHops(run, on: loop)
    loop.shutDown()
  }

  // One action there, without a stream.
  Benchmark("event-loop/action-and-back", threads: .several, passes: .withoutLatency, limit: "limit/ping-pong") { run in
    let (loop, arrivals) = (EventLoopScheduler(), Arrivals())
    var sent = 0
    run.measure {
      sent += 1
      let number = sent
      loop.schedule { arrivals.note(number) }
      arrivals.wait(for: sent)
    }
    loop.shutDown()
  }

  // A burst of a thousand values: an operation sends it and waits for its last one.
  Benchmark("event-loop/burst", over: .values("burst", [1000]), threads: .several, passes: .withoutLatency) { run in
    let loop = EventLoopScheduler()
    measureHops(run, of: run["burst"], on: loop)
    loop.shutDown()
  }
  Benchmark(
    "event-loop/burst/dispatch-queue", over: .values("burst", [1000]), threads: .several, passes: .withoutLatency
  ) { run in measureHops(run, of: run["burst"], on: DispatchQueue(label: "benchmark")) }

  // Latency against the time between values.
  for (name, rate) in [("1us", 1_000_000), ("10us", 100_000), ("100us", 10_000), ("1ms", 1_000), ("10ms", 100)] {
    Benchmark("event-loop/gap/\(name)", threads: .several, passes: [.time], openLoopRate: rate) { run in
      let loop = EventLoopScheduler()
      measureHops(run, on: loop)
      loop.shutDown()
    }
    Benchmark("event-loop/gap/\(name)/dispatch-queue", threads: .several, passes: [.time], openLoopRate: rate) { run in
      measureHops(run, on: DispatchQueue(label: "benchmark"))
    }
  }

  // Two threads that spin for each other's words: the floor of there and back.
  Benchmark("limit/ping-pong", threads: .several, openLoopRate: hopRate) { run in
    let (there, back) = (Arrivals(), Arrivals())
    DispatchQueue(label: "limit").async {
      var number = 0
      while !there.isOver {
        number += 1
        there.wait(for: number)
        back.note(number)
      }
    }
    var sent = 0
    run.measure {
      sent += 1
      there.note(sent)
      back.wait(for: sent)
    }
    there.end()
  }
}

/// The newest number that has come to another thread, alone on its cache lines.
private final class Arrivals: Sendable {
  private let paddingBefore = CacheLinePadding()
  private let newest = AtomicWord(0)
  private let paddingBehind = CacheLinePadding()
  private let ended = AtomicWord(0)

  var isOver: Bool { ended.relaxedLoad() != 0 }

  func note(_ number: Int) { newest.publish(number) }

  /// Spins until a number has come, or none will; now and then it lets others run, where there may be one processor.
  func wait(for number: Int) {
    var looks = 0
    while newest.acquireLoad() < number, !isOver {
      spinHint()
      looks += 1
      if looks % 4096 == 0 { yieldToOthers() }
    }
  }

  func end() { ended.publish(1) }
}

/// Measures values that go to a scheduler, and a word that comes back for the last one.
@inline(__always)
private func measureHops(_ run: BenchmarkRun, of burst: Int = 1, on scheduler: some Scheduler) {
  let (subject, arrivals) = (opaque(PassthroughSubject<Int, Never>()), Arrivals())
  let sink = subject.receive(on: scheduler).sink { number in
    if number % burst == 0 { arrivals.note(number) }
  }
  run.elements = burst
  var sent = 0
  run.measure {
    for _ in 0..<burst {
      sent += 1
      subject.send(sent)
    }
    arrivals.wait(for: sent)
  }
  sink.cancel()
}
