// Tests of what threads that meet may rely on: each row of the table that OpenCombine and Combine pass, and what else
// their users know between threads.

import Dispatch
import TestKit
import Testing
import WeirQueues

@testable import Weir

/// A race is enumerated by running the other thread, to its end, inside a sink's delivery. Where an engine would wait
/// for ever, `elsewhere` gives up after two minutes and says so: a guard against a hang, not a measure of time.
@Suite struct ThreadSafetyTests {
  private typealias Relay = PassthroughSubject<Int, Never>

  private let values = Shared([Int]())
  private let threads = Shared([Int]())
  private let passes = Shared([Bool]())

  /// Runs a body on another thread and waits for it.
  ///
  /// - Returns: Whether it came back.
  @discardableResult
  private func elsewhere(_ body: @escaping () -> Void) -> Bool { OtherThread(body).comesBack() }

  /// Lets other threads run until one sleeps until a subject has delivered.
  private func awaitSender(_ subject: Relay) {
    while subject.core.gate.word.relaxedLoad() & GateMark.sleeping == 0 { yieldThread() }
  }

  /// Notes a value and the thread that it came on.
  private func note(_ value: Int) {
    values.value.append(value)
    threads.value.append(currentThreadIdentity())
  }

  /// Subscribes with a sink that notes each value; in its first one, another thread does something that must come back.
  private func stall(
    _ publisher: some Publisher<Int, Never>, while body: @escaping () -> Void
  ) -> AnyCancellable {
    publisher.sink { [self] value in
      note(value)
      if values.value.count == 1 { passes.value.append(elsewhere(body)) }
    }
  }

  // MARK: The table

  @Test func aSendPassesASinkBehindFirst() {
    let subject = Relay()
    let sink = stall(subject.first()) { subject.send(2) }
    subject.send(1)
    #expect(passes.value == [true])
    #expect(values.value == [1])
    sink.cancel()
  }

  @Test func aSendPassesASubscriberWithoutDemand() {
    let subject = Relay()
    let recorder = RecordingSubscriber<Int, Never>(.max(1))
    recorder.onValue = { [self] _ in passes.value.append(elsewhere { subject.send(2) }) }
    subject.subscribe(recorder)
    subject.send(1)
    #expect(passes.value == [true])
    #expect(recorder.history == [.subscription("PassthroughSubject"), .value(1)])
    recorder.onValue = nil
    recorder.cancel()
  }

  @Test func aSinkBehindFirstMayWaitForAQueueWhoseJobSends() {
    let subject = Relay()
    let queue = DispatchQueue(label: "queue")
    let sink = stall(subject.first()) { queue.sync { subject.send(2) } }
    subject.send(1)
    #expect(passes.value == [true])
    #expect(values.value == [1])
    sink.cancel()
  }

  @Test func aSendPassesASinkBehindASchedulerAndFirstBesideAnotherSink() {
    let subject = Relay()
    let others = Shared([Int]())
    let sink = stall(subject.receive(on: ImmediateScheduler.shared).first()) { subject.send(2) }
    let other = subject.sink { others.value.append($0) }
    subject.send(1)
    #expect(passes.value == [true])
    #expect(values.value == [1])
    // Both came once; a subject's values have one order for all, so the second was left to the first one's thread.
    #expect(others.value == [1, 2])
    sink.cancel()
    other.cancel()
  }

  @Test func aDeferredInnerStreamMayWaitForAnotherInnerStreamsValue() {
    let outer = PassthroughSubject<AnyPublisher<Int, Never>, Never>()
    let inner = Relay()
    let sink = outer.flatMap { $0 }.sink { [self] in note($0) }
    outer.send(inner.eraseToAnyPublisher())
    outer.send(
      Deferred { [self] in
        passes.value.append(elsewhere { inner.send(1) })
        #expect(values.value == [1], "delivered when its send returned")
        return Just(2)
      }.eraseToAnyPublisher())
    #expect(passes.value == [true])
    #expect(values.value == [1, 2])
    sink.cancel()
  }

  @Test func aTransformMayWaitForAnotherInnerStreamsValue() {
    let outer = Relay()
    let inner = Relay()
    let sink = outer.flatMap { [self] value -> AnyPublisher<Int, Never> in
      guard value == 2 else { return inner.eraseToAnyPublisher() }
      passes.value.append(elsewhere { inner.send(10) })
      #expect(values.value == [10], "delivered when its send returned")
      return Just(20).eraseToAnyPublisher()
    }.sink { [self] in note($0) }
    outer.send(1)
    outer.send(2)
    #expect(passes.value == [true])
    #expect(values.value == [10, 20])
    sink.cancel()
  }

