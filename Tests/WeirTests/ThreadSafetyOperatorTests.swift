// Tests of what else users of Combine rely on between threads: what another thread may do to operators and origins
// while a subscriber is being called.

import TestKit
import Testing
import WeirQueues

@testable import Weir

/// As in `ThreadSafetyTests`, the other thread runs to its end inside a delivery; `OtherThread` guards against a hang.
@Suite struct ThreadSafetyOperatorTests {
  private typealias Relay = PassthroughSubject<Int, Never>

  private let values = Shared([Int]())
  private let passes = Shared([Bool]())

  /// Runs a body on another thread and waits for it.
  ///
  /// - Returns: Whether it came back.
  @discardableResult
  private func elsewhere(_ body: @escaping () -> Void) -> Bool { OtherThread(body).comesBack() }

  /// Subscribes with a sink that notes each value; in its first one, another thread does something that must come back.
  private func stall(
    _ publisher: some Publisher<Int, Never>, while body: @escaping () -> Void
  ) -> AnyCancellable {
    publisher.sink { [self] value in
      values.value.append(value)
      if values.value.count == 1 { passes.value.append(elsewhere(body)) }
    }
  }

  // MARK: Values that nobody takes now

  @Test(arguments: Joining.allCases)
  func aValueOfAnotherStreamPassesASinkBehindFirst(_ joining: Joining) {
    let left = Relay(), right = Relay()
    let sink = stall(joining.join(left, right).first()) { right.send(2) }
    if joining.needsBoth { right.send(0) }
    left.send(1)
    #expect(passes.value == [true])
    #expect(values.value.count == 1)
    sink.cancel()
  }

  /// How two streams become one.
  enum Joining: CaseIterable, Sendable {
    case merge, flatMap, combineLatest, zip

    var needsBoth: Bool { self == .combineLatest || self == .zip }

    func join(
      _ left: some Publisher<Int, Never>, _ right: some Publisher<Int, Never>
    ) -> AnyPublisher<Int, Never> {
      switch self {
      case .merge: left.merge(with: right).eraseToAnyPublisher()
      case .flatMap:
        [left.eraseToAnyPublisher(), right.eraseToAnyPublisher()].publisher.flatMap { $0 }.eraseToAnyPublisher()
      case .combineLatest: left.combineLatest(right).map { $0 + $1 }.eraseToAnyPublisher()
      case .zip: left.zip(right).map { $0 + $1 }.eraseToAnyPublisher()
      }
    }
  }

  @Test func aValueThatCompletesNoTuplePassesZip() {
    let left = Relay(), right = Relay()
    let sink = stall(left.zip(right).map { 10 * $0 + $1 }) {
      right.send(3)
      right.send(4)
    }
    right.send(2)
    left.send(1)
    left.send(5)
    #expect(passes.value == [true])
    #expect(values.value == [12, 53])
    sink.cancel()
  }

  /// The sink is busy until the other thread has subscribed to its inner stream.
  @Test(arguments: [false, true])
  func anInnerStreamIsSubscribedToAndDeliveredByItsSenderWhileTheSinkIsBusy(switches: Bool) {
    let outer = PassthroughSubject<AnyPublisher<Int, Never>, Never>()
    let opened = Counter(), here = currentThreadIdentity()
    let threads = Shared([Int]()), early = Shared([Int]())
    let sender = Shared<OtherThread?>(nil)
    let stream = switches ? outer.switchToLatest().eraseToAnyPublisher() : outer.flatMap { $0 }.eraseToAnyPublisher()
    let sink = stream.sink { [self] value in
      values.value.append(value)
      threads.value.append(currentThreadIdentity())
      guard value == 1 else { return }
      sender.value = OtherThread { [self] in
        for number in 2...4 {
          outer.send(
            Deferred {
              opened.add()
              return [number * 10, number * 10 + 1].publisher
            }.eraseToAnyPublisher())
          if values.value.last != number * 10 + 1 { early.value.append(number) }
        }
      }
      #expect(elsewhere { opened.wait(for: 1) }, "the stream is left to this thread")
    }
    let first = Relay()
    outer.send(first.eraseToAnyPublisher())
    first.send(1)
    #expect(sender.value?.comesBack() == true)
    #expect(values.value == [1, 20, 21, 30, 31, 40, 41])
    #expect(early.value.isEmpty)
    #expect(threads.value.map { $0 == here } == [true] + Array(repeating: false, count: 6))
    sink.cancel()
  }

