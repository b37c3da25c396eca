// Tests of the subject that keeps the newest value: who gets which value when.

import TestKit
import Testing
import Weir

@Suite struct CurrentValueSubjectTests {
  typealias Subject = CurrentValueSubject<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let subject = Subject(0)
  private let lifetimes = Lifetimes()

  private func subscriber(_ demand: Subscribers.Demand?, perValue: Subscribers.Demand = .none) -> Recorder {
    let recorder = Recorder(demand, perValue: perValue)
    subject.subscribe(recorder)
    return recorder
  }

  // MARK: Demand

  @Test func theValueComesWithTheFirstRequest() {
    let recorder = subscriber(nil)
    #expect(recorder.history == [.subscription("CurrentValueSubject")])
    recorder.request(.max(2))
    #expect(recorder.values == [0])
    recorder.request(.max(3))
    recorder.request(.max(1))
    #expect(recorder.values == [0])
    for value in 1...10 { subject.send(value) }
    #expect(recorder.values == [0, 1, 2, 3, 4, 5])
  }

  @Test func theValueComesWithinTheSubscriptionIfItIsAskedForThere() {
    let recorder = subscriber(.max(1))
    #expect(recorder.history == [.subscription("CurrentValueSubject"), .value(0)])
  }

  @Test func valuesMissedForWantOfDemandCoalesce() {
    let recorder = subscriber(.max(1))
    for value in 1...5 { subject.send(value) }
    #expect(recorder.values == [0])
    recorder.request(.max(2))
    #expect(recorder.values == [0, 5])
    subject.send(6)
    subject.send(7)
    recorder.request(.unlimited)
    #expect(recorder.values == [0, 5, 6, 7])
    recorder.request(.max(1))
    #expect(recorder.values == [0, 5, 6, 7])
  }

  @Test func valuesSentBeforeTheFirstRequestCoalesce() {
    let recorder = subscriber(nil)
    subject.send(1)
    subject.value = 2
    recorder.request(.unlimited)
    #expect(recorder.history == [.subscription("CurrentValueSubject"), .value(2)])
  }

  @Test func returnedDemandIsKeptForLaterValues() {
    let recorder = subscriber(.max(1), perValue: .max(1))
    for value in 1...3 { subject.send(value) }
    #expect(recorder.values == [0, 1, 2, 3])
  }

  /// As in Combine; the next request would bring it.
  @Test func returnedDemandDoesNotBringWhatWasMissedWithinAValueThatWasSent() {
    let recorder = subscriber(.max(2))
    recorder.demandPerValue = { $0 == 1 ? .max(1) : .none }
    recorder.onValue = { [subject] in if $0 == 1 { subject.send(2) } }
    subject.send(1)
    #expect(recorder.values == [0, 1])
    subject.send(3)
    #expect(recorder.values == [0, 1, 3])
    recorder.onValue = nil
  }

