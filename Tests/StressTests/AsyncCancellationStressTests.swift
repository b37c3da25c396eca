// Tasks that take a stream's values and are cancelled at any moment: nothing leaks, hangs, or comes afterwards.

import Foundation
import TestKit
import Testing
import Weir
import WeirExtras
import WeirQueues

@Suite(.serialized) struct AsyncCancellationStressTests {
  /// How a task takes values, or sends them.
  enum Taking: CaseIterable {
    case values, unbounded, oldest, newest, backpressure, throwing, future
    case handlers, severalHandlers, mapped, severalMapped, compactMapped, sequence
    case channel, receive, bulk, select, send
  }

  /// Tasks that take the values of a sender which never rests, each cancelled after a random while.
  @Test(arguments: Taking.allCases) func aTaskIsCancelledWhileValuesCome(_ taking: Taking) async {
    let source = Source()
    var random = SplitMix(seed: 1)
    await source.whileItWorks(for: taking) {
      for _ in 0..<cancellations / 50 {
        let takers = (0..<50).map { _ in
          Taker(source, takes: Int.random(in: 0...4, using: &random), rests: Int.random(in: 0...400, using: &random))
        }
        await withTaskGroup(of: Void.self) { group in
          for taker in takers {
            group.addTask {
              switch taking {
              case .handlers: await taker.handle(atOnce: 1)
              case .severalHandlers: await taker.handle(atOnce: 3)
              default: await taker.take(taking)
              }
            }
          }
        }
      }
    }
    #expect(source.late.value == 0)
    await source.expectNothingIsLeft()
    #expect(source.received.value == source.accepted.value)
  }

  /// A loop is left, and its iterator goes, while values come.
  @Test func aLoopIsLeftHalfWay() async {
    let source = Source()
    var random = SplitMix(seed: 2)
    await source.whileItWorks(for: .newest) {
      for _ in 0..<cancellations / 4 {
        var left = Int.random(in: 1...5, using: &random)
        var last = 0
        for await value in source.subject.values(buffering: .newest(3)) {
          if value.number <= last { source.late.add() }
          last = value.number
          left -= 1
          if left == 0 { break }
        }
      }
    }
    #expect(source.late.value == 0)
    await source.expectNothingIsLeft()
  }

  /// The stream ends, and one task is cancelled, in either order, while two tasks wait for values of one subscription.
  @Test func theStreamEndsWhileTasksWait() async {
    var random = SplitMix(seed: 3)
    for _ in 0..<2 * cancellations / 5 {
      let puller = PullSubscriber<Int, TestFailure>(.unbounded)
      let subject = PassthroughSubject<Int, TestFailure>()
      subject.subscribe(puller)
      let tasks = (0..<2).map { _ in Task { await outcome(of: puller) } }
      let (sends, cancels) = (Bool.random(using: &random), Bool.random(using: &random))
      let fails = Bool.random(using: &random)
      if sends { subject.send(1) }
      if cancels { tasks[0].cancel() }
      subject.send(completion: fails ? .failure(.first) : .finished)
      let outcomes = await [tasks[0].value, tasks[1].value]
      let (taken, told) = (outcomes.map(\.taken).reduce(0, +), outcomes.filter(\.isTold).count)
      // The cancellation drops what has not been taken, the failure among it.
      #expect(taken == (sends ? 1 : 0) || cancels && taken == 0, "one task takes the value")
      #expect(told == (fails ? 1 : 0) || cancels && told == 0, "one task is told of the failure")
    }
  }
}

/// How many tasks are cancelled that take values, in all ways together.
#if DEBUG
  private let usual = 13_500
#else
  private let usual = 1_350_000
#endif
private let wanted = ProcessInfo.processInfo.environment["STRESS_CANCELLATIONS"].flatMap(Int.init) ?? usual
/// As many for each way, in whole groups of 50.
private let cancellations = {
  let group = 50 * AsyncCancellationStressTests.Taking.allCases.count
  return max(1, (wanted + group - 1) / group) * 50
}()

/// Takes all values.
private func outcome(of puller: PullSubscriber<Int, TestFailure>) async -> (taken: Int, isTold: Bool) {
  var taken = 0
  do throws(TestFailure) {
    while try await puller.next() != nil { taken += 1 }
    return (taken, false)
  } catch {
    return (taken, true)
  }
}

/// Sends numbered objects, or receives those of others, as long as it is told to.
private final class Source: Sendable {
  let subject = PassthroughSubject<LifetimeTracked, Never>()
  let channel = Channel<LifetimeTracked>(minimumCapacity: 4)
  /// The number of the object that was sent last, or is being sent.
  let newest = Counter()
  /// Objects that came to somebody who had been cancelled before they were sent.
  let late = Counter()
  /// How many objects others have sent to the channel.
  let accepted = Counter()
  /// How many of those came.
  let received = Counter()
  private let lifetimes = Lifetimes()
  private let isOver = Counter()

  func whileItWorks(for taking: AsyncCancellationStressTests.Taking, _ body: () async -> Void) async {
    let worker = Task.detached {
      while self.isOver.value == 0 {
        let number = self.newest.add()
        switch taking {
        case .channel, .receive, .bulk, .select: _ = self.channel.sender.trySend(self.lifetimes.track(number))
        case .send: if self.channel.receiver.tryReceive().taken() != nil { self.received.add() }
        default: self.subject.send(self.lifetimes.track(number))
        }
        if number % 64 == 0 { await Task.yield() }
      }
    }
    await body()
    isOver.add()
    await worker.value
    channel.receiver.drain { _ in if taking == .send { received.add() } }
  }

