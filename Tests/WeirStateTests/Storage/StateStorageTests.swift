// Tests of what states have in common: order, atomicity, and what runs where.

import TestKit
import Testing
import Weir

@testable import WeirState

@Suite struct StateStorageTests {
  private func recorder(of storage: StateStorage<Int>) -> RecordingSubscriber<DiffedValue<Int>, Never> {
    let subscriber = RecordingSubscriber<DiffedValue<Int>, Never>(.unlimited)
    storage.subscribe(subscriber)
    return subscriber
  }

  private func diff(_ old: Int?, _ new: Int) -> DiffedValue<Int> { DiffedValue(old: old, get: new, set: { _ in }) }

  @Test func subscribersGetTheValueAndThenEachChange() {
    let storage = StateStorage(1, isSame: ==)
    let first = recorder(of: storage)
    storage.set(2)
    storage.set(2)
    storage.change { $0 += 1 }
    let second = recorder(of: storage)
    storage.set(4)
    #expect(first.values == [diff(nil, 1), diff(1, 2), diff(2, 3), diff(3, 4)])
    #expect(second.values == [diff(nil, 3), diff(3, 4)])
  }

  @Test func demandIsRespectedAndTheNewestIsCaughtUp() {
    let storage = StateStorage(1, isSame: ==)
    let subscriber = RecordingSubscriber<DiffedValue<Int>, Never>(.max(1))
    storage.subscribe(subscriber)
    storage.set(2)
    storage.set(3)
    subscriber.request(.max(1))
    #expect(subscriber.values == [diff(nil, 1), diff(nil, 3)])
  }

  /// It got a diff from a value that it had not had, so that what had changed before stayed unknown to it.
  @Test func whoHasMissedAChangeGetsTheNewestValueThoughAnotherChangeIsOnItsWay() {
    let storage = StateStorage(0, isSame: ==)
    let slow = RecordingSubscriber<DiffedValue<Int>, Never>(.max(1))
    storage.subscribe(slow)
    let first = recorder(of: storage)
    first.onValue = { change in
      guard change.new == 1 else { return }
      storage.set(2)
      slow.request(.max(2))
    }
    storage.set(1)
    storage.set(3)
    #expect(slow.values == [diff(nil, 0), diff(nil, 2), diff(2, 3)])
    #expect(first.values == [diff(nil, 0), diff(0, 1), diff(1, 2), diff(2, 3)])
  }

  /// It stayed with its first value until the next change.
  @Test func whoAsksByWhatItsFirstValueReturnsGetsWhatItHasMissedWithinThat() {
    for isOther in [false, true] {
      let storage = StateStorage(0, isSame: ==)
      let subscriber = RecordingSubscriber<DiffedValue<Int>, Never>(.max(1), perValue: .max(1))
      subscriber.onValue = { change in
        guard change.new == 0 else { return }
        if isOther { onThreads(1) { _ in storage.set(1) } } else { storage.set(1) }
      }
      storage.subscribe(subscriber)
      #expect(subscriber.values == [diff(nil, 0), diff(nil, 1)])
      storage.set(2)
      #expect(subscriber.values == [diff(nil, 0), diff(nil, 1), diff(1, 2)])
      subscriber.onValue = nil
    }
  }

  @Test func whatASubscriberWritesIsDeliveredBehindWhatItReceives() {
    let storage = StateStorage(0, isSame: ==)
    let first = recorder(of: storage)
    first.onValue = { if $0.new == 1 { storage.set(2) } }
    let second = recorder(of: storage)
    storage.set(1)
    #expect(first.values.map(\.new) == [0, 1, 2] && second.values.map(\.new) == [0, 1, 2])
    #expect(second.values.map(\.old) == [nil, 0, 1])
  }

  @Test func aChangeMadeInsideAnothersTurnIsDeliveredAfterIt() {
    let outer = StateStorage(0, isSame: ==)
    let inner = StateStorage(0, isSame: ==)
    var log: [String] = []
    let subscriber = recorder(of: inner)
    subscriber.onValue = { log.append("inner \($0.new), outer \(outer.value)") }
    outer.change { value in
      value = 1
      inner.set(5)
      log.append("changing, inner is \(inner.value)")
    }
    #expect(log == ["changing, inner is 5", "inner 5, outer 1"])
  }

  private struct Refused: Error {}

  /// Only a write from within the body would be lost.
  @Test func aWriteAfterAChangeThatWasAbandonedIsAllowed() {
    let storage = StateStorage(0, isSame: ==)
    #expect(throws: Refused.self) {
      try storage.change { (value: inout Int) throws(Refused) in
        value = 1
        throw Refused()
      }
    }
    storage.set(2)
    #expect(storage.value == 2)
  }

  @Test func eightThreadsLoseNoUpdateAndSubscribersSeeAllInOrder() {
    let storage = StateStorage(0, isSame: ==)
    let subscriber = recorder(of: storage)
    onThreads(8) { _ in for _ in 0..<500 { storage.change { $0 += 1 } } }
    #expect(storage.value == 4000)
    #expect(subscriber.values.map(\.new) == Array(0...4000))
    #expect(subscriber.values.dropFirst().map(\.old) == Array(0..<4000))
  }

  /// Another thread's change comes when the value has been compared, and nothing was to be told of.
  @Test func aChangeIsAnnouncedThatWasNoneWhenItWasLookedAt() {
    let hook = Shared<(() -> Void)?>(nil)
    let storage = StateStorage(
      1,
      isSame: { old, new in
        let isSame = old == new
        hook.value.take()?()
        return isSame
      })
    let log = Log<String>()
    storage.objectWillChange.sink { log.values.append("before \(storage.value)") }.store(in: &log.cancellables)
    let subscriber = recorder(of: storage)
    subscriber.onValue = { log.values.append("is \($0.new)") }
    hook.value = { storage.set(2) }
    storage.set(1)
    #expect(log.values == ["before 1", "is 2", "before 2", "is 1"])
    storage.set(1)
    #expect(log.values.count == 4)
  }

  @Test func writesThroughADiffDoNothingOnceTheStateIsGone() {
    var storage: StateStorage<Int>? = StateStorage(0, isSame: ==)
    let subscriber = recorder(of: storage!)
    storage = nil
    subscriber.values[0].new = 5
    #expect(subscriber.values == [diff(nil, 0)])
  }

  @Test func whatTheBodyThrowsLeavesTheValueAndGivesTheTurnBack() {
    let storage = StateStorage(0, isSame: ==)
    #expect(throws: TestFailure.self) {
      try storage.change { value in
        value = 1
        throw TestFailure.first
      }
    }
    onThreads(1) { _ in storage.set(3) }
    #expect(storage.value == 3)
  }
}
