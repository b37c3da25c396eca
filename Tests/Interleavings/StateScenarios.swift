// States: the right to change one, and changes of whole states by several threads.

import Weir
import WeirState
import WeirVerify

/// Makes the globals of states before anything is explored, so that all runs are alike.
func prepareStates() {
  let state = UIState(wrappedValue: 0)
  state.withLock { $0 += 1 }
  ValueSubject(wrappedValue: 0).withLock { $0 += 1 }
  let managed = ManagedState(wrappedValue: Crossing())
  managed.withLock { $0.number += 1 }
}

/// A model with a rule that writes into another state.
private struct Crossing: BehavioralStateContract {
  final class Peer {
    weak var state: ManagedState<Crossing>?
  }

  var number = 0
  var echo = 0
  @IgnoredState var peer = Peer()

  static func applyBindingRules(to state: RulesPublisher) -> [AnyCancellable] {
    let token = state.bindDiffed(to: \.number) { (diff: DiffedValue<Crossing>) in
      diff.new.peer.state?.wrappedValue.echo = diff.new.number
    }
    return [token]
  }
}

/// The same behind `share`, which lets one thread in at a time.
private struct CrossingBehindShare: BehavioralStateContract {
  final class Peer {
    weak var state: ManagedState<CrossingBehindShare>?
  }

  var number = 0
  var echo = 0
  @IgnoredState var peer = Peer()

  static func applyBindingRules(to state: RulesPublisher) -> [AnyCancellable] {
    let token = state.share().bindDiffed(to: \.number) { (diff: DiffedValue<CrossingBehindShare>) in
      diff.new.peer.state?.wrappedValue.echo = diff.new.number
    }
    return [token]
  }
}

/// A turn, and what it guards.
private final class GuardedTurn {
  private let turn = Turn()
  private let inside: Guarded
  private let scenario: Run

  init(_ run: Run) {
    scenario = run
    inside = run.guarded("what the turn guards")
  }

  /// Does something in the turn, where nobody else may be meanwhile.
  func run(_ body: () -> Void) {
    turn.enter()
    inside.noteWrite()
    scenario.pause("in the turn")
    body()
    inside.noteWrite()
    turn.leave()
  }
}

/// A model whose rules' publisher can be had.
private struct Watched: BehavioralStateContract {
  final class Watch {
    var rules: AnyPublisher<DiffedValue<Watched>, Never>?
  }

  var number = 0
  @IgnoredState var watch = Watch()

  static func applyBindingRules(to state: RulesPublisher) -> [AnyCancellable] {
    let token = state.first().sink { (diff: DiffedValue<Watched>) in diff.new.watch.rules = state }
    return [token]
  }
}

let turnScenarios = [
  Scenario("turn/one-at-a-time", bound: 4) { run in
    let turn = Turn()
    let inside = run.guarded("what the turn guards")
    for number in 1...2 {
      run.thread("thread \(number)") {
        turn.enter()
        inside.noteWrite()
        run.pause("inside")
        inside.noteWrite()
        turn.leave()
      }
    }
  },
  Scenario("turn/twice", bound: 4) { run in
    let turn = Turn()
    let inside = run.guarded("what the turn guards")
    for number in 1...2 {
      run.thread("thread \(number)") {
        turn.enter()
        turn.enter()
        turn.leave()
        inside.noteWrite()
        turn.leave()
      }
    }
  },
  // Each thread has one turn and wants the other's: it is lent, and what it guards is still touched by one at a time.
  Scenario("turn/crosswise", bound: 3) { run in
    let turns = [Turn(), Turn()]
    let inside = [run.guarded("what the first turn guards"), run.guarded("what the second turn guards")]
    for number in 0...1 {
      run.thread("thread \(number)") {
        turns[number].enter()
        inside[number].noteWrite()
        turns[1 - number].enter()
        inside[1 - number].noteWrite()
        turns[1 - number].leave()
        turns[number].leave()
      }
    }
  },
  // Three threads in a circle.
  Scenario("turn/circle", bound: 2) { run in
    let turns = [Turn(), Turn(), Turn()]
    for number in 0...2 {
      run.thread("thread \(number)") {
        turns[number].enter()
        turns[(number + 1) % 3].enter()
        turns[(number + 1) % 3].leave()
        turns[number].leave()
      }
    }
  },
  // A turn that was lent is taken once more while its owner, woken in vain, is in no table.
  Scenario("turn/lent-twice", bound: 4) { run in
    let turns = [Turn(), Turn()]
    run.thread("owner") {
      turns[0].enter()
      turns[1].enter()
      turns[1].leave()
      turns[0].leave()
    }
    run.thread("borrower") {
      turns[1].enter()
      turns[1].leave()
      turns[1].enter()
      turns[0].enter()
      turns[0].enter()
      turns[0].leave()
      turns[0].leave()
      turns[1].leave()
    }
  },
  // One thread has the turn and sends, the other one is in the subject and wants the turn.
  Scenario("turn/gate-crosswise", bound: 2) { run in
    let guarded = GuardedTurn(run)
    let subject = PassthroughSubject<Int, Never>()
    let probe = Probe<Int, Never>(run)
    probe.onValue = { _ in guarded.run {} }
    subject.subscribe(probe)
    run.thread("in the turn") { guarded.run { subject.send(1) } }
    run.thread("in the subject") { subject.send(2) }
    run.check {
      run.expect(probe.values.sorted(), [1, 2], "received")
      probe.end()
    }
  },
  // One thread has the turn and sends, the other one is in the subscriber with its first value and wants the turn.
  Scenario("turn/first-value-crosswise", bound: 2) { run in
    let guarded = GuardedTurn(run)
    let subject = CurrentValueSubject<Int, Never>(0)
    let probe = Probe<Int, Never>(run)
    probe.onValue = { _ in guarded.run {} }
    run.thread("in the turn") { guarded.run { subject.send(1) } }
    run.thread("subscriber") { subject.subscribe(probe) }
    run.check {
      run.expect(probe.values, in: [[0, 1], [1]], "received")
      probe.end()
    }
  },
  // A circle of a gate and two turns, each of which some thread has.
  Scenario("turn/gate-and-two-turns", bound: 1) { run in
    let guarded = [GuardedTurn(run), GuardedTurn(run)]
    let subject = PassthroughSubject<Int, Never>()
    let probe = Probe<Int, Never>(run)
    probe.onValue = { _ in guarded[1].run {} }
    subject.subscribe(probe)
    run.thread("in the first turn") { guarded[0].run { subject.send(1) } }
    run.thread("in the second turn") { guarded[1].run { guarded[0].run {} } }
    run.thread("in the subject") { subject.send(2) }
    run.check {
      run.expect(probe.values.sorted(), [1, 2], "received")
      probe.end()
    }
  },
  // What is to follow a change happens once, after the thread's last turn.
  Scenario("turn/what-follows", bound: 3) { run in
    let turns = [Turn(), Turn()]
    let log = Held(0)
    for number in 0...1 {
      run.thread("thread \(number)") {
        turns[number].enter()
        turns[1 - number].enter()
        if turns[1 - number].leave(unlessThrough: { { log.value += 1 } }) { log.value += 100 }
        turns[number].leave()
      }
    }
    run.check { run.expect(log.value, 2, "deliveries") }
  },
]

