// Changes in place that wait for something asynchronous, and go on on another thread.

import Synchronization
import TestKit
import Testing
import Weir

@testable import WeirState

/// Runs the parts of a task on whatever thread a test says.
final class ManualExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs what is there on the calling thread.
  func run() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}

/// What tasks wait for until a test opens it.
final class Gate: Sendable {
  private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

  func pass() async {
    await withCheckedContinuation { continuation in waiting.withLock { $0.append(continuation) } }
  }

  func open() {
    for continuation in waiting.withLock({ exchange(&$0, for: []) }) { continuation.resume() }
  }

  private func exchange<Value>(_ value: inout Value, for new: Value) -> Value {
    defer { value = new }
    return value
  }
}

private struct Feed: BehavioralStateContract, Sendable {
  var items = 0
  var doubled = 0

  mutating func applyRules() { doubled = 2 * items }

  mutating func load(_ gate: Gate) async {
    await gate.pass()
    items += 1
  }
}

private struct Screen: Equatable, Sendable {
  var title = ""
  var feed = Feed()
}

/// Writes into another state before it waits.
private struct Writer: Equatable, Sendable {
  var number = 0

  mutating func load(_ gate: Gate, _ write: () -> Void) async {
    write()
    await gate.pass()
    number += 1
  }
}

@Suite struct SuspendedChangesTests {
  private let gate = Gate()
  private let executor = ManualExecutor()

  /// Begins a change in place on this thread, and ends it on another one.
  private func change(_ load: @escaping (Gate) async -> Void) {
    begin(load)
    gate.open()
    onThreads(1) { [executor] _ in executor.run() }
  }

  private func begin(_ load: @escaping (Gate) async -> Void) {
    nonisolated(unsafe) let load = load
    Task(executorPreference: executor) { [gate] in await load(gate) }
    executor.run()
  }

  /// After a change that ended on another thread, the state goes on as before: on this thread, and on others.
  private func expectGoesOn(
    _ numbers: AnyPublisher<Int, Never>, _ load: @escaping (Gate) async -> Void, add: @escaping (Int) -> Void
  ) {
    let log = Log<Int>()
    numbers.sink { log.values.append($0) }.store(in: &log.cancellables)
    for _ in 0..<2 {
      change(load)
      add(10)
      onThreads(2) { _ in add(100) }
    }
    #expect(log.values == [0, 1, 11, 111, 211, 212, 222, 322, 422])
  }

  @Test func aUIStateGoesOn() {
    let state = UIState(wrappedValue: Feed())
    expectGoesOn(state.justNew(\.items), { await state.wrappedValue.load($0) }) { state.wrappedValue.items += $0 }
  }

  @Test func aManagedStateGoesOn() {
    for lock in [ManagedStateLock.synced, .absent] {
      let state = ManagedState(wrappedValue: Feed(), lock: lock)
      expectGoesOn(state.justNew(\.items), { await state.wrappedValue.load($0) }) { number in
        // Without a lock, threads have to be kept apart.
        lockOfTests.withLock { _ in state.wrappedValue.items += number }
      }
      #expect(state.wrappedValue == Feed(items: 422, doubled: 844))
    }
  }

  @Test func aValueSubjectGoesOn() {
    let subject = ValueSubject(wrappedValue: Feed())
    expectGoesOn(subject.justNew(\.items), { await subject.wrappedValue.load($0) }) { number in
      subject.withLock { $0.items += number }
    }
  }

  @Test func aBindingToAPartGoesOn() {
    let state = UIState(wrappedValue: Screen())
    let feed: UIBinding<Feed> = state.observe(\.feed)
    expectGoesOn(state.justNew(\.feed.items), { await feed.wrappedValue.load($0) }) { feed.wrappedValue.items += $0 }
  }

  @Test func aBindingWithoutPublisherGoesOn() {
    let feed = Shared(Feed())
    let binding = UIBinding(get: { feed.value }, set: { feed.value = $0 })
    expectGoesOn(binding.justNew(\.items), { await binding.wrappedValue.load($0) }) { binding.wrappedValue.items += $0 }
  }

  /// Another state's subscribers waited for ever for the end of the first thread's change.
  @Test func otherStatesOfTheFirstThreadGoOn() {
    let state = UIState(wrappedValue: Feed())
    let other = UIState(wrappedValue: 0)
    let log = Log<Int>()
    other.justNew().sink { log.values.append($0) }.store(in: &log.cancellables)
    change { await state.wrappedValue.load($0) }
    other.wrappedValue = 1
    #expect(log.values == [0, 1])
  }

