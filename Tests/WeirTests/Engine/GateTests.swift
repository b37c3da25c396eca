// Tests of the gate: entering, nesting, handing over, leaving.

import TestKit
import Testing

@testable import Weir
@testable import WeirQueues

@Suite struct GateTests {
  @Test func isEnteredAndLeft() {
    let gate = Gate<Int>()
    #expect(gate.enter() == .entered)
    #expect(gate.leave() == true)
    #expect(gate.enter() == .entered)
    #expect(gate.leave() == true)
  }

  @Test func isNestedOnTheHoldersThread() {
    let gate = Gate<Int>()
    #expect(gate.enter() == .entered)
    #expect(gate.enter() == .nested)
    #expect(gate.enter() == .nested)
    #expect(gate.leave() == true)
    #expect(gate.enter() == .entered)
    #expect(gate.leave() == true)
  }

  @Test func isTakenForAnotherThread() {
    let gate = Gate<Int>()
    #expect(gate.enter() == .entered)
    let entry = Shared<Gate<Int>.Entry?>(nil)
    onThreads(1) { _ in entry.value = gate.enter() }
    #expect(entry.value == .taken)
    #expect(gate.leave() == true)
  }

  @Test func patienceEntersAFreeGateAndEnds() {
    let gate = Gate<Int>()
    #expect(gate.enterPatiently() == .entered)
    let entry = Shared<Gate<Int>.Entry?>(nil)
    onThreads(1) { _ in entry.value = gate.enterPatiently() }
    #expect(entry.value == .taken)
    #expect(gate.leave() == true)
    onThreads(1) { _ in
      entry.value = gate.enterPatiently()
      _ = gate.leave()
    }
    #expect(entry.value == .entered)
  }

  @Test func signalsHandedOverKeepTheHolderFromLeaving() {
    let gate = Gate<Int>()
    #expect(gate.enter() == .entered)
    let becameHolder = Shared([Bool]())
    onThreads(1) { _ in for signal in 1...3 { becameHolder.value.append(gate.handOver(signal)) } }
    #expect(becameHolder.value == [false, false, false])
    #expect(gate.hasHandedOver == true)
    #expect(gate.leave() == false)
    #expect(gate.enter() == .nested)
    var signals: [Int] = []
    gate.takeHandedOver { signals.append($0) }
    #expect(signals == [1, 2, 3])
    #expect(gate.hasHandedOver == false)
    #expect(gate.leave() == true)
  }

  @Test func whoHandsOverToAFreeGateHoldsIt() {
    let gate = Gate<Int>()
    #expect(gate.handOver(7) == true)
    #expect(gate.enter() == .nested)
    #expect(gate.leave() == false)
    var signals: [Int] = []
    gate.takeHandedOver { signals.append($0) }
    #expect(signals == [7])
    #expect(gate.leave() == true)
  }

  @Test func signalsHandedOverDuringADrainWaitForTheNext() {
    let gate = Gate<Int>()
    #expect(gate.handOver(1) == true)
    var signals: [Int] = []
    gate.takeHandedOver { signal in
      signals.append(signal)
      onThreads(1) { _ in _ = gate.handOver(2) }
    }
    #expect(signals == [1])
    #expect(gate.leave() == false)
    gate.takeHandedOver { signals.append($0) }
    #expect(signals == [1, 2])
    #expect(gate.leave() == true)
  }

  @Test func takingNothingIsFine() {
    let gate = Gate<Int>()
    #expect(gate.enter() == .entered)
    gate.takeHandedOver { _ in Issue.record("nothing was handed over") }
    #expect(gate.leave() == true)
  }

  @Test func freesSignalsAfterDelivery() {
    let lifetimes = Lifetimes()
    let gate = Gate<LifetimeTracked>()
    #expect(gate.enter() == .entered)
    onThreads(1) { _ in for number in 0..<5 { _ = gate.handOver(lifetimes.track(number)) } }
    #expect(lifetimes.live == 5)
    var numbers: [Int] = []
    gate.takeHandedOver { numbers.append($0.number) }
    #expect(numbers == [0, 1, 2, 3, 4])
    #expect(lifetimes.live == 0)
    #expect(gate.leave() == true)
  }