let stateScenarios = [
  Scenario("state/change-change", bound: 2) { run in
    let state = UIState(wrappedValue: 0)
    let probe = Probe<Int, Never>(run)
    state.justNew().subscribe(probe)
    for number in 1...2 { run.thread("writer \(number)") { state.withLock { $0 += 1 } } }
    run.check {
      run.expect(state.wrappedValue, 2, "the value")
      run.expect(probe.values, [0, 1, 2], "received")
      probe.end()
    }
  },
  // Each state's change changes the other state.
  Scenario("state/crosswise", bound: 2) { run in
    let states = [UIState(wrappedValue: 0), UIState(wrappedValue: 0)]
    for number in 0...1 {
      run.thread("writer \(number)") {
        states[number].withLock { value in
          value += 1
          states[1 - number].withLock { $0 += 10 }
        }
      }
    }
    run.check {
      for state in states { run.expect(state.wrappedValue % 10, 1, "the writer's own change of \(state.wrappedValue)") }
    }
  },
  // Each state's rule writes into the other state.
  Scenario("state/rules-crosswise", bound: 2) { run in
    let states = [ManagedState(wrappedValue: Crossing()), ManagedState(wrappedValue: Crossing())]
    for number in 0...1 { states[number].wrappedValue.peer.state = states[1 - number] }
    for number in 0...1 { run.thread("writer \(number)") { states[number].wrappedValue.number = 1 } }
    run.check {
      for state in states { run.expect(state.wrappedValue.number, 1, "the writer's own change") }
    }
  },
  // Each state's rule writes into the other state, behind a gate of its own.
  Scenario("state/rules-behind-share", bound: 1) { run in
    let states = [ManagedState(wrappedValue: CrossingBehindShare()), ManagedState(wrappedValue: CrossingBehindShare())]
    for number in 0...1 { states[number].wrappedValue.peer.state = states[1 - number] }
    for number in 0...1 { run.thread("writer \(number)") { states[number].wrappedValue.number = 1 } }
    run.check {
      for state in states { run.expect(state.wrappedValue.number, 1, "the writer's own change") }
    }
  },
  // A rule asks while a change finds no demand: it gets that one, or begins anew with its outcome.
  Scenario("state/rule-asks", bound: 2) { run in
    let watch = Watched.Watch()
    let state = ManagedState(wrappedValue: Watched(watch: watch))
    let probe = Probe<DiffedValue<Watched>, Never>(run, demand: .max(1))
    watch.rules?.subscribe(probe)
    run.thread("writer") { state.wrappedValue.number = 1 }
    run.thread("asker") { probe.subscription?.request(.max(1)) }
    run.check {
      withExtendedLifetime(state) { run.expect(probe.values.map(\.new.number), [0, 1], "received") }
      probe.end()
    }
  },
]
