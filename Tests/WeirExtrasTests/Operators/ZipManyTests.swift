// Tests of `zip` with five and six streams.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct ZipManyTests {
  private let sources = (0..<6).map { _ in ScriptedPublisher<Int, TestFailure>() }

  /// The commonly copied version nested a zip of three and one of two, which held what ran ahead in two places.
  @Test func fiveAreOneFlatEngine() {
    let recorder = RecordingSubscriber<[Int], TestFailure>(.max(2))
    sources[0].zip(sources[1], sources[2], sources[3], sources[4])
      .map { [$0.0, $0.1, $0.2, $0.3, $0.4] }.subscribe(recorder)
    for source in sources.prefix(5) { #expect(source.subscription?.history == [.requested(.max(2))]) }
    sources[0].send(10)
    sources[0].send(20)
    for index in 1..<5 { sources[index].send(index) }
    sources[0].send(completion: .finished)
    #expect(recorder.values == [[10, 1, 2, 3, 4]])
    #expect(recorder.completions == [])
    for index in 1..<5 { sources[index].send(index * 2) }
    #expect(recorder.values.last == [20, 2, 4, 6, 8])
    #expect(recorder.completions == [.finished])
  }

  @Test func sixFinishWhenNoTupleIsPossible() {
    let recorder = RecordingSubscriber<[Int], TestFailure>(.unlimited)
    sources[0].zip(sources[1], sources[2], sources[3], sources[4], sources[5])
      .map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5] }.subscribe(recorder)
    for index in 0..<6 { sources[index].send(index) }
    sources[3].send(completion: .finished)
    #expect(recorder.log == ["Zip", "[0, 1, 2, 3, 4, 5]", "finished"])
    #expect(sources[0].subscription?.history.last == .cancelled)
  }

  @Test func areEquatable() {
    let just = Just(1)
    #expect(just.zip(just, just, just, just) == Publishers.Zip5(just, just, just, just, just))
    #expect(just.zip(just, just, just, just, just) == Publishers.Zip6(just, just, just, just, just, just))
  }
}