  /// The task may need this very thread to go on: so a write on it neither waits nor stops the program, but is
  /// overwritten.
  @Test func aWriteOfTheThreadThatASuspendedChangeBeganOnDoesNotWait() {
    let state = UIState(wrappedValue: Feed())
    let log = Log<DiffedValue<Feed>>()
    state.publisher.sink { (change: DiffedValue<Feed>) in log.values.append(change) }.store(in: &log.cancellables)
    begin { await state.wrappedValue.load($0) }
    state.wrappedValue.items = 5
    #expect(state.wrappedValue.items == 5)
    gate.open()
    executor.run()
    #expect(log.values.map(\.new.items) == [0, 5, 1] && log.values.map(\.old?.items) == [nil, 0, 5])
  }

  /// The suspended change kept the other state's subscribers for itself: nobody's writes were published.
  private func expectGoesOn(_ numbers: AnyPublisher<Int, Never>, write: @escaping (Int) -> Void) {
    let state = UIState(wrappedValue: Writer())
    let log = Log<Int>()
    numbers.sink { log.values.append($0) }.store(in: &log.cancellables)
    // Often enough for what delivers to belong to this thread.
    for number in 1...100 { write(number) }
    begin { gate in await state.wrappedValue.load(gate) { write(101) } }
    #expect(log.values.last == 100)
    onThreads(1) { _ in write(102) }
    #expect(log.values.suffix(3) == [100, 101, 102])
    write(103)
    gate.open()
    onThreads(1) { [executor] _ in executor.run() }
    write(104)
    #expect(log.values == Array(0...104) && state.wrappedValue.number == 1)
  }

  @Test func aUIStateGoesOnThatASuspendedChangeHasWritten() {
    let other = UIState(wrappedValue: 0)
    expectGoesOn(other.justNew()) { other.wrappedValue = $0 }
  }

  @Test func aManagedStateGoesOnThatASuspendedChangeHasWritten() {
    let other = ManagedState(wrappedValue: Feed())
    expectGoesOn(other.justNew(\.items)) { other.wrappedValue.items = $0 }
  }

  @Test func aBindingWithoutPublisherGoesOnThatASuspendedChangeHasWritten() {
    let number = Shared(0)
    let other = UIBinding(get: { number.value }, set: { number.value = $0 })
    expectGoesOn(other.justNew()) { other.wrappedValue = $0 }
  }

  @Test func whatASuspendedChangeWritesIntoAnotherStateIsPublishedBehindIt() {
    let state = UIState(wrappedValue: Writer())
    let other = UIState(wrappedValue: 0)
    let log = Log<[Int]>()
    other.justNew().sink { log.values.append([$0, state.number]) }.store(in: &log.cancellables)
    change { gate in await state.wrappedValue.load(gate) { other.wrappedValue = 1 } }
    #expect(log.values == [[0, 0], [1, 1]])
  }

  /// It got nothing before the change had ended.
  @Test func whoAsksWithinADeliveryGetsWhatASuspendedChangeHasWritten() {
    let state = UIState(wrappedValue: Writer())
    let other = UIState(wrappedValue: 0)
    let slow = RecordingSubscriber<DiffedValue<Int>, Never>(.max(1))
    other.subscribe(slow)
    let log = Log<Int>()
    other.sink { (number: Int) in
      log.values.append(number)
      guard number == 1 else { return }
      begin { gate in await state.wrappedValue.load(gate) { other.wrappedValue = 2 } }
      slow.request(.max(1))
    }.store(in: &log.cancellables)
    other.wrappedValue = 1
    #expect(slow.values.map(\.new) == [0, 2] && slow.values.map(\.old) == [nil, nil])
    gate.open()
    onThreads(1) { [executor] _ in executor.run() }
    #expect(slow.values.count == 2 && log.values == [0, 1, 2] && state.number == 1)
    slow.cancel()
  }

  /// Two threads were in what delivers at the same time.
  @Test func subscribersOfAnotherStateComeAndGoWhileASuspendedChangeEnds() {
    for _ in 0..<20 {
      let state = UIState(wrappedValue: Writer())
      let other = UIState(wrappedValue: 0)
      // Often enough for what delivers to belong to this thread.
      for number in 1...100 { other.wrappedValue = number }
      begin { gate in await state.wrappedValue.load(gate) { other.wrappedValue = 0 } }
      gate.open()
      let thread = OtherThread { [executor] in executor.run() }
      for _ in 0..<100 {
        let tokens = (0..<9).map { _ in other.sink { (_: Int) in } }
        for token in tokens { token.cancel() }
      }
      #expect(thread.comesBack() && state.number == 1)
    }
  }

  /// All of them begin before one ends.
  @Test func tasksThatChangeOneStateOnOneThreadAllEnd() {
    let state = UIState(wrappedValue: Feed())
    let ended = Counter()
    for _ in 0..<4 {
      begin { gate in
        await state.wrappedValue.load(gate)
        ended.add()
      }
    }
    gate.open()
    onThreads(1) { [executor] _ in executor.run() }
    state.wrappedValue.items = 7
    #expect(ended.value == 4 && state.wrappedValue.items == 7)
  }
}

private let lockOfTests = Mutex(())