  /// Several threads run an unguarded counter through the gate, by entering or by handing over.
  @Test func serialisesThreadsAndStrandsNoSignal() {
    let gate = Gate<String>()
    let delivered = Shared([String]())
    let inside = Shared(0)
    func deliver(_ signal: String) {
      inside.value += 1
      if inside.value == 1 { delivered.value.append(signal) }
      inside.value -= 1
    }
    let perThread = 3_000
    onThreads(3) { number in
      for index in 0..<perThread {
        let signal = "\(number) \(index)"
        switch gate.enter() {
        case .entered: deliver(signal)
        case .nested: Issue.record("nothing is nested here")
        case .taken: guard gate.handOver(signal) else { continue }
        }
        while !gate.leave() { gate.takeHandedOver { deliver($0) } }
      }
    }
    #expect(delivered.value.count == 3 * perThread)
    for number in 0..<3 {
      let own = delivered.value.filter { $0.hasPrefix("\(number) ") }
      #expect(own == (0..<perThread).map { "\(number) \($0)" })
    }
  }

  @Test func countsWhatWaits() {
    let gate = Gate<Int>()
    #expect(gate.enter() == .entered)
    #expect(gate.depth == 0)
    onThreads(1) { _ in for signal in 1...3 { _ = gate.handOver(signal) } }
    #expect(gate.depth == 3)
    gate.takeHandedOver { _ in }
    #expect(gate.depth == 0)
    #expect(gate.leave() == true)
    #expect(gate.depth == 0)
  }

  // MARK: The owned state

  private func own(_ gate: borrowing Gate<Int>) {
    for _ in 0..<100 {
      let isIn = gate.enter() == .entered
      let isOut = gate.leave()
      if !isIn || !isOut { Issue.record("nobody else is here") }
    }
  }

  private final class Owned {
    let gate = Gate<Int>()
    var isOwned: Bool { gate.owner.relaxedLoad() == currentThreadIdentity() }
    var word: Int { gate.word.relaxedLoad() }
  }

  @Test func belongsToTheThreadThatEntersOften() throws {
    let owned = Owned()
    #expect(!owned.isOwned)
    own(owned.gate)
    try #require(owned.isOwned, "this machine has no membarrier")
    #expect(owned.gate.enter() == .entered)
    #expect(owned.word == 0)
    #expect(owned.gate.enter() == .nested)
    owned.gate.takeHandedOver { _ in Issue.record("nothing was handed over") }
    #expect(owned.gate.leave() == true)
    #expect(owned.isOwned)
  }

  @Test func isRevokedByAnotherThreadWhileTheOwnerIsOutside() throws {
    let owned = Owned()
    own(owned.gate)
    try #require(owned.isOwned, "this machine has no membarrier")
    let entries = Shared([Gate<Int>.Entry]())
    onThreads(1) { _ in
      entries.value.append(owned.gate.enter())
      entries.value.append(owned.gate.enter())
      if !owned.gate.leave() { Issue.record("nothing was handed over") }
    }
    #expect(entries.value == [.entered, .nested])
    #expect(!owned.isOwned)
    own(owned.gate)
    #expect(!owned.isOwned, "once revoked, always shared")
  }

  @Test func isRevokedByAnotherThreadWhileTheOwnerIsInside() throws {
    let owned = Owned()
    own(owned.gate)
    try #require(owned.isOwned, "this machine has no membarrier")
    #expect(owned.gate.enter() == .entered)
    let outcome = Shared<(Gate<Int>.Entry, Bool)?>(nil)
    onThreads(1) { _ in outcome.value = (owned.gate.enter(), owned.gate.handOver(7)) }
    #expect(outcome.value?.0 == .taken)
    #expect(outcome.value?.1 == false)
    #expect(owned.gate.enter() == .nested)
    #expect(owned.gate.leave() == false)
    #expect(owned.gate.enter() == .nested)
    var signals: [Int] = []
    owned.gate.takeHandedOver { signals.append($0) }
    #expect(signals == [7])
    #expect(owned.gate.leave() == true)
    #expect(owned.word == 0)
  }

  /// One thread owns the gate, and another takes it away at any moment; an unguarded counter shows whether both are in.
  @Test func staysExclusiveWhileItIsRevoked() {
    for round in 0..<300 {
      let owned = Owned()
      let delivered = Shared([Int]())
      func run(_ signals: Range<Int>) {
        for signal in signals {
          switch owned.gate.enter() {
          case .entered: delivered.value.append(signal)
          case .nested: Issue.record("nothing is nested here")
          case .taken: guard owned.gate.handOver(signal) else { continue }
          }
          while !owned.gate.leave() { owned.gate.takeHandedOver { delivered.value.append($0) } }
        }
      }
      onThreads([
        { run(0..<(200 + round)) },
        {
          for _ in 0..<round { spinHint() }
          run(1_000..<1_100)
        },
      ])
      #expect(delivered.value.filter { $0 < 1_000 } == Array(0..<(200 + round)))
      #expect(delivered.value.filter { $0 >= 1_000 } == Array(1_000..<1_100))
    }
  }
}
