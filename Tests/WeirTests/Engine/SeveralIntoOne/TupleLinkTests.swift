// Tests of the engine of zip and combineLatest where several threads meet.

import TestKit
import Testing

@testable import Weir

@Suite struct TupleLinkTests {
  typealias Source = ScriptedPublisher<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let a = Source()
  private let b = Source()
  private let recorder = Recorder(.max(1))

  /// Runs `action` on another thread, to its end, while the subscriber receives its first value.
  private func during(_ action: @escaping () -> Void) {
    var isFirst = true
    recorder.onValue = { _ in
      guard isFirst else { return }
      isFirst = false
      onThreads(1) { _ in action() }
    }
  }

  private func subscribe(during action: @escaping () -> Void) {
    during(action)
    a.zip(b) { $0 * 10 + $1 }.contention(.handOver).subscribe(recorder)
  }

  private func combine(during action: @escaping () -> Void) {
    during(action)
    a.combineLatest(b) { $0 * 10 + $1 }.contention(.handOver).subscribe(recorder)
  }

  @Test func valuesOfAnotherThreadAreQueuedByTheHolder() {
    subscribe { [a, b] in
      a.send(2)
      a.send(3)
      b.send(5)
    }
    a.send(1)
    #expect(b.send(4) == .none)
    #expect(recorder.values == [14, 25])
    b.send(6)
    #expect(recorder.values == [14, 25, 36])
  }

  @Test func aTupleThatWasLeftBehindIsAnsweredWithARequest() {
    recorder.demandPerValue = { $0 == 25 ? .max(7) : .none }
    subscribe { [a, b] in
      a.send(2)
      #expect(b.send(5) == .none)
    }
    a.send(1)
    #expect(b.send(4) == .none)
    #expect(a.subscription?.history == [.requested(.max(1)), .requested(.max(7))])
    #expect(b.subscription?.history == [.requested(.max(1)), .requested(.max(7))])
  }

  @Test func aStreamThatChangesThreadsDoesNotOvertakeItself() {
    recorder.demandPerValue = { $0 == 25 ? .max(1) : .none }
    subscribe { [a, b] in
      b.send(5)
      a.send(2)
      a.send(3)
    }
    a.subscription?.onRequest = { [a] in if $0 == .max(1), a.subscription!.history.count > 1 { a.send(4) } }
    a.send(1)
    b.send(4)
    b.send(6)
    b.send(7)
    #expect(recorder.values == [14, 25, 36, 47])
  }

  @Test func anEndOfAnotherThreadComesBehindItsValues() {
    subscribe { [a, b] in
      b.send(5)
      b.send(completion: .finished)
      a.send(2)
      a.send(3)
    }
    a.send(1)
    b.send(4)
    #expect(recorder.history == [.subscription("Zip"), .value(14), .value(25), .completion(.finished)])
    #expect(a.subscription?.history == [.requested(.max(1)), .cancelled])
    #expect(b.subscription?.history == [.requested(.max(1))])
  }

  @Test func nothingIsDeliveredAfterACancellationByAnotherThread() {
    subscribe { [a, b, recorder] in
      a.send(2)
      b.send(5)
      recorder.cancel()
      a.send(completion: .failure(.first))
    }
    a.send(1)
    b.send(4)
    #expect(recorder.history == [.subscription("Zip"), .value(14)])
    for source in [a, b] { #expect(source.subscription?.history == [.requested(.max(1)), .cancelled]) }
  }

  // MARK: The newest of each

  @Test func newestValuesOfAnotherThreadComeBehindTheDelivery() {
    recorder.initialDemand = .max(3)
    combine { [a, b, recorder] in
      a.send(2)
      b.send(5)
      b.send(6)
      #expect(recorder.values == [14])
    }
    a.send(1)
    #expect(b.send(4) == .none)
    #expect(recorder.values == [14, 24, 25])
  }

  @Test func demandOfAnotherThreadIsAskedOfEveryStream() {
    combine { [a, recorder] in
      a.send(2)
      recorder.request(.max(1))
      a.send(3)
    }
    a.send(1)
    b.send(4)
    #expect(recorder.values == [14, 34])
    for source in [a, b] { #expect(source.subscription?.history == [.requested(.max(1)), .requested(.max(1))]) }
  }

  @Test func letsGoOfTheNewestValuesWhenCancelled() {
    let lifetimes = Lifetimes()
    let values = ScriptedPublisher(of: LifetimeTracked.self, failingWith: TestFailure.self)
    let recorder = RecordingSubscriber<Int, TestFailure>(.unlimited)
    values.combineLatest(b) { tracked, number in tracked.number + number }.subscribe(recorder)
    for number in 0..<5 { values.send(lifetimes.track(number)) }
    #expect(lifetimes.live == 1)
    b.send(10)
    #expect(recorder.values == [14])
    recorder.cancel()
    #expect(lifetimes.live == 0)
  }

  // MARK: Leaks

  @Test func letsGoOfEverythingAtTheEnd() {
    let lifetimes = Lifetimes()
    let values = ScriptedPublisher(of: LifetimeTracked.self, failingWith: TestFailure.self)
    var subscription: (any Subscription)?
    do {
      let tracked = lifetimes.track()
      let recorder = RecordingSubscriber<LifetimeTracked, TestFailure>(.max(1))
      recorder.keepsSubscriptions = false
      recorder.onSubscription = { subscription = $0 }
      recorder.onValue = { _ in tracked.touch() }
      values.zip(b) { tracked, _ in tracked }.subscribe(recorder)
    }
    for number in 0..<5 { values.send(lifetimes.track(number)) }
    #expect(lifetimes.live == 6)
    b.send(completion: .finished)
    #expect(lifetimes.live == 0)
    withExtendedLifetime(subscription) {}
  }

  @Test func aValueThatIsDroppedMayComeBack() {
    final class Talkative {
      let atEnd: () -> Void
      init(_ atEnd: @escaping () -> Void) { self.atEnd = atEnd }
      deinit { atEnd() }
    }
    let values = ScriptedPublisher(of: Talkative.self, failingWith: TestFailure.self)
    let recorder = RecordingSubscriber<Talkative, TestFailure>(.max(1))
    values.zip(b) { value, _ in value }.subscribe(recorder)
    var freed = 0
    for _ in 0..<20 {
      values.send(
        Talkative { [unowned recorder] in
          freed += 1
          values.send(Talkative {})
          recorder.cancel()
        })
    }
    recorder.cancel()
    #expect(freed == 20)
  }
}