  @Test(arguments: 2...4)
  func subjectsWhoseSinksSendToEachOther(_ count: Int) {
    let subjects = (0..<count).map { _ in Relay() }
    let received = (0..<count).map { _ in Shared([Int]()) }
    let delivering = Counter()
    let sinks = (0..<count).map { number in
      subjects[number].sink { value in
        received[number].value.append(value)
        guard value == 1 else { return }
        delivering.add()
        delivering.wait(for: count)
        subjects[(number + 1) % count].send(2)
      }
    }
    let isDone = elsewhere { onThreads(count) { subjects[$0].send(1) } }
    #expect(isDone)
    guard isDone else { return }
    #expect(received.map(\.value) == Array(repeating: [1, 2], count: count))
    for sink in sinks { sink.cancel() }
  }

  @Test func aCircleThroughOperatorsThatJoin() {
    let subjects = [Relay(), Relay()]
    let received = [Shared([Int]()), Shared([Int]())]
    let delivering = Counter()
    let joined: [AnyPublisher<Int, Never>] = [
      subjects[0].merge(with: Empty(completeImmediately: false)).eraseToAnyPublisher(),
      [subjects[1]].publisher.flatMap { $0 }.eraseToAnyPublisher(),
    ]
    let sinks = (0..<2).map { number in
      joined[number].sink { value in
        received[number].value.append(value)
        guard value == 1 else { return }
        delivering.add()
        delivering.wait(for: 2)
        subjects[1 - number].send(2)
      }
    }
    let isDone = elsewhere { onThreads(2) { subjects[$0].send(1) } }
    #expect(isDone)
    guard isDone else { return }
    #expect(received.map(\.value) == [[1, 2], [1, 2]])
    for sink in sinks { sink.cancel() }
  }

