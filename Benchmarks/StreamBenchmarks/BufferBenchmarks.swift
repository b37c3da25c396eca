// Buffers between a source that sends and a subscriber that asks: through, filled and drained, overflowing, kept full.

import Gauge
import Weir

private let sizes = BenchmarkAxis.values("size", [16, 1024, 16_384])
private let strategies = BenchmarkAxis.values("when-full", ["drop-newest", "drop-oldest", "custom-error"])
/// Those that let an overflowing stream go on.
private let dropping = BenchmarkAxis.values("when-full", ["drop-newest", "drop-oldest"])

@BenchmarkBuilder var bufferBenchmarks: [Benchmark] {
  // A value through an empty buffer to a sink that has asked for everything.
  Benchmark("buffer/through", over: sizes, strategies, openLoopRate: sendRate, limit: "limit/closure-call") { run in
    let subject = opaque(PassthroughSubject<Int, BufferFull>())
    let sink = subject.buffer(run).sink(receiveCompletion: { _ in }, receiveValue: { blackHole($0) })
    var value = 0
    run.measure {
      value &+= 1
      subject.send(value)
    }
    sink.cancel()
  }

  // As many values as there is room for come while nobody asks, then all are asked for.
  Benchmark("buffer/fill-drain", over: sizes, strategies, passes: .withoutLatency, limit: "limit/ring-buffer") { run in
    try measureFillAndDrain(run)
  }

  // A value into a full buffer that nobody asks.
  Benchmark("buffer/overflow", over: sizes, dropping, passes: .withoutLatency, limit: "limit/ring-buffer") { run in
    let buffered = try Buffered(run)
    for value in 0..<run["size"] { buffered.subject.send(value) }
    var value = 0
    run.measure {
      value &+= 1
      buffered.subject.send(value)
    }
    buffered.subscription.request(.unlimited)
    try WrongResult.check(buffered.consumer.count, expected: run["size"])
  }

  // A value into a buffer, and out of it as the only one that is asked for.
  Benchmark(
    "buffer/send-request", over: sizes, .values("when-full", ["drop-newest"]), openLoopRate: sendRate,
    limit: "limit/ring-buffer"
  ) { run in
    let buffered = try Buffered(run)
    var sent = 0
    run.measure {
      sent &+= 1
      buffered.subject.send(sent)
      buffered.subscription.request(.max(1))
    }
    try WrongResult.check(buffered.consumer.count, expected: sent)
  }

  // A sequence through a buffer that keeps itself full; each operation asks for a thousand values, or for one.
  Benchmark(
    "buffer/keep-full", over: sizes, .values("request", [1, 1000]), passes: .withoutLatency, limit: "limit/ring-buffer"
  ) { run in try measureKeptFull(run) }
}

/// Measures as many values as there is room for, and then the request for all of them.
@inline(__always)
func measureFillAndDrain(_ run: BenchmarkRun, isShared: Bool = false) throws {
  let buffered = try Buffered(run)
  if isShared {
    share {
      buffered.subject.send(0)
      buffered.subscription.request(.max(1))
    }
  }
  let before = buffered.consumer.count
  let size = run["size"]
  run.elements = size
  run.countedOperations = 20
  var sent = 0
  run.measure {
    for value in 0..<size { buffered.subject.send(value) }
    buffered.subscription.request(.max(size))
    sent &+= size
  }
  try WrongResult.check(buffered.consumer.count - before, expected: sent)
}

/// Measures requests to a buffer that a sequence keeps full.
@inline(__always)
func measureKeptFull(_ run: BenchmarkRun, isShared: Bool = false) throws {
  let buffer = opaque(0..<Int.max).publisher
    .buffer(size: run["size"], prefetch: .keepFull, whenFull: .dropNewest)
  try measureRequests(of: run["request"], elements: run["request"], to: buffer, isShared: isShared, run)
}

/// The error of a buffer that ends its stream where it overflows; none of these does.
struct BufferFull: Error {}

extension PassthroughSubject where Output == Int, Failure == BufferFull {
  /// A buffer of the size and strategy that the parameters say, which asks its upstream for everything.
  func buffer(_ run: BenchmarkRun) -> Publishers.Buffer<PassthroughSubject> {
    let strategy: Publishers.BufferingStrategy<BufferFull> =
      switch run[text: "when-full"] {
      case "drop-newest": .dropNewest
      case "drop-oldest": .dropOldest
      default: .customError(BufferFull.init)
      }
    return buffer(size: run["size"], prefetch: .byRequest, whenFull: strategy)
  }
}

/// A subject, a buffer, and a subscriber that asks for nothing by itself.
struct Buffered {
  let subject = opaque(PassthroughSubject<Int, BufferFull>())
  let consumer = Consumer<Int, BufferFull>()
  let subscription: any Subscription

  init(_ run: BenchmarkRun) throws {
    subject.buffer(run).subscribe(consumer)
    guard let subscription = consumer.subscription else {
      throw WrongResult(description: "the buffer gave no subscription")
    }
    self.subscription = subscription
  }
}
