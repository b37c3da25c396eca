// Tests of rules that never come to rest.

import Foundation
import Testing
import Weir

@testable import WeirState

@Suite struct CyclicDependencyTests {
  @Test func theSettingsAreTheFieldsOwnAtFirst() {
    #expect(ManagedStateCyclicDependencyWarning && ManagedStateCyclicDependencyMaxDepth == 100)
  }

  private struct Dated: BehavioralStateContract {
    struct Inner: BehavioralStateContract {
      var turns = 0
      var name = ""
    }
    var count = 0
    var inner = Inner()
    @IgnoredState var cache = 0
    var lastUpdated = 0
    mutating func applyRules() {
      lastUpdated += 1
      cache += 1
      if count > 5 { inner.turns += 1 }
    }
  }

  @Test func aRuleThatNeverRestsKeepsTheWriteAndIsToldOfOnce() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      ManagedStateCyclicDependencyMaxDepth = 50
      @ManagedState var state = Dated()
      state.count = 5
      precondition(state.count == 5 && state.lastUpdated > 0)
      state.count = 6
      precondition(state.count == 6 && state.inner.turns == 50)
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("WeirState: warning: ") }
    #expect(lines.count == 2, "\(text)")
    #expect(
      lines.first?.contains(#"ManagedState<Dated>: its rules still change \.lastUpdated after 50 rounds"#) == true)
    #expect(lines.last?.contains(#"still change \.inner.turns, \.lastUpdated after 50 rounds"#) == true)
  }

  private final class Node: BehavioralStateContract {
    let number: Double
    var child: Node?
    weak var parent: Node?
    init(_ number: Double) { self.number = number }
    static func == (lhs: Node, rhs: Node) -> Bool { lhs.number == rhs.number }
  }

  private struct Tree: BehavioralStateContract {
    var root: Node
    init(_ number: Double) {
      root = Node(number)
      root.child = Node(number)
      root.child?.parent = root
    }
  }

  /// The parts of an object that lead back to it were listed until the stack was full.
  @Test func objectsThatLeadBackToEachOtherAreNamedOnce() {
    #expect(CyclicDependency.changedParts(Tree(1), Tree(2)) == ["root"])
    let odd = Tree(.nan)
    #expect(CyclicDependency.changedParts(odd, odd) == ["root"])
    #expect(Set(CyclicDependency.changedParts(odd.root, odd.root)) == ["number", "child.some"])
  }

  private indirect enum Line: BehavioralStateContract {
    case end(Int), next(Line)

    init(_ length: Int, _ last: Int) {
      self = .end(last)
      for _ in 0..<length { self = .next(self) }
    }

    var last: Int {
      var line = self
      while case .next(let next) = line { line = next }
      guard case .end(let last) = line else { return 0 }
      return last
    }

    static func == (lhs: Line, rhs: Line) -> Bool { lhs.last == rhs.last }
  }

  /// The way to the part that changes took more than the stack of a thread.
  @Test func aListThatHoldsItselfByValueIsNamedSoFar() {
    let parts = CyclicDependency.changedParts(Line(3_000, 1), Line(3_000, 2))
    #expect(parts == [Array(repeating: "next", count: 17).joined(separator: ".")])
  }

  private enum Other {
    struct Dated: BehavioralStateContract {
      var lastUpdated = 0
      mutating func applyRules() { lastUpdated += 1 }
    }
  }

  /// It was told again with another depth, and not of a type with the same name.
  @Test func eachKindOfStateIsToldOfOnceWhateverItsNameAndTheDepth() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      ManagedStateCyclicDependencyMaxDepth = 50
      @ManagedState var state = Dated()
      @ManagedState var other = Other.Dated()
      ManagedStateCyclicDependencyMaxDepth = 40
      state.count = 5
      other.lastUpdated = 1
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("WeirState: warning: ") }
    #expect(lines.count == 2 && lines.allSatisfy { $0.contains("after 50 rounds") }, "\(text)")
  }

  /// The program stopped.
  @Test func aWarningThatCanNotBeWrittenIsLeftOut() async throws {
    await #expect(processExitsWith: .success) {
      close(2)
      @ManagedState var state = Dated()
      state.count = 5
      precondition(state.count == 5)
    }
  }

  private struct Measured: BehavioralStateContract {
    var count = 0
    var mean = 0.0
  }

  /// It was told that rules change it, where there are none.
  @Test func aValueThatIsNotEqualToItselfIsToldOf() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      @ManagedState var state = Measured()
      state.mean = .nan
      precondition(state.mean.isNaN)
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains(#"ManagedState<Measured>: \.mean is not equal to itself, so that its rules"#), "\(text)")
  }

  /// With a depth of one, whatever a rule changed was told of.
  @Test func aDepthOfLessThanTwoIsTwo() async throws {
    struct Sum: BehavioralStateContract {
      var parts = [1]
      var sum = 1
      var rounds = 0
      mutating func applyRules() {
        sum = parts.reduce(0, +)
        if parts.count > 3, rounds < 9 { rounds += 1 }
      }
    }
    for depth in [1, 0, Int.min] {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        [depth = depth as Int] in
        ManagedStateCyclicDependencyMaxDepth = depth
        @ManagedState var state = Sum()
        state.parts = [1, 2]
        precondition(state.sum == 3)
        state.parts = [1, 2, 3, 4]
        precondition(state.sum == 10 && state.rounds == 2)
      }
      let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      let lines = text.split(separator: "\n").filter { $0.hasPrefix("WeirState: warning: ") }
      #expect(lines.count == 1 && lines.first?.contains(#"still change \.rounds after 2 rounds"#) == true, "\(text)")
    }
  }

  @Test func nothingIsToldWithWarningsOff() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      ManagedStateCyclicDependencyWarning = false
      @ManagedState var state = Dated()
      state.count = 5
      precondition(state.count == 5)
    }
    #expect(!String(decoding: try #require(result).standardErrorContent, as: UTF8.self).contains("WeirState"))
  }

  @Test func rulesThatNeedManyRoundsAreLeftAlone() {
    struct Slow: BehavioralStateContract {
      var target = 0
      var number = 0
      mutating func applyRules() { if number < target { number += 1 } }
    }
    @ManagedState var slow = Slow()
    slow.target = 98
    #expect(slow.number == 98)
  }

  private final class Peer: @unchecked Sendable { var write: () -> Void = {} }

  private struct Echoing: BehavioralStateContract {
    var number = 0
    var doubled = 0
    var echo = 0
    @IgnoredState var echoes: [Int] = []
    @IgnoredState var peer = Peer()

    mutating func applyRules() { doubled = 2 * number }

    @SubscriptionBuilder
    static func applyBindingRules(to state: RulesPublisher) -> [AnyCancellable] {
      state.bind(to: \.echo) { (model: inout Echoing) in model.echoes.append(model.echo) }
      state.bindDiffed(to: \.number) { (diff: DiffedValue<Echoing>) in diff.new.peer.write() }
    }
  }

  /// They were said to go on for ever.
  @Test func rulesThatRestInTheLastRoundLearnOfWhatIsOverwrittenAllTheSame() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      ManagedStateCyclicDependencyMaxDepth = 2
      let peer = Peer()
      let state = ManagedState(wrappedValue: Echoing(peer: peer))
      peer.write = { state.wrappedValue.echo = 7 }
      state.number = 1
      precondition(state.doubled == 2 && state.echo == 0 && state.echoes == [0, 0])
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(!text.contains("WeirState: warning: "), "\(text)")
  }
}
