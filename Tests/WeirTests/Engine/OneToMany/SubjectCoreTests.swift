// Tests of the engine of subjects where another thread delivers: what is handed over, and the upkeep of the list.

import TestKit
import Testing

@testable import Weir

@Suite struct SubjectCoreTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let core = SubjectCore<Int, TestFailure>(name: "Test", contention: .handOver)
  private let owner = RecordingSubscription()

  /// Attaches a subscriber during whose first value `action` runs on another thread, to its end.
  private func blocker(during action: @escaping () -> Void) -> Recorder {
    let recorder = Recorder(.unlimited)
    var isFirst = true
    recorder.onValue = { _ in
      guard isFirst else { return }
      isFirst = false
      onThreads(1) { _ in action() }
    }
    core.subscribe(recorder, to: owner)
    return recorder
  }

  @Test func aContendedSendIsDeliveredAfterTheOneUnderWay() {
    let core = core
    let first = blocker {
      core.send(2)
      core.send(3)
    }
    let second = Recorder(.unlimited)
    core.subscribe(second, to: owner)
    core.send(1)
    #expect(first.values == [1, 2, 3])
    #expect(second.values == [1, 2, 3])
  }

  @Test func aNestedSendOvertakesWhatWasHandedOver() {
    let core = core
    let first = blocker { core.send(3) }
    let second = Recorder(.unlimited)
    second.onValue = { if $0 == 1 { core.send(2) } }
    core.subscribe(second, to: owner)
    core.send(1)
    #expect(first.values == [1, 2, 3])
    #expect(second.values == [1, 2, 3])
  }

  @Test func aContendedCompletionComesBehindTheValues() {
    let core = core
    let first = blocker {
      core.send(2)
      core.send(completion: .failure(.first))
      core.send(3)
    }
    core.send(1)
    #expect(first.values == [1, 2])
    #expect(first.completions == [.failure(.first)])
  }

  @Test func aContendedSubscriberJoinsBehindEverythingSentBefore() {
    let core = core
    let owner = owner
    let late = Recorder(.unlimited)
    let first = blocker {
      core.send(2)
      core.subscribe(late, to: owner)
      #expect(late.history == [.subscription("Test")])
      core.send(3)
    }
    core.send(1)
    core.send(4)
    #expect(first.values == [1, 2, 3, 4])
    #expect(late.history == [.subscription("Test"), .value(3), .value(4)])
  }

  @Test func aContendedSubscriberBehindACompletionIsCompleted() {
    let core = core
    let owner = owner
    let late = Recorder(.unlimited)
    _ = blocker {
      core.send(completion: .finished)
      core.subscribe(late, to: owner)
    }
    core.send(1)
    #expect(late.history == [.subscription("Test"), .completion(.finished)])
  }

  @Test func aContendedSubscriberThatCancelsAtOnceNeverJoins() {
    let core = core
    let owner = owner
    let lifetimes = Lifetimes()
    _ = blocker {
      let tracked = lifetimes.track()
      let late = Recorder()
      late.keepsSubscriptions = false
      late.onSubscription = { subscription in
        subscription.request(.unlimited)
        subscription.cancel()
        tracked.touch()
      }
      core.subscribe(late, to: owner)
    }
    core.send(1)
    #expect(lifetimes.made == 1)
    #expect(lifetimes.live == 0)
  }

  @Test func aContendedCancellationStopsTheValuesBehindIt() {
    let core = core
    let second = Recorder(.unlimited)
    let first = blocker {
      core.send(2)
      second.cancel()
    }
    core.subscribe(second, to: owner)
    core.send(1)
    #expect(first.values == [1, 2])
    #expect(second.history == [.subscription("Test")])
  }

  @Test func aContendedCancellationFreesTheSubscriberWhenTheDeliveryIsOver() {
    let core = core
    let lifetimes = Lifetimes()
    var subscription: (any Subscription)?
    do {
      let tracked = lifetimes.track()
      let second = Recorder(.unlimited)
      second.keepsSubscriptions = false
      second.onSubscription = { subscription = $0 }
      second.onValue = { _ in tracked.touch() }
      core.subscribe(second, to: owner)
    }
    var liveInside = -1
    _ = blocker {
      subscription?.cancel()
      liveInside = lifetimes.live
    }
    core.send(1)
    #expect(liveInside == 1)
    #expect(lifetimes.live == 0)
    core.send(2)
    withExtendedLifetime(subscription) {}
  }

  // MARK: The list

  @Test func closesUpWhenHalfOfTheSlotsAreEmpty() {
    let recorders = (0..<100).map { _ in Recorder(.unlimited) }
    for recorder in recorders { core.subscribe(recorder, to: owner) }
    #expect(core.count == 100)
    #expect(core.live == 100)
    for (index, recorder) in recorders.enumerated() where !index.isMultiple(of: 10) { recorder.cancel() }
    #expect(core.live == 10)
    #expect(core.count < 40)
    core.send(5)
    #expect(
      recorders.enumerated().filter { !$0.element.values.isEmpty }.map(\.offset)
        == Array(stride(from: 0, to: 100, by: 10)))
    for recorder in recorders { recorder.cancel() }
    #expect(core.live == 0)
    #expect(core.count == 0)
  }

  @Test func staysInOrderThroughAnyHistoryOfSubscribingAndCancelling() {
    var random = SplitMix(seed: 7)
    var order: [Int] = []
    var present: [(number: Int, recorder: Recorder)] = []
    for number in 0..<2_000 {
      if present.isEmpty || Int.random(in: 0..<100, using: &random) < (number < 1_000 ? 60 : 30) {
        let recorder = Recorder(.unlimited)
        recorder.onValue = { _ in order.append(number) }
        core.subscribe(recorder, to: owner)
        present.append((number, recorder))
      } else {
        present.remove(at: Int.random(in: 0..<present.count, using: &random)).recorder.cancel()
      }
      guard number.isMultiple(of: 50) else { continue }
      order = []
      core.send(number)
      #expect(order == present.map(\.number))
    }
    #expect(core.live == present.count)
  }

  @Test func tenThousandSubscribersComeAndGo() {
    let recorders = (0..<10_000).map { _ in Recorder(.unlimited) }
    for recorder in recorders { core.subscribe(recorder, to: owner) }
    core.send(1)
    #expect(recorders.allSatisfy { $0.values == [1] })
    for recorder in recorders { recorder.cancel() }
    #expect(core.count == 0)
  }

  @Test func freeingManySubscribersAtOnceDoesNotRecurse() {
    let lifetimes = Lifetimes()
    for _ in 0..<50_000 {
      let tracked = lifetimes.track()
      core.subscribe(AnySubscriber(receiveCompletion: { _ in tracked.touch() }), to: owner)
    }
    #expect(lifetimes.live == 50_000)
    core.send(completion: .finished)
    #expect(lifetimes.live == 0)
  }

  /// A subscriber's capture sends to the subject again when it is freed.
  @Test func mayBeCalledFromWhatItFrees() {
    final class Callback {
      let action: () -> Void
      init(_ action: @escaping () -> Void) { self.action = action }
      deinit { action() }
    }
    let core = core
    let other = Recorder(.unlimited)
    core.subscribe(other, to: owner)
    var subscription: (any Subscription)?
    do {
      let callback = Callback { core.send(9) }
      let first = Recorder(.unlimited)
      first.keepsSubscriptions = false
      first.onSubscription = { subscription = $0 }
      first.onValue = { _ in withExtendedLifetime(callback) {} }
      core.subscribe(first, to: owner)
    }
    subscription?.cancel()
    #expect(other.values == [9])
    subscription = nil
  }
}
