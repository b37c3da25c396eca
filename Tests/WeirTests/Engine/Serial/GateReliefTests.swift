// Tests of the budget of a thread that delivers for others, and of the passing of that role.

import TestKit
import Testing

@testable import Weir
@testable import WeirQueues

@Suite struct GateReliefTests {
  private final class Held {
    let gate = Gate<Int>()
  }

  @Test func aBudgetIsUsedUpAfterSoManySignals() {
    var budget = HandOverBudget()
    budget.since = .max
    let states = (0..<2 * HandOverBudget.signals + 1).map { _ in budget.take() }
    #expect(states.prefix(HandOverBudget.signals).allSatisfy { $0 == .left })
    #expect(states.dropFirst(HandOverBudget.signals).dropLast().allSatisfy { $0 == .usedUp })
    #expect(states.last == .exceeded)
  }

  @Test func aBudgetIsUsedUpAfterSomeTime() {
    var budget = HandOverBudget()
    budget.since = 1
    let states = (1...16).map { _ in budget.take() }
    #expect(states.prefix(7).allSatisfy { $0 == .left }, "the clock is read for one signal of eight")
    #expect(states.dropFirst(7).dropLast().allSatisfy { $0 == .usedUp })
    #expect(states.last == .exceeded)
  }

  @Test func anUnlimitedBudgetIsNeverUsedUp() {
    var budget = HandOverBudget.unlimited
    for _ in 0..<3 * HandOverBudget.signals { if budget.take() != .left { Issue.record("used up") } }
  }

  @Test func nobodyTakesOverFromWhoDoesNotAskForIt() {
    let held = Held()
    #expect(held.gate.enter() == .entered)
    onThreads(1) { _ in
      #expect(held.gate.handOver(1) == false)
      #expect(held.gate.relieve() == false)
    }
    held.gate.takeHandedOver { _ in }
    #expect(held.gate.leave() == true)
  }

