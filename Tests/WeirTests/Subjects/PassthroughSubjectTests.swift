// Tests of the subject that keeps nothing: demand, order under re-entrance, completion, upstreams.

import TestKit
import Testing
import Weir

@Suite struct PassthroughSubjectTests {
  typealias Subject = PassthroughSubject<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  // MARK: Demand

  struct Script: CustomTestStringConvertible {
    let initial: Subscribers.Demand?
    let returned: [Subscribers.Demand]
    let received: [Int]

    var testDescription: String { "asks for \(initial.map { "\($0)" } ?? "nothing"), then \(returned)" }
  }

  static let scripts = [
    Script(initial: nil, returned: [.unlimited], received: []),
    Script(initial: .max(1), returned: [], received: [0]),
    Script(initial: .max(2), returned: [], received: [0, 1]),
    Script(initial: .max(1), returned: [.max(1), .none, .max(1)], received: [0, 1]),
    Script(initial: .max(2), returned: [.none, .max(1), .max(2)], received: [0, 1, 2, 3, 4]),
    Script(initial: .max(3), returned: [.unlimited], received: Array(0..<10)),
    Script(initial: .unlimited, returned: [.max(1), .none], received: Array(0..<10)),
    Script(initial: .max(.max), returned: [.max(.max)], received: Array(0..<10)),
  ]

  @Test(arguments: scripts)
  func dropsWhatWasNotAskedFor(script: Script) {
    let subject = Subject()
    let recorder = Recorder(script.initial)
    var demands = script.returned[...]
    recorder.demandPerValue = { _ in demands.popFirst() ?? .none }
    subject.subscribe(recorder)
    for number in 0..<10 { subject.send(number) }
    subject.send(completion: .finished)
    #expect(recorder.values == script.received)
    #expect(recorder.completions == [.finished])
  }

  @Test func eachSubscriberHasItsOwnDemand() {
    let subject = Subject()
    let first = Recorder(.max(1))
    let second = Recorder(.unlimited)
    let third = Recorder()
    for recorder in [first, second, third] { subject.subscribe(recorder) }
    subject.send(1)
    subject.send(2)
    third.request(.max(1))
    subject.send(3)
    first.request(.max(2))
    subject.send(4)
    #expect(first.values == [1, 4])
    #expect(second.values == [1, 2, 3, 4])
    #expect(third.values == [3])
  }

  @Test func demandAskedForDuringDeliveryCounts() {
    let subject = Subject()
    let recorder = Recorder(.max(1))
    recorder.onValue = { if $0 == 1 { recorder.request(.max(2)) } }
    subject.subscribe(recorder)
    for number in 1...5 { subject.send(number) }
    #expect(recorder.values == [1, 2, 3])
  }

