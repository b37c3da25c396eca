// Snippets of everyday use: actors that subscribe, subjects that several share, closures that any thread may call.

import Combine
import Foundation
import WeirExtras

nonisolated enum Bus {
  static let messages = PassthroughSubject<String, Never>()
  static let level = CurrentValueSubject<Int, Never>(0)
  static let history = ReplaySubject<Int, Never>(bufferSize: 2)
  static let relay = PassthroughRelay<Int>()
  static let mode = CurrentValueRelay<String>("idle")
  static let isOpen = PublishedState(wrappedValue: false)
}

/// What this project calls the main scheduler: it goes before the library's.
extension Scheduler where Self == UIScheduler {
  fileprivate nonisolated static var main: UIScheduler { .shared }
}

actor Tally {
  private(set) var count = 0
  private(set) var values: [Int] = []
  private var tokens: Set<AnyCancellable> = []

  func follow(_ numbers: PassthroughSubject<Int, Never>) {
    numbers
      .receive(on: ActorScheduler(self))
      .sink { [weak self] number in self?.assumeIsolated { $0.values.append(number) } }
      .store(in: &tokens)
  }

  func followInTasks(_ numbers: PassthroughSubject<Int, Never>) {
    numbers.sinkAsync { [weak self] in await self?.add($0) }.store(in: &tokens)
  }

  func countMessages() {
    Bus.messages
      .receive(on: ActorScheduler(self), options: .batches())
      .sink { [weak self] _ in self?.assumeIsolated { $0.count += 1 } }
      .store(in: &tokens)
  }

  func stop() { tokens = [] }

  func add(_ number: Int) { values.append(number) }
}

@globalActor
actor Storage {
  static let shared = Storage()
}

@Storage
final class Archive {
  private(set) var kept: [Int] = []
  private var token: AnyCancellable?

  nonisolated init() {}

  func follow(_ numbers: PassthroughSubject<Int, Never>) {
    token = numbers.receive(on: ActorScheduler(Storage.shared)).sink { [weak self] in self?.kept.append($0) }
  }
}

/// A service that any task may use: subjects are `Sendable`.
nonisolated final class Prices: Sendable {
  private let subject = CurrentValueSubject<Double, Never>(0)

  var latest: Double { subject.value }
  var all: AnyPublisher<Double, Never> { subject.eraseToAnyPublisher() }

  func update(_ price: Double) { subject.send(price) }
}

/// An executor of one's own.
nonisolated final class QueueExecutor: SerialExecutor {
  let queue = DispatchQueue(label: "executor")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}

