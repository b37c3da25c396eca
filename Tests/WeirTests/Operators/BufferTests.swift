// Tests of buffer: what it asks for, what it keeps and drops, and how the end waits.

import TestKit
import Testing
import Weir

@Suite struct BufferTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>
  typealias WhenFull = Publishers.BufferingStrategy<TestFailure>

  private let source = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private var upstream: RecordingSubscription { source.subscription! }
  private let recorder = Recorder()

  private func subscribe(
    _ demand: Subscribers.Demand? = nil, size: Int, _ prefetch: Publishers.PrefetchStrategy = .byRequest,
    _ whenFull: WhenFull = .dropOldest
  ) {
    recorder.initialDemand = demand
    source.buffer(size: size, prefetch: prefetch, whenFull: whenFull).subscribe(recorder)
  }

  private func send(_ values: ClosedRange<Int>) { for value in values { source.send(value) } }

  // MARK: Demand

  @Test(arguments: [(Publishers.PrefetchStrategy.keepFull, Subscribers.Demand.max(42)), (.byRequest, .unlimited)])
  func asksTheUpstreamBeforeItSendsItsSubscription(
    _ prefetch: Publishers.PrefetchStrategy, _ demand: Subscribers.Demand
  ) {
    upstream.onRequest = { [recorder] _ in #expect(recorder.history == []) }
    subscribe(size: 42, prefetch)
    #expect(upstream.history == [.requested(demand)])
    #expect(recorder.history == [.subscription("Buffer")])
    #expect(source.subscriber?.description == "Buffer")
  }

  @Test func keepFullAsksForOneMorePerValueDelivered() {
    subscribe(.unlimited, size: 5, .keepFull)
    for value in 1...10 { #expect(source.send(value) == .max(1)) }
    #expect(recorder.values == Array(1...10))
    #expect(upstream.history == [.requested(.max(5))])
  }

  @Test func byRequestAsksForNothingMore() {
    subscribe(.unlimited, size: 5, .byRequest)
    for value in 1...10 { #expect(source.send(value) == .none) }
    #expect(recorder.values == Array(1...10))
    #expect(upstream.history == [.requested(.unlimited)])
  }

  @Test func keepFullAsksForAsManyAsWereTakenOut() {
    subscribe(size: 5, .keepFull)
    for value in 1...5 { #expect(source.send(value) == .none) }
    recorder.request(.max(3))
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2, 3, 4])
    #expect(upstream.history == [.requested(.max(5)), .requested(.max(3)), .requested(.max(1))])
  }

  @Test func aRequestOfAnEmptyBufferAsksNobody() {
    subscribe(size: 5, .keepFull)
    recorder.request(.max(3))
    recorder.request(.none)
    #expect(upstream.history == [.requested(.max(5))])
    #expect(source.send(1) == .max(1))
  }

  @Test func keepFullRunsThroughASequenceWithoutLoss() {
    let recorder = RecordingSubscriber<Int, TestFailure>(.max(3), perValue: .max(1))
    Publishers.Sequence<Range<Int>, TestFailure>(sequence: 0..<10_000)
      .buffer(size: 16, prefetch: .keepFull, whenFull: .customError { .first })
      .subscribe(recorder)
    #expect(recorder.values == Array(0..<10_000))
    #expect(recorder.completions == [.finished])
  }

  // MARK: Full

  @Test func dropsTheNewest() {
    subscribe(size: 3, .byRequest, .dropNewest)
    send(1...5)
    recorder.request(.max(4))
    #expect(recorder.values == [1, 2, 3])
    send(6...6)
    #expect(recorder.values == [1, 2, 3, 6])
    #expect(upstream.history == [.requested(.unlimited)])
  }

  @Test func dropsTheOldest() {
    subscribe(size: 3, .byRequest, .dropOldest)
    send(1...5)
    recorder.request(.max(4))
    #expect(recorder.values == [3, 4, 5])
    send(6...6)
    #expect(recorder.values == [3, 4, 5, 6])
    #expect(upstream.history == [.requested(.unlimited)])
  }

  @Test func failsWithTheCustomErrorAfterTheValuesThatWait() {
    subscribe(size: 3, .byRequest, .customError { .second })
    send(1...5)
    #expect(upstream.history == [.requested(.unlimited), .cancelled])
    #expect(recorder.history == [.subscription("Buffer")])
    recorder.request(.max(4))
    #expect(
      recorder.history == [
        .subscription("Buffer"), .value(1), .value(2), .value(3), .completion(.failure(.second)),
      ])
    recorder.cancel()
    #expect(upstream.history == [.requested(.unlimited), .cancelled])
  }

  /// Combine asks the upstream for three more afterwards, although it has cancelled it.
  @Test func theCustomErrorComesWhenDemandIsUsedUpEvenIfValuesWait() {
    subscribe(size: 5, .keepFull, .customError { .second })
    for value in 0..<10 { #expect(source.send(value) == .none) }
    recorder.request(.max(3))
    #expect(
      recorder.history == [
        .subscription("Buffer"), .value(0), .value(1), .value(2), .completion(.failure(.second)),
      ])
    #expect(upstream.history == [.requested(.max(5)), .cancelled])
    recorder.request(.max(1))
    #expect(recorder.values == [0, 1, 2])
  }

  /// The defect: the subject was asked for no value, and trapped.
  @Test func ofNoPlacesNoneIsAskedFor() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = RecordingSubscriber<Int, Never>(.max(1))
    subject.buffer(size: 0, prefetch: .keepFull, whenFull: .dropNewest).subscribe(recorder)
    subject.send(1)
    #expect(recorder.history == [.subscription("Buffer")])
    subject.send(completion: .finished)
    #expect(recorder.history == [.subscription("Buffer"), .completion(.finished)])
  }

  @Test func theCustomErrorIsMadeWhereTheUpstreamMaySend() {
    var depth = 0
    let source = source
    subscribe(
      size: 0, .keepFull,
      .customError {
        depth += 1
        if depth < 5 { source.send(depth) }
        return depth == 5 ? .first : .second
      })
    source.send(0)
    #expect(depth == 5)
    #expect(recorder.history == [.subscription("Buffer")])
    recorder.request(.max(1))
    #expect(recorder.history == [.subscription("Buffer"), .completion(.failure(.first))])
  }

  /// The finish went before the error, and each value without room made one.
  @Test func whatComesBehindAValueWithoutRoomIsDroppedWhileTheErrorIsMade() {
    var errors = 0
    let source = source
    subscribe(
      .max(1), size: 1, .byRequest,
      .customError {
        errors += 1
        onThreads(1) { _ in
          source.send(5)
          source.send(completion: .finished)
        }
        return .first
      })
    recorder.onValue = { value in
      guard value == 1 else { return }
      onThreads(1) { _ in
        for value in 2...4 { source.send(value) }
        source.send(completion: .finished)
      }
    }
    source.send(1)
    recorder.onValue = nil
    #expect(errors == 1)
    recorder.request(.unlimited)
    #expect(recorder.history == [.subscription("Buffer"), .value(1), .value(2), .completion(.failure(.first))])
  }

  /// It waited for a further request.
  @Test(arguments: [0, 1])
  func theErrorIsToldIfARequestComesWhileItIsMade(_ size: Int) {
    let recorder = recorder
    subscribe(
      .max(1), size: size, .byRequest,
      .customError {
        onThreads(1) { _ in recorder.request(.unlimited) }
        return .first
      })
    send(1...3)
    let delivered: [Recorder.Event] = size == 0 ? [] : [.value(1), .value(2)]
    #expect(recorder.history == [.subscription("Buffer")] + delivered + [.completion(.failure(.first))])
  }

  @Test(arguments: [0, 1])
  func aBufferWithoutRoomDropsEveryValue(_ number: Int) {
    let whenFull: WhenFull = number == 0 ? .dropNewest : .dropOldest
    subscribe(.unlimited, size: 0, .byRequest, whenFull)
    send(1...3)
    source.send(completion: .finished)
    #expect(recorder.history == [.subscription("Buffer"), .completion(.finished)])
  }

  // MARK: End

  @Test func theFinishWaitsForTheValuesAndForDemand() {
    subscribe(size: 3)
    send(1...2)
    source.send(completion: .finished)
    source.send(completion: .failure(.first))
    recorder.request(.max(2))
    #expect(recorder.history == [.subscription("Buffer"), .value(1), .value(2)])
    recorder.request(.max(1))
    #expect(recorder.history == [.subscription("Buffer"), .value(1), .value(2), .completion(.finished)])
    #expect(upstream.history == [.requested(.unlimited)])
  }

  @Test func theFinishComesAtOnceIfThereIsDemand() {
    subscribe(.max(1), size: 3)
    source.send(completion: .finished)
    #expect(recorder.history == [.subscription("Buffer"), .completion(.finished)])
  }

  @Test func aFailureComesWithoutDemandAndDropsWhatWaits() {
    subscribe(size: 3)
    send(1...2)
    source.send(completion: .failure(.first))
    source.send(completion: .finished)
    recorder.request(.unlimited)
    #expect(recorder.history == [.subscription("Buffer"), .completion(.failure(.first))])
    #expect(source.send(3) == .none)
    #expect(upstream.history == [.requested(.unlimited)])
  }

  @Test func acceptsValuesAfterTheFinishUntilItIsDelivered() {
    subscribe(size: 3)
    source.send(completion: .finished)
    send(1...2)
    #expect(recorder.history == [.subscription("Buffer")])
    recorder.request(.max(2))
    #expect(recorder.history == [.subscription("Buffer"), .value(1), .value(2)])
    recorder.request(.max(1))
    send(3...3)
    #expect(recorder.history == [.subscription("Buffer"), .value(1), .value(2), .completion(.finished)])
  }

  /// Combine sends the failure first and the subscription afterwards.
  @Test func aFailureInAnswerToTheFirstRequestComesBehindTheSubscription() {
    source.subscription = nil
    subscribe(.max(1), size: 3)
    let subscription = RecordingSubscription()
    subscription.onRequest = { [source] _ in
      source.send(1)
      source.send(completion: .failure(.first))
    }
    source.send(subscription: subscription)
    #expect(recorder.history == [.subscription("Buffer"), .value(1), .completion(.failure(.first))])
  }

  // MARK: Life cycle

  @Test func ignoresSignalsBeforeTheSubscription() {
    source.subscription = nil
    subscribe(.unlimited, size: 3)
    #expect(source.send(1) == .none)
    source.send(completion: .failure(.first))
    #expect(recorder.history == [])
  }

  @Test func cancelsFurtherSubscriptions() {
    subscribe(size: 2)
    let further = RecordingSubscription()
    source.send(subscription: further)
    recorder.cancel()
    source.send(subscription: further)
    #expect(further.history == [.cancelled, .cancelled])
  }

  @Test func cancelsOnceAndDropsWhatWaits() {
    subscribe(size: 2)
    send(1...1)
    recorder.cancel()
    recorder.cancel()
    recorder.request(.unlimited)
    send(2...2)
    source.send(completion: .finished)
    #expect(recorder.history == [.subscription("Buffer")])
    #expect(upstream.history == [.requested(.unlimited), .cancelled])
  }

  // MARK: Re-entrance

  @Test(arguments: [Publishers.PrefetchStrategy.keepFull, .byRequest])
  func aRequestWithinADeliveryIsServedByThatDelivery(_ prefetch: Publishers.PrefetchStrategy) {
    recorder.onValue = { [recorder] _ in
      recorder.request(.max(1))
      recorder.request(.none)
    }
    subscribe(.max(3), size: 5, prefetch)
    for value in 0..<10 { #expect(source.send(value) == (prefetch == .keepFull ? .max(1) : .none)) }
    #expect(recorder.values == Array(0..<10))
    #expect(upstream.history == [.requested(prefetch == .keepFull ? .max(5) : .unlimited)])
  }

  @Test func aRequestWithinADeliveryDoesNotRecurse() {
    let depth = Shared(0)
    recorder.onValue = { [recorder] _ in
      depth.value += 1
      #expect(depth.value == 1)
      recorder.request(.max(1))
      depth.value -= 1
    }
    subscribe(size: 10_000)
    send(1...10_000)
    recorder.request(.max(1))
    #expect(recorder.values == Array(1...10_000))
  }

  @Test func acceptsAValueWithinADelivery() {
    recorder.onValue = { [source] in if $0 < 4 { source.send($0 + 10) } }
    subscribe(.max(1), size: 5)
    source.send(1)
    #expect(recorder.values == [1])
    source.send(2)
    recorder.request(.max(3))
    #expect(recorder.values == [1, 11, 2, 12])
  }

  /// The demand for all three was taken before the first was delivered, so the failure finds none, and overtakes.
  @Test func aFailureWithinADeliveryComesBeforeTheOtherValuesOfItsBatch() {
    recorder.onValue = { [source] _ in source.send(completion: .failure(.first)) }
    subscribe(size: 5)
    send(1...5)
    recorder.request(.max(3))
    #expect(
      recorder.history == [
        .subscription("Buffer"), .value(1), .completion(.failure(.first)), .value(2), .value(3),
      ])
  }

  /// Closures were called without asking the sink.
  @Test func aSinkGetsNothingAfterAFailureWithinADelivery() {
    var log: [String] = []
    // They come before the sink has its subscription, and so wait for it.
    source.subscription?.onRequest = { [unowned source] _ in for value in 1...3 { source.send(value) } }
    let token = source.buffer(size: 9, prefetch: .byRequest, whenFull: .dropNewest).sink(
      receiveCompletion: { _ in log.append("end") },
      receiveValue: { [source] value in
        log.append("\(value)")
        if value == 1 { source.send(completion: .failure(.first)) }
      })
    #expect(log == ["1", "end"])
    token.cancel()
  }

  /// The cancellation is taken behind the other thread's value.
  @Test func cancellingBehindWhatAnotherThreadHasLeftDropsTheRestOfTheBatch() {
    recorder.onValue = { [recorder, source] value in
      guard value == 1 else { return }
      onThreads(1) { _ in source.send(4) }
      recorder.cancel()
    }
    subscribe(size: 5)
    send(1...3)
    recorder.request(.max(3))
    #expect(recorder.history == [.subscription("Buffer"), .value(1)])
  }

  @Test func theFinishWithinADeliveryComesBehindTheOtherValuesOfItsBatch() {
    recorder.onValue = { [source] _ in source.send(completion: .finished) }
    subscribe(size: 5)
    send(1...3)
    recorder.request(.unlimited)
    #expect(
      recorder.history == [.subscription("Buffer"), .value(1), .value(2), .value(3), .completion(.finished)])
  }

  @Test func aValueWithinADeliveryComesBehindTheOtherValuesOfItsBatch() {
    recorder.onValue = { [source] in if $0 == 1 { source.send(4) } }
    subscribe(size: 5)
    send(1...3)
    recorder.request(.unlimited)
    #expect(recorder.values == [1, 2, 3, 4])
  }

  @Test func cancelsWithinADelivery() {
    recorder.onValue = { [recorder] in if $0 == 2 { recorder.cancel() } }
    subscribe(size: 5)
    send(1...4)
    recorder.request(.unlimited)
    #expect(recorder.history == [.subscription("Buffer"), .value(1), .value(2)])
    #expect(upstream.history == [.requested(.unlimited), .cancelled])
  }

  @Test func aValueThatIsDroppedMayComeBack() {
    final class Talkative {
      let atEnd: () -> Void
      init(_ atEnd: @escaping () -> Void) { self.atEnd = atEnd }
      deinit { atEnd() }
    }
    let source = ScriptedPublisher(of: Talkative.self, failingWith: TestFailure.self)
    let recorder = RecordingSubscriber<Talkative, TestFailure>()
    source.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest).subscribe(recorder)
    var freed = 0
    let answer = {
      freed += 1
      source.send(Talkative {})
    }
    for _ in 0..<10 { source.send(Talkative(answer)) }
    recorder.cancel()
    #expect(freed == 10)
    #expect(recorder.history.count == 1)
  }
}
