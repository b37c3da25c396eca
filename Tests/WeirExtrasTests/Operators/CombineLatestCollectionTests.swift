// Tests of `combineLatest` of a collection.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct CombineLatestCollectionTests {
  private let recorder = RecordingSubscriber<[Int], TestFailure>(.unlimited)

  @Test(arguments: [1, 2, 7]) func anArrayComesForEachValueOnceAllHaveOne(count: Int) {
    let subjects = (0..<count).map { _ in PassthroughSubject<Int, TestFailure>() }
    subjects.combineLatest().subscribe(recorder)
    for index in 0..<count { subjects[index].send(index) }
    subjects[count - 1].send(9)
    for subject in subjects { subject.send(completion: .finished) }
    #expect(recorder.values == [Array(0..<count), Array(0..<count - 1) + [9]])
    #expect(recorder.completions == [.finished])
  }

  @Test func aFailureCancelsTheOthersAndDemandIsHeeded() {
    let recorder = RecordingSubscriber<[Int], TestFailure>(.max(1))
    let sources = (0..<3).map { _ in ScriptedPublisher<Int, TestFailure>() }
    sources.combineLatest().subscribe(recorder)
    for index in [0, 1, 2, 0] { sources[index].send(index) }
    #expect(recorder.values == [[0, 1, 2]])
    sources[1].send(completion: .failure(.first))
    #expect(recorder.completions == [.failure(.first)])
    #expect([0, 2].allSatisfy { sources[$0].subscription?.history.last == .cancelled })
  }

  @Test func ofNoneItFinishesAtOnce() {
    [PassthroughSubject<Int, TestFailure>]().combineLatest().subscribe(recorder)
    #expect(recorder.values == [] && recorder.completions == [.finished])
  }

  @Test func anyCollectionWillDoAndEqualOnesAreEqual() {
    let sources = ["a": Just(1), "b": Just(2)].values
    var sums: [Int] = []
    let stream = sources.combineLatest().sink { sums.append($0.reduce(0, +)) }
    #expect(sums == [3])
    #expect([Just(1), Just(2)].combineLatest() == [Just(1), Just(2)].combineLatest())
    #expect([Just(1)].combineLatest() != [Just(2)].combineLatest())
    stream.cancel()
  }

  @Test func aLazyCollectionMakesEachOnce() {
    var made: [Int] = []
    let stream = (1...3).lazy.map { number in
      made.append(number)
      return Just(number)
    }
    .combineLatest().sink { #expect($0 == [1, 2, 3]) }
    #expect(made == [1, 2, 3])
    stream.cancel()
  }

  @Test func eachIsAskedForAsManyValuesAsTheSubscriberAsksFor() {
    let subjects = [PassthroughSubject<Int, TestFailure>(), PassthroughSubject<Int, TestFailure>()]
    let recorder = RecordingSubscriber<[Int], TestFailure>(.max(1))
    subjects.combineLatest().subscribe(recorder)
    for value in 1...2 { for subject in subjects { subject.send(value) } }
    #expect(recorder.values == [[1, 1]])
    recorder.request(.max(1))
    subjects[0].send(3)
    #expect(recorder.values == [[1, 1], [3, 1]])
    recorder.cancel()
  }

  @Test func threadsLoseNothing() {
    let subjects = Shared((0..<4).map { _ in PassthroughSubject<Int, TestFailure>() })
    subjects.value.combineLatest().subscribe(recorder)
    for subject in subjects.value { subject.send(0) }
    onThreads(4) { number in for value in 1...200 { subjects.value[number].send(value) } }
    #expect(recorder.values.count == 801 && recorder.values.last == [200, 200, 200, 200])
  }

  /// The end of a stream is no look at all others: with one it would be, this would take hours.
  @Test func manyStreamsEndInTimeInProportionToTheirNumber() {
    let count = 100_000
    let recorder = RecordingSubscriber<[Int], Never>(.unlimited)
    (0..<count).map { Just($0) }.combineLatest().subscribe(recorder)
    #expect(recorder.values == [Array(0..<count)])
    #expect(recorder.completions == [.finished])
  }
}
