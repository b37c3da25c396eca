// Tests of a replaying engine under several threads: who waits for whom, and who delivers what.

import TestKit
import Testing
import Weir
import WeirQueues

@Suite struct ReplayTurnTests {
  private typealias Core = ReplayCore<Int, Never>

  private func elsewhere(_ body: @escaping () -> Void) { onThreads(1) { _ in body() } }

  /// Asks for so much, and runs a closure for each value.
  private func subscriber(
    _ demand: Subscribers.Demand, _ body: @escaping (Int) -> Void
  ) -> (AnySubscriber<Int, Never>, Shared<(any Subscription)?>) {
    let subscription = Shared<(any Subscription)?>(nil)
    let subscriber = AnySubscriber<Int, Never>(
      receiveSubscription: {
        subscription.value = $0
        if demand != .none { $0.request(demand) }
      },
      receiveValue: {
        body($0)
        return .none
      })
    return (subscriber, subscription)
  }

  @Test func whoSubscribesDuringADeliveryHasWhatIsKeptWhenThatReturns() {
    let core = Core(limit: 3, name: "Replay")
    let received = Shared([Int]())
    let atReturn = Shared([Int]())
    let (late, _) = subscriber(.unlimited) { received.value.append($0) }
    let (slow, _) = subscriber(.unlimited) { value in
      guard value == 2 else { return }
      elsewhere {
        core.subscribe(late)
        atReturn.value = received.value
      }
    }
    core.subscribe(slow)
    for value in 0...3 { core.send(value) }
    #expect(atReturn.value == [0, 1, 2])
    #expect(received.value == [0, 1, 2, 3])
  }

  @Test func whoAsksDuringADeliveryToAnotherHasWhatIsDueWhenThatReturns() {
    let core = Core(limit: 3, name: "Replay")
    let received = Shared([Int]())
    let atReturn = Shared([[Int]]())
    let (patient, subscription) = subscriber(.none) { received.value.append($0) }
    let (slow, _) = subscriber(.unlimited) { value in
      guard value == 2 else { return }
      elsewhere {
        for _ in 1...3 {
          subscription.value?.request(.max(1))
          atReturn.value.append(received.value)
        }
      }
    }
    core.subscribe(patient)
    core.subscribe(slow)
    for value in 0...3 { core.send(value) }
    // The third value was under way.
    #expect(atReturn.value == [[0], [0, 1], [0, 1]])
    #expect(received.value == [0, 1, 2])
  }

  /// It was offered the end before it had asked for what comes before that.
  @Test func whoAsksWhileAnotherIsToldOfTheEndGetsTheEndToo() {
    let core = Core(limit: 3, name: "Replay")
    let received = Shared([Int]())
    let ends = Shared(0)
    let subscription = Shared<(any Subscription)?>(nil)
    let patient = AnySubscriber<Int, Never>(
      receiveSubscription: { subscription.value = $0 },
      receiveValue: {
        received.value.append($0)
        return .none
      },
      receiveCompletion: { _ in ends.value += 1 })
    let other = AnySubscriber<Int, Never>(
      receiveSubscription: { $0.request(.unlimited) },
      receiveCompletion: { _ in elsewhere { subscription.value?.request(.max(1)) } })
    core.subscribe(patient)
    core.subscribe(other)
    core.send(0)
    core.send(completion: .finished)
    #expect(received.value == [0])
    #expect(ends.value == 1)
  }

  @Test func whoAsksWhileItIsBeingCalledGetsTheNextOnceThatCallIsOver() {
    let core = Core(limit: 3, name: "Replay")
    let received = Shared([Int]())
    let subscription = Shared<(any Subscription)?>(nil)
    let (called, ownSubscription) = subscriber(.max(1)) { value in
      received.value.append(value)
      if value == 0 { elsewhere { subscription.value?.request(.max(1)) } }
      #expect(received.value.last == value)
    }
    core.subscribe(called)
    subscription.value = ownSubscription.value
    for value in 0...2 { core.send(value) }
    #expect(received.value == [0, 1])
  }

  @Test func aSenderWaitsForASubscriberThatWouldTakeItsValue() {
    let core = Core(limit: 1, name: "Replay")
    let received = Shared([(value: Int, thread: Int)]())
    let threads = [Shared(0), Shared(0)]
    let steps = Counter()
    let (slow, _) = subscriber(.unlimited) { value in
      received.value.append((value, currentThreadIdentity()))
      guard value == 1 else { return }
      steps.add()
      steps.wait(for: 2)
      for _ in 0..<1000 { yieldThread() }
    }
    core.subscribe(slow)
    let atReturn = Shared(0)
    onThreads([
      {
        threads[0].value = currentThreadIdentity()
        core.send(1)
      },
      {
        threads[1].value = currentThreadIdentity()
        steps.wait(for: 1)
        steps.add()
        core.send(2)
        atReturn.value = received.value.count
      },
    ])
    #expect(received.value.map(\.value) == [1, 2])
    #expect(received.value.map(\.thread) == threads.map(\.value))
    #expect(atReturn.value == 2)
  }

