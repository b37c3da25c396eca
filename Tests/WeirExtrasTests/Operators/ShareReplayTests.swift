// Tests of `shareReplay`.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct ShareReplayTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let source = ScriptedPublisher<Int, TestFailure>()
  private let lifetimes = Lifetimes()

  private func record(_ shared: some Publisher<Int, TestFailure>, _ demand: Subscribers.Demand? = .unlimited)
    -> Recorder
  {
    let recorder = Recorder(demand)
    shared.subscribe(recorder)
    return recorder
  }

  @Test func sharesOneSubscriptionAndReplaysTheNewestValues() {
    let shared = source.shareReplay(bufferSize: 2)
    #expect(source.subscriber == nil)
    let first = record(shared)
    #expect(source.subscription?.history == [.requested(.unlimited)])
    for value in 1...3 { source.send(value) }
    let second = record(shared)
    source.send(4)
    #expect(first.values == [1, 2, 3, 4])
    #expect(second.values == [2, 3, 4])
    #expect(source.subscription?.history == [.requested(.unlimited)])
    #expect(first.log[0] == "ShareReplay")
  }

  @Test func whoComesAfterTheEndGetsValuesAndCompletion() {
    let shared = source.shareReplay(bufferSize: 2)
    let first = record(shared)
    for value in 1...3 { source.send(value) }
    source.send(completion: .finished)
    #expect(first.completions == [.finished])
    let late = record(shared)
    #expect(late.log == ["ShareReplay", "2", "3", "finished"])
    let slow = record(shared, .max(1))
    #expect(slow.log == ["ShareReplay", "2"])
    slow.request(.max(1))
    #expect(slow.log == ["ShareReplay", "2", "3", "finished"])
    #expect(source.subscription?.history == [.requested(.unlimited)])
  }

  @Test func nothingStaleSurvivesTheLastSubscriber() {
    let shared = source.shareReplay()
    let first = record(shared)
    source.send(1)
    first.cancel()
    #expect(source.subscription?.history == [.requested(.unlimited), .cancelled])
    source.subscription = RecordingSubscription()
    let second = record(shared)
    #expect(second.values == [])
    #expect(source.subscription?.history == [.requested(.unlimited)])
    source.send(2)
    #expect(second.values == [2])
  }

  @Test func aFailureIsNotReplayedButTriedAgain() {
    let shared = source.shareReplay()
    let first = record(shared)
    source.send(1)
    source.send(completion: .failure(.first))
    #expect(first.completions == [.failure(.first)])
    source.subscription = RecordingSubscription()
    let second = record(shared)
    #expect(second.log == ["ShareReplay"])
    source.send(2)
    #expect(second.values == [2])
  }

  /// It comes behind what is being delivered, and so has nothing yet when its subscribing returns.
  @Test func whoSubscribesWithinADeliveryGetsWhatIsKeptBehindIt() {
    let shared = source.shareReplay(bufferSize: 2)
    let (first, second, inner) = (Recorder(.unlimited), Recorder(.unlimited), Recorder(.unlimited))
    var seen: [[Int]] = []
    first.onValue = { value in
      guard value == 2 else { return }
      shared.subscribe(inner)
      seen.append(inner.values)
    }
    shared.subscribe(first)
    shared.subscribe(second)
    inner.onValue = { _ in seen.append(second.values) }
    source.send(1)
    source.send(2)
    #expect(inner.values == [1, 2])
    #expect(seen == [[], [1, 2], [1, 2]])
  }

  /// The former connection is not through with its cancellation.
  @Test func whoSubscribesWhileTheUpstreamIsCancelledConnectsAnew() {
    var log: [String] = []
    let late = Recorder(.unlimited)
    var subscribe: (() -> Void)?
    let shared = source.handleEvents(
      receiveSubscription: { _ in log.append("connected") },
      receiveCancel: {
        subscribe.take()?()
        log.append("cancelled")
      }
    ).shareReplay()
    subscribe = { shared.subscribe(late) }
    record(shared).cancel()
    #expect(log == ["connected", "connected", "cancelled"])
    late.cancel()
    #expect(log == ["connected", "connected", "cancelled", "cancelled"])
  }

  @Test func retryBehindItMakesANewConnection() {
    let attempts = Counter()
    let shared = Deferred { () -> AnyPublisher<Int, TestFailure> in
      attempts.add() == 1
        ? Fail(error: .first).eraseToAnyPublisher() : Just(7).setFailureType(to: TestFailure.self).eraseToAnyPublisher()
    }.shareReplay()
    #expect(record(shared.retry(1)).log.suffix(2) == ["7", "finished"])
    #expect(attempts.value == 2)
  }

  @Test func nilIsAValueLikeOthers() {
    let subject = PassthroughSubject<Int?, Never>()
    let shared = subject.shareReplay()
    let first = RecordingSubscriber<Int?, Never>(.unlimited)
    shared.subscribe(first)
    subject.send(nil)
    let second = RecordingSubscriber<Int?, Never>(.unlimited)
    shared.subscribe(second)
    #expect(second.values == [nil])
  }

  @Test func eachSubscriberGetsWhatItAsksFor() {
    let shared = source.shareReplay(bufferSize: 3)
    let fast = record(shared)
    let slow = record(shared, nil)
    for value in 1...4 { source.send(value) }
    #expect(fast.values == [1, 2, 3, 4])
    #expect(slow.values == [])
    slow.request(.max(2))
    #expect(slow.values == [2, 3])
    source.send(5)
    slow.request(.unlimited)
    #expect(slow.values == [2, 3, 4, 5])
  }

  @Test func cancellingWithinTheFirstSubscriptionConnectsNothing() {
    let shared = source.shareReplay()
    let recorder = Recorder()
    recorder.onSubscription = { $0.cancel() }
    shared.subscribe(recorder)
    #expect(source.subscription?.history == [.cancelled])
    source.subscription = RecordingSubscription()
    #expect(record(shared).log == ["ShareReplay"])
    #expect(source.subscription?.history == [.requested(.unlimited)])
  }

  @Test func thePublishedTypeCompiles() {
    let erased: AnyPublisher<Int, TestFailure> = source.shareReplay()
    #expect(record(erased).log == ["ShareReplay"])
    let shared = source.shareReplay()
    #expect(shared == shared)
  }

  @Test(arguments: [0, 1, 2])
  func everythingIsFreed(ending: Int) {
    do {
      let tracked = lifetimes.track()
      let subject = PassthroughSubject<LifetimeTracked, TestFailure>()
      let shared = subject.shareReplay(bufferSize: 4)
      let cancellables = (0..<2).map { _ in
        shared.sink(receiveCompletion: { _ in tracked.touch() }, receiveValue: { _ in tracked.touch() })
      }
      for number in 0..<6 { subject.send(lifetimes.track(number)) }
      #expect(lifetimes.live == 5)
      switch ending {
      case 0: subject.send(completion: .finished)
      case 1: subject.send(completion: .failure(.first))
      default:
        for cancellable in cancellables { cancellable.cancel() }
        #expect(lifetimes.live == 1)
      }
    }
    #expect(lifetimes.live == 0)
  }

  /// Every value reaches every subscriber once, in order; there is never more than one connection.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func eightThreadsShareOneConnection(seed: UInt64) {
    let live = Counter()
    let most = Counter()
    let subject = PassthroughSubject<Int, Never>()
    let shared = subject.handleEvents(
      receiveSubscription: { _ in most.set(max(most.value, live.add())) },
      receiveCancel: { live.add(-1) }
    ).shareReplay(bufferSize: 4)
    let faults = Counter()
    onThreads(8) { thread in
      var random = SplitMix(seed: seed &* 31 &+ UInt64(thread))
      if thread == 0 {
        for value in 0..<2_000 { subject.send(value) }
      } else {
        for _ in 0..<100 {
          let last = Shared(-1)
          let cancellable = shared.sink { value in
            if last.value >= 0, value != last.value + 1 { faults.add() }
            last.value = value
          }
          for _ in 0..<Int.random(in: 0..<4, using: &random) { yieldThread() }
          cancellable.cancel()
        }
      }
    }
    #expect(faults.value == 0)
    #expect(live.value == 0)
    let recorder = RecordingSubscriber<Int, Never>(.unlimited)
    shared.subscribe(recorder)
    subject.send(-7)
    #expect(recorder.values == [-7])
    recorder.cancel()
    #expect(live.value == 0)
  }

  /// It subscribes while a value is delivered to another, and stays in its first call until all is sent.
  @Test func aSlowSubscriberThatHasAskedForOneValueHoldsNoOthers() {
    let upstream = PassthroughSubject<LifetimeTracked, Never>()
    let shared: Publishers.ShareReplay = upstream.shareReplay(bufferSize: 2)
    let (subscription, received, steps) = (Shared<(any Subscription)?>(nil), Shared([Int]()), Counter())
    let slow = AnySubscriber<LifetimeTracked, Never>(
      receiveSubscription: {
        subscription.value = $0
        $0.request(.max(1))
      },
      receiveValue: {
        received.value.append($0.number)
        if steps.add() == 1 { steps.wait(for: 2) }
        return .none
      })
    var thread: OtherThread?
    let sink = shared.sink { value in
      guard value.number == 1 else { return }
      thread = OtherThread { shared.subscribe(slow) }
      steps.wait(for: 1)
    }
    for number in 0..<1000 { upstream.send(lifetimes.track(number)) }
    // Those that are kept, and the one that it is receiving.
    #expect(lifetimes.live == 3)
    steps.add()
    #expect(thread?.comesBack() == true)
    subscription.value?.request(.unlimited)
    #expect(received.value == [0, 998, 999])
    subscription.value?.cancel()
    sink.cancel()
    #expect(lifetimes.live == 0)
  }

  @Test func takesAPolicyForSendersThatMeet() {
    let subject = PassthroughSubject<Int, Never>()
    #expect(subject.shareReplay(bufferSize: 2).contention == .wait)
    let shared = subject.shareReplay(bufferSize: 2, contention: .handOver)
    #expect(shared.contention == .handOver)
    let recorder = RecordingSubscriber<Int, Never>(.unlimited)
    shared.subscribe(recorder)
    subject.send(1)
    #expect(recorder.values == [1])
    recorder.cancel()
  }

  @Test func eightSendersLoseNothing() {
    let subject = PassthroughSubject<Int, Never>()
    let shared = subject.shareReplay(bufferSize: 1)
    let received = [Shared<[Int]>([]), Shared<[Int]>([])]
    let cancellables = received.map { inbox in shared.sink { inbox.value.append($0) } }
    onThreads(8) { thread in
      for number in 0..<500 { subject.send(thread * 1_000 + number) }
    }
    #expect(received[0].value == received[1].value)
    for thread in 0..<8 {
      let own = received[0].value.filter { $0 / 1_000 == thread }.map { $0 % 1_000 }
      #expect(own == Array(0..<500))
    }
    withExtendedLifetime(cancellables) {}
  }
}
