// Threads that send to one subject with a lane for each, whose values an event loop delivers.

import Dispatch
import Gauge
import Weir
import WeirExtras

@BenchmarkBuilder var shardedBenchmarks: [Benchmark] {
  // As `thread/passthrough-send`, but delivered on the loop: a round is over when all of it is delivered.
  Benchmark(
    "thread/sharded-send", over: .values("threads", [1, 2, 4, 8]), threads: .several, passes: .withoutLatency,
    limit: "limit/shared-add"
  ) { run in
    let loop = EventLoopScheduler()
    let subject = ShardedSubject<Int, Never>(on: loop)
    let lanes = (0..<run["threads"]).map { _ in subject.makeLane() }
    let arrived = DispatchSemaphore(value: 0)
    var delivered = 0
    let sink = subject.sink { value in
      blackHole(value)
      delivered &+= 1
      if delivered % valuesPerRound == 0 { arrived.signal() }
    }
    let sent = measureSenders(run["threads"], run, awaiting: arrived) { number, value in lanes[number].send(value) }
    loop.shutDown()
    sink.cancel()
    try WrongResult.check(delivered, expected: sent)
  }
}
