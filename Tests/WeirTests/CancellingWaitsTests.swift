// Tests that an operator which joins streams may cancel one whose cancellation waits for the thread that sends there.

import TestKit
import Testing

@testable import Weir

/// While a stream is being cancelled, another thread sends to it, runs to its end, and must come back: the gate is not
/// held then. `OtherThread` guards against a hang.
@Suite struct CancellingWaitsTests {
  private typealias Stream = PassthroughSubject<Int, TestFailure>

  /// What happens, in turn.
  private let log = Shared([String]())

  /// A stream that, when it is cancelled, waits for another thread that sends to it.
  private func guarded(_ stream: Stream) -> Publishers.HandleEvents<Stream> {
    stream.handleEvents(receiveCancel: { [self] in
      let isBack = OtherThread { stream.send(99) }.comesBack()
      log.value.append(isBack ? "cancelled" : "stuck")
    })
  }

  private func note(_ stream: some Publisher<Int, TestFailure>) -> AnyCancellable {
    stream.sink(
      receiveCompletion: { [self] in log.value.append($0 == .finished ? "finished" : "failed") },
      receiveValue: { [self] in log.value.append("\($0)") })
  }

  // MARK: One stream replaces another

  @Test func switchToLatest() {
    let outer = PassthroughSubject<AnyPublisher<Int, TestFailure>, TestFailure>(), former = Stream(), latter = Stream()
    let sink = note(outer.switchToLatest())
    outer.send(guarded(former).eraseToAnyPublisher())
    former.send(1)
    outer.send(latter.eraseToAnyPublisher())
    latter.send(2)
    #expect(log.value == ["1", "cancelled", "2"])
    sink.cancel()
  }

  @Test func switchToLatestOfAKnownStream() {
    let outer = PassthroughSubject<AnyPublisher<Int, TestFailure>, TestFailure>(), former = Stream()
    let sink = note(outer.switchToLatest())
    outer.send(guarded(former).eraseToAnyPublisher())
    outer.send([1, 2].publisher.setFailureType(to: TestFailure.self).eraseToAnyPublisher())
    #expect(log.value == ["cancelled", "1", "2"])
    sink.cancel()
  }

  @Test func switchToLatestUnderHandOver() {
    let outer = PassthroughSubject<AnyPublisher<Int, TestFailure>, TestFailure>(), former = Stream(), latter = Stream()
    let sink = note(outer.switchToLatest().contention(.handOver))
    outer.send(guarded(former).eraseToAnyPublisher())
    outer.send(latter.eraseToAnyPublisher())
    latter.send(2)
    #expect(log.value == ["cancelled", "2"])
    sink.cancel()
  }

  /// The stream that a cancellation opens is replaced in its turn, as in Combine.
  @Test func aCancellationMayOpenAStream() {
    let outer = PassthroughSubject<AnyPublisher<Int, TestFailure>, TestFailure>()
    let (former, between, latter) = (Stream(), Stream(), Stream())
    let sink = note(outer.switchToLatest())
    outer.send(
      former.handleEvents(receiveCancel: { [self] in
        log.value.append("cancelled")
        outer.send(guarded(between).eraseToAnyPublisher())
        between.send(1)
      }).eraseToAnyPublisher())
    outer.send(latter.eraseToAnyPublisher())
    latter.send(2)
    #expect(log.value == ["cancelled", "1", "cancelled", "2"])
    sink.cancel()
  }

  @Test func aCancellationMayEndTheSwitch() {
    let outer = PassthroughSubject<AnyPublisher<Int, TestFailure>, TestFailure>(), former = Stream(), latter = Stream()
    let token = Shared<AnyCancellable?>(nil)
    token.value = note(outer.switchToLatest())
    outer.send(former.handleEvents(receiveCancel: { token.value = nil }).eraseToAnyPublisher())
    outer.send(
      latter.handleEvents(receiveSubscription: { [self] _ in log.value.append("opened") }).eraseToAnyPublisher())
    #expect(log.value.isEmpty)
  }

