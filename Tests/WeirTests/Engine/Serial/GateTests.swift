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
}
