// Tests of `combineLatest` with five and six streams.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct CombineLatestManyTests {
  private let subjects = (0..<6).map { _ in PassthroughSubject<Int, TestFailure>() }

  @Test func fiveGiveATupleForEachValueOnceAllHaveOne() {
    let recorder = RecordingSubscriber<[Int], TestFailure>(.unlimited)
    subjects[0].combineLatest(subjects[1], subjects[2], subjects[3], subjects[4])
      .map { [$0.0, $0.1, $0.2, $0.3, $0.4] }.subscribe(recorder)
    for index in 0..<5 { subjects[index].send(index) }
    subjects[2].send(9)
    for index in 0..<5 { subjects[index].send(completion: .finished) }
    #expect(recorder.values == [[0, 1, 2, 3, 4], [0, 1, 9, 3, 4]])
    #expect(recorder.completions == [.finished])
  }

  @Test func sixFailAtOnceAndCancelAll() {
    let sources = (0..<6).map { _ in ScriptedPublisher<Int, TestFailure>() }
    let recorder = RecordingSubscriber<[Int], TestFailure>(.max(3))
    let combined = sources[0].combineLatest(sources[1], sources[2], sources[3], sources[4], sources[5])
    combined.map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5] }.subscribe(recorder)
    for index in 0..<6 { sources[index].send(index) }
    sources[5].send(completion: .failure(.second))
    #expect(recorder.values == [[0, 1, 2, 3, 4, 5]])
    #expect(recorder.completions == [.failure(.second)])
    for source in sources { #expect(source.subscription?.history == [.requested(.max(3)), .cancelled]) }
  }

  @Test func areEquatable() {
    let just = Just(1)
    #expect(just.combineLatest(just, just, just, just) == Publishers.CombineLatest5(just, just, just, just, just))
    #expect(
      just.combineLatest(just, just, just, just, just)
        == Publishers.CombineLatest6(just, just, just, just, just, just))
  }
}
