// Tests of waiting for several channels: which choice is made, what becomes of the others, cancelling, and time limits.

import TestKit
import Testing

@testable import WeirQueues

@Suite struct SelectionTests {
  private let lifetimes = Lifetimes()
  private let one = Channel<Int>(minimumCapacity: 1)
  private let two = Channel<String>(minimumCapacity: 1)

  private func selected() async -> String? {
    await select(
      .receive(from: one.receiver) { "one \($0)" },
      .receive(from: two.receiver) { "two \($0)" })
  }

  @Test func theFirstThatIsReadyIsChosen() async {
    _ = two.sender.trySend("a")
    #expect(await selected() == #"two element("a")"#)
    _ = two.sender.trySend("b")
    _ = one.sender.trySend(1)
    #expect(await selected() == "one element(1)")
    #expect(await selected() == #"two element("b")"#)
    #expect(one.receiver.isEmpty && two.receiver.isEmpty)
  }

  @Test func aClosedChannelIsReady() async {
    two.sender.close()
    #expect(await selected() == "two closed")
  }

  @Test func aTaskWaitsForAnyOfThem() async {
    let task = Task { [await selected(), await selected()] }
    await Task.yield()
    _ = two.sender.trySend("a")
    while !two.receiver.isEmpty { await Task.yield() }
    _ = one.sender.trySend(1)
    #expect(await task.value == [#"two element("a")"#, "one element(1)"])
  }

  @Test func roomIsAChoice() async {
    #expect(one.sender.trySend(1).isTaken)
    let full = await select(
      .send(2, to: one.sender) { "sent \($0)" },
      .receive(from: one.receiver) { "received \($0)" })
    #expect(full == "received element(1)")
    let empty = await select(
      .send(3, to: one.sender) { "sent \($0)" },
      .receive(from: one.receiver) { "received \($0)" })
    #expect(empty == "sent taken")
    #expect(one.receiver.tryReceive() == .element(3))
    one.receiver.close()
    let closed = await select(.send(4, to: one.sender) { "sent \($0)" })
    #expect(closed == "sent closed(4)")
  }

  @Test func whatIsNotSentIsFreed() async {
    let full = Channel<LifetimeTracked>(minimumCapacity: 1)
    #expect(full.sender.trySend(lifetimes.track(1)).isTaken)
    _ = one.sender.trySend(1)
    await select(.send(lifetimes.track(2), to: full.sender) { _ in }, .receive(from: one.receiver) { _ in })
    #expect(lifetimes.live == 1)
    #expect(full.receiver.tryReceive().taken()?.number == 1)
    #expect(lifetimes.live == 0)
  }

  @Test func aCancelledTaskGetsNothing() async {
    let task = Task { await selected() }
    await Task.yield()
    task.cancel()
    #expect(await task.value == nil)
    // It has left the lines: the next one is woken.
    let next = Task { await selected() }
    await Task.yield()
    _ = one.sender.trySend(1)
    #expect(await next.value == "one element(1)")
  }