  @Test func trapsWhenAskedForNothing() async {
    await #expect(processExitsWith: .failure) {
      PassthroughSubject<Int, Never>().subscribe(RecordingSubscriber(.some(.none), of: Int.self))
    }
  }

  // MARK: Order

  @Test func deliversInTheOrderOfSubscription() {
    let subject = Subject()
    var order: [Int] = []
    let recorders = (0..<20).map { number in
      let recorder = Recorder(.unlimited)
      recorder.onValue = { _ in order.append(number) }
      return recorder
    }
    for recorder in recorders { subject.subscribe(recorder) }
    subject.send(1)
    #expect(order == Array(0..<20))
    for recorder in recorders where recorder !== recorders[3] && recorder !== recorders[17] { recorder.cancel() }
    let late = Recorder(.unlimited)
    late.onValue = { _ in order.append(99) }
    subject.subscribe(late)
    order = []
    subject.send(2)
    #expect(order == [3, 17, 99])
  }

  @Test func aNestedSendIsDeliveredAtOnceDeeperInTheStack() {
    let subject = Subject()
    var order: [String] = []
    let first = Recorder(.unlimited)
    let second = Recorder(.unlimited)
    first.onValue = { value in
      order.append("first \(value)")
      if value < 3 { subject.send(value + 1) }
      order.append("first \(value) done")
    }
    second.onValue = { order.append("second \($0)") }
    subject.subscribe(first)
    subject.subscribe(second)
    subject.send(1)
    #expect(
      order == [
        "first 1", "first 2", "first 3", "first 3 done", "second 3", "first 2 done", "second 2", "first 1 done",
        "second 1",
      ])
  }

  @Test func aNestedSendUsesUpTheDemandFirst() {
    let subject = Subject()
    let first = Recorder(.max(1))
    let second = Recorder(.max(1))
    first.onValue = { _ in subject.send(2) }
    subject.subscribe(first)
    subject.subscribe(second)
    subject.send(1)
    #expect(first.values == [1])
    #expect(second.values == [2])
  }

  @Test func aSubscriberAddedDuringADeliveryGetsTheNextValue() {
    let subject = Subject()
    let first = Recorder(.unlimited)
    let late = Recorder(.unlimited)
    first.onValue = { if $0 == 1 { subject.subscribe(late) } }
    subject.subscribe(first)
    subject.send(1)
    #expect(late.history == [.subscription("PassthroughSubject")])
    subject.send(2)
    #expect(first.values == [1, 2])
    #expect(late.values == [2])
  }

  @Test func manySubscribersAddedDuringADelivery() {
    let subject = Subject()
    let first = Recorder(.unlimited)
    let last = Recorder(.unlimited)
    let late = (0..<50).map { _ in Recorder(.unlimited) }
    first.onValue = { if $0 == 1 { late.forEach(subject.subscribe) } }
    subject.subscribe(first)
    subject.subscribe(last)
    subject.send(1)
    subject.send(2)
    #expect(first.values == [1, 2])
    #expect(last.values == [1, 2])
    #expect(late.map(\.values) == Array(repeating: [2], count: 50))
  }

  @Test func aSubscriberThatSendsWhenItGetsItsSubscription() {
    let subject = Subject()
    let recorder = Recorder(.unlimited)
    recorder.onSubscription = { subscription in
      subscription.request(.max(1))
      subject.send(7)
    }
    subject.subscribe(recorder)
    #expect(recorder.history == [.subscription("PassthroughSubject"), .value(7)])
  }

  @Test func theSameSubscriberMaySubscribeAgainAndAgain() {
    let subject = Subject()
    let recorder = Recorder(.unlimited)
    recorder.onSubscription = { _ in if recorder.subscriptions.count < 5 { subject.subscribe(recorder) } }
    subject.subscribe(recorder)
    #expect(recorder.subscriptions.count == 5)
    subject.send(1)
    #expect(recorder.values == [1, 1, 1, 1, 1])
    recorder.subscriptions[0].cancel()
    recorder.subscriptions[2].cancel()
    subject.send(2)
    #expect(recorder.values == [1, 1, 1, 1, 1, 2, 2, 2])
    subject.send(completion: .finished)
    #expect(recorder.completions == [.finished, .finished, .finished])
  }

  // MARK: Cancellation

  @Test func cancellingDuringADeliverySkipsTheRest() {
    let subject = Subject()
    let recorders = (0..<3).map { _ in Recorder(.unlimited) }
    recorders[0].onValue = { _ in
      recorders[0].cancel()
      recorders[2].cancel()
    }
    for recorder in recorders { subject.subscribe(recorder) }
    subject.send(1)
    subject.send(2)
    subject.send(completion: .finished)
    #expect(recorders[0].history == [.subscription("PassthroughSubject"), .value(1)])
    #expect(
      recorders[1].history == [.subscription("PassthroughSubject"), .value(1), .value(2), .completion(.finished)])
    #expect(recorders[2].history == [.subscription("PassthroughSubject")])
  }

  @Test func cancellingTwiceAndAskingAfterwardsDoNothing() {
    let subject = Subject()
    let recorder = Recorder(.max(1))
    subject.subscribe(recorder)
    recorder.cancel()
    recorder.cancel()
    recorder.request(.unlimited)
    subject.send(1)
    subject.send(completion: .finished)
    #expect(recorder.history == [.subscription("PassthroughSubject")])
  }

  @Test func cancellingOnSubscription() {
    let subject = Subject()
    let recorder = Recorder()
    recorder.onSubscription = { $0.cancel() }
    subject.subscribe(recorder)
    subject.send(1)
    #expect(recorder.history == [.subscription("PassthroughSubject")])
  }

  // MARK: Completion

  @Test func completesOnceWithOrWithoutDemand() {
    let subject = Subject()
    let asking = Recorder(.unlimited)
    let silent = Recorder()
    subject.subscribe(asking)
    subject.subscribe(silent)
    subject.send(completion: .failure(.first))
    subject.send(completion: .finished)
    subject.send(1)
    asking.request(.max(1))
    asking.cancel()
    #expect(asking.history == [.subscription("PassthroughSubject"), .completion(.failure(.first))])
    #expect(silent.history == [.subscription("PassthroughSubject"), .completion(.failure(.first))])
  }

  @Test func aCompletionFromWithinACompletionDoesNothing() {
    let subject = Subject()
    let recorder = Recorder(.unlimited)
    recorder.onCompletion = { _ in subject.send(completion: .failure(.second)) }
    subject.subscribe(recorder)
    subject.send(completion: .finished)
    #expect(recorder.completions == [.finished])
  }

  @Test func aCompletionDuringADeliveryComesBeforeTheRestOfIt() {
    let subject = Subject()
    let first = Recorder(.unlimited)
    let second = Recorder(.unlimited)
    first.onValue = { _ in subject.send(completion: .finished) }
    subject.subscribe(first)
    subject.subscribe(second)
    subject.send(1)
    #expect(first.history == [.subscription("PassthroughSubject"), .value(1), .completion(.finished)])
    #expect(second.history == [.subscription("PassthroughSubject"), .completion(.finished)])
  }

  @Test func aValueSentFromWithinACompletionReachesNobody() {
    let subject = Subject()
    let first = Recorder(.unlimited)
    let second = Recorder(.unlimited)
    first.onCompletion = { _ in subject.send(1) }
    subject.subscribe(first)
    subject.subscribe(second)
    subject.send(completion: .finished)
    #expect(first.history == [.subscription("PassthroughSubject"), .completion(.finished)])
    #expect(second.history == [.subscription("PassthroughSubject"), .completion(.finished)])
  }

  @Test func aSubscriberCancelledFromWithinACompletionGetsNone() {
    let subject = Subject()
    let first = Recorder(.unlimited)
    let second = Recorder(.unlimited)
    first.onCompletion = { _ in second.cancel() }
    subject.subscribe(first)
    subject.subscribe(second)
    subject.send(completion: .finished)
    #expect(second.history == [.subscription("PassthroughSubject")])
  }

  @Test func aLateSubscriberGetsAnEmptySubscriptionAndTheCompletion() {
    let subject = Subject()
    subject.send(completion: .failure(.second))
    let late = Recorder(.unlimited)
    subject.subscribe(late)
    #expect(late.history == [.subscription("Empty"), .completion(.failure(.second))])
  }

  @Test func aSubscriberThatComesFromWithinTheCompletionIsLate() {
    let subject = Subject()
    let first = Recorder(.unlimited)
    let late = Recorder(.unlimited)
    first.onCompletion = { _ in subject.subscribe(late) }
    subject.subscribe(first)
    subject.send(completion: .finished)
    #expect(late.history == [.subscription("Empty"), .completion(.finished)])
  }

  // MARK: Upstreams

  @Test func asksAnUpstreamForEverythingOnceSomebodyHasAsked() {
    let subject = Subject()
    let early = RecordingSubscription()
    subject.send(subscription: early)
    let recorder = Recorder()
    subject.subscribe(recorder)
    #expect(early.history == [])
    recorder.request(.max(1))
    #expect(early.history == [.requested(.unlimited)])
    recorder.request(.max(1))
    subject.subscribe(Recorder(.max(2)))
    #expect(early.history == [.requested(.unlimited)])
    let late = RecordingSubscription()
    subject.send(subscription: late)
    #expect(late.history == [.requested(.unlimited)])
    subject.send(subscription: early)
    #expect(early.history == [.requested(.unlimited), .requested(.unlimited)])
  }

  @Test func cancelsItsUpstreamsWhenItIsFreed() {
    let subscription = RecordingSubscription()
    do {
      let subject = Subject()
      subject.send(subscription: subscription)
      subject.send(subscription: subscription)
      #expect(subscription.history == [])
    }
    #expect(subscription.history == [.cancelled, .cancelled])
  }

  @Test func cancelsItsUpstreamsWhenItIsFreedWhileAnEndedSubscriptionIsStillHeld() {
    let subscription = RecordingSubscription()
    let recorder = Recorder(.unlimited)
    do {
      let subject = Subject()
      subject.send(subscription: subscription)
      subject.subscribe(recorder)
      recorder.cancel()
    }
    #expect(subscription.history == [.requested(.unlimited), .cancelled])
    recorder.forgetSubscriptions()
  }

  @Test func isKeptAliveByItsSubscribers() {
    weak var weakSubject: Subject?
    let upstream = Subject()
    let recorder = Recorder(.unlimited)
    let connection: AnyCancellable
    do {
      let subject = Subject()
      weakSubject = subject
      connection = upstream.subscribe(subject)
      subject.subscribe(recorder)
    }
    #expect(weakSubject != nil)
    upstream.send(1)
    #expect(recorder.values == [1])
    recorder.cancel()
    #expect(weakSubject == nil)
    connection.cancel()
  }

  // MARK: Lifetime

  enum Ending: CaseIterable { case finish, fail, cancel }

  @Test(arguments: Ending.allCases)
  func letsGoOfTheSubscriberAtTheEnd(ending: Ending) {
    let lifetimes = Lifetimes()
    let subject = Subject()
    var subscription: (any Subscription)?
    do {
      let tracked = lifetimes.track()
      let recorder = Recorder(.unlimited)
      recorder.keepsSubscriptions = false
      recorder.onSubscription = { subscription = $0 }
      recorder.onValue = { _ in tracked.touch() }
      subject.subscribe(recorder)
    }
    subject.send(1)
    #expect(lifetimes.live == 1)
    switch ending {
    case .finish: subject.send(completion: .finished)
    case .fail: subject.send(completion: .failure(.first))
    case .cancel: subscription?.cancel()
    }
    #expect(lifetimes.live == 0)
    withExtendedLifetime((subject, subscription)) {}
  }

  @Test func letsGoOfASubscriberThatEndsDuringADeliveryWhenTheDeliveryIsOver() {
    let lifetimes = Lifetimes()
    let subject = Subject()
    var liveInside = 0
    do {
      let tracked = lifetimes.track()
      var subscription: (any Subscription)?
      let recorder = Recorder(.unlimited)
      recorder.keepsSubscriptions = false
      recorder.onSubscription = { subscription = $0 }
      recorder.onValue = { [weak recorder] _ in
        subscription?.cancel()
        subscription = nil
        liveInside = lifetimes.live
        tracked.touch()
        recorder?.onValue = nil
      }
      subject.subscribe(recorder)
    }
    subject.send(1)
    #expect(liveInside == 1)
    #expect(lifetimes.live == 0)
  }

  @Test func keepsNoValue() {
    let lifetimes = Lifetimes()
    let subject = PassthroughSubject<LifetimeTracked, Never>()
    let counter = Counter()
    let cancellable = subject.sink { _ in counter.add() }
    for number in 0..<10 {
      subject.send(lifetimes.track(number))
      #expect(lifetimes.live == 0)
    }
    #expect(counter.value == 10)
    cancellable.cancel()
  }

  @Test func describesItsSubscriptions() {
    let subject = Subject()
    let recorder = Recorder(.max(3))
    subject.subscribe(recorder)
    let subscription = recorder.subscriptions[0]
    #expect("\(subscription)" == "PassthroughSubject")
    let displayed = (subscription as? any CustomPlaygroundDisplayConvertible)?.playgroundDescription
    #expect(displayed as? String == "PassthroughSubject")
    let children = Mirror(reflecting: subscription).children.map { ($0.label, $0.value) }
    #expect(children.map(\.0) == ["parent", "downstream", "demand", "subject"])
    #expect(children[0].1 as? Subject === subject && children[3].1 as? Subject === subject)
    #expect(children[1].1 as? Recorder === recorder)
    #expect(children[2].1 as? Subscribers.Demand == .max(3))
    subscription.cancel()
    #expect(
      Mirror(reflecting: subscription).children.map { "\($0.label!) \($0.value)" }
        == ["parent nil", "downstream nil", "demand max(0)", "subject nil"])
  }

  @Test func aSubscriptionShowsItsEndsFromWithinADeliveryButNotToOtherThreads() {
    let subject = Subject()
    let (shown, elsewhere) = (Shared([String]()), Shared([String?]()))
    let recorder = Recorder(.unlimited)
    subject.subscribe(recorder)
    recorder.onValue = { _ in
      let subscription = recorder.subscriptions[0]
      shown.value = Mirror(reflecting: subscription).children.map { $0.label! }
      onThreads([{ elsewhere.value = Mirror(reflecting: subscription).children.map(\.label) }])
    }
    subject.send(1)
    #expect(shown.value == ["parent", "downstream", "demand", "subject"])
    #expect(elsewhere.value == ["demand"])
  }

  @Test func sendsSignalsWithoutAValue() {
    let subject = PassthroughSubject<Void, Never>()
    var count = 0
    let cancellable = subject.sink { count += 1 }
    subject.send()
    subject.send()
    #expect(count == 2)
    cancellable.cancel()
  }

  @Test func itsUpstreamsLiveAsLongAsItOrASubscriber() {
    let upstream = RecordingSubscription()
    let recorder = Recorder(.unlimited)
    do {
      let subject = Subject()
      subject.send(subscription: upstream)
      subject.subscribe(recorder)
    }
    #expect(upstream.history == [.requested(.unlimited)])
    recorder.cancel()
    #expect(upstream.history == [.requested(.unlimited), .cancelled])
  }

  @Test func itsUpstreamsAreCancelledWithItIfNobodySubscribes() {
    let upstream = RecordingSubscription()
    do {
      let subject = Subject()
      subject.send(subscription: upstream)
    }
    #expect(upstream.history == [.cancelled])
  }
}
