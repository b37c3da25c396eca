// Tests of `zip` of a collection.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct ZipCollectionTests {
  private let recorder = RecordingSubscriber<[Int], TestFailure>(.unlimited)

  @Test(arguments: [1, 2, 7]) func valuesAreMatchedByTheirOrder(count: Int) {
    let subjects = (0..<count).map { _ in PassthroughSubject<Int, TestFailure>() }
    subjects.zip().subscribe(recorder)
    for index in 0..<count {
      subjects[index].send(index)
      subjects[index].send(10 + index)
    }
    subjects[0].send(completion: .finished)
    #expect(recorder.values == [Array(0..<count), Array(10..<10 + count)])
    #expect(recorder.completions == [.finished])
  }

  @Test func aFailureCancelsTheOthersAndDemandIsHeeded() {
    let recorder = RecordingSubscriber<[Int], TestFailure>(.max(1))
    let sources = (0..<3).map { _ in ScriptedPublisher<Int, TestFailure>() }
    sources.zip().subscribe(recorder)
    for index in [2, 0, 1] { sources[index].send(index) }
    #expect(recorder.values == [[0, 1, 2]])
    sources[1].send(completion: .failure(.first))
    #expect(recorder.completions == [.failure(.first)])
    #expect([0, 2].allSatisfy { sources[$0].subscription?.history.last == .cancelled })
  }

  /// As with Combine, arrays come of it, too.
  @Test func whatComesUnaskedIsKept() {
    let sources = (0..<2).map { _ in ScriptedPublisher<Int, TestFailure>() }
    let recorder = RecordingSubscriber<[Int], TestFailure>(.max(1))
    sources.zip().subscribe(recorder)
    for source in sources { for number in 0..<3 { source.send(number) } }
    #expect(recorder.values == [[0, 0], [1, 1], [2, 2]])
    recorder.cancel()
  }

  @Test func ofNoneItFinishesAtOnce() {
    [PassthroughSubject<Int, TestFailure>]().zip().subscribe(recorder)
    #expect(recorder.values == [] && recorder.completions == [.finished])
  }

  @Test func anyCollectionWillDoAndEqualOnesAreEqual() {
    let sources = ["a": Just(1), "b": Just(2)].values
    var sums: [Int] = []
    let stream = sources.zip().sink { sums.append($0.reduce(0, +)) }
    #expect(sums == [3])
    #expect([Just(1), Just(2)].zip() == [Just(1), Just(2)].zip())
    #expect([Just(1)].zip() != [Just(2)].zip())
    stream.cancel()
  }

  @Test func aLazyCollectionMakesEachOnce() {
    var made: [Int] = []
    let stream = (1...3).lazy.map { number in
      made.append(number)
      return Just(number)
    }
    .zip().sink { #expect($0 == [1, 2, 3]) }
    #expect(made == [1, 2, 3])
    stream.cancel()
  }

  @Test func threadsLoseNothing() {
    let subjects = Shared((0..<4).map { _ in PassthroughSubject<Int, TestFailure>() })
    subjects.value.zip().subscribe(recorder)
    onThreads(4) { number in for value in 0..<200 { subjects.value[number].send(value) } }
    #expect(recorder.values == (0..<200).map { Array(repeating: $0, count: 4) })
  }

  /// The end of a stream is no look at all others: with one it would be, this would take hours.
  @Test func manyStreamsEndInTimeInProportionToTheirNumber() {
    let count = 100_000
    let recorder = RecordingSubscriber<[Int], Never>(.unlimited)
    (0..<count).map { Just($0) }.zip().subscribe(recorder)
    #expect(recorder.values == [Array(0..<count)])
    #expect(recorder.completions == [.finished])
  }
}