  @Test func aSenderDoesNotWaitForASubscriberThatWouldNotTakeItsValue() {
    let core = Core(limit: 1, name: "Replay")
    let received = Shared([Int]())
    let (last, _) = subscriber(.max(1)) { value in
      received.value.append(value)
      elsewhere { core.send(value + 1) }
    }
    let others = Shared([Int]())
    core.subscribe(last)
    core.subscribe(subscriber(.unlimited) { others.value.append($0) }.0)
    core.send(1)
    #expect(received.value == [1])
    #expect(others.value == [1, 2])
  }

  @Test func aSenderThatHandsOverDoesNotWaitAtAll() {
    let core = Core(limit: 1, name: "Replay", contention: .handOver)
    let received = Shared([Int]())
    core.subscribe(
      subscriber(.unlimited) { value in
        if value == 1 { elsewhere { core.send(2) } }
        received.value.append(value)
      }.0)
    core.send(1)
    #expect(received.value == [1, 2])
    #expect(core.handOverDepth == 0)
  }

  /// The sender holds the gate and waits for the subscriber's turn; who has that sends to the same engine.
  @Test func aSubscriberThatSendsWhileItIsCalledBesideADeliveryDoesNotBlock() {
    let core = Core(limit: 8, name: "Replay")
    let received = Shared([Int]())
    let steps = Counter()
    core.send(0)
    let (slow, _) = subscriber(.unlimited) { value in
      guard value == 1 else { return }
      steps.add()
      steps.wait(for: 2)
    }
    core.subscribe(slow)
    let (late, _) = subscriber(.unlimited) { value in
      received.value.append(value)
      guard value == 0 else { return }
      steps.add()
      core.send(2)
    }
    onThreads([
      { core.send(1) },
      {
        steps.wait(for: 1)
        core.subscribe(late)
      },
    ])
    #expect(received.value == [0, 1, 2])
  }

  /// It is given the first value beside a delivery, which is over when it sends four more within that call.
  @Test(arguments: [ContentionPolicy.wait, .handOver], [false, true])
  func whatASubscriberSendsWhenTheDeliveryBesideItsCallIsOverComesAfterThatCall(
    contention: ContentionPolicy, asks: Bool
  ) {
    let core = Core(limit: 2, name: "Replay", contention: contention)
    let received = Shared([Int]())
    let calls = Shared(0)
    let steps = Counter()
    core.send(0)
    let (late, subscription) = subscriber(asks ? .none : .unlimited) { value in
      calls.value += 1
      #expect(calls.value == 1, "called with \(value) within a call")
      received.value.append(value)
      if value == 0 {
        steps.add()
        steps.wait(for: 3)
        for value in 2...5 { core.send(value) }
      }
      calls.value -= 1
    }
    if asks { core.subscribe(late) }
    let others = Shared([Int]())
    let (slow, _) = subscriber(.unlimited) { value in
      others.value.append(value)
      guard value == 1 else { return }
      steps.add()
      steps.wait(for: 2)
    }
    core.subscribe(slow)
    onThreads([
      {
        core.send(1)
        steps.add()
      },
      {
        steps.wait(for: 1)
        if asks { subscription.value?.request(.unlimited) } else { core.subscribe(late) }
      },
    ])
    #expect(received.value == Array(0...5))
    #expect(others.value == Array(0...5))
    let last = Shared([Int]())
    core.subscribe(subscriber(.unlimited) { last.value.append($0) }.0)
    #expect(last.value == [4, 5], "what is kept")
  }

  /// Subscribers ask while others are served: no more is kept than the limit when all is over.
  @Test(arguments: [1, 2, 5], 0..<20) func noMoreIsKeptThanTheLimitOnceAllIsOver(limit: Int, seed: UInt64) {
    let core = Core(limit: limit, name: "Replay")
    let subscriptions = (0..<6).map { _ in
      let (asking, subscription) = subscriber(.none) { _ in }
      core.subscribe(asking)
      return subscription
    }
    onThreads(3) { thread in
      var random = SplitMix(seed: seed * 3 + UInt64(thread))
      for value in 0..<300 {
        if thread == 0 || Int.random(in: 0..<8, using: &random) == 0 {
          core.send(value)
        } else {
          subscriptions.randomElement(using: &random)!.value?.request(.max(Int.random(in: 1...3, using: &random)))
        }
      }
    }
    #expect(core.keptCount == limit)
  }

  /// Kept and sent values, asked for one by one and all at once, from two threads: each subscriber sees all, in order.
  @Test func nothingIsLostOrDoubledWhileOthersSubscribeAndAsk() {
    let (count, subscribers) = (300, 60)
    let core = Core(limit: .max, name: "Replay")
    let received = (0..<subscribers).map { _ in Shared([Int]()) }
    onThreads([
      { for value in 0..<count { core.send(value) } },
      {
        for index in stride(from: 0, to: subscribers, by: 2) {
          core.subscribe(subscriber(.unlimited) { received[index].value.append($0) }.0)
        }
      },
      {
        for index in stride(from: 1, to: subscribers, by: 2) {
          let (asking, subscription) = subscriber(.none) { received[index].value.append($0) }
          core.subscribe(asking)
          for _ in 0..<count { subscription.value?.request(.max(1)) }
        }
      },
    ])
    for index in 0..<subscribers { #expect(received[index].value == Array(0..<count)) }
  }
}