  // MARK: One stream ends the others

  @Test func flatMap() {
    let outer = PassthroughSubject<AnyPublisher<Int, TestFailure>, TestFailure>(), failing = Stream(), other = Stream()
    let sink = note(outer.flatMap { $0 })
    for stream in [guarded(other).eraseToAnyPublisher(), failing.eraseToAnyPublisher()] { outer.send(stream) }
    failing.send(completion: .failure(.first))
    #expect(log.value == ["cancelled", "failed"])
    sink.cancel()
  }

  @Test func merge() {
    let failing = Stream(), other = Stream()
    let sink = note(guarded(other).merge(with: failing))
    failing.send(completion: .failure(.first))
    #expect(log.value == ["cancelled", "failed"])
    sink.cancel()
  }

  @Test func zipFails() {
    let failing = Stream(), other = Stream()
    let sink = note(guarded(other).zip(failing).map { $0 + $1 })
    failing.send(completion: .failure(.first))
    #expect(log.value == ["cancelled", "failed"])
    sink.cancel()
  }

  @Test func zipFinishes() {
    let finished = Stream(), other = Stream()
    let sink = note(guarded(other).zip(finished).map { $0 + $1 })
    finished.send(completion: .finished)
    #expect(log.value == ["cancelled", "finished"])
    sink.cancel()
  }

  @Test func zipFinishesWithItsLastTuple() {
    let finished = Stream(), other = Stream(), last = Stream()
    let sink = note(guarded(other).zip(finished, last).map { $0 + $1 + $2 })
    finished.send(1)
    finished.send(completion: .finished)
    other.send(10)
    last.send(100)
    #expect(log.value == ["111", "cancelled", "finished"])
    sink.cancel()
  }

  /// Within the subscription, and with demand that the dropped tuple gives back: each step of that is an errand.
  @Test func zipFinishesBehindWhatItAsksFor() {
    let kept = CurrentValueSubject<Int, Never>(1), last = CurrentValueSubject<Int, Never>(1)
    let sink = kept.handleEvents(receiveCancel: { [self] in log.value.append("cancelled") })
      .zip([1].publisher, last).compactMap { _ -> Int? in nil }
      .sink(receiveCompletion: { [self] _ in log.value.append("finished") }, receiveValue: { _ in })
    #expect(log.value == ["cancelled", "finished"])
    sink.cancel()
  }

  @Test func combineLatest() {
    let failing = Stream(), other = Stream()
    let sink = note(guarded(other).combineLatest(failing).map { $0 + $1 })
    failing.send(completion: .failure(.first))
    #expect(log.value == ["cancelled", "failed"])
    sink.cancel()
  }

  @Test func prefixUntilOutput() {
    let stream = Stream(), trigger = Stream()
    let sink = note(guarded(stream).prefix(untilOutputFrom: trigger))
    stream.send(1)
    trigger.send(0)
    #expect(log.value == ["1", "cancelled", "finished"])
    sink.cancel()
  }

  @Test func dropUntilOutput() {
    let stream = Stream(), trigger = Stream()
    let sink = note(guarded(stream).drop(untilOutputFrom: trigger))
    trigger.send(completion: .failure(.first))
    #expect(log.value == ["cancelled", "failed"])
    sink.cancel()
  }

  @Test func theTriggerOfAStreamThatEnds() {
    let stream = Stream(), trigger = Stream()
    let sink = note(stream.prefix(untilOutputFrom: guarded(trigger)))
    stream.send(completion: .finished)
    #expect(log.value == ["cancelled", "finished"])
    sink.cancel()
  }

  // MARK: The subscriber cancels

