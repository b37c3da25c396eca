// Several threads on states: no update is lost, subscribers see all in one order, and nobody waits for ever.

import TestKit
import Testing
import Weir
import WeirState

/// A model whose rule stands behind `share`, which lets one thread in at a time.
private struct Shareholder: BehavioralStateContract {
  final class Peer: @unchecked Sendable { var write: (Int) -> Void = { _ in } }

  var number = 0
  var echo = 0
  @IgnoredState var peer = Peer()

  @SubscriptionBuilder
  static func applyBindingRules(to state: RulesPublisher) -> [AnyCancellable] {
    state.share().bindDiffed(to: \.number) { (diff: DiffedValue<Shareholder>) in diff.new.peer.write(diff.new.number) }
  }
}

@Suite struct StateConcurrencyTests {
  private let rounds = 200

  /// Eight threads write; what a subscriber has seen is each value once, in order.
  private func expectNoLostUpdate(
    _ numbers: AnyPublisher<Int, Never>, _ value: @escaping () -> Int, _ increment: @escaping (Int) -> Void
  ) {
    let log = Log<Int>()
    numbers.sink { log.values.append($0) }.store(in: &log.cancellables)
    onThreads(8) { number in
      for _ in 0..<rounds { increment(number) }
    }
    #expect(value() == 8 * rounds)
    #expect(log.values == Array(0...8 * rounds))
  }

  @Test func eightThreadsOnOneManagedState() {
    let state = ManagedState(wrappedValue: NumberModel())
    expectNoLostUpdate(state.justNew(\.number), { state.number }) { number in
      if number % 2 == 0 { state.withLock { $0.number += 1 } } else { state.wrappedValue.number += 1 }
    }
    #expect(state.doubled == 16 * rounds)
  }

  @Test func eightThreadsOnOneUIState() {
    let state = UIState(wrappedValue: 0)
    expectNoLostUpdate(state.justNew(), { state.wrappedValue }) { number in
      if number % 2 == 0 { state.withLock { $0 += 1 } } else { state.wrappedValue += 1 }
    }
  }

  @Test func eightThreadsOnOneValueSubject() {
    let subject = ValueSubject(wrappedValue: Person(name: "", age: 0))
    expectNoLostUpdate(subject.justNew(\.age), { subject.wrappedValue.age }) { number in
      if number % 2 == 0 { subject.withLock { $0.age += 1 } } else { subject.wrappedValue.age += 1 }
    }
  }

  @Test func eightThreadsOnPartsOfOneState() {
    let state = UIState(wrappedValue: Person(name: "", age: 0))
    let part: UIBinding<Int> = state.observe(\.age)
    expectNoLostUpdate(state.justNew(\.age), { state.age }) { number in
      if number % 2 == 0 { part.withLock { $0 += 1 } } else { state.withLock { $0.age += 1 } }
    }
  }

  /// Readers, subscribers and writers at once; each subscriber begins with the value as it is, and misses nothing after
  /// it.
  @Test func threadsSubscribeReadAndWriteAtOnce() {
    let state = ManagedState(wrappedValue: NumberModel())
    let gaps = Counter()
    onThreads(8) { number in
      for _ in 0..<50 {
        switch number % 4 {
        case 0: state.withLock { $0.number += 1 }
        case 1:
          let value = state.wrappedValue
          if value.doubled != 2 * value.number { gaps.add() }
        default:
          let last = Log<Int>()
          let token = state.justNew(\.number).sink { value in
            if let former = last.values.last, value != former + 1 { gaps.add() }
            last.values.append(value)
          }
          state.withLock { $0.number += 1 }
          token.cancel()
        }
      }
    }
    #expect(state.number == 6 * 50)
    #expect(gaps.value == 0)
  }