  @Test func aSubscriberThatComesMeanwhileHasItsFirstValueWhenSinkReturns() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let late = Shared([Int]()), lateThreads = Shared([Int]())
    let caller = Shared(0)
    let sink = stall(subject.dropFirst()) {
      caller.value = currentThreadIdentity()
      subject.first().sink {
        late.value.append($0)
        lateThreads.value.append(currentThreadIdentity())
      }.cancel()
    }
    subject.send(1)
    #expect(passes.value == [true])
    #expect(late.value == [1])
    #expect(lateThreads.value == [caller.value])
    sink.cancel()
  }

  // MARK: What outsiders saw

  @Test func aSubscriberThatComesMeanwhileSeesEachValueOnce() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let late = Shared([Int]())
    let others = Shared<[AnyCancellable]>([])
    let first = stall(subject.dropFirst()) {
      others.value.append(subject.sink { late.value.append($0) })
      #expect(late.value == [1])
    }
    subject.send(1)
    subject.send(2)
    #expect(passes.value == [true])
    #expect(late.value == [1, 2])
    #expect(values.value == [1, 2])
    first.cancel()
    for other in others.value { other.cancel() }
  }

  @Test func aSubscriberThatMissedAValueBeforeItAskedHasItsFirstValueWhileTheNextIsUnderWay() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let isDelivering = Counter(), mayGoOn = Counter()
    let sender = Shared<OtherThread?>(nil)
    let sink = subject.sink { value in
      guard value == 2 else { return }
      isDelivering.add()
      mayGoOn.wait(for: 1)
    }
    let late = RecordingSubscriber<Int, Never>()
    late.onSubscription = { [self] subscription in
      passes.value.append(elsewhere { subject.send(1) })
      sender.value = OtherThread { subject.send(2) }
      isDelivering.wait(for: 1)
      subscription.request(.unlimited)
      #expect(late.values == [2], "the newest value, before the request returned")
      mayGoOn.add()
    }
    subject.subscribe(late)
    #expect(sender.value?.comesBack() == true)
    #expect(passes.value == [true])
    #expect(late.values == [2], "once")
    late.onSubscription = nil
    late.cancel()
    sink.cancel()
  }

  @Test func aRequestMeanwhileIsAnsweredAtOnceOnItsThread() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let asking = RecordingSubscriber<Int, Never>()
    let caller = Shared(0), answered = Shared(0)
    asking.onValue = { _ in answered.value = currentThreadIdentity() }
    subject.subscribe(asking)
    let sink = stall(subject.dropFirst()) {
      caller.value = currentThreadIdentity()
      asking.request(.max(1))
      #expect(asking.values.count == 1, "before the request returned")
    }
    subject.send(1)
    #expect(passes.value == [true])
    #expect(asking.values == [1])
    #expect(answered.value == caller.value)
    asking.onValue = nil
    asking.cancel()
    sink.cancel()
  }

  @Test func aSendMeanwhileIsDeliveredOnItsOwnThread() {
    let subject = Relay()
    let isDelivering = Counter()
    let sender = Shared(0), seen = Shared(0)
    let sink = subject.sink { [self] value in
      note(value)
      guard value == 1 else { return }
      isDelivering.add()
      awaitSender(subject)
    }
    let isDone = elsewhere { [self] in
      onThreads(2) { number in
        guard number == 1 else { return subject.send(1) }
        isDelivering.wait(for: 1)
        sender.value = currentThreadIdentity()
        subject.send(2)
        seen.value = values.value.count
      }
    }
    #expect(isDone)
    #expect(values.value == [1, 2])
    #expect(seen.value == 2, "delivered when its send returned")
    #expect(threads.value.last == sender.value)
    sink.cancel()
  }

  @Test func aThreadThatSubscribesTakesOverNoValueOfASender() {
    // The subscription is passed while the only sender sends: its value belongs to its own thread.
    for keeps in [false, true] {
      let relay = Relay(), latest = CurrentValueSubject<Int, Never>(0)
      let publisher = keeps ? latest.dropFirst().eraseToAnyPublisher() : relay.eraseToAnyPublisher()
      let send: (Int) -> Void = { if keeps { latest.send($0) } else { relay.send($0) } }
      let received = Shared([Int]()), thread = Shared(0), caller = Shared(0)
      let sink = publisher.sink {
        received.value.append($0)
        thread.value = currentThreadIdentity()
      }
      let late = RecordingSubscriber<Int, Never>()
      late.onSubscription = { [self] _ in
        passes.value.append(
          elsewhere {
            caller.value = currentThreadIdentity()
            send(1)
            #expect(received.value == [1], "delivered when its send returned")
          })
      }
      if keeps { latest.subscribe(late) } else { relay.subscribe(late) }
      #expect(received.value == [1])
      #expect(thread.value == caller.value)
      late.onSubscription = nil
      late.cancel()
      sink.cancel()
    }
    #expect(passes.value == [true, true])
  }

  @Test func aSubscriberThatGetsItsFirstValueStopsNoSend() {
    // Its value comes from a request; it has no demand left, so a send passes it.
    let subject = CurrentValueSubject<Int, Never>(0)
    let received = Shared([Int]())
    let sink = subject.sink { received.value.append($0) }
    let late = RecordingSubscriber<Int, Never>(.max(1))
    late.onValue = { [self] _ in
      passes.value.append(elsewhere { subject.send(1) })
    }
    subject.subscribe(late)
    #expect(passes.value == [true])
    #expect(received.value == [0, 1])
    #expect(late.values == [0])
    late.onValue = nil
    late.cancel()
    sink.cancel()
  }

  @Test func aThreadThatCancelsTakesOverNoValueOfASender() {
    let subject = Relay()
    let received = Shared([Int]()), thread = Shared(0), caller = Shared(0)
    let sink = subject.sink {
      received.value.append($0)
      thread.value = currentThreadIdentity()
    }
    // What a subscriber holds is freed by its cancellation; meanwhile the only sender sends.
    let ending = Ending { [self] in
      passes.value.append(
        elsewhere {
          caller.value = currentThreadIdentity()
          subject.send(1)
          #expect(received.value == [1], "delivered when its send returned")
        })
    }
    let other = subject.sink { [ending = Shared(Optional(ending))] _ in _ = ending.value }
    _ = consume ending
    other.cancel()
    #expect(passes.value.allSatisfy { $0 })
    if !passes.value.isEmpty { #expect(thread.value == caller.value) }
    sink.cancel()
  }

  /// Runs a closure when it is freed.
  private final class Ending {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
    deinit { body() }
  }

  @Test func subscribingNeverWaitsForAnotherSubscribersDelivery() {
    let subject = Relay()
    let late = Shared([Int]())
    let others = Shared<AnyCancellable?>(nil)
    let sink = stall(subject) { others.value = subject.sink { late.value.append($0) } }
    subject.send(1)
    subject.send(2)
    #expect(passes.value == [true])
    #expect(late.value == [2])
    sink.cancel()
    others.value?.cancel()
  }

  // MARK: cancel

  @Test func cancellingASubscriptionToASubjectNeverWaits() {
    let relay = Relay(), latest = CurrentValueSubject<Int, Never>(0)
    let own = Shared<AnyCancellable?>(nil), other = Shared<AnyCancellable?>(nil)
    let otherValues = Shared([Int]())
    for publisher in [relay.eraseToAnyPublisher(), latest.dropFirst().eraseToAnyPublisher()] {
      values.value = []
      own.value = stall(publisher) {
        own.value?.cancel()
        other.value?.cancel()
      }
      other.value = publisher.sink { otherValues.value.append($0) }
      relay.send(1)
      latest.send(1)
      relay.send(2)
      latest.send(2)
      #expect(values.value == [1])
      #expect(otherValues.value.isEmpty, "cancelled before its turn came")
      (own.value, other.value) = (nil, nil)
    }
    #expect(passes.value == [true, true])
  }

  @Test(arguments: Joining.allCases)
  func cancellingASubscriptionToWhatJoinsStreamsNeverWaits(_ joining: Joining) {
    let left = Relay(), right = Relay()
    let own = Shared<AnyCancellable?>(nil)
    own.value = stall(joining.join(left, right)) { own.value?.cancel() }
    right.send(0)
    left.send(1)
    left.send(2)
    right.send(3)
    #expect(passes.value == [true])
    #expect(values.value.count == 1)
    own.value = nil
  }

  /// How two streams become one.
  enum Joining: CaseIterable, Sendable {
    case merge, flatMap, combineLatest, zip, switchToLatest, buffer

    func join(
      _ left: PassthroughSubject<Int, Never>, _ right: PassthroughSubject<Int, Never>
    ) -> AnyPublisher<Int, Never> {
      switch self {
      case .merge: left.merge(with: right).dropFirst().eraseToAnyPublisher()
      case .flatMap: [left, right].publisher.flatMap { $0 }.dropFirst().eraseToAnyPublisher()
      case .combineLatest: left.combineLatest(right).map { $0 + $1 }.eraseToAnyPublisher()
      case .zip: left.zip(right).map { $0 + $1 }.eraseToAnyPublisher()
      case .switchToLatest:
        [left].publisher.append(Empty(completeImmediately: false)).switchToLatest().eraseToAnyPublisher()
      case .buffer: left.buffer(size: 10, prefetch: .byRequest, whenFull: .dropOldest).eraseToAnyPublisher()
      }
    }
  }

  // MARK: Completion

  @Test func aCompletionPassesASinkBehindFirst() {
    let subject = Relay()
    let sink = stall(subject.first()) { subject.send(completion: .finished) }
    subject.send(1)
    #expect(passes.value == [true])
    sink.cancel()
  }

  @Test func aCompletionMeanwhileComesOnItsOwnThreadBehindTheValue() {
    let subject = Relay()
    let isDelivering = Counter()
    let events = Shared([String]()), sender = Shared(0), ended = Shared(0)
    let sink = subject.sink(
      receiveCompletion: { _ in
        events.value.append("end")
        ended.value = currentThreadIdentity()
      },
      receiveValue: { _ in
        isDelivering.add()
        awaitSender(subject)
        events.value.append("value")
      })
    let isDone = elsewhere {
      onThreads(2) { number in
        guard number == 1 else { return subject.send(1) }
        isDelivering.wait(for: 1)
        sender.value = currentThreadIdentity()
        subject.send(completion: .finished)
        events.value.append("returned")
      }
    }
    #expect(isDone)
    #expect(events.value == ["value", "end", "returned"])
    #expect(ended.value == sender.value)
    sink.cancel()
  }

  // MARK: Subscribing within a delivery

  /// It came before the other one, and got the value that had been sent.
  @Test func whoSubscribesWithinADeliveryComesBehindWhatOtherThreadsHaveDone() {
    let subject = Relay()
    let tokens = Shared<[AnyCancellable]>([])
    let counted = RecordingSubscriber<Int, Never>(.max(1))
    counted.onValue = { [values] _ in
      elsewhere { tokens.value.append(subject.sink { values.value.append($0) }) }
      elsewhere { subject.send(2) }
      tokens.value.append(subject.sink { values.value.append(-$0) })
    }
    subject.subscribe(counted)
    subject.send(1)
    #expect(values.value == [2])
    subject.send(3)
    #expect(values.value == [2, 3, -3])
    counted.cancel()
  }
}
