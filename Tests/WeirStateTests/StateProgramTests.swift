// Random programs for states with bindings and rules, each compared with a plain value.

import TestKit
import Testing
import Weir
import WeirState

@Suite struct StateProgramTests {
  /// A plain value with the rules of `NumberModel` worked out, whose subscriber answers some changes with another.
  private struct Model {
    var value = NumberModel()
    var log: [String] = ["nil -> 0 0 0"]

    static func text(_ value: NumberModel) -> String {
      "\(value.number)\(value.text) \(value.doubled) \(value.history)"
    }

    mutating func write(_ new: NumberModel) {
      var new = new
      guard new != value else { return }
      new.doubled = new.number * 2
      if new.number != value.number { new.history = value.number * 1000 + new.number }
      guard new != value else { return }
      log.append("\(Self.text(value)) -> \(Self.text(new))")
      value = new
      if new.number % 7 == 3 { change { $0.number += 1 } }
    }

    mutating func change(_ body: (inout NumberModel) -> Void) {
      var new = value
      body(&new)
      write(new)
    }
  }

  @Test(arguments: 0..<4) func aStateIsAValueWithRules(quarter: UInt64) {
    for seed in programSeeds(quarter: quarter) {
      var random = SplitMix(seed: seed)
      @ManagedState var state = NumberModel()
      let number: UIBinding<Int> = $state.number
      let text: UIBinding<String> = $state.observe().text
      var model = Model()
      let log = Log<String>()
      defer { log.cancellables = [] }
      var kept: [DiffedValue<NumberModel>] = []
      $state.sink { (diff: DiffedValue<NumberModel>) in
        log.values.append("\(diff.old.map(Model.text) ?? "nil") -> \(Model.text(diff.new))")
        kept.append(diff)
        if diff.new.number % 7 == 3 { number.wrappedValue += 1 }
      }.store(in: &log.cancellables)
      for _ in 0..<12 {
        let new = Int.random(in: 0..<12, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
          state = NumberModel(number: new)
          model.write(NumberModel(number: new))
        case 1:
          state.number = new
          model.change { $0.number = new }
        case 2:
          number.wrappedValue = new
          model.change { $0.number = new }
        case 3:
          text.withLock { $0 = "." }
          model.change { $0.text = "." }
        case 4:
          $state.withLock { value in
            value.number += 1
            value.text = ""
          }
          model.change { value in
            value.number += 1
            value.text = ""
          }
        case 5:
          kept.randomElement(using: &random)!.number = new
          model.change { $0.number = new }
        case 6:
          kept.randomElement(using: &random)!.new.doubled += 1
          model.change { $0.doubled += 1 }
        default:
          $state().wrappedValue.history = new
          model.change { $0.history = new }
        }
        guard state == model.value, log.values == model.log else {
          #expect(state == model.value && log.values == model.log, "seed \(seed)")
          return
        }
      }
    }
  }

  /// Who has subscribed to a binding without a publisher, and answers some changes with a write.
  private struct Listeners {
    var value = 0
    var logs: [[String]] = []

    static func text(_ old: Int?, _ new: Int) -> String { "\(old.map { "\($0)" } ?? "nil") -> \(new)" }

    /// What is to be written when a listener hears of a number.
    static func answer(of listener: Int, to new: Int) -> Int? {
      new % 5 == 3 && listener == 0 || new % 7 == 6 && listener == 1 ? new + 1 : nil
    }

    mutating func subscribe() {
      logs.append([Self.text(nil, value)])
      if let answer = Self.answer(of: logs.count - 1, to: value) { write(answer) }
    }

    /// Tells all of a write, and then of the answers to it, each as one change from what the value was then.
    mutating func write(_ new: Int) {
      var writes = [new]
      while !writes.isEmpty {
        let (old, new) = (value, writes.removeFirst())
        value = new
        for listener in logs.indices {
          logs[listener].append(Self.text(old, new))
          // Told once all know of this change.
          if let answer = Self.answer(of: listener, to: new) { writes.append(answer) }
        }
      }
    }
  }

  /// A binding of closures tells each subscriber the value as it is, and then what is written through it, from what the
  /// value was then; what changes behind its back is seen with the next write.
  @Test(arguments: 0..<4) func aBindingOfClosuresIsAValueWithListeners(quarter: UInt64) {
    for seed in programSeeds(quarter: quarter) {
      var random = SplitMix(seed: seed)
      let number = Shared(0)
      let binding = UIBinding(get: { number.value }, set: { number.value = $0 })
      var model = Listeners()
      var logs: [Log<String>] = []
      defer { for log in logs { log.cancellables = [] } }
      for _ in 0..<12 {
        let new = Int.random(in: 0..<40, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0 where logs.count < 3:
          let (log, listener) = (Log<String>(), logs.count)
          logs.append(log)
          binding.sink { (diff: DiffedValue<Int>) in
            log.values.append(Listeners.text(diff.old, diff.new))
            if let answer = Listeners.answer(of: listener, to: diff.new) { binding.wrappedValue = answer }
          }.store(in: &log.cancellables)
          model.subscribe()
        case 0, 1:
          number.value = new
          model.value = new
        case 2:
          binding.wrappedValue += 1
          model.write(model.value + 1)
        case 3:
          binding.withLock { $0 = new }
          model.write(new)
        default:
          binding.wrappedValue = new
          model.write(new)
        }
        guard number.value == model.value, logs.map(\.values) == model.logs else {
          Issue.record("seed \(seed): \(logs.map(\.values)) instead of \(model.logs)")
          return
        }
      }
    }
  }

  /// Threads that change parts of a state lose nothing, and each subscriber sees one unbroken row of changes.
  @Test func threadsChangeTheirParts() {
    for seed in programSeedsOfThreads {
      let state = ManagedState(wrappedValue: NumberModel())
      let breaks = Counter()
      let last = Shared(NumberModel())
      let subscription = state.sink { (diff: DiffedValue<NumberModel>) in
        if let old = diff.old, old != last.value { breaks.add() }
        last.value = diff.new
      }
      onThreads(3) { thread in
        var random = SplitMix(seed: seed << 2 | UInt64(thread))
        for _ in 0..<6 {
          switch Int.random(in: 0..<4, using: &random) {
          case 0: state.wrappedValue.number += 1
          case 1: state.withLock { $0.number += 1 }
          case 2: state.observe(\.number).withLock { $0 += 1 }
          default: (state.observe(\.number) as UIBinding<Int>).wrappedValue += 1
          }
        }
      }
      guard state.wrappedValue.number == 18, last.value == state.wrappedValue, breaks.value == 0 else {
        Issue.record("seed \(seed)")
        return
      }
      subscription.cancel()
    }
  }
}
