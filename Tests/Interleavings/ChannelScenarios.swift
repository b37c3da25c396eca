// Channels: no wake-up is lost, no element either, and whoever waits learns that it is closed.

import WeirQueues
import WeirVerify

let channelScenarios = [
  Scenario("channel/blocking", bound: 2) { run in
    let channel = Channel<Payload>(minimumCapacity: 1)
    let ends = ChannelEnds(run, channel)
    run.thread("sender") { (11...12).forEach { ends.send($0) } }
    run.thread("receiver") { ends.receive(2) }
    run.check { ends.expectAll([11, 12]) }
  },
  Scenario("channel/two-receivers", bound: 2) { run in
    let channel = Channel<Payload>(minimumCapacity: 2)
    let ends = ChannelEnds(run, channel)
    run.thread("sender") {
      (11...12).forEach { number in ends.taken.put(number) { channel.sender.trySend($0).isTaken } }
    }
    for receiver in 1...2 { run.thread("receiver \(receiver)") { ends.receive(1) } }
    run.check { ends.expectAll([11, 12]) }
  },
  // The first place may be filled after the second one: whoever is woken for that one finds nothing yet.
  Scenario("channel/unfinished", bound: 1) { run in
    let channel = Channel<Payload>(minimumCapacity: 2)
    let ends = ChannelEnds(run, channel)
    for sender in 1...2 {
      run.thread("sender \(sender)") { ends.taken.put(sender * 10) { channel.sender.trySend($0).isTaken } }
    }
    for receiver in 1...2 { run.thread("receiver \(receiver)") { ends.receive(1) } }
    run.check { ends.expectAll([10, 20]) }
  },
  Scenario("channel/two-senders", bound: 1) { run in
    let channel = Channel<Payload>(minimumCapacity: 1)
    let ends = ChannelEnds(run, channel)
    for sender in 1...2 { run.thread("sender \(sender)") { ends.send(sender * 10) } }
    run.thread("receiver") { ends.receive(2) }
    run.check { ends.expectAll([10, 20]) }
  },
  Scenario("channel/closed-by-sender", bound: 2) { run in
    let channel = Channel<Payload>(minimumCapacity: 2)
    let ends = ChannelEnds(run, channel)
    run.thread("sender") {
      ends.send(11)
      channel.sender.close()
    }
    for receiver in 1...2 { run.thread("receiver \(receiver)") { ends.receive(untilClosed: 2) } }
    run.check { ends.expectAll([11]) }
  },
  Scenario("channel/closed-by-receiver", bound: 2) { run in
    let channel = Channel<Payload>(minimumCapacity: 1)
    let ends = ChannelEnds(run, channel)
    run.thread("sender") { (11...12).forEach { ends.send($0) } }
    run.thread("receiver") { channel.receiver.close() }
    run.check {
      ends.receive(untilClosed: 3)
      ends.expectAll(ends.taken.accepted)
    }
  },
  // Whose time is over was not woken.
  Scenario("channel/timed", bound: 3, timesEndEarly: false) { run in
    let channel = Channel<Payload>(minimumCapacity: 1)
    let ends = ChannelEnds(run, channel, isTimed: true)
    run.thread("sender") { (11...12).forEach { ends.send($0) } }
    run.thread("receiver") { ends.receive(2) }
    run.check { ends.expectAll([11, 12]) }
  },
  // Nobody comes: the one leaves the line, and the other is woken.
  Scenario("channel/timed-out", bound: 2) { run in
    let channel = Channel<Payload>(minimumCapacity: 1)
    let ends = ChannelEnds(run, channel)
    run.thread("impatient") {
      if let payload = channel.receiver.receiveBlocking(for: .nanoseconds(1)).taken() { ends.taken.note(payload) }
    }
    run.thread("receiver") { ends.receive(untilClosed: 3) }
    run.thread("sender") {
      ends.send(11)
      channel.sender.close()
    }
    run.check { ends.expectAll([11]) }
  },
  // As a task does: it is resumed once, whoever wakes it, before it sleeps or after.
  Scenario("channel/waiter", bound: 4) { run in
    let waiter = Waiter()
    let resumed = Held(0)
    run.thread("task") { waiter.sleep { resumed.value += 1 } }
    run.thread("waker") { waiter.wake() }
    run.thread("canceller") { waiter.wake() }
    run.check { run.expect(resumed.value, 1, "resumed") }
  },
  // A task that is suspended at one end.
  Scenario("channel/task-receives", bound: 2) { run in
    let channel = Channel<Payload>(minimumCapacity: 1)
    let ends = ChannelEnds(run, channel)
    run.thread("sender") {
      (11...12).forEach { ends.send($0) }
      channel.sender.close()
    }
    run.thread("receiver") { TaskThread().run(run) { await ends.receiveAll() } }
    run.check { ends.expectAll([11, 12]) }
  },
  // A task that is suspended for want of room.
  Scenario("channel/task-sends", bound: 2) { run in
    let channel = Channel<Payload>(minimumCapacity: 1)
    let ends = ChannelEnds(run, channel)
    run.thread("sender") { TaskThread().run(run) { await ends.sendAll([11, 12]) } }
    run.thread("receiver") { ends.receive(2) }
    run.check { ends.expectAll([11, 12]) }
  },
  // Receivers take turns at a queue that grows; the second element begins a segment.
  Scenario("channel/growing", bound: 1) { run in
    let channel = Channel<Payload>()
    let ends = ChannelEnds(run, channel)
    for number in 1...2 { ends.taken.put(number) { channel.sender.trySend($0).isTaken } }
    for number in 1...2 { run.expect(channel.receiver.tryReceive().taken()?.number == number, "the wrong element") }
    ends.taken.accepted = []
    run.thread("sender") {
      (11...12).forEach { number in ends.taken.put(number) { channel.sender.trySend($0).isTaken } }
      channel.sender.close()
    }
    for receiver in 1...2 { run.thread("receiver \(receiver)") { ends.receive(untilClosed: 3) } }
    run.check { ends.expectAll([11, 12]) }
  },
  // What senders have not finished when the last receiver goes is freed by them, in whatever order they finish.
  Scenario("channel/nobody-receives", bound: 3) { run in nobodyReceives(run, Channel(minimumCapacity: 4)) },
  Scenario("channel/nobody-receives-growing", bound: 2) { run in nobodyReceives(run, Channel()) },
  // One is taken out to be woken while it leaves.
  Scenario("channel/line", bound: 2) { run in
    let waiters = ChannelWaiters()
    let left = Held(0)
    for number in 1...2 {
      run.thread("waiter \(number)") { if waiters.leave(waiters.join(.receiving)) { left.value += 1 } }
    }
    let woken = Held(0)
    run.thread("waker") { if waiters.areThere, waiters.wakeOne(.receiving) { woken.value += 1 } }
    run.check {
      run.expect(left.value + woken.value, 2, "left and woken")
      run.expect(!waiters.areThere, "somebody is left")
    }
  },
  Scenario("channel/select", bound: 2) { run in
    let (first, second) = (Channel<Int>(minimumCapacity: 1), Channel<Int>(minimumCapacity: 1))
    let seen = Held([Int]())
    run.thread("selector") {
      for _ in 1...2 {
        selectBlocking(
          .receive(from: first.receiver) { seen.value.append($0.taken() ?? 0) },
          .receive(from: second.receiver) { seen.value.append($0.taken() ?? 0) })
      }
    }
    run.thread("first sender") { _ = first.sender.trySend(11) }
    run.thread("second sender") { _ = second.sender.trySend(21) }
    run.check { run.expect(seen.value.sorted(), [11, 21], "received") }
  },
  // Two stand in both lines: the second channel doesn't wake the one that the first has woken.
  Scenario("channel/two-selects", bound: 1) { run in
    let channels = (1...2).map { _ in Channel<Int>(minimumCapacity: 1) }
    let seen = Held([Int]())
    for number in 1...2 {
      run.thread("selector \(number)") {
        selectBlocking(
          .receive(from: channels[0].receiver) { seen.value.append($0.taken() ?? 0) },
          .receive(from: channels[1].receiver) { seen.value.append($0.taken() ?? 0) })
      }
    }
    run.thread("sender") { for (place, channel) in channels.enumerated() { _ = channel.sender.trySend(place) } }
    run.check { run.expect(seen.value.sorted(), [0, 1], "received") }
  },
  // Who is woken for one channel and goes on with another leaves the first to the next in line.
  Scenario("channel/select-passes-on", bound: 2) { run in
    let (first, second) = (Channel<Int>(minimumCapacity: 1), Channel<Int>(minimumCapacity: 1))
    let seen = Held([Int]())
    run.thread("selector") {
      selectBlocking(
        .receive(from: second.receiver) { seen.value.append($0.taken() ?? 0) },
        .receive(from: first.receiver) { received in
          seen.value.append(received.taken() ?? 0)
          first.sender.close()
        })
    }
    run.thread("receiver") {
      if let number = first.receiver.receiveBlocking().taken() { seen.value.append(number) }
    }
    run.thread("sender") {
      _ = first.sender.trySend(11)
      _ = second.sender.trySend(21)
    }
    run.check {
      let left = [first, second].compactMap { $0.receiver.tryReceive().taken() }
      run.expect((seen.value + left).sorted(), [11, 21], "received")
    }
  },
]

