// Tests of `materialize` and `dematerialize`.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct MaterializeTests {
  typealias Signal = StreamSignal<Int, TestFailure>

  @Test(arguments: [Signal.finished, .failure(.second)])
  func theEndIsAValueThatWaitsForDemand(end: Signal) {
    let source = ScriptedPublisher<Int, TestFailure>()
    let recorder = RecordingSubscriber<Signal, Never>(.max(1))
    source.materialize().subscribe(recorder)
    source.send(1)
    source.send(completion: end == .finished ? .finished : .failure(.second))
    #expect(recorder.values == [.value(1)])
    recorder.request(.max(1))
    #expect(recorder.values == [.value(1), end])
    #expect(recorder.completions == [.finished])
  }

  @Test func dematerializeIsItsOpposite() {
    let subject = PassthroughSubject<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, TestFailure>(.unlimited)
    subject.materialize().dematerialize().subscribe(recorder)
    subject.send(1)
    subject.send(completion: .failure(.first))
    #expect(recorder.values == [1])
    #expect(recorder.completions == [.failure(.first)])
  }

  @Test func dematerializeCancelsAtTheFirstEnd() {
    let source = ScriptedPublisher<Signal, Never>()
    let recorder = RecordingSubscriber<Int, TestFailure>(.unlimited)
    source.dematerialize().subscribe(recorder)
    source.send(.value(1))
    source.send(.finished)
    source.send(.value(2))
    #expect(recorder.log == ["Dematerialize", "1", "finished"])
    #expect(source.subscription?.history == [.requested(.unlimited), .cancelled])
  }

  @Test func dematerializeEndsWithASourceThatTellsOfNoEnd() {
    let recorder = RecordingSubscriber<Int, TestFailure>(.unlimited)
    [Signal.value(4)].publisher.dematerialize().subscribe(recorder)
    #expect(recorder.log == ["Dematerialize", "4", "finished"])
  }
}
