// Eight threads on one state of each kind: no update is lost, subscribers see all in one order, and nobody waits for
// ever.

import TestKit
import Testing
import Weir
import WeirState

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
}
