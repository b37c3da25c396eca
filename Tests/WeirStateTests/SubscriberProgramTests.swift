// Random programs for subscribers that write, subscribe, ask and cancel within their calls.

import TestKit
import Testing
import Weir
import WeirState

/// A subscriber that asks for everything, for one value more in return for each, or when it is told to.
private final class Listener {
  enum Kind: CaseIterable { case greedy, one, slow }

  let kind: Kind
  let recorder: RecordingSubscriber<DiffedValue<Int>, Never>
  var isCancelled = false

  init(_ kind: Kind) {
    self.kind = kind
    recorder = RecordingSubscriber(
      kind == .greedy ? .unlimited : kind == .one ? .max(1) : nil, perValue: kind == .one ? .max(1) : .none)
  }

  /// Whether its diffs follow each other, up to a value: those without `old` begin anew, which one that asks for
  /// everything never needs.
  func follows(to last: Int) -> Bool {
    let diffs = recorder.values
    let isUnbroken = zip(diffs, diffs.dropFirst()).allSatisfy { former, next in
      next.old == former.new || next.old == nil && kind != .greedy
    }
    return isUnbroken && diffs.first?.old == nil && diffs.last?.new == last
  }

  func cancel() {
    isCancelled = true
    recorder.subscriptions.last?.cancel()
  }
}

/// A state, and what its listeners do within their calls.
private final class Program {
  private var random: SplitMix
  private let state: any SafeBinding<Int>
  private var budget = 0
  private var isChanging = false
  private(set) var listeners: [Listener] = []
  private(set) var callsAfterTheEnd = 0

  init(seed: UInt64, _ state: any SafeBinding<Int>) {
    random = SplitMix(seed: seed)
    self.state = state
  }

  func run() {
    for _ in 0..<6 {
      budget = Int.random(in: 1..<6, using: &random)
      act()
    }
    budget = 0
    for listener in listeners where listener.kind == .slow && !listener.isCancelled {
      listener.recorder.request(.max(1))
    }
  }

  /// Does something, but within a change, which must not write the state.
  private func act() {
    guard !isChanging else { return }
    for _ in 0..<Int.random(in: 0..<3, using: &random) where budget > 0 {
      budget -= 1
      switch Int.random(in: 0..<6, using: &random) {
      case 0: state.wrappedValue = Int.random(in: 0..<6, using: &random)
      case 1: state.withLock { $0 += 1 }
      case 2: subscribe()
      case 3: listeners.randomElement(using: &random)?.cancel()
      case 4:
        listeners.filter { $0.kind == .slow && !$0.isCancelled }.randomElement(using: &random)?.recorder.request(
          .max(1))
      default:
        state.withLock { value in
          isChanging = true
          subscribe()
          value += 1
          isChanging = false
        }
      }
    }
  }

  private func subscribe() {
    guard listeners.count < 7 else { return }
    let listener = Listener(Listener.Kind.allCases[Int.random(in: 0..<3, using: &random)])
    listeners.append(listener)
    listener.recorder.onValue = { [unowned self, unowned listener] _ in
      if listener.isCancelled { callsAfterTheEnd += 1 }
      act()
    }
    state.subscribe(listener.recorder)
    if listener.isCancelled { listener.cancel() }
  }
}

@Suite struct SubscriberProgramTests {
  /// Each has the newest value at the end, if it has asked for it, and its diffs follow each other.
  @Test(
    arguments: [
      { UIState(wrappedValue: 0) }, { ValueSubject(wrappedValue: 0) },
      {
        let number = Shared(0)
        return UIBinding(get: { number.value }, set: { number.value = $0 })
      },
    ] as [@Sendable () -> any SafeBinding<Int>])
  func whoHasAskedGetsTheNewestValue(make: @Sendable () -> any SafeBinding<Int>) {
    for seed in programSeeds(quarter: 0) {
      let state = make()
      let program = Program(seed: seed, state)
      program.run()
      for listener in program.listeners where !listener.isCancelled {
        guard listener.follows(to: state.wrappedValue) else {
          #expect(listener.follows(to: state.wrappedValue), "seed \(seed): \(listener.recorder.values)")
          return
        }
      }
      #expect(program.callsAfterTheEnd == 0, "seed \(seed)")
      for listener in program.listeners { listener.cancel() }
    }
  }
}
