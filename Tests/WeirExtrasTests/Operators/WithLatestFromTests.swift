// Tests of `withLatestFrom`.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct WithLatestFromTests {
  typealias Recorder = RecordingSubscriber<String, TestFailure>

  private let taps = ScriptedPublisher<Int, TestFailure>()
  private let texts = ScriptedPublisher<String, TestFailure>()

  private func record(_ demand: Subscribers.Demand? = .unlimited) -> Recorder {
    let recorder = Recorder(demand)
    taps.withLatestFrom(texts) { "\($0)\($1)" }.subscribe(recorder)
    return recorder
  }

  @Test func joinsEachValueWithTheNewestOfTheOther() {
    let recorder = record()
    #expect(taps.send(1) == .max(1))
    texts.send("a")
    taps.send(2)
    texts.send("b")
    texts.send("c")
    taps.send(3)
    taps.send(4)
    taps.send(completion: .finished)
    #expect(recorder.log == ["WithLatestFrom", "2a", "3c", "4c", "finished"])
    #expect(texts.subscription?.history == [.requested(.unlimited), .cancelled])
  }

  @Test func passesDemandOnAndAsksAgainForWhatCameTooEarly() {
    let recorder = record(.max(2))
    #expect(taps.subscription?.history == [.requested(.max(2))])
    #expect(taps.send(1) == .max(1))
    texts.send("a")
    #expect(taps.send(2) == .none)
    recorder.request(.max(3))
    #expect(taps.subscription?.history == [.requested(.max(2)), .requested(.max(3))])
    recorder.cancel()
    #expect(taps.subscription?.history.last == .cancelled)
    #expect(texts.subscription?.history.last == .cancelled)
    #expect(taps.send(3) == .none)
    #expect(recorder.values == ["2a"])
  }

  @Test func endsWithAFailureOfTheOther() {
    let recorder = record()
    texts.send("a")
    texts.send(completion: .failure(.first))
    #expect(recorder.completions == [.failure(.first)])
    #expect(taps.subscription?.history.last == .cancelled)
  }

  @Test func theOtherMayFinishOnceItHasAValue() {
    let recorder = record()
    texts.send("a")
    texts.send(completion: .finished)
    taps.send(1)
    #expect(recorder.log == ["WithLatestFrom", "1a"])
  }

  @Test func finishesWhenTheOtherFinishesWithoutAValue() {
    let recorder = record()
    texts.send(completion: .finished)
    #expect(recorder.log == ["WithLatestFrom", "finished"])
    let early = Recorder(.unlimited)
    taps.withLatestFrom(Empty<String, TestFailure>()).subscribe(early)
    #expect(early.log == ["Empty", "finished"])
  }

  @Test func takesTwoOthers() {
    let (numbers, left, right) = (
      PassthroughSubject<Int, Never>(), CurrentValueSubject<String, Never>("l"), CurrentValueSubject<Int, Never>(7)
    )
    let recorder = RecordingSubscriber<String, Never>(.unlimited)
    numbers.withLatestFrom(left, right) { "\($0)\($1.0)\($1.1)" }.subscribe(recorder)
    numbers.send(1)
    right.send(8)
    numbers.send(2)
    #expect(recorder.values == ["1l7", "2l8"])
    let pairs = RecordingSubscriber<(String, Int), Never>(.unlimited)
    numbers.withLatestFrom(left, right).subscribe(pairs)
    numbers.send(3)
    #expect(pairs.values.map { "\($0.0)\($0.1)" } == ["l8"])
  }

  @Test func theSelectorMayCancel() {
    let recorder = Recorder(.unlimited)
    taps.withLatestFrom(texts) { value, text -> String in
      if value == 2 { recorder.cancel() }
      return text
    }.subscribe(recorder)
    texts.send("a")
    taps.send(1)
    taps.send(2)
    #expect(recorder.values == ["a"])
  }
}
