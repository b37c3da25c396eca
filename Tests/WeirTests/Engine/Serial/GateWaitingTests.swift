// Tests of threads that wait for a gate.

import TestKit
import Testing

@testable import Weir
@testable import WeirQueues

@Suite struct GateWaitingTests {
  private final class Held {
    let gate = Gate<Int>()

    /// Waits until a thread sleeps in the line of the gate.
    func awaitSleeper() { while gate.word.relaxedLoad() & GateMark.sleeping == 0 { yieldThread() } }
  }

  private let order = Shared([String]())

  @Test func aFreeGateIsEnteredAtOnce() {
    let gate = Gate<Int>()
    #expect(gate.enter(as: "test", unless: { true }) == .entered)
    #expect(gate.enter(as: "test", unless: { true }) == .nested)
    #expect(gate.leave() == true)
  }

  @Test func whoSleepsEntersWhenTheHolderHasLeft() {
    let held = Held()
    let isHeld = Counter()
    onThreads([
      {
        #expect(held.gate.enter() == .entered)
        isHeld.add()
        held.awaitSleeper()
        order.value.append("left")
        #expect(held.gate.leave() == true)
      },
      {
        isHeld.wait(for: 1)
        #expect(held.gate.enter(as: "test", unless: { false }) == .entered)
        order.value.append("entered")
        #expect(held.gate.leave() == true)
      },
    ])
    #expect(order.value == ["left", "entered"])
    #expect(held.gate.word.relaxedLoad() & ~GateMark.sleeping == 0)
  }

  @Test func whoWaitsIsLetThroughWhenItsSignalWouldNotBeTaken() {
    let held = Held()
    #expect(held.gate.enter() == .entered)
    let looks = Counter()
    onThreads(1) { _ in
      #expect(held.gate.enter(as: "test", unless: { looks.add() == 3 }) == .taken)
    }
    #expect(looks.value == 3)
    #expect(held.gate.leave() == true)
  }

  /// A sleeper leaves the line each millisecond, for a look; it comes back to where it was.
  @Test func sleepersKeepTheOrderInWhichTheyBeganToWait() {
    let held = Held()
    let looks = (0..<3).map { _ in Counter() }
    let isHeld = Counter()
    onThreads(4) { [looks] number in
      guard number < looks.count else {
        #expect(held.gate.enter() == .entered)
        isHeld.add()
        while looks.contains(where: { $0.value < 20 }) {
          let since = held.gate.withLine { $0.sleepers.withLock { $0.map(\.since) } }
          #expect(since == since.sorted())
          yieldThread()
        }
        #expect(held.gate.leave() == true)
        return
      }
      isHeld.wait(for: 1)
      let entry = held.gate.enter(as: "test") {
        looks[number].add()
        return false
      }
      #expect(entry == .entered)
      #expect(held.gate.leave() == true)
    }
    #expect(held.gate.word.relaxedLoad() & GateMark.units == 0)
  }

  @Test func aLookSeesAHeldGateOnly() {
    let gate = Gate<Int>()
    #expect(gate.whileHeld { true } == false)
    #expect(gate.enter() == .entered)
    #expect(gate.whileHeld { true } == true)
    #expect(gate.whileHeld { false } == false)
    #expect(gate.leave() == true)
    #expect(gate.word.relaxedLoad() == 0)
  }

  /// Each of a number of threads holds a gate and wants that of the next: at least one of them is told to hand over.
  @Test(arguments: 2...4) func circlesAreFound(threads: Int) {
    let gates = (0..<threads).map { _ in Held() }
    let holding = Counter()
    let taken = Counter()
    onThreads(threads) { number in
      let own = gates[number], next = gates[(number + 1) % threads]
      #expect(own.gate.enter() == .entered)
      holding.add()
      holding.wait(for: threads)
      switch next.gate.enter(as: "test", unless: { false }) {
      case .entered: while !next.gate.leave() { next.gate.takeHandedOver { _ in } }
      case .nested: Issue.record("nothing is nested here")
      case .taken:
        taken.add()
        if next.gate.handOver(number) { while !next.gate.leave() { next.gate.takeHandedOver { _ in } } }
      }
      while !own.gate.leave() { own.gate.takeHandedOver { _ in } }
    }
    #expect(taken.value >= 1)
    for held in gates { #expect(held.gate.word.relaxedLoad() & GateMark.units == 0) }
  }

  @Test func threadsThatWaitLoseNothing() {
    let held = Held()
    let count = Shared(0)
    let perThread = 5_000
    onThreads(4) { _ in
      for _ in 0..<perThread {
        #expect(held.gate.enter(as: "test", unless: { false }) == .entered)
        count.value += 1
        #expect(held.gate.leave() == true)
      }
    }
    #expect(count.value == 4 * perThread)
    #expect(held.gate.word.relaxedLoad() & GateMark.units == 0)
  }
}