private func nobodyReceives(_ run: Run, _ channel: Channel<Payload>) {
  let sender = channel.sender
  let receiver = Held<Channel<Payload>.Receiver?>(channel.receiver)
  for number in 1...2 { run.thread("sender \(number)") { _ = sender.trySend(run.payload(number)) } }
  run.thread("receiver") { receiver.value = nil }
  run.check {
    run.expect(run.livePayloads, 0, "elements left")
    withExtendedLifetime(sender) {}
  }
}

/// Both ends. A time limit is over when nobody else goes on, and then there is one attempt more: without one a wake-up
/// that is lost is a thread that never ends.
private final class ChannelEnds {
  let taken: Taken
  private let run: Run
  private let channel: Channel<Payload>
  private let isTimed: Bool

  init(_ run: Run, _ channel: Channel<Payload>, isTimed: Bool = false) {
    self.run = run
    self.channel = channel
    self.isTimed = isTimed
    taken = Taken(run, isOrdered: false) { channel.receiver.tryReceive().taken() }
  }

  func send(_ number: Int) {
    let payload = run.payload(number)
    switch isTimed ? channel.sender.sendBlocking(payload, for: .seconds(1)) : channel.sender.sendBlocking(payload) {
    case .taken: taken.accepted.append(number)
    case .full: run.expect(false, "a sender was not woken")
    case .closed(let back): run.expect(back.number, number, "given back")
    }
  }

  /// - Returns: Whether the channel is open.
  @discardableResult
  func receive(_ count: Int) -> Bool {
    for _ in 0..<count {
      switch isTimed ? channel.receiver.receiveBlocking(for: .seconds(1)) : channel.receiver.receiveBlocking() {
      case .element(let payload): taken.note(payload)
      case .empty: run.expect(false, "a receiver was not woken")
      case .closed: return false
      }
    }
    return true
  }

  /// Receives in a task until the channel is closed.
  func receiveAll() async {
    while let payload = await channel.receiver.receive().taken() { taken.note(payload) }
  }

  /// Sends in a task.
  func sendAll(_ numbers: [Int]) async {
    for number in numbers {
      let isTaken = await channel.sender.send(run.payload(number)).isTaken
      run.expect(isTaken, "an element was refused")
      taken.accepted.append(number)
    }
  }

  func receive(untilClosed attempts: Int) { run.expect(!receive(attempts), "the channel is still open") }

  /// Each came out once, and none is left.
  func expectAll(_ numbers: [Int]) {
    run.expect(taken.numbers.sorted(), numbers, "received before the end")
    taken.expectAll(at: numbers.count...numbers.count)
  }
}