@MainActor
enum ActorSnippets {
  static var all: [Snippet] {
    [
      Snippet("an actor follows a subject", expected: "[1, 2, 3]") {
        let numbers = PassthroughSubject<Int, Never>()
        let tally = Tally()
        await tally.follow(numbers)
        for number in 1...3 { numbers.send(number) }
        while await tally.values.count < 3 { await Task.yield() }
        return "\(await tally.values)"
      },
      Snippet("an actor follows a subject in tasks", expected: "[1, 2, 3]") {
        let numbers = PassthroughSubject<Int, Never>()
        let tally = Tally()
        await tally.followInTasks(numbers)
        for number in 1...3 { numbers.send(number) }
        while await tally.values.count < 3 { await Task.yield() }
        return "\(await tally.values)"
      },
      Snippet("an actor is asked by several handlers at once", expected: "[1, 2, 3]") {
        let numbers = PassthroughSubject<Int, Never>()
        let tally = Tally()
        let token = numbers.sinkAsync(maxConcurrent: 2) { await tally.add($0) }
        for number in 1...3 { numbers.send(number) }
        while await tally.values.count < 3 { await Task.yield() }
        token.cancel()
        return "\(await tally.values.sorted())"
      },
      Snippet("an actor counts what ten tasks send", expected: "100") {
        let tally = Tally()
        await tally.countMessages()
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<10 { group.addTask { for number in 0..<10 { Bus.messages.send("\(number)") } } }
        }
        while await tally.count < 100 { await Task.yield() }
        await tally.stop()
        return "\(await tally.count)"
      },
      Snippet("an actor that follows is freed", expected: "true") {
        let numbers = PassthroughSubject<Int, Never>()
        weak var freed: Tally?
        do {
          let tally = Tally()
          await tally.follow(numbers)
          freed = tally
        }
        numbers.send(1)
        await until { freed == nil }
        return "\(freed == nil)"
      },
      Snippet("a class of a global actor", expected: "[1, 2]") {
        let numbers = PassthroughSubject<Int, Never>()
        let archive = Archive()
        await archive.follow(numbers)
        numbers.send(1)
        numbers.send(2)
        while await archive.kept.count < 2 { await Task.yield() }
        return "\(await archive.kept)"
      },
      Snippet("an executor of one's own", expected: "executor") {
        let executor = QueueExecutor()
        let scheduler = ActorScheduler(executor: executor)
        let label = await withCheckedContinuation { continuation in
          scheduler.schedule { @Sendable in
            dispatchPrecondition(condition: .onQueue(executor.queue))
            continuation.resume(returning: executor.queue.label)
          }
        }
        return label
      },
      Snippet("a static subject, sent to from a task", expected: "hello") {
        async let first = Bus.messages.values(buffering: .unbounded).first { @Sendable _ in true }
        let sender = Task {
          while !Task.isCancelled {
            Bus.messages.send("hello")
            await Task.yield()
          }
        }
        let message = await first
        sender.cancel()
        return message ?? "nothing"
      },
      Snippet("a static value, read and written by tasks", expected: "10") {
        await withTaskGroup(of: Void.self) { group in
          for number in 1...10 { group.addTask { Bus.level.value = max(Bus.level.value, number == 10 ? 10 : 0) } }
        }
        Bus.level.send(10)
        return "\(Bus.level.value)"
      },
      Snippet("a static replay", expected: "[2, 3]") {
        for number in 1...3 { Bus.history.send(number) }
        var seen: [Int] = []
        let token = Bus.history.sink { seen.append($0) }
        token.cancel()
        return "\(seen)"
      },
      Snippet("a static relay", expected: "[1]") {
        var seen: [Int] = []
        let token = Bus.relay.sink { seen.append($0) }
        Bus.relay.accept(1)
        token.cancel()
        return "\(seen)"
      },
      Snippet("a static mode", expected: "busy") {
        await Task.detached { Bus.mode.accept("busy") }.value
        return Bus.mode.value
      },
      Snippet("a static state", expected: "[true, false]") {
        await Task.detached { Bus.isOpen.wrappedValue = true }.value
        var seen: [Bool] = []
        let token = Bus.isOpen.projectedValue.sink { seen.append($0) }
        Bus.isOpen.wrappedValue = false
        token.cancel()
        return "\(seen)"
      },
      Snippet("a main of one's own", expected: "UIScheduler, at once: [1]") {
        let numbers = Just(1).receive(on: .main)
        var seen: [Int] = []
        let token = numbers.sink { seen.append($0) }
        defer { token.cancel() }
        return "\(type(of: numbers.scheduler)), at once: \(seen)"
      },
      Snippet("a service that any task may use", expected: "3.5") {
        let prices = Prices()
        await Task.detached { prices.update(3.5) }.value
        return "\(prices.latest)"
      },
      Snippet("a token that another task cancels", expected: "0") {
        let numbers = PassthroughSubject<Int, Never>()
        var seen = 0
        let token = numbers.sink { _ in seen += 1 }
        await Task.detached { token.cancel() }.value
        numbers.send(1)
        return "\(seen)"
      },
      Snippet("a closure that any thread may call", expected: "true") {
        let numbers = PassthroughSubject<Int, Never>()
        let called = CurrentValueSubject<Bool, Never>(false)
        let token = numbers.sink { @Sendable _ in called.send(true) }
        await Task.detached { numbers.send(1) }.value
        token.cancel()
        return "\(called.value)"
      },
      Snippet("transforms that any thread may call", expected: "[2, 4]") {
        let numbers = PassthroughSubject<Int, Never>()
        var seen: [Int] = []
        let token =
          numbers
          .filter { @Sendable number in number < 3 }
          .map { @Sendable number in 2 * number }
          .receive(on: MainActor.shared)
          .sink { seen.append($0) }
        await Task.detached { for number in 1...3 { numbers.send(number) } }.value
        await until { seen.count == 2 }
        token.cancel()
        return "\(seen)"
      },
      Snippet("a repetition on the main actor", expected: "true") {
        var runs = 0
        let token = MainActor.shared.schedule(after: MainActor.shared.now, interval: .milliseconds(1)) { runs += 1 }
        await until { runs > 2 }
        token.cancel()
        let before = runs
        await Task.yield()
        return "\(runs == before)"
      },
      Snippet("actions on the main actor in order", expected: "[0, 1, 2, 3]") {
        var order: [Int] = []
        for number in 0..<3 { MainActor.shared.schedule { order.append(number) } }
        MainActor.shared.schedule(after: MainActor.shared.now.advanced(by: .milliseconds(1))) { order.append(3) }
        let before = order
        await until { order.count == 4 }
        return before.isEmpty ? "\(order)" : "ran at once"
      },
      Snippet("a store that several actors share", expected: "2") {
        let store = CancellableStore()
        let numbers = PassthroughSubject<Int, Never>()
        let calls = CurrentValueSubject<Int, Never>(0)
        for _ in 0..<2 { store.store(numbers.sink { @Sendable _ in calls.value += 1 }) }
        await Task.detached { numbers.send(1) }.value
        store.cancelAll()
        numbers.send(2)
        return "\(calls.value)"
      },
    ]
  }
}
