// Tests of `ReplaySubject`.

import TestKit
import Testing
import Weir
import WeirExtras

/// A subscriber that stays in its first call until it is released.
private final class SlowSubscriber: Subscriber {
  let subscription = Shared<(any Subscription)?>(nil)
  let received = Shared([Int]())
  private let demand: Subscribers.Demand
  private let steps = Counter()

  init(_ demand: Subscribers.Demand) { self.demand = demand }

  func receive(subscription: any Subscription) {
    self.subscription.value = subscription
    subscription.request(demand)
  }

  func receive(_ value: LifetimeTracked) -> Subscribers.Demand {
    received.value.append(value.number)
    if received.value.count == 1 {
      steps.add()
      steps.wait(for: 2)
      for _ in 0..<1000 { yieldThread() }
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {}

  func waitForItsCall() { steps.wait(for: 1) }
  func release() { steps.add() }
}

@Suite struct ReplaySubjectTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let subject = ReplaySubject<Int, TestFailure>(bufferSize: 3)

  private func record(_ demand: Subscribers.Demand? = .unlimited) -> Recorder {
    let recorder = Recorder(demand)
    subject.subscribe(recorder)
    return recorder
  }

  @Test func newSubscribersGetTheNewestValues() {
    for value in 1...5 { subject.send(value) }
    let recorder = record()
    subject.send(6)
    #expect(recorder.log == ["ReplaySubject", "3", "4", "5", "6"])
  }

  @Test func replaysACompletionBehindTheValues() {
    for value in 1...2 { subject.send(value) }
    subject.send(completion: .failure(.second))
    subject.send(3)
    subject.send(completion: .finished)
    let recorder = record(.max(1))
    #expect(recorder.log == ["ReplaySubject", "1"])
    recorder.request(.max(5))
    #expect(recorder.log == ["ReplaySubject", "1", "2", "failed second"])
  }

  @Test func aSlowSubscriberKeepsItsPlaceAmongWhatIsKept() {
    let recorder = record(.max(1))
    for value in 1...3 { subject.send(value) }
    #expect(recorder.values == [1])
    for value in 4...6 { subject.send(value) }
    recorder.request(.max(2))
    #expect(recorder.values == [1, 4, 5])
    recorder.demandPerValue = { _ in .max(1) }
    recorder.request(.max(1))
    subject.send(7)
    #expect(recorder.values == [1, 4, 5, 6, 7])
  }

  @Test func nestedValuesComeBehindAndReachEverybodyInOrder() {
    let small = ReplaySubject<Int, TestFailure>(bufferSize: 1)
    let first = Recorder(.unlimited)
    let second = Recorder(.unlimited)
    first.onValue = { if $0 < 3 { small.send($0 + 1) } }
    small.subscribe(first)
    small.subscribe(second)
    small.send(1)
    #expect(first.values == [1, 2, 3])
    #expect(second.values == [1, 2, 3])
  }

  @Test func cancellingWithinAValueKeepsTheRestAway() {
    for value in 1...3 { subject.send(value) }
    let recorder = Recorder()
    recorder.onValue = { if $0 == 2 { recorder.cancel() } }
    subject.subscribe(recorder)
    recorder.request(.unlimited)
    subject.send(4)
    #expect(recorder.values == [1, 2])
  }

  @Test func keepsNothingOrEverythingIfAsked() {
    let none = ReplaySubject<Int, TestFailure>(bufferSize: 0)
    let all = ReplaySubject<Int, TestFailure>(bufferSize: .max)
    let early = Recorder(.unlimited)
    none.subscribe(early)
    for value in 0..<100 {
      none.send(value)
      all.send(value)
    }
    let late = Recorder(.unlimited)
    none.subscribe(late)
    let full = Recorder(.unlimited)
    all.subscribe(full)
    #expect(early.values == Array(0..<100))
    #expect(late.values == [])
    #expect(full.values == Array(0..<100))
  }

  @Test func asksAnUpstreamForEverythingAndCancelsItAtItsOwnEnd() {
    let upstream = RecordingSubscription()
    do {
      let subject = ReplaySubject<Int, TestFailure>(bufferSize: 1)
      subject.send(subscription: upstream)
      #expect(upstream.history == [.requested(.unlimited)])
    }
    #expect(upstream.history == [.requested(.unlimited), .cancelled])
  }

  @Test func subscribersAreFreedWhenTheyCancelAndValuesWhenTheyArePushedOut() {
    let lifetimes = Lifetimes()
    let subject = ReplaySubject<LifetimeTracked, Never>(bufferSize: 2)
    do {
      let tracked = lifetimes.track()
      let cancellable = subject.sink { _ in tracked.touch() }
      for number in 0..<50 { subject.send(lifetimes.track(number)) }
      #expect(lifetimes.live == 3)
      cancellable.cancel()
    }
    #expect(lifetimes.live == 2)
    for _ in 0..<40 { subject.sink { _ in }.cancel() }
    let kept = (0..<3).map { _ in subject.sink { _ in } }
    subject.send(completion: .finished)
    withExtendedLifetime(kept) {}
  }

  /// Four threads send, four subscribe, ask piecemeal and cancel: each sees every sender's values in order, and all is
  /// freed.
  @Test(arguments: [1, 2] as [UInt64])
  func eightThreadsSendSubscribeAskAndCancel(seed: UInt64) {
    let lifetimes = Lifetimes()
    let faults = Counter()
    do {
      let subject = ReplaySubject<LifetimeTracked, Never>(bufferSize: 8)
      let steady = Shared<[Int]>([])
      let cancellable = subject.sink { steady.value.append($0.number) }
      onThreads(8) { thread in
        var random = SplitMix(seed: seed &* 1_000 &+ UInt64(thread))
        if thread < 4 {
          for number in 0..<300 { subject.send(lifetimes.track(thread * 1_000 + number)) }
        } else {
          for _ in 0..<60 {
            let last = Shared([-1, -1, -1, -1])
            let recorder = RecordingSubscriber<LifetimeTracked, Never>(perValue: .max(1))
            recorder.onValue = { value in
              let (sender, number) = value.number.quotientAndRemainder(dividingBy: 1_000)
              if number <= last.value[sender] { faults.add() }
              last.value[sender] = number
            }
            subject.subscribe(recorder)
            let subscription = recorder.subscriptions[0]
            for _ in 0..<Int.random(in: 1..<5, using: &random) { subscription.request(.max(1)) }
            subscription.cancel()
          }
        }
      }
      for sender in 0..<4 {
        #expect(steady.value.filter { $0 / 1_000 == sender } == (0..<300).map { sender * 1_000 + $0 })
      }
      subject.send(completion: .finished)
      withExtendedLifetime(cancellable) {}
    }
    #expect(faults.value == 0)
    #expect(lifetimes.live == 0)
  }

  /// Each subscribes while a value is delivered to another, and stays in its first call until all is sent.
  @Test(arguments: [1, 3])
  func slowSubscribersThatHaveAskedForOneValueHoldNoOthers(slowOnes: Int) {
    let lifetimes = Lifetimes()
    let subject = ReplaySubject<LifetimeTracked, Never>(bufferSize: 2)
    let slow = (0..<slowOnes).map { _ in SlowSubscriber(.max(1)) }
    var threads: [OtherThread] = []
    let sink = subject.sink { value in
      guard value.number % 300 == 1, threads.count < slowOnes else { return }
      let next = slow[threads.count]
      threads.append(OtherThread { subject.subscribe(next) })
      next.waitForItsCall()
    }
    for number in 0..<1000 { subject.send(lifetimes.track(number)) }
    // Those that are kept, and the one that each is receiving.
    #expect(lifetimes.live == 2 + slowOnes)
    for subscriber in slow { subscriber.release() }
    for thread in threads { #expect(thread.comesBack()) }
    #expect(lifetimes.live == 2)
    for (index, subscriber) in slow.enumerated() {
      subscriber.subscription.value?.request(.max(1))
      #expect(subscriber.received.value == [300 * index, 998])
      subscriber.subscription.value?.request(.unlimited)
      #expect(subscriber.received.value == [300 * index, 998, 999])
      subscriber.subscription.value?.cancel()
    }
    sink.cancel()
  }

  /// What is sent after that waits, or is kept.
  @Test func aSlowSubscriberThatAsksAgainMissesNothingFromThenOn() {
    let lifetimes = Lifetimes()
    let subject = ReplaySubject<LifetimeTracked, Never>(bufferSize: 2)
    let slow = SlowSubscriber(.max(1))
    var thread: OtherThread?
    let sink = subject.sink { value in
      guard value.number == 1 else { return }
      thread = OtherThread { subject.subscribe(slow) }
      slow.waitForItsCall()
    }
    for number in 0..<10 { subject.send(lifetimes.track(number)) }
    slow.subscription.value?.request(.unlimited)
    let sender = OtherThread { for number in 10..<20 { subject.send(lifetimes.track(number)) } }
    slow.release()
    #expect(thread?.comesBack() == true)
    #expect(sender.comesBack())
    #expect(slow.received.value == [0] + Array(8..<20))
    #expect(lifetimes.live == 2)
    slow.subscription.value?.cancel()
    sink.cancel()
  }

  /// The first one's request was noted, and the value came with the next one, or never.
  @Test(arguments: [ContentionPolicy.wait, .handOver])
  func whoIsAskedForByOneThatCameWithinItsFirstValueGetsTheNext(contention: ContentionPolicy) {
    let subject = ReplaySubject<Int, TestFailure>(bufferSize: 2, contention: contention)
    let (first, second) = (Recorder(.max(1)), Recorder(.unlimited))
    first.onValue = { value in if value == 1 { subject.subscribe(second) } }
    second.onValue = { value in if value == 1 { first.request(.max(1)) } }
    subject.send(1)
    subject.send(2)
    subject.send(completion: .finished)
    subject.subscribe(first)
    #expect(first.log == ["ReplaySubject", "1", "2", "finished"])
    #expect(second.log == ["ReplaySubject", "1", "2", "finished"])
  }

  /// The next thread gets the memory of one that has ended, and its identity with it.
  @Test func threadsThatEndBehindTheirValuesAreToldApart() {
    let rounds = 400
    let subject = ReplaySubject<Int, Never>(bufferSize: 16)
    let received = Shared([Int]())
    let sink = subject.sink { received.value.append($0) }
    let ended = Counter()
    for round in 0..<rounds {
      for place in 0..<3 {
        _ = OtherThread {
          var replayed = 0
          let late = subject.sink { _ in replayed += 1 }
          subject.send(3 * round + place)
          late.cancel()
          ended.add()
        }
      }
      ended.wait(for: 3 * round)
    }
    ended.wait(for: 3 * rounds)
    #expect(received.value.sorted() == Array(0..<3 * rounds))
    var replayed = [Int]()
    let late = subject.sink { replayed.append($0) }
    #expect(replayed == received.value.suffix(16))
    late.cancel()
    sink.cancel()
  }

  @Test func aSenderThatHandsOverDoesNotWait() {
    let subject = ReplaySubject<Int, Never>(bufferSize: 1, contention: .handOver)
    let received = Shared([Int]())
    let depth = Shared(0)
    let sink = subject.sink { value in
      if value == 1 {
        onThreads(1) { _ in subject.send(2) }
        depth.value = subject.handOverDepth
      }
      received.value.append(value)
    }
    subject.send(1)
    #expect(received.value == [1, 2])
    #expect(depth.value == 1)
    #expect(subject.handOverDepth == 0)
    sink.cancel()
  }

  /// One of two values that another thread has left still waits, so that the nested one comes behind it.
  @Test func aValueSentBehindThoseThatOthersHaveLeftIsDelivered() {
    let subject = ReplaySubject<Int, Never>(bufferSize: 10, contention: .handOver)
    let received = Shared([Int]())
    let sink = subject.sink { value in
      received.value.append(value)
      if value == 1 { onThreads(1) { _ in for other in 2...3 { subject.send(other) } } }
      if value == 2 { subject.send(4) }
    }
    subject.send(1)
    #expect(received.value == [1, 2, 3, 4])
    #expect(subject.handOverDepth == 0)
    subject.send(5)
    #expect(received.value == [1, 2, 3, 4, 5])
    sink.cancel()
  }

  @Test func whoSubscribesAndEndsTheStreamBehindWhatOthersHaveLeftIsHeard() {
    let subject = ReplaySubject<Int, TestFailure>(bufferSize: 10, contention: .handOver)
    let (first, late) = (Recorder(.unlimited), Recorder(.unlimited))
    first.onValue = { value in
      if value == 1 { onThreads(1) { _ in for other in 2...3 { subject.send(other) } } }
      if value == 2 {
        subject.subscribe(late)
        subject.send(completion: .finished)
      }
    }
    subject.subscribe(first)
    subject.send(1)
    #expect(first.log == ["ReplaySubject", "1", "2", "3", "finished"])
    #expect(late.log == ["ReplaySubject", "1", "2", "3", "finished"])
    #expect(subject.handOverDepth == 0)
  }

  @Test func trapsWhenItIsAskedForNothing() async {
    await #expect(processExitsWith: .failure) {
      let recorder = RecordingSubscriber<Int, Never>(Subscribers.Demand.none)
      ReplaySubject<Int, Never>(bufferSize: 1).subscribe(recorder)
    }
  }
}
