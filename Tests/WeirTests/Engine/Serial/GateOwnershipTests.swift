// Tests of gates that one thread alone uses, and of the end of that.

import TestKit
import Testing

@testable import Weir
@testable import WeirQueues

@Suite struct GateOwnershipTests {
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
    #expect(owned.word == 1)
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