  /// The main actor is busy, so that the cancelled task doesn't run.
  @MainActor
  @Test(arguments: [false, true]) func aCancelledSelectLeavesTheLinesAtOnce(isWoken: Bool) async {
    let (ones, twos) = (one.receiver.core.waiters, two.receiver.core.waiters)
    let first = Task { await selected() }
    while twos.count.relaxedLoad() < 1 { await Task.yield() }
    let second = Task { await one.receiver.receive() }
    while ones.count.relaxedLoad() < 2 { await Task.yield() }
    if isWoken { #expect(one.sender.trySend(1) == .taken) }
    first.cancel()
    if !isWoken {
      #expect(ones.count.relaxedLoad() == 1)
      #expect(one.sender.trySend(1) == .taken)
    }
    #expect([ones, twos].map { $0.count.relaxedLoad() } == [0, 0])
    #expect(await first.value == nil)
    #expect(await second.value == .element(1))
  }

  /// The main actor is busy, so that the task that one channel has woken doesn't run:
  /// another channel wakes the next one.
  @MainActor
  @Test func aSelectThatIsWokenTakesNoOtherWakeUp() async {
    let (ones, twos) = (one.receiver.core.waiters, two.receiver.core.waiters)
    let first = Task { await selected() }
    while twos.count.relaxedLoad() < 1 { await Task.yield() }
    let second = Task { await two.receiver.receive() }
    while twos.count.relaxedLoad() < 2 { await Task.yield() }
    #expect(one.sender.trySend(1) == .taken)
    #expect(two.sender.trySend("a") == .taken)
    #expect([ones, twos].map { $0.count.relaxedLoad() } == [0, 0])
    #expect(await first.value == "one element(1)")
    #expect(await second.value == .element("a"))
  }

  @Test func whoReceivesHasTheElementAlone() async {
    final class Box: Sendable {}
    let channel = Channel<Box>(minimumCapacity: 1)
    #expect(channel.sender.trySend(Box()).isTaken)
    func isAlone(_ received: consuming Received<Box>) -> Bool {
      var box = received.taken()
      return isKnownUniquelyReferenced(&box)
    }
    #expect(await select(.receive(from: channel.receiver, isAlone)) == true)
  }

  /// It is in nobody's hands but those of the body: a choice is for one call.
  @Test func aChoiceKeepsNoElement() {
    let channel = Channel<LifetimeTracked>(minimumCapacity: 1)
    #expect(channel.sender.trySend(lifetimes.track(1)).isTaken)
    let choice = Choice.receive(from: channel.receiver) { $0.taken()?.number }
    #expect(selectBlocking(choice) == 1)
    #expect(lifetimes.live == 0)
    withExtendedLifetime(choice) {}
  }

  /// Its element has been given back.
  @Test func aChoiceThatWasRefusedIsNeverMadeAgain() {
    one.sender.close()
    let choice = Choice.send(1, to: one.sender) { "\($0)" }
    #expect(selectBlocking(choice) == "closed(1)")
    #expect(selectBlocking(for: .zero, choice) == nil)
  }

  /// It was woken for room that it had no use for, and the sender behind it was not.
  @MainActor
  @Test func aChoiceThatIsNeverMadeStandsInNoLine() async throws {
    let (ones, twos) = (one.receiver.core.waiters, two.receiver.core.waiters)
    let first = Task {
      let choice = Choice.send(1, to: one.sender) { "sent \($0)" }
      return [await select(choice), await select(choice, .receive(from: two.receiver) { "two \($0)" })]
    }
    while twos.count.relaxedLoad() < 1 { await Task.yield() }
    try #require(ones.count.relaxedLoad() == 0)
    let second = Task { await one.sender.send(2) }
    while ones.count.relaxedLoad() < 1 { await Task.yield() }
    #expect(one.receiver.tryReceive() == .element(1))
    #expect(await second.value == .taken)
    #expect(two.sender.trySend("a") == .taken)
    #expect(await first.value == ["sent taken", #"two element("a")"#])
  }

  @Test func aTimeThatIsOver() {
    let nothing = selectBlocking(
      for: .nanoseconds(1), .receive(from: one.receiver) { _ in 1 }, .receive(from: two.receiver) { _ in 2 })
    #expect(nothing == nil)
    _ = one.sender.trySend(1)
    let something = selectBlocking(
      for: .zero, .receive(from: one.receiver) { _ in 1 }, .receive(from: two.receiver) { _ in 2 })
    #expect(something == 1)
  }

  /// Each element goes to one of those that wait, however they wait, and nobody waits for ever.
  @Test func manyThreadsChooseAmongThem() {
    let channels = (0..<3).map { _ in Channel<Int>(minimumCapacity: 2) }
    let received = (0..<3).map { _ in Shared([Int]()) }
    let finished = Counter()
    onThreads(6) { thread in
      if thread < 3 {
        for number in 0..<2_000 {
          // Where there is no room, another channel does.
          let (first, second) = (channels[thread].sender, channels[(thread + 1) % 3].sender)
          let element = 3 * number + thread
          selectBlocking(.send(element, to: first) { _ in }, .send(element, to: second) { _ in })
        }
        if finished.add() == 3 { for channel in channels { channel.sender.close() } }
        return
      }
      var open = channels.map(\.receiver)
      while !open.isEmpty {
        if open.count == 3 {
          selectBlocking(
            .receive(from: open[0]) { note($0, 0) }, .receive(from: open[1]) { note($0, 1) },
            .receive(from: open[2]) { note($0, 2) })
        } else {
          selectBlocking(.receive(from: open[0]) { note($0, 0) })
        }
        func note(_ element: Received<Int>, _ place: Int) {
          if let element = element.taken() {
            received[thread - 3].value.append(element)
          } else {
            open.remove(at: place)
          }
        }
      }
    }
    #expect(received.flatMap(\.value).sorted() == Array(0..<6_000))
  }
}