  @Test(arguments: ["flatMap", "merge", "zip", "combineLatest", "prefix", "drop", "buffer", "switchToLatest"])
  func theSubscriberCancels(_ name: String) {
    let stream = Stream(), other = Stream()
    let guarded = guarded(stream).eraseToAnyPublisher()
    let joined: AnyPublisher<Int, TestFailure> =
      switch name {
      case "flatMap": [guarded].publisher.setFailureType(to: TestFailure.self).flatMap { $0 }.eraseToAnyPublisher()
      case "merge": guarded.merge(with: other).eraseToAnyPublisher()
      case "zip": guarded.zip(other).map { $0 + $1 }.eraseToAnyPublisher()
      case "combineLatest": guarded.combineLatest(other).map { $0 + $1 }.eraseToAnyPublisher()
      case "prefix": guarded.prefix(untilOutputFrom: other).eraseToAnyPublisher()
      case "drop": guarded.drop(untilOutputFrom: other).eraseToAnyPublisher()
      case "buffer": guarded.buffer(size: 1, prefetch: .keepFull, whenFull: .dropNewest).eraseToAnyPublisher()
      default: Just(guarded).setFailureType(to: TestFailure.self).switchToLatest().eraseToAnyPublisher()
      }
    note(joined).cancel()
    #expect(log.value == ["cancelled"])
    #expect(stream.core.live == 0, "the stream still knows the operator when cancel has returned")
  }

  // MARK: A subscription that comes too late

  @Test(arguments: ["zip", "prefix", "buffer", "merge"])
  func aSubscriptionThatIsNotTaken(_ name: String) {
    let stream = ScriptedPublisher<Int, TestFailure>(), other = Stream()
    let joined: AnyPublisher<Int, TestFailure> =
      switch name {
      case "zip": stream.zip(other).map { $0 + $1 }.eraseToAnyPublisher()
      case "prefix": stream.prefix(untilOutputFrom: other).eraseToAnyPublisher()
      case "buffer": stream.buffer(size: 1, prefetch: .keepFull, whenFull: .dropNewest).eraseToAnyPublisher()
      default: stream.merge(with: other).eraseToAnyPublisher()
      }
    let sink = note(joined)
    let late = RecordingSubscription()
    late.onCancel = { [self] in log.value.append(OtherThread { stream.send(99) }.comesBack() ? "cancelled" : "stuck") }
    stream.send(subscription: late)
    #expect(log.value.filter { $0 != "99" } == ["cancelled"])
    late.onCancel = nil
    stream.forgetSubscriber()
    sink.cancel()
  }

  // MARK: Both at once

  /// The value that finds no room and the cancellation come from two threads: the stream is cancelled by one of them.
  @Test func aBufferWithoutRoomAndACancellation() {
    for _ in 0..<2000 {
      let stream = ScriptedPublisher<Int, TestFailure>()
      let recorder = RecordingSubscriber<Int, TestFailure>()
      stream.buffer(size: 1, prefetch: .byRequest, whenFull: .customError { .second }).subscribe(recorder)
      stream.send(1)
      onThreads([{ stream.send(2) }, { recorder.cancel() }])
      #expect(stream.subscription?.history.filter { $0 == .cancelled }.count == 1)
      stream.forgetSubscriber()
    }
  }

  /// As zip and all others have it.
  @Test func nothingComesBehindACancellationWhileAStreamIsBeingCancelled() {
    let failing = Stream(), other = Stream()
    let recorder = RecordingSubscriber<Int, TestFailure>(.unlimited)
    failing.merge(with: other.handleEvents(receiveCancel: { recorder.cancel() })).subscribe(recorder)
    failing.send(completion: .failure(.first))
    #expect(recorder.completions.isEmpty)
    recorder.cancel()
  }

  @Test func theEndOfATriggerThatHasDoneItsWorkWaitsForNobody() {
    let stream = Stream(), trigger = Stream()
    let sink = stream.drop(untilOutputFrom: trigger).sink(receiveCompletion: { _ in }) { [self] _ in
      log.value.append(OtherThread { trigger.send(completion: .finished) }.comesBack() ? "passed" : "stuck")
    }
    trigger.send(0)
    stream.send(1)
    #expect(log.value == ["passed"])
    sink.cancel()
  }
}