  /// Sends one object to the channel.
  ///
  /// - Returns: Whether it was accepted.
  func send() async -> Bool {
    let isAccepted = await channel.sender.send(lifetimes.track()).isTaken
    if isAccepted { accepted.add() }
    return isAccepted
  }

  /// The next object that the subject is sent.
  func future() -> Future<LifetimeTracked, Never> {
    Future { [subject] promise in
      subject.first().subscribe(Subscribers.Sink(receiveCompletion: { _ in }, receiveValue: { promise(.success($0)) }))
    }
  }

  /// Waits until handlers have ended that were cancelled, and fails if an object is never freed.
  func expectNothingIsLeft() async {
    for _ in 0..<1_000_000 where lifetimes.live > 0 { await Task.yield() }
    #expect(lifetimes.live == 0)
  }
}

/// Takes a source's objects, is cancelled after some, and notices those that were sent after that.
private final class Taker: Sendable {
  private let source: Source
  private let wanted: Int
  private let pause: Int
  private let taken = Counter()
  /// What was the newest object when it had been cancelled.
  private let newest = Counter(.max)

  init(_ source: Source, takes wanted: Int, rests pause: Int) {
    self.source = source
    self.wanted = wanted
    self.pause = pause
  }

  /// Takes its time, so that objects are there when it comes back.
  private func note(_ object: LifetimeTracked) {
    if object.number > newest.value { source.late.add() }
    rest(for: 300)
    taken.add()
  }

  private func rest(for pause: Int) { for _ in 0..<pause { _ = newest.value } }

  /// Comes back at a moment between two objects, or within one.
  private func untilTheEnd() async {
    while taken.value < wanted { await Task.yield() }
    rest(for: pause)
  }

  /// Takes objects in a task that is cancelled.
  func take(_ taking: AsyncCancellationStressTests.Taking) async {
    let task = Task {
      switch taking {
      case .channel, .receive, .bulk, .select: await takeFromChannel(taking)
      case .send: while !Task.isCancelled { if await source.send() { taken.add() } }
      case .future:
        // A wait for a future isn't ended by the cancellation.
        var isAllowedOne = true
        while !Task.isCancelled { note(await source.future().value, unless: &isAllowedOne) }
      default: await takeFromSubject(taking)
      }
    }
    await untilTheEnd()
    task.cancel()
    newest.set(source.newest.value)
    await task.value
  }

  private func takeFromSubject(_ taking: AsyncCancellationStressTests.Taking) async {
    let subject = source.subject
    switch taking {
    case .unbounded: for await object in subject.values(buffering: .unbounded) { note(object) }
    case .oldest: for await object in subject.values(buffering: .oldest(2)) { note(object) }
    case .newest: for await object in subject.values(buffering: .newest(2)) { note(object) }
    case .backpressure: for await object in subject.values(buffering: .backpressure(2)) { note(object) }
    case .throwing:
      do {
        for try await object in subject.setFailureType(to: TestFailure.self).values { note(object) }
      } catch {}
    case .mapped:
      for await object in subject.mapAsync(buffering: .newest(2), { $0 }).values { note(object) }
    case .severalMapped:
      for await object in subject.mapAsync(maxConcurrent: 3, buffering: .newest(2), { $0 }).values { note(object) }
    case .compactMapped:
      let even = subject.compactMapAsync(buffering: .newest(2)) { $0.number % 2 == 0 ? $0 : nil }
      for await object in even.values { note(object) }
    case .sequence:
      do {
        let elements = subject.values(buffering: .newest(2))
        for try await object in AnyPublisher.fromAsyncSequence(elements).values { note(object) }
      } catch {}
    default: for await object in subject.values { note(object) }
    }
  }

  /// The call that looks for an element while the task is cancelled may still take one; no other call may.
  private func takeFromChannel(_ taking: AsyncCancellationStressTests.Taking) async {
    let receiver = source.channel.receiver
    var isAllowedOne = true
    switch taking {
    case .receive:
      while !Task.isCancelled, let object = await receiver.receive().taken() { note(object, unless: &isAllowedOne) }
    case .bulk:
      var objects: [LifetimeTracked] = []
      while !Task.isCancelled, await receiver.receive(atMost: 3, into: &objects) > 0 {
        let areLate = objects.contains { $0.number > newest.value }
        if areLate, !isAllowedOne { source.late.add() }
        if areLate { isAllowedOne = false }
        rest(for: 300)
        taken.add(objects.count)
        objects = []
      }
    case .select:
      while !Task.isCancelled, let object = await select(.receive(from: receiver) { $0.taken() }) ?? nil {
        note(object, unless: &isAllowedOne)
      }
    default: for await object in receiver { note(object, unless: &isAllowedOne) }
    }
  }

  /// Notes an object, or lets it pass if it is the one that may be late.
  private func note(_ object: LifetimeTracked, unless isAllowedOne: inout Bool) {
    if object.number > newest.value, isAllowedOne {
      isAllowedOne = false
      taken.add()
    } else {
      note(object)
    }
  }

  /// Handles objects, until that is cancelled.
  func handle(atOnce limit: Int) async {
    let token = source.subject.sinkAsync(maxConcurrent: limit) { object in self.note(object) }
    await untilTheEnd()
    token.cancel()
    newest.set(source.newest.value)
  }
}
