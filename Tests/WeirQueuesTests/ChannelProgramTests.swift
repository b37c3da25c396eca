// Random programs of tasks and of threads that wait at one channel, or with `select` at several, held to what is true
// in whatever order their steps go.

import TestKit
import Testing

@testable import WeirQueues

@Suite struct ChannelProgramTests {
  private let lifetimes = Lifetimes()

  /// Tasks, of which some are cancelled meanwhile.
  @Test func tasksLoseNothing() async {
    for seed in programSeedsOfThreads where seed % 2 == 0 {
      let program = ChannelProgram(seed: seed, lifetimes)
      let tasks = program.workers.map { worker in Task { await program.run(worker) } }
      if seed % 4 == 0 {
        for _ in 0..<seed % 7 { await Task.yield() }
        tasks[Int(seed % UInt64(tasks.count))].cancel()
      }
      for task in tasks { await task.value }
      guard isRight(program.problem(), seed: seed) else { return }
    }
  }

  /// Threads, which sleep.
  @Test func threadsLoseNothing() {
    for seed in programSeedsOfThreads where seed % 2 == 1 {
      let program = ChannelProgram(seed: seed, lifetimes)
      onThreads(program.workers.count) { program.runBlocking($0) }
      guard isRight(program.problem(), seed: seed) else { return }
    }
  }

  private func isRight(_ problem: String?, seed: UInt64) -> Bool {
    let live = lifetimes.live
    #expect(problem == nil && live == 0, "seed \(seed)")
    return problem == nil && live == 0
  }
}

/// Channels, and what senders and receivers do with them.
///
/// None waits for ever: a sender waits only while no open channel has room, a receiver only while none has elements,
/// and the last one of either closes all.
private final class ChannelProgram: @unchecked Sendable {
  private let seed: UInt64
  private let lifetimes: Lifetimes
  private let channels: [Channel<LifetimeTracked>]
  private let senders: Int
  /// By worker and channel.
  private let ledgers: [Shared<[QueueLedger]>]
  private let running: [Counter]

  var workers: Range<Int> { ledgers.indices }

  init(seed: UInt64, _ lifetimes: Lifetimes) {
    self.seed = seed
    self.lifetimes = lifetimes
    var random = SplitMix(seed: seed)
    let count = Bool.random(using: &random) ? 1 : Int.random(in: 2..<4, using: &random)
    channels = (0..<count).map { _ in
      let capacity = Int.random(in: 0..<4, using: &random)
      return capacity == 0 ? Channel() : Channel(minimumCapacity: capacity)
    }
    senders = Int.random(in: 1..<3, using: &random)
    let receivers = Int.random(in: 1..<3, using: &random)
    ledgers = (0..<senders + receivers).map { _ in Shared(Array(repeating: QueueLedger(), count: count)) }
    running = [Counter(senders), Counter(receivers)]
  }

  /// What a worker goes by.
  private struct Worker {
    let number: Int
    var random: SplitMix
    var next: Int

    mutating func element(_ lifetimes: Lifetimes) -> LifetimeTracked {
      next += 1
      return lifetimes.track(next)
    }
  }

  private func worker(_ number: Int) -> Worker {
    Worker(number: number, random: SplitMix(seed: seed << 2 | UInt64(number)), next: number << 16)
  }

  func run(_ number: Int) async {
    var worker = worker(number)
    for _ in 0..<6 {
      guard let wait = step(&worker) else { continue }
      let isCancelled = await wait.run()
      // One that was cancelled goes on with what does not wait.
      wait.ledgers.value[0].check(!isCancelled || Task.isCancelled, "it did not wait")
    }
    leave(number)
  }

  func runBlocking(_ number: Int) {
    var worker = worker(number)
    for _ in 0..<6 {
      guard let wait = step(&worker) else { continue }
      let isOver = wait.runBlocking()
      wait.ledgers.value[0].check(!isOver, "it did not wait")
    }
    leave(number)
  }

  private func leave(_ number: Int) {
    if running[number < senders ? 0 : 1].add(-1) > 0 { return }
    for channel in channels { number < senders ? channel.sender.close() : channel.receiver.close() }
  }

  /// Does a step that does not wait.
  ///
  /// - Returns: What to wait for instead.
  private func step(_ worker: inout Worker) -> Wait? {
    let ledgers = ledgers[worker.number]
    let place = Int.random(in: channels.indices, using: &worker.random)
    let (channel, sends) = (channels[place], worker.number < senders)
    if Int.random(in: 0..<64, using: &worker.random) == 0 {
      sends ? channel.sender.close() : channel.receiver.close()
      ledgers.value[place].close()
    }
    switch Int.random(in: 1..<20, using: &worker.random) {
    case 1..<4 where sends:
      let element = worker.element(lifetimes)
      ledgers.value[place].add(element, channel.sender.trySend(element), mayBeFull: channel.sender.capacity != nil)
    case 4..<6 where sends:
      let element = worker.element(lifetimes)
      ledgers.value[place].add(element, channel.sender.sendReplacing(element))
    case 6..<9 where sends:
      let batch = (0..<Int.random(in: 0..<4, using: &worker.random)).map { _ in worker.element(lifetimes) }
      ledgers.value[place].add(batch.prefix(channel.sender.trySend(contentsOf: batch[...])))
    case 1..<4:
      switch channel.receiver.tryReceive() {
      case .element(let element): ledgers.value[place].take([element])
      case .empty: break
      case .closed: ledgers.value[place].end()
      }
    case 4..<9:
      var taken: [LifetimeTracked] = []
      let limit = Int.random(in: 0..<4, using: &worker.random)
      let count =
        Bool.random(using: &worker.random)
        ? channel.receiver.tryReceive(atMost: limit, into: &taken)
        : channel.receiver.drain(atMost: limit) { taken.append($0) }
      ledgers.value[place].check(count == taken.count, "\(count) instead of \(taken.count)")
      ledgers.value[place].take(taken)
    default: return wait(&worker)
    }
    return nil
  }

