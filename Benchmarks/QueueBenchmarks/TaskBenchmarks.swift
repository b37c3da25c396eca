// Channels between tasks, beside AsyncStream and a mailbox written by hand, in the same run.

import Gauge
import struct Synchronization.Mutex
import WeirQueues

@BenchmarkBuilder var taskBenchmarks: [Benchmark] {
  readyBenchmarks
  betweenTasksBenchmarks
  roundTripBenchmarks
  crowdBenchmarks
}

/// One task sends an element and receives it: nothing waits.
@BenchmarkBuilder private var readyBenchmarks: [Benchmark] {
  Benchmark("queue/channel/ready", passes: .withoutLatency, limit: "queue/limit-async-stream/ready") { (run) async in
    let channel = opaque(Channel<Int>(minimumCapacity: 64))
    var value = 0
    await run.measure {
      value &+= 1
      _ = await channel.sender.send(value)
      return await channel.receiver.receive().taken()
    }
  }
  // A batch of 64, received at once.
  Benchmark("queue/channel/ready/bulk", passes: .withoutLatency, limit: "queue/limit-lock/batch-alone") { (run) async in
    let channel = opaque(Channel<Int>(minimumCapacity: 64))
    let batch = Array(1...64)
    var elements: [Int] = []
    elements.reserveCapacity(batch.count)
    run.elements = batch.count
    await run.measure {
      elements.removeAll(keepingCapacity: true)
      _ = channel.sender.trySend(contentsOf: batch[...])
      return await channel.receiver.receive(atMost: batch.count, into: &elements)
    }
  }
  // The element is in one of two channels, in turn.
  Benchmark(
    "queue/channel/select/ready", passes: .withoutLatency, limit: "queue/limit-async-stream/ready"
  ) { (run) async in
    let (first, second) = opaque((Channel<Int>(minimumCapacity: 64), Channel<Int>(minimumCapacity: 64)))
    var value = 0
    await run.measure {
      value &+= 1
      _ = await (value % 2 == 0 ? first : second).sender.send(value)
      return await eitherElement(first, second)
    }
  }
  Benchmark("queue/limit-async-stream/ready", passes: .withoutLatency) { (run) async in
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
}

/// All elements of a round from tasks to tasks, at the same time: an operation is over when the last has arrived.
@BenchmarkBuilder private var betweenTasksBenchmarks: [Benchmark] {
  Benchmark(
    "queue/channel/between-tasks", over: tasks, threads: .several, passes: .withoutLatency,
    limit: "queue/limit-mailbox/between-tasks"
  ) { (run) async throws in
    try await measureElements(run, Channel<Int>(minimumCapacity: 1024))
  }
  // The channel that grows: no producer ever waits.
  Benchmark(
    "queue/channel/between-tasks/growing", over: tasks, threads: .several, passes: .withoutLatency,
    limit: "queue/limit-mailbox/between-tasks"
  ) { (run) async throws in
    try await measureElements(run, Channel<Int>())
  }
  Benchmark("queue/channel/between-tasks/bulk", threads: .several, passes: .withoutLatency) { (run) async throws in
    let channel = Channel<Int>(minimumCapacity: 1024)
    try await measureBulk(run, channel)
  }
  // Through two channels, each task by both of them.
  Benchmark(
    "queue/channel/between-tasks/select", over: tasks, threads: .several, passes: .withoutLatency,
    limit: "queue/limit-mailbox/between-tasks"
  ) { (run) async throws in
    let (first, second) = (Channel<Int>(minimumCapacity: 1024), Channel<Int>(minimumCapacity: 1024))
    try await measureTasks(run, producers: run["tasks"], consumers: run["tasks"]) { count in
      for value in 1...count { _ = await (value % 2 == 0 ? first : second).sender.send(value) }
    } consume: { count in
      var sum = 0
      for _ in 0..<count { sum &+= await eitherElement(first, second) }
      return sum
    }
  }
  Benchmark("queue/limit-mailbox/between-tasks", over: tasks, threads: .several, passes: .withoutLatency) {
    (run) async throws in
    let mailbox = Mailbox()
    try await measureTasks(run, producers: run["tasks"], consumers: run["tasks"]) { count in
      for value in 1...count { mailbox.send(value) }
    } consume: { count in
      var sum = 0
      for _ in 0..<count { sum &+= await mailbox.receive() }
      return sum
    }
  }
  // Only one task at a time may wait for a stream of the standard library.
  Benchmark("queue/limit-async-stream/between-tasks", over: tasks, threads: .several, passes: .withoutLatency) {
    (run) async throws in
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    try await measureTasks(run, producers: run["tasks"], consumers: 1) { count in
      for value in 1...count { continuation.yield(value) }
    } consume: { count in
      var iterator = stream.makeAsyncIterator()
      var sum = 0
      for _ in 0..<count { sum &+= await iterator.next(isolation: #isolation) ?? 0 }
      return sum
    }
  }
}

/// An element to another task and one back: half of an operation is one way.
@BenchmarkBuilder private var roundTripBenchmarks: [Benchmark] {
  Benchmark(
    "queue/channel/tasks", threads: .several, openLoopRate: roundTripRate, limit: "queue/limit-async-stream/tasks"
  ) { (run) async in
    let there = Channel<Int>(minimumCapacity: 64)
    let back = Channel<Int>(minimumCapacity: 64)
    let echo = Task { for await value in there.receiver { _ = await back.sender.send(value) } }
    var value = 0
    await run.measure {
      value &+= 1
      _ = await there.sender.send(value)
      return await back.receiver.receive().taken()
    }
    there.sender.close()
    await echo.value
  }
  Benchmark("queue/limit-async-stream/tasks", threads: .several, openLoopRate: roundTripRate) { (run) async in
    let (there, send) = AsyncStream.makeStream(of: Int.self)
    let (back, answer) = AsyncStream.makeStream(of: Int.self)
    let echo = Task { for await value in there { answer.yield(value) } }
    var answers = back.makeAsyncIterator()
    var value = 0
    await run.measure {
      value &+= 1
      send.yield(value)
      blackHole(await answers.next(isolation: #isolation))
    }
    send.finish()
    await echo.value
  }
}

/// The same among several tasks: so many send to one channel, from which as many receive, and answer each on a channel
/// of its own. The latencies are those of one of the senders, which keeps a schedule in the open loop; the others begin
/// again when they have their answers.
@BenchmarkBuilder private var crowdBenchmarks: [Benchmark] {
  Benchmark(
    "queue/channel/tasks/crowd", over: tasks, threads: .several, passes: [.time, .latency], openLoopRate: crowdRate,
    limit: "queue/limit-mailbox/tasks/crowd"
  ) { (run) async in
    let there = Channel<Int>(minimumCapacity: 64)
    let back = (0..<run["tasks"]).map { _ in Channel<Int>(minimumCapacity: 64) }
    await measureCrowd(run) { number in
      _ = await there.sender.send(number)
      _ = await back[number].receiver.receive()
    } answer: {
      for await number in there.receiver { _ = await back[number].sender.send(number) }
    } end: {
      there.sender.close()
    }
  }
  Benchmark(
    "queue/limit-mailbox/tasks/crowd", over: tasks, threads: .several, passes: [.time, .latency],
    openLoopRate: crowdRate
  ) { (run) async in
    let (there, back) = (Mailbox(), (0..<run["tasks"]).map { _ in Mailbox() })
    await measureCrowd(run) { number in
      there.send(number)
      _ = await back[number].receive()
    } answer: {
      while case let number = await there.receive(), number >= 0 { back[number].send(number) }
    } end: {
      for _ in back { there.send(-1) }
    }
  }
}

private let tasks = BenchmarkAxis.values("tasks", [1, 2, 4, 8])
/// Round trips that begin in a second.
private let roundTripRate = 10_000
/// The same in a crowd, whose other tasks keep all cores busy.
private let crowdRate = 1000

/// Measures rounds in which tasks send and other tasks receive all elements at the same time.
///
/// - Parameters:
///   - run: What measures.
///   - producers: How many tasks send.
///   - consumers: How many tasks receive.
///   - produce: Sends the numbers from 1 to a count.
///   - consume: Receives so many numbers, and adds them up.
private func measureTasks(
  _ run: BenchmarkRun, producers: Int, consumers: Int, produce: @escaping @Sendable (Int) async -> Void,
  consume: @escaping @Sendable (Int) async -> Int
) async throws {
  let share = elementsPerRound / producers
  let taken = elementsPerRound / consumers
  run.elements = elementsPerRound
  run.countedOperations = 20
  var rounds = 0
  var sum = 0
  await run.measure {
    rounds += 1
    sum &+= await withTaskGroup(of: Int.self) { group in
      for _ in 0..<producers {
        group.addTask {
          await produce(share)
          return 0
        }
      }
      for _ in 0..<consumers { group.addTask { await consume(taken) } }
      return await group.reduce(0, &+)
    }
  }
  try WrongCount.check(sum, expected: rounds * producers * share * (share + 1) / 2)
}

/// Measures round trips of one task, while others make them, too.
///
/// - Parameters:
///   - run: What measures.
///   - ask: Makes a round trip, of the task with a number.
///   - answer: Answers until the end.
///   - end: Ends all who answer.
private func measureCrowd(
  _ run: BenchmarkRun, ask: @escaping @Sendable (Int) async -> Void, answer: @escaping @Sendable () async -> Void,
  end: () -> Void
) async {
  let answering = (0..<run["tasks"]).map { _ in Task { await answer() } }
  let asking = (1..<run["tasks"]).map { number in
    Task { while !Task.isCancelled { await ask(number) } }
  }
  await run.measure { await ask(0) }
  for task in asking {
    task.cancel()
    await task.value
  }
  end()
  for task in answering { await task.value }
}

/// Measures rounds in which as many tasks receive as send, one element at a time.
private func measureElements(_ run: BenchmarkRun, _ channel: Channel<Int>) async throws {
  try await measureTasks(run, producers: run["tasks"], consumers: run["tasks"]) { count in
    for value in 1...count { _ = await channel.sender.send(value) }
  } consume: { count in
    var sum = 0
    for _ in 0..<count { sum &+= await channel.receiver.receive().taken() ?? 0 }
    return sum
  }
}

/// Measures rounds in which a task receives as many elements at once as there are.
private func measureBulk(_ run: BenchmarkRun, _ channel: Channel<Int>) async throws {
  run.elements = elementsPerRound
  run.countedOperations = 20
  var rounds = 0
  var sum = 0
  var elements: [Int] = []
  elements.reserveCapacity(256)
  await run.measure {
    rounds += 1
    async let sent: Void = {
      for value in 0..<elementsPerRound { _ = await channel.sender.send(value) }
    }()
    var left = elementsPerRound
    while left > 0 {
      left -= await channel.receiver.receive(atMost: min(left, 256), into: &elements)
      sum = elements.reduce(sum, &+)
      elements.removeAll(keepingCapacity: true)
    }
    await sent
  }
  try WrongCount.check(sum, expected: rounds * elementsPerRound * (elementsPerRound - 1) / 2)
}

/// Receives from whichever of two channels has an element first.
private nonisolated(nonsending) func eitherElement(_ first: Channel<Int>, _ second: Channel<Int>) async -> Int {
  await select(
    .receive(from: first.receiver) { $0.taken() ?? 0 }, .receive(from: second.receiver) { $0.taken() ?? 0 }) ?? 0
}

/// What one writes to send elements to tasks: an array and the tasks that wait, behind a mutex.
private final class Mailbox: Sendable {
  private struct State {
    var elements: [Int] = []
    var first = 0
    var waiting: [CheckedContinuation<Int, Never>] = []

    mutating func takeFirst() -> Int? {
      guard first < elements.count else { return nil }
      defer {
        first += 1
        if first == elements.count {
          elements.removeAll(keepingCapacity: true)
          first = 0
        }
      }
      return elements[first]
    }
  }

  private let state = Mutex(State())

  func send(_ element: Int) {
    let waiting: CheckedContinuation<Int, Never>? = state.withLock { state in
      if !state.waiting.isEmpty { return state.waiting.removeFirst() }
      state.elements.append(element)
      return nil
    }
    waiting?.resume(returning: element)
  }

  nonisolated(nonsending) func receive() async -> Int {
    if let element = state.withLock({ $0.takeFirst() }) { return element }
    return await withCheckedContinuation { continuation in
      let element: Int? = state.withLock { state in
        if let element = state.takeFirst() { return element }
        state.waiting.append(continuation)
        return nil
      }
      if let element { continuation.resume(returning: element) }
    }
  }
}
