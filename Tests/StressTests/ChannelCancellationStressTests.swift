// Tasks that send and receive in every way and are cancelled at any moment: what a channel accepts is received once.

import TestKit
import Testing
import WeirQueues

@Suite(.serialized) struct ChannelCancellationStressTests {
  /// Several tasks at each end of one channel, of which one at each end is cancelled.
  @Test(arguments: [1, 2, 4, nil]) func whatIsAcceptedIsReceivedOnce(_ capacity: Int?) async {
    let lifetimes = Lifetimes()
    var random = SplitMix(seed: 1)
    for _ in 0..<rounds {
      let ends = Ends(capacity.map { Channel(minimumCapacity: $0) } ?? Channel())
      let seed = random.next()
      let senders = (0..<3).map { number in Task { await ends.send(20, lifetimes, seed: seed &+ UInt64(number)) } }
      let receivers = (3..<6).map { number in Task { await ends.receive(seed: seed &+ UInt64(number)) } }
      await pause(&random)
      if Bool.random(using: &random) { senders[0].cancel() }
      await pause(&random)
      if Bool.random(using: &random) { receivers[0].cancel() }
      for sender in senders { await sender.value }
      ends.channel.sender.close()
      for receiver in receivers { await receiver.value }
      #expect(ends.received.value == ends.accepted.value)
      #expect(ends.refused.value == 0, "an open channel refused an element")
    }
    #expect(lifetimes.live == 0)
  }

  /// Tasks that take from whichever of two channels is ready first, while others put into either.
  @Test func whatSelectSendsIsReceivedOnce() async {
    let lifetimes = Lifetimes()
    var random = SplitMix(seed: 2)
    for _ in 0..<rounds {
      let (first, second) = (Ends(Channel(minimumCapacity: 1)), Ends(Channel(minimumCapacity: 2)))
      let senders = (0..<3).map { number in
        Task {
          for _ in 0..<20 {
            let object = lifetimes.track()
            let (one, other) = number == 0 ? (first, second) : (second, first)
            let isAccepted = await select(
              .send(object, to: one.channel.sender, \.isTaken), .send(object, to: other.channel.sender, \.isTaken))
            guard let isAccepted else { return }
            if isAccepted { first.accepted.add() } else { first.refused.add() }
          }
        }
      }
      let receivers = (0..<3).map { _ in
        Task {
          var open = [first, second]
          while !open.isEmpty {
            let choices = open.map { ends in Choice.receive(from: ends.channel.receiver) { ($0.taken() != nil, ends) } }
            let chosen = choices.count == 1 ? await select(choices[0]) : await select(choices[0], choices[1])
            guard let (isElement, ends) = chosen else { return }
            if isElement { first.received.add() } else { open.removeAll { $0 === ends } }
          }
        }
      }
      await pause(&random)
      if Bool.random(using: &random) { senders[0].cancel() }
      await pause(&random)
      if Bool.random(using: &random) { receivers[0].cancel() }
      for sender in senders { await sender.value }
      first.channel.sender.close()
      second.channel.sender.close()
      for receiver in receivers { await receiver.value }
      #expect(first.received.value == first.accepted.value)
      #expect(first.refused.value == 0, "an open channel refused an element")
    }
    #expect(lifetimes.live == 0)
  }
}

/// How often the tasks meet.
#if DEBUG
  private let rounds = 200
#else
  private let rounds = 5_000
#endif

/// Comes back at a moment that the seed chooses.
private func pause(_ random: inout SplitMix) async {
  for _ in 0..<Int.random(in: 0...3, using: &random) { await Task.yield() }
}

/// A channel, and what its two ends have done.
private final class Ends: Sendable {
  let channel: Channel<LifetimeTracked>
  let accepted = Counter()
  let refused = Counter()
  let received = Counter()

  init(_ channel: Channel<LifetimeTracked>) { self.channel = channel }

  /// Sends objects, each in one of the ways, until the task is cancelled.
  func send(_ count: Int, _ lifetimes: Lifetimes, seed: UInt64) async {
    var random = SplitMix(seed: seed)
    for _ in 0..<count {
      let object = lifetimes.track()
      let offer: Offer<LifetimeTracked> =
        switch Int.random(in: 0...2, using: &random) {
        case 0: await channel.sender.send(object)
        case 1: await select(.send(object, to: channel.sender) { $0 }) ?? .full(object)
        default: channel.sender.trySend(object)
        }
      switch offer {
      case .taken: accepted.add()
      case .closed: refused.add()
      case .full: break
      }
    }
  }

  /// Receives objects, each time in one of the ways, until the channel is closed or the task is cancelled.
  func receive(seed: UInt64) async {
    var random = SplitMix(seed: seed)
    var iterator = channel.receiver.makeAsyncIterator()
    var objects: [LifetimeTracked] = []
    var count = 0
    repeat {
      switch Int.random(in: 0...3, using: &random) {
      case 0: count = await channel.receiver.receive().taken() == nil ? 0 : 1
      case 1: count = await iterator.next() == nil ? 0 : 1
      case 2: count = await channel.receiver.receive(atMost: 3, into: &objects)
      default: count = await select(.receive(from: channel.receiver) { $0.taken() == nil ? 0 : 1 }) ?? 0
      }
      received.add(count)
      objects = []
    } while count > 0
  }
}
