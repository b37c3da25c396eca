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
    for _ in 0..<HandOverBudget.signals { if budget.isUsedUp() { Issue.record("too early") } }
    let isUsedUp = budget.isUsedUp()
    #expect(isUsedUp)
  }

  @Test func aBudgetIsUsedUpAfterSomeTime() {
    var budget = HandOverBudget()
    budget.since = 1
    var taken = 1
    while !budget.isUsedUp() { taken += 1 }
    #expect(taken == 8, "the clock is read for one signal of eight")
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
        for signal in 1...3 { onThreads(1) { _ in #expect(held.gate.handOver(signal) == false) } }
        var budget = HandOverBudget()
        budget.since = .max
        budget.taken = HandOverBudget.signals
        let isRelieved = held.gate.takeHandedOver(within: &budget) { signal in
          taken.value[0].append(signal)
          isMarked.add()
          while held.gate.word.relaxedLoad() & GateMark.sleeping == 0 { yieldThread() }
        }
        #expect(isRelieved)
        let entry = held.gate.tryEnter()
        #expect(entry != .nested, "it holds the gate no more")
        if entry == .entered { #expect(held.gate.leave() == true) }
      },
      {
        isMarked.wait(for: 1)
        #expect(held.gate.handOver(4) == false)
        var isHolder = held.gate.relieve()
        // It waits for a millisecond at most.
        while !isHolder { isHolder = held.gate.relieve() }
        #expect(held.gate.enter() == .nested)
        repeat { held.gate.takeHandedOver { taken.value[1].append($0) } } while !held.gate.leave()
      },
    ])
    #expect(taken.value == [[1], [2, 3, 4]])
    #expect(held.gate.word.relaxedLoad() & GateMark.units == 0)
  }

  /// Threads that hand over without rest: nobody delivers much more than its budget, and every signal arrives in order.
  @Test func nobodyIsKept() {
    let subject = PassthroughSubject<Int, Never>(contention: .handOver)
    let values = Shared([Int]())
    let sink = subject.sink { values.value.append($0) }
    let perThread = 50_000
    onThreads(4) { number in for index in 0..<perThread { subject.send(number * perThread + index) } }
    #expect(values.value.count == 4 * perThread)
    for number in 0..<4 {
      let own = values.value.filter { $0 / perThread == number }
      #expect(own == Array(number * perThread..<(number + 1) * perThread))
    }
    sink.cancel()
  }
}