  /// With a used-up budget the holder marks the gate, and the next sender holds it, between two signals.
  @Test func theNextSenderTakesOver() {
    let held = Held()
    let taken = Shared([[Int](), [Int]()])
    let isMarked = Counter()
    onThreads([
      {
        #expect(held.gate.enter() == .entered)
        onThreads(1) { _ in for signal in 1...100 { #expect(held.gate.handOver(signal) == false) } }
        var budget = HandOverBudget(taken: HandOverBudget.signals)
        budget.since = .max
        let isRelieved = held.gate.takeHandedOver(within: &budget, orElse: { false }) { signal in
          taken.value[0].append(signal)
          isMarked.add()
          // The mark may be that of a sleep which has just ended: then the next signal finds the next sleep.
          while held.gate.word.relaxedLoad() & GateMark.sleeping == 0 { yieldThread() }
        }
        #expect(isRelieved)
        let entry = held.gate.tryEnter()
        #expect(entry != .nested, "it holds the gate no more")
        if entry == .entered { #expect(held.gate.leave() == true) }
      },
      {
        isMarked.wait(for: 1)
        #expect(held.gate.handOver(101) == false)
        var isHolder = held.gate.relieve()
        // It waits for a millisecond at most.
        while !isHolder { isHolder = held.gate.relieve() }
        #expect(held.gate.enter() == .nested)
        repeat { held.gate.takeHandedOver { taken.value[1].append($0) } } while !held.gate.leave()
      },
    ])
    #expect(taken.value[0].first == 1)
    #expect(taken.value[1].last == 101)
    #expect(taken.value[0] + taken.value[1] == Array(1...101))
    #expect(held.gate.word.relaxedLoad() & GateMark.units == 0)
  }

  /// A gate that this thread holds, with three signals of others in its queue.
  private func heldWithSignals() -> Held {
    let held = Held()
    #expect(held.gate.enter() == .entered)
    for signal in 1...3 { onThreads(1) { _ in #expect(held.gate.handOver(signal) == false) } }
    return held
  }

  /// With a budget exceeded the holder gives the gate, with all that is in the queue,
  /// to a thread that is started for it.
  @Test func aThreadIsStartedIfNobodyComes() {
    let held = heldWithSignals()
    var budget = HandOverBudget(taken: 2 * HandOverBudget.signals - 1)
    budget.since = .max
    var taken: [Int] = []
    var starts = 0
    func start() -> Bool {
      starts += 1
      #expect(held.gate.holder.relaxedLoad() == 0)
      return true
    }
    #expect(held.gate.takeHandedOver(within: &budget, orElse: start, { taken.append($0) }))
    #expect(taken == [1])
    #expect(starts == 1)
    onThreads(1) { _ in
      held.gate.adopt()
      #expect(held.gate.enter() == .nested)
      repeat { held.gate.takeHandedOver { taken.append($0) } } while !held.gate.leave()
    }
    #expect(taken == [1, 2, 3])
    #expect(held.gate.word.relaxedLoad() == 0)
  }

  /// Where there is no thread to be had, the holder goes on.
  @Test func theHolderGoesOnIfNoThreadStarts() {
    let held = heldWithSignals()
    var budget = HandOverBudget(taken: 2 * HandOverBudget.signals)
    budget.since = .max
    var taken: [Int] = []
    #expect(held.gate.takeHandedOver(within: &budget, orElse: { false }, { taken.append($0) }) == false)
    #expect(taken == [1, 2, 3])
    #expect(held.gate.enter() == .nested)
    #expect(held.gate.leave() == true)
  }

  /// Another thread has counted a signal and has yet to look whether the owner is inside: it must not find it outside.
  @Test func anOwnerThatGivesTheGateAwaySaysThatItWasInside() throws {
    let held = Held()
    for _ in 0..<100 where held.gate.enter() == .entered { #expect(held.gate.leave() == true) }
    try #require(held.gate.owner.relaxedLoad() == currentThreadIdentity(), "this machine has no membarrier")
    #expect(held.gate.enter() == .entered)
    held.gate.enqueue(1)
    _ = held.gate.word.add(1)
    var budget = HandOverBudget(taken: 2 * HandOverBudget.signals)
    budget.since = .max
    #expect(held.gate.takeHandedOver(within: &budget, orElse: { true }, { _ in Issue.record("it was given away") }))
    #expect(held.gate.owner.relaxedLoad() == GateOwner.kept)
    #expect(held.gate.busy.relaxedLoad() == 0)
    #expect(held.gate.enter() == .taken)
    onThreads(1) { _ in
      #expect(held.gate.revoke(currentThreadIdentity()) == false)
      held.gate.adopt()
      repeat { held.gate.takeHandedOver { #expect($0 == 1) } } while !held.gate.leave()
    }
    #expect(held.gate.word.relaxedLoad() == 0)
  }

  /// A thread that owned the gate, and has not found out yet that it was outside when that ended, writes `busy` while
  /// another one gives the gate away: it stays outside.
  @Test func aFormerOwnerThatComesLateStaysOutside() {
    let held = heldWithSignals()
    held.gate.owner.relaxedStore(GateOwner.left)
    let late = 16
    held.gate.busy.relaxedStore(late)
    var budget = HandOverBudget(taken: 2 * HandOverBudget.signals)
    budget.since = .max
    #expect(held.gate.takeHandedOver(within: &budget, orElse: { true }, { _ in Issue.record("it was given away") }))
    #expect(held.gate.enterRevoked(late) == false)
    #expect(held.gate.holder.relaxedLoad() == 0)
    #expect(held.gate.busy.relaxedLoad() == 0)
    held.gate.adopt()
    repeat { held.gate.takeHandedOver { _ in } } while !held.gate.leave()
  }

  /// One thread stalls in the sink, another leaves many values behind: none of them is kept for more than two budgets.
  @Test(arguments: ["passthrough", "current", "replay", "merge"])
  func nobodyIsKeptForABurst(_ name: String) {
    let relay = PassthroughSubject<Int, Never>(contention: .handOver)
    let current = CurrentValueSubject<Int, Never>(0, contention: .handOver)
    let replay = ReplayCore<Int, Never>(limit: 1, name: "Replay", contention: .handOver)
    let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let count = 4 * HandOverBudget.signals
    let values = Shared([Int]())
    let received = Counter()
    let (isStalled, mayGoOn) = (Counter(), Counter())
    let kept = Counter()
    let staller = Shared(0)
    let receive: (Int) -> Void = { value in
      values.value.append(value)
      if currentThreadIdentity() == staller.value { kept.add() }
      if value == -1 {
        isStalled.set(1)
        mayGoOn.wait(for: 1)
      }
      received.add()
    }
    let publisher: AnyPublisher<Int, Never>
    let sends: [(Int) -> Void]
    switch name {
    case "passthrough": (publisher, sends) = (relay.eraseToAnyPublisher(), [relay.send, relay.send])
    case "current":
      (publisher, sends) = (current.dropFirst().eraseToAnyPublisher(), [{ current.send($0) }, { current.send($0) }])
    case "replay":
      publisher = Deferred { CorePublisher(core: replay) }.eraseToAnyPublisher()
      sends = [{ replay.send($0) }, { replay.send($0) }]
    default:
      publisher = a.merge(with: b).contention(.handOver).eraseToAnyPublisher()
      sends = [a.send, b.send]
    }
    let sink = publisher.sink(receiveValue: receive)
    onThreads([
      {
        staller.value = currentThreadIdentity()
        sends[0](-1)
      },
      {
        isStalled.wait(for: 1)
        for value in 1...count { sends[1](value) }
        mayGoOn.set(1)
      },
    ])
    received.wait(for: count + 1)
    #expect(values.value == [-1] + Array(1...count))
    #expect(kept.value <= 2 * HandOverBudget.signals + 1)
    sink.cancel()
  }

  /// A replaying engine as a publisher.
  private struct CorePublisher: Publisher {
    typealias Output = Int
    typealias Failure = Never
    let core: ReplayCore<Int, Never>
    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never { core.subscribe(subscriber) }
  }

  /// Threads that hand over without rest: nobody delivers much more than its budget, and every signal arrives in order.
  @Test func nobodyIsKept() {
    let subject = PassthroughSubject<Int, Never>(contention: .handOver)
    let values = Shared([Int]())
    let received = Counter()
    let sink = subject.sink {
      values.value.append($0)
      received.add()
    }
    let perThread = 50_000
    onThreads(4) { number in for index in 0..<perThread { subject.send(number * perThread + index) } }
    received.wait(for: 4 * perThread)
    for number in 0..<4 {
      let own = values.value.filter { $0 / perThread == number }
      #expect(own == Array(number * perThread..<(number + 1) * perThread))
    }
    sink.cancel()
  }
}