  @Test func aValueThatMergeKeepsForLaterPasses() {
    let left = Relay(), right = Relay()
    let recorder = RecordingSubscriber<Int, Never>(.max(1))
    recorder.onValue = { [self] value in
      if value == 1 { passes.value.append(elsewhere { right.send(2) }) }
    }
    left.merge(with: right).subscribe(recorder)
    left.send(1)
    #expect(passes.value == [true])
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2])
    recorder.onValue = nil
    recorder.cancel()
  }

  @Test func aSenderNeverWaitsForWhatASchedulerRuns() {
    let scheduler = ManualScheduler()
    let subject = Relay()
    let sink = stall(subject.receive(on: scheduler)) { subject.send(2) }
    subject.send(1)
    scheduler.run()
    #expect(passes.value == [true])
    #expect(values.value == [1, 2])
    sink.cancel()
  }

  @Test func aDroppedOrFilteredValueWaitsLikeAnyOther() {
    // What stands between the subject and its subscriber is the subscriber's: it is never entered by two threads.
    let subject = Relay()
    let inside = Counter(), overlaps = Counter(), isDelivering = Counter()
    let sink = subject.filter { value in
      if inside.add() > 1 { overlaps.add() }
      if value == 1 {
        isDelivering.add()
        for _ in 0..<200 { yieldThread() }
      }
      inside.add(-1)
      return value == 1
    }.sink { [self] in values.value.append($0) }
    let isDone = elsewhere {
      onThreads(2) { number in
        guard number == 1 else { return subject.send(1) }
        isDelivering.wait(for: 1)
        for value in 2...10 { subject.send(value) }
      }
    }
    #expect(isDone)
    #expect(overlaps.value == 0)
    #expect(values.value == [1])
    sink.cancel()
  }

  // MARK: Subscribing meanwhile

  @Test func aThirdThreadMaySubscribeToWhatIsShared() {
    let subject = Relay()
    let late = Shared([Int]())
    let others = Shared<[AnyCancellable]>([])
    let shared = subject.share()
    let sink = stall(shared) { others.value.append(shared.sink { late.value.append($0) }) }
    subject.send(1)
    subject.send(2)
    #expect(passes.value == [true])
    #expect(late.value == [2])
    sink.cancel()
    for other in others.value { other.cancel() }
  }

  @Test func aFutureThatIsTellingASubscriberTellsAnotherOneAtOnce() {
    let promise = Shared<((Result<Int, Never>) -> Void)?>(nil)
    let future = Future<Int, Never> { promise.value = $0 }
    let late = Shared([Int]())
    let sink = stall(future) { future.sink { late.value.append($0) }.cancel() }
    promise.value?(.success(1))
    #expect(passes.value == [true])
    #expect(values.value == [1])
    #expect(late.value == [1])
    sink.cancel()
  }

  @Test func aSubscriberOfAPublishedPropertyThatComesMeanwhileHasItsFirstValue() {
    final class Model: @unchecked Sendable { @Published var number = 0 }
    let model = Model()
    let late = Shared([Int]())
    let sink = stall(model.$number.dropFirst()) {
      model.$number.first().sink { late.value.append($0) }.cancel()
      #expect(late.value.count == 1)
    }
    model.number = 1
    #expect(passes.value == [true])
    sink.cancel()
  }

  @Test func aSubscriberOfCombineLatestThatComesMeanwhileHasItsFirstValue() {
    let left = CurrentValueSubject<Int, Never>(0), right = CurrentValueSubject<Int, Never>(0)
    let joined = left.combineLatest(right).map { 10 * $0 + $1 }
    let late = Shared([Int]())
    let sink = stall(joined.dropFirst()) { joined.first().sink { late.value.append($0) }.cancel() }
    left.send(1)
    #expect(passes.value == [true])
    #expect(late.value == [10])
    sink.cancel()
  }

  @Test func aSubscriberMayTakeItsTimeWithASubscription() {
    // While one subscriber is told its subscription, another thread sends, subscribes and cancels. Not behind `buffer`,
    // which has asked for values by then: there the sender waits, and Combine's does not.
    let publishers: [(Relay) -> AnyPublisher<Int, Never>] = [
      { $0.eraseToAnyPublisher() },
      { $0.merge(with: Relay()).eraseToAnyPublisher() },
      { [$0].publisher.flatMap { $0 }.eraseToAnyPublisher() },
    ]
    for make in publishers {
      let subject = Relay()
      let received = Shared([Int]())
      let first = subject.sink { received.value.append($0) }
      let late = RecordingSubscriber<Int, Never>()
      late.onSubscription = { [self] _ in
        passes.value.append(
          elsewhere {
            subject.send(1)
            #expect(received.value == [1], "delivered when its send returned")
            subject.sink { _ in }.cancel()
            first.cancel()
          })
      }
      make(subject).subscribe(late)
      late.onSubscription = nil
      late.cancel()
    }
    #expect(passes.value == [true, true, true])
  }

  // MARK: Switching and ending meanwhile

  @Test func aNewInnerStreamMayComeWhileASinkIsBusy() {
    let outer = PassthroughSubject<Relay, Never>()
    let inner = [Relay(), Relay()]
    let sink = stall(outer.switchToLatest()) { outer.send(inner[1]) }
    outer.send(inner[0])
    inner[0].send(1)
    inner[0].send(2)
    inner[1].send(3)
    #expect(passes.value == [true])
    #expect(values.value == [1, 3])
    sink.cancel()
  }

  @Test func aNewInnerStreamOfFlatMapMayComeWhileASinkIsBusy() {
    let outer = PassthroughSubject<Relay, Never>()
    let inner = [Relay(), Relay()]
    let sink = stall(outer.flatMap { $0 }) { outer.send(inner[1]) }
    outer.send(inner[0])
    inner[0].send(1)
    inner[1].send(3)
    #expect(passes.value == [true])
    #expect(values.value == [1, 3])
    sink.cancel()
  }

  @Test func anInnerStreamMayEndWhileASinkIsBusy() {
    let inner = [Relay(), Relay()]
    let sink = stall(inner.publisher.flatMap { $0 }) { inner[1].send(completion: .finished) }
    inner[0].send(1)
    inner[0].send(2)
    #expect(passes.value == [true])
    #expect(values.value == [1, 2])
    sink.cancel()
  }

  @Test func oneOfTwoMergedStreamsMayEndWhileASinkIsBusy() {
    let left = Relay(), right = Relay()
    let sink = stall(left.merge(with: right)) { right.send(completion: .finished) }
    left.send(1)
    left.send(2)
    #expect(passes.value == [true])
    #expect(values.value == [1, 2])
    sink.cancel()
  }

  @Test func aStreamMayBeCutOffWhileASinkIsBusy() {
    let subject = Relay(), trigger = Relay()
    let sink = stall(subject.prefix(untilOutputFrom: trigger)) { trigger.send(0) }
    subject.send(1)
    subject.send(2)
    #expect(passes.value == [true])
    #expect(values.value == [1])
    sink.cancel()
  }

  @Test func aConnectionMayEndWhileASinkIsBusy() {
    let subject = Relay()
    let connectable = subject.multicast { Relay() }
    let connection = Shared<(any Cancellable)?>(nil)
    let sink = stall(connectable) { connection.value?.cancel() }
    connection.value = connectable.connect()
    subject.send(1)
    subject.send(2)
    #expect(passes.value == [true])
    #expect(values.value == [1])
    sink.cancel()
  }

  /// They were subscribed to, and asked, when the delivery was over.
  @Test func whatADeliveryAddsIsSubscribedToAtOnceWhateverOthersHaveLeft() {
    let outer = PassthroughSubject<Relay, Never>()
    let inner = [Relay(), Relay(), Relay()]
    let sink = outer.flatMap { $0 }.sink { [self] value in
      values.value.append(value)
      guard value == 1 else { return }
      passes.value.append(elsewhere { outer.send(inner[1]) })
      outer.send(inner[2])
      inner[2].send(2)
    }
    outer.send(inner[0])
    inner[0].send(1)
    inner[1].send(3)
    #expect(passes.value == [true])
    #expect(values.value == [1, 2, 3])
    sink.cancel()
  }

  @Test func whatADeliveryAsksForIsAskedAtOnceWhateverOthersHaveLeft() {
    let left = Relay(), right = Relay()
    let recorder = RecordingSubscriber<Int, Never>(.max(1))
    recorder.onValue = { [self] value in
      guard value == 1 else { return }
      passes.value.append(elsewhere { right.send(completion: .finished) })
      recorder.request(.max(1))
      left.send(2)
    }
    left.combineLatest(right) { $0 + $1 }.subscribe(recorder)
    right.send(0)
    left.send(1)
    #expect(passes.value == [true])
    #expect(recorder.values == [1, 2])
    recorder.onValue = nil
    recorder.cancel()
  }

  @Test func whatADeliveryAsksForIsAskedAtOnceBeforeATriggerHasCome() {
    let subject = Relay(), trigger = Relay()
    let recorder = RecordingSubscriber<Int, Never>(.max(1))
    recorder.onValue = { [self] value in
      guard value == 1 else { return }
      passes.value.append(elsewhere { trigger.send(completion: .finished) })
      recorder.request(.max(1))
      subject.send(2)
    }
    subject.prefix(untilOutputFrom: trigger).subscribe(recorder)
    subject.send(1)
    #expect(passes.value == [true])
    #expect(recorder.values == [1, 2])
    recorder.onValue = nil
    recorder.cancel()
  }

  // MARK: Reading and asking meanwhile

  @Test func theValueOfASubjectIsReadWhileASinkIsBusy() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let seen = Shared([Int]())
    let sink = stall(subject.dropFirst()) { seen.value.append(subject.value) }
    subject.send(1)
    #expect(passes.value == [true])
    #expect(seen.value == [1])
    sink.cancel()
  }

  @Test func aRequestForMoreOfASubjectNeverWaitsForItsOwnSubscriber() {
    let subject = Relay()
    let recorder = RecordingSubscriber<Int, Never>(.max(1))
    recorder.onValue = { [self] value in
      if value == 1 { passes.value.append(elsewhere { recorder.request(.max(1)) }) }
    }
    subject.subscribe(recorder)
    for value in 1...3 { subject.send(value) }
    #expect(passes.value == [true])
    #expect(recorder.values == [1, 2])
    recorder.onValue = nil
    recorder.cancel()
  }

  @Test func aRequestForMoreOfASequenceNeverWaitsForItsOwnSubscriber() {
    let recorder = RecordingSubscriber<Int, Never>(.max(1))
    recorder.onValue = { [self] value in
      if value == 1 { passes.value.append(elsewhere { recorder.request(.max(1)) }) }
    }
    (1...3).publisher.subscribe(recorder)
    #expect(passes.value == [true])
    #expect(recorder.values == [1, 2])
    recorder.onValue = nil
    recorder.cancel()
  }

  @Test func anUpstreamMayBeAddedWhileASinkIsBusy() {
    let subject = Relay(), upstream = Relay()
    let feed = Shared<AnyCancellable?>(nil)
    let sink = stall(subject) { feed.value = upstream.subscribe(subject) }
    subject.send(1)
    upstream.send(2)
    #expect(passes.value == [true])
    #expect(values.value == [1, 2])
    sink.cancel()
    feed.value?.cancel()
  }

  // MARK: Order

  @Test func whatOneThreadSendsInTurnToTwoSubjectsKeepsItsOrderThroughMerge() {
    let left = Relay(), right = Relay()
    let sink = stall(left.merge(with: right).first()) {
      for value in 2...9 { (value % 2 == 0 ? right : left).send(value) }
    }
    let others = Shared([Int]())
    let other = left.merge(with: right).sink { others.value.append($0) }
    left.send(1)
    right.send(10)
    #expect(passes.value == [true])
    // Left's values may have been left to the thread that delivers 1; those of one subject stay in order.
    #expect(others.value.sorted() == Array(1...10))
    #expect(others.value.filter { $0 % 2 == 1 } == [1, 3, 5, 7, 9])
    #expect(others.value.filter { $0 % 2 == 0 } == [2, 4, 6, 8, 10])
    sink.cancel()
    other.cancel()
  }

  @Test func aNestedSendComesBehindWhatWasLetThroughBefore() {
    let subject = Relay()
    let others = Shared([Int]())
    let sink = subject.first().sink { [self] _ in
      passes.value.append(elsewhere { subject.send(2) })
      subject.send(3)
    }
    let other = subject.sink { others.value.append($0) }
    subject.send(1)
    #expect(passes.value == [true])
    #expect(others.value == [2, 3, 1])
    sink.cancel()
    other.cancel()
  }

  @Test func aThreadThatWasLetThroughKeepsItsOrder() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let others = Shared([Int]())
    let sink = stall(subject.dropFirst().first()) { for value in 2...5 { subject.send(value) } }
    let other = subject.sink { others.value.append($0) }
    subject.send(1)
    #expect(passes.value == [true])
    #expect(others.value == [0, 1, 2, 3, 4, 5])
    #expect(subject.value == 5)
    sink.cancel()
    other.cancel()
  }
}