  /// What a worker waits for: one channel by its own operation, or any of them by `select`.
  private func wait(_ worker: inout Worker) -> Wait? {
    let (ledgers, sends) = (ledgers[worker.number], worker.number < senders)
    if channels.count == 1, Bool.random(using: &worker.random) {
      if sends { return .send(worker.element(lifetimes), channels[0].sender, ledgers) }
      return .receive(channels[0].receiver, Int.random(in: 0..<3, using: &worker.random), ledgers)
    }
    var choices: [Choice<Void>] = []
    // Where it does what the others do, too.
    let other = Int.random(in: 0..<6, using: &worker.random)
    for (place, channel) in channels.enumerated().shuffled(using: &worker.random) {
      if sends || place == other, !ledgers.value[place].isShut {
        let element = worker.element(lifetimes)
        choices.append(.send(element, to: channel.sender) { ledgers.value[place].add(element, $0, mayBeFull: false) })
      }
      if !sends || place == other, !ledgers.value[place].isDrained {
        choices.append(.receive(from: channel.receiver) { Wait.note($0, &ledgers.value[place]) })
      }
    }
    return choices.isEmpty ? nil : .select(choices, ledgers)
  }

  func problem() -> String? {
    for (place, channel) in channels.enumerated() {
      guard channel.sender.isClosed, channel.receiver.isClosed else { return "it is open again" }
      let element = lifetimes.track(-1)
      guard case .closed(let back) = channel.sender.trySend(element), back === element else { return "not given back" }
      let count = channel.receiver.count
      var rest: [LifetimeTracked] = []
      channel.receiver.tryReceive(atMost: .max, into: &rest)
      guard rest.count == count, channel.receiver.tryReceive() == .closed else { return "\(rest.count), not \(count)" }
      let all = ledgers.map { $0.value[place] }
      if let problem = QueueLedger.problem(all, rest: rest.map(\.number), producer: { $0 >> 16 }) { return problem }
    }
    return nil
  }
}

/// Something to wait for.
private enum Wait {
  case send(LifetimeTracked, Channel<LifetimeTracked>.Sender, Shared<[QueueLedger]>)
  /// The number is that of the way.
  case receive(Channel<LifetimeTracked>.Receiver, Int, Shared<[QueueLedger]>)
  case select([Choice<Void>], Shared<[QueueLedger]>)

  var ledgers: Shared<[QueueLedger]> {
    switch self {
    case .send(_, _, let ledgers), .receive(_, _, let ledgers), .select(_, let ledgers): ledgers
    }
  }

  static func note(_ received: Received<LifetimeTracked>, _ ledger: inout QueueLedger) {
    switch received {
    case .element(let element): ledger.take([element])
    case .empty: ledger.check(false, "nothing was chosen")
    case .closed: ledger.end()
    }
  }

  /// - Returns: Whether it came back without anything, as only cancelled tasks do.
  func run() async -> Bool {
    switch self {
    case .send(let element, let sender, let ledgers):
      let offer = await sender.send(element)
      ledgers.value[0].add(element, offer, mayBeFull: sender.capacity != nil)
      if case .full = offer { return true }
    case .receive(let receiver, 0, let ledgers):
      let received = await receiver.receive()
      if received.isEmpty { return true }
      Wait.note(received, &ledgers.value[0])
    case .receive(let receiver, 1, let ledgers):
      var taken: [LifetimeTracked] = []
      let count = await receiver.receive(atMost: 3, into: &taken)
      ledgers.value[0].check(count == taken.count && count <= 3, "\(count) of 3 taken")
      ledgers.value[0].take(taken)
      return count == 0 && !receiver.isClosed
    case .receive(let receiver, _, let ledgers):
      for await element in receiver {
        ledgers.value[0].take([element])
        if element.number % 2 == 0 { break }
      }
    case .select(let choices, _):
      switch choices.count {
      case 1: return await WeirQueues.select(choices[0]) == nil
      case 2: return await WeirQueues.select(choices[0], choices[1]) == nil
      case 3: return await WeirQueues.select(choices[0], choices[1], choices[2]) == nil
      default: return await WeirQueues.select(choices[0], choices[1], choices[2], choices[3]) == nil
      }
    }
    return false
  }

  /// - Returns: Whether it came back without anything, which is wrong.
  func runBlocking() -> Bool {
    switch self {
    case .send(let element, let sender, let ledgers):
      ledgers.value[0].add(element, sender.sendBlocking(element), mayBeFull: false)
    case .receive(let receiver, let way, let ledgers):
      let received = way == 0 ? receiver.receiveBlocking() : receiver.receiveBlocking(for: .seconds(1_000))
      if received.isEmpty { return true }
      Wait.note(received, &ledgers.value[0])
    case .select(let choices, _):
      switch choices.count {
      case 1: return selectBlocking(choices[0]) == nil
      case 2: return selectBlocking(choices[0], choices[1]) == nil
      case 3: return selectBlocking(choices[0], choices[1], choices[2]) == nil
      default: return selectBlocking(choices[0], choices[1], choices[2], choices[3]) == nil
      }
    }
    return false
  }
}
