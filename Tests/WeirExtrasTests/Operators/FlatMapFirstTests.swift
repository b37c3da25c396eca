// Tests of `flatMapFirst`.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct FlatMapFirstTests {
  @Test func dropsValuesWhileAnInnerStreamIsOpen() {
    let taps = PassthroughSubject<Int, TestFailure>()
    let work = (0..<3).map { _ in PassthroughSubject<String, TestFailure>() }
    let recorder = RecordingSubscriber<String, TestFailure>(.unlimited)
    taps.flatMapFirst { work[$0] }.subscribe(recorder)
    taps.send(0)
    taps.send(1)
    work[1].send("dropped")
    work[0].send("a")
    work[0].send(completion: .finished)
    taps.send(2)
    work[2].send("c")
    taps.send(completion: .finished)
    #expect(recorder.completions == [])
    work[2].send(completion: .finished)
    #expect(recorder.log == ["FlatMapFirst", "a", "c", "finished"])
  }

  @Test func whatWaitsForDemandKeepsTheNextStreamOut() {
    let taps = PassthroughSubject<Int, Never>()
    var made: [Int] = []
    let recorder = RecordingSubscriber<Int, Never>()
    taps.flatMapFirst { (number: Int) -> Publishers.Sequence<[Int], Never> in
      made.append(number)
      return [number, number + 1].publisher
    }.subscribe(recorder)
    taps.send(1)
    taps.send(5)
    #expect(made == [1])
    recorder.request(.max(2))
    taps.send(7)
    #expect(made == [1, 7])
    #expect(recorder.values == [1, 2])
  }

  @Test func aFailureInsideEndsItAndCancelsUpstream() {
    let source = ScriptedPublisher<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, TestFailure>(.unlimited)
    source.flatMapFirst { _ in Fail<Int, TestFailure>(error: .second) }.subscribe(recorder)
    source.send(1)
    #expect(recorder.completions == [.failure(.second)])
    #expect(source.subscription?.history == [.requested(.unlimited), .cancelled])
  }

  /// The value came first, and the stream of the first one was never subscribed to.
  @Test func aValueThatTheTransformSendsIsDropped() {
    let taps = PassthroughSubject<Int, Never>()
    var made: [Int] = []
    let recorder = RecordingSubscriber<Int, Never>(.unlimited)
    taps.flatMapFirst { number -> Just<Int> in
      made.append(number)
      if number < 3 { taps.send(number + 1) }
      return Just(number)
    }.subscribe(recorder)
    taps.send(1)
    taps.send(7)
    #expect(made == [1, 7])
    #expect(recorder.values == [1, 7])
  }

  /// Its value came first; the stream was made and never subscribed to, and the result was finished.
  @Test func theOuterStreamMayEndWhileTheTransformMakesAStream() {
    let taps = PassthroughSubject<Int, Never>()
    let recorder = RecordingSubscriber<Int, Never>(.unlimited)
    taps.flatMapFirst { number -> Just<Int> in
      taps.send(completion: .finished)
      return Just(number)
    }.subscribe(recorder)
    taps.send(1)
    #expect(recorder.history == [.subscription("FlatMapFirst"), .value(1), .completion(.finished)])
  }

  @Test func theTransformMayCancel() {
    let taps = PassthroughSubject<Int, Never>()
    let recorder = RecordingSubscriber<Int, Never>(.unlimited)
    taps.flatMapFirst { number -> Just<Int> in
      recorder.cancel()
      return Just(number)
    }.subscribe(recorder)
    taps.send(1)
    taps.send(2)
    #expect(recorder.log == ["FlatMapFirst"])
    recorder.forgetSubscriptions()
  }
}