  /// Each state's subscriber writes into the other one, from eight threads.
  @Test func statesThatUpdateEachOtherDoNotDeadlock() {
    let a = ManagedState(wrappedValue: NumberModel())
    let b = ManagedState(wrappedValue: NumberModel())
    let log = Log<Int>()
    a.justNew(\.number).sink { count in b.withLock { $0.text = "\(count)" } }.store(in: &log.cancellables)
    b.justNew(\.number).sink { count in a.withLock { $0.text = "\(count)" } }.store(in: &log.cancellables)
    onThreads(8) { number in
      for _ in 0..<rounds { (number % 2 == 0 ? a : b).withLock { $0.number += 1 } }
    }
    #expect(a.number == 4 * rounds && b.number == 4 * rounds)
    #expect(a.text == "\(4 * rounds)" && b.text == "\(4 * rounds)")
  }

  /// Each closure that changes one state changes the other one, in the opposite order, from eight threads.
  @Test func statesThatAreChangedCrosswiseDoNotDeadlock() {
    let a = UIState(wrappedValue: 0)
    let b = ValueSubject(wrappedValue: 0)
    let done = Counter()
    onThreads(8) { number in
      for _ in 0..<rounds {
        if number % 2 == 0 {
          a.withLock { value in
            value &+= 1
            b.withLock { $0 &+= 1 }
          }
        } else {
          b.withLock { value in
            value &+= 1
            a.withLock { $0 &+= 1 }
          }
        }
        done.add()
      }
    }
    #expect(done.value == 8 * rounds)
  }

  // MARK: Threads that wait for each other at a state and at what lets one thread in at a time

  /// Each is in its own rule, behind its own `share`, and wants the other one's state. One is lent that, and wants the
  /// other one's `share` then: it leaves its diff there.
  @Test func statesWhoseRulesStandBehindShareDoNotDeadlock() {
    let states = [ManagedState(wrappedValue: Shareholder()), ManagedState(wrappedValue: Shareholder())]
    let inside = Counter()
    for (state, other) in zip(states, states.reversed()) {
      state.wrappedValue.peer.write = { number in
        inside.add()
        inside.wait(for: 2)
        other.wrappedValue.echo = number
      }
    }
    let threads = states.map { state in OtherThread { state.wrappedValue.number = 1 } }
    #expect(threads.allSatisfy { $0.comesBack() } && states.map(\.wrappedValue.number) == [1, 1])
  }

  /// One is in the rule and wants the subject, the other one in the subject and wants the state: it gets the rule's
  /// value, behind its own.
  @Test func aRuleMaySendIntoASubjectWhoseSubscriberWritesIntoItsState() {
    let state = ManagedState(wrappedValue: Shareholder())
    let subject = PassthroughSubject<Int, Never>()
    let inside = Counter()
    let log = Log<Int>()
    state.wrappedValue.peer.write = { number in
      inside.add()
      inside.wait(for: 2)
      subject.send(number)
    }
    subject.sink { value in
      log.values.append(value)
      if value == 2 {
        inside.add()
        inside.wait(for: 2)
      }
      state.wrappedValue.echo = value
    }
    .store(in: &log.cancellables)
    let threads = [OtherThread { state.wrappedValue.number = 1 }, OtherThread { subject.send(2) }]
    #expect(threads.allSatisfy { $0.comesBack() } && log.values == [2, 1])
    #expect(state.wrappedValue.number == 1 && state.wrappedValue.echo == 1)
  }

  /// One is in the rule and has something for the subscriber, which is getting its first value on the other one and
  /// wants the state.
  @Test func aRuleMaySendToASubscriberWhoseFirstValueWritesIntoItsState() {
    let state = ManagedState(wrappedValue: Shareholder())
    let subject = CurrentValueSubject<Int, Never>(0)
    let inside = Counter()
    let log = Log<Int>()
    state.wrappedValue.peer.write = { number in
      inside.add()
      inside.wait(for: 2)
      subject.send(number)
    }
    let threads = [
      OtherThread { state.wrappedValue.number = 1 },
      OtherThread {
        subject.sink { value in
          log.values.append(value)
          if value == 0 {
            inside.add()
            inside.wait(for: 2)
          }
          state.wrappedValue.echo = value + 10
        }
        .store(in: &log.cancellables)
      },
    ]
    #expect(threads.allSatisfy { $0.comesBack() } && log.values == [0, 1])
    #expect(state.wrappedValue.number == 1 && state.wrappedValue.echo == 11)
  }
}
