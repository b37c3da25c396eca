// AsyncStream doing what subjects do, in the same run: the standard library's own stream to compare with.

import Dispatch
import Gauge

@BenchmarkBuilder var asyncStreamBenchmarks: [Benchmark] {
  // One task yields a value and takes it: no thread is crossed, as in a send to a sink.
  Benchmark("subject/async-stream/yield-next", openLoopRate: sendRate, limit: "limit/closure-call") { (run) async in
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    var iterator = stream.makeAsyncIterator()
    var value = 0
    await run.measure {
      value &+= 1
      continuation.yield(value)
      blackHole(await iterator.next(isolation: #isolation))
    }
    continuation.finish()
  }

  // Threads that yield to one stream, whose values a task takes: an operation is over when all have arrived there.
  Benchmark(
    "thread/async-stream", over: .values("threads", [1, 2, 4, 8]), threads: .several, passes: .withoutLatency,
    limit: "limit/spsc-queue/threads"
  ) { run in
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let arrived = DispatchSemaphore(value: 0)
    Task.detached {
      var delivered = 0
      for await value in stream {
        blackHole(value)
        delivered += 1
        if delivered % valuesPerRound == 0 { arrived.signal() }
      }
    }
    measureSenders(run["threads"], run, awaiting: arrived) { _, value in continuation.yield(value) }
    continuation.finish()
  }

  // One value to a task, and a semaphore back.
  Benchmark("thread/async-stream/hop-and-back", threads: .several, openLoopRate: hopRate, limit: "limit/dispatch-async")
  { run in
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let arrived = DispatchSemaphore(value: 0)
    Task.detached {
      for await _ in stream { arrived.signal() }
    }
    run.measure {
      continuation.yield(1)
      arrived.wait()
    }
    continuation.finish()
  }
}