  @Test func trapsWhenAskedForNothing() async {
    await #expect(processExitsWith: .failure) {
      CurrentValueSubject<Int, Never>(0).subscribe(RecordingSubscriber(Subscribers.Demand.none))
    }
  }

  // MARK: Value

  @Test func sendingAndSettingAreTheSame() {
    let recorder = subscriber(.unlimited)
    subject.send(1)
    #expect(subject.value == 1)
    subject.value += 1
    #expect(subject.value == 2)
    subject.value = subject.value
    #expect(recorder.values == [0, 1, 2, 2])
  }

  @Test func theValueIsStoredBeforeAnySubscriberSeesIt() {
    let recorder = Recorder(.unlimited)
    recorder.onValue = { [subject] in #expect(subject.value == $0) }
    subject.subscribe(recorder)
    subject.send(1)
    #expect(recorder.values == [0, 1])
  }

  @Test func theFormerValueIsFreedWhenItIsReplaced() {
    let subject = CurrentValueSubject<LifetimeTracked, Never>(lifetimes.track(1))
    subject.send(lifetimes.track(2))
    #expect(lifetimes.live == 1)
    subject.send(completion: .finished)
    subject.send(lifetimes.track(3))
    #expect(lifetimes.live == 1)
    #expect(subject.value.number == 2)
  }

  @Test func aValueThatIsFreedMayAskForTheNewest() {
    final class Curious {
      let atEnd: () -> Void
      init(_ atEnd: @escaping () -> Void) { self.atEnd = atEnd }
      deinit { atEnd() }
    }
    let subject = CurrentValueSubject<Curious?, Never>(nil)
    var seen: [Bool] = []
    subject.value = Curious { [unowned subject] in
      seen.append(subject.value == nil)
      subject.send(nil)
    }
    subject.value = nil
    #expect(seen == [true])
  }

  // MARK: End

  @Test func endsOnce() {
    let recorder = subscriber(nil)
    recorder.onCompletion = { [subject] _ in
      subject.send(completion: .failure(.second))
      subject.send(9)
    }
    subject.send(completion: .failure(.first))
    subject.send(completion: .finished)
    recorder.request(.max(1))
    #expect(recorder.history == [.subscription("CurrentValueSubject"), .completion(.failure(.first))])
  }

  @Test func afterTheEndSettingStoresAndSendingDoesNothing() {
    let recorder = subscriber(.unlimited)
    subject.send(completion: .finished)
    subject.send(1)
    #expect(subject.value == 0)
    subject.value = 2
    #expect(subject.value == 2)
    #expect(recorder.history == [.subscription("CurrentValueSubject"), .value(0), .completion(.finished)])
  }

  @Test func whoComesAfterTheEndGetsTheEnd() {
    subject.send(completion: .finished)
    let recorder = subscriber(.unlimited)
    #expect(recorder.history == [.subscription("Empty"), .completion(.finished)])
  }

  @Test func cancels() {
    let recorder = subscriber(.max(12))
    subject.send(1)
    recorder.cancel()
    recorder.cancel()
    recorder.request(.max(3))
    subject.send(2)
    subject.send(completion: .finished)
    #expect(recorder.history == [.subscription("CurrentValueSubject"), .value(0), .value(1)])
  }

  // MARK: Several subscribers

  @Test func subscribersAreCalledInTheOrderOfTheirSubscription() {
    var order: [Int] = []
    let recorders = (0..<5).map { number -> Recorder in
      let recorder = Recorder(.unlimited)
      recorder.onValue = { if $0 == 7 { order.append(number) } }
      subject.subscribe(recorder)
      return recorder
    }
    subject.send(7)
    #expect(order == [0, 1, 2, 3, 4])
    withExtendedLifetime(recorders) {}
  }

  @Test func oneSubscriberMaySubscribeSeveralTimes() {
    let recorder = Recorder(.unlimited)
    for _ in 0..<3 { subject.subscribe(recorder) }
    recorder.subscriptions[1].cancel()
    subject.send(1)
    #expect(recorder.values == [0, 0, 0, 1, 1])
  }

  // MARK: Upstreams

  @Test func asksAnUpstreamForEverythingAtOnce() {
    let upstream = RecordingSubscription()
    subject.send(subscription: upstream)
    #expect(upstream.history == [.requested(.unlimited)])
    let recorder = subscriber(.max(1))
    #expect(upstream.history == [.requested(.unlimited)])
    subject.send(subscription: upstream)
    #expect(upstream.history == [.requested(.unlimited), .requested(.unlimited)])
    #expect(recorder.values == [0])
  }

  @Test func cancelsItsUpstreamsWhenItIsFreed() {
    let upstream = RecordingSubscription()
    do { Subject(0).send(subscription: upstream) }
    #expect(upstream.history == [.requested(.unlimited), .cancelled])
  }

  // MARK: Re-entrance

  @Test func aSendWithinADeliveryIsDeliveredAtOnce() {
    let first = subscriber(.unlimited)
    let second = subscriber(.unlimited)
    first.onValue = { [subject] in if $0 == 1 { subject.send(2) } }
    subject.send(1)
    #expect(first.values == [0, 1, 2])
    // As in Combine, who stands behind gets the newer value first.
    #expect(second.values == [0, 2, 1])
    #expect(subject.value == 2)
  }

  @Test func whoSubscribesWithinADeliveryGetsTheValueOnce() {
    let late = Recorder(.unlimited)
    let recorder = subscriber(.unlimited)
    recorder.onValue = { [subject] in if $0 == 1 { subject.subscribe(late) } }
    subject.send(1)
    #expect(late.values == [1])
    subject.send(2)
    #expect(late.values == [1, 2])
  }

  @Test func aRequestWithinADeliveryDoesNotBringTheSameValueAgain() {
    let recorder = subscriber(.max(1))
    recorder.onValue = { [recorder] _ in recorder.request(.max(1)) }
    for value in 1...3 { subject.send(value) }
    #expect(recorder.values == [0, 1, 2, 3].filter { $0 < 1 })
    recorder.request(.max(1))
    #expect(recorder.values == [0, 3])
    subject.send(4)
    #expect(recorder.values == [0, 3, 4])
  }

  @Test func cancelsWithinADelivery() {
    let first = subscriber(.unlimited)
    let second = subscriber(.unlimited)
    first.onValue = { _ in second.cancel() }
    subject.send(1)
    #expect(first.values == [0, 1])
    #expect(second.values == [0])
  }

  // MARK: Leaks

  @Test(arguments: [0, 1, 2]) func letsGoOfSubscribersAtTheEnd(_ reason: Int) {
    let subject = Subject(0)
    var subscription: (any Subscription)?
    do {
      let tracked = lifetimes.track()
      let recorder = Recorder(.unlimited)
      recorder.keepsSubscriptions = false
      recorder.onSubscription = { subscription = $0 }
      recorder.onValue = { _ in tracked.touch() }
      subject.subscribe(recorder)
    }
    #expect(lifetimes.live == 1)
    switch reason {
    case 0: subscription?.cancel()
    case 1: subject.send(completion: .finished)
    default: subject.send(completion: .failure(.first))
    }
    #expect(lifetimes.live == 0)
    withExtendedLifetime(subscription) {}
  }

  @Test func itsSubscribersKeepItAlive() {
    weak var subject: Subject?
    var recorder: Recorder? = Recorder(.max(1))
    do {
      let strong = Subject(7)
      subject = strong
      strong.subscribe(recorder!)
    }
    #expect(subject?.value == 7)
    recorder?.cancel()
    #expect(subject == nil)
    recorder = nil
  }

  @Test func anOlderValueDoesNotFollowANewerOneWhereDemandIsCounted() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let sender = subject.sink { if $0 == 1 { subject.send(2) } }
    let counted = RecordingSubscriber<Int, Never>(.max(10))
    let unlimited = RecordingSubscriber<Int, Never>(.unlimited)
    subject.subscribe(counted)
    subject.subscribe(unlimited)
    subject.send(1)
    #expect(counted.values == [0, 2])
    #expect(unlimited.values == [0, 2, 1])
    subject.send(3)
    #expect(counted.values == [0, 2, 3])
    sender.cancel()
    subject.send(completion: .finished)
  }

  /// It waited for the next one.
  @Test func whoAsksAfterValuesThatHaveFoundNoRoomGetsTheNewest() {
    let subject = CurrentValueSubject<Int, Never>(0, handOverLimit: 1, whenFull: .dropNewest)
    let sender = subject.sink { value in
      guard value == 1 else { return }
      #expect(OtherThread { for value in 2...5 { subject.send(value) } }.comesBack())
    }
    let recorder = RecordingSubscriber<Int, Never>(.max(1))
    subject.subscribe(recorder)
    subject.send(1)
    recorder.request(.max(1))
    #expect(recorder.values == [0, 5])
    recorder.request(.max(1))
    #expect(recorder.values == [0, 5])
    subject.send(6)
    #expect(recorder.values == [0, 5, 6])
    sender.cancel()
  }
}
