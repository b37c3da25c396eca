// How deep pipelines may be, and how long what they do at once, on the 8 MB that a main thread's stack has.

import TestKit
import Testing
import Weir

/// Without optimisation a call needs several times the stack; the full depths are for release builds.
#if DEBUG
  private let isOptimised = false
#else
  private let isOptimised = true
#endif

private func depth(_ released: Int, debug: Int) -> Int { isOptimised ? released : debug }

/// ThreadSanitizer's calls need more stack than there is, and it has nothing to find here: all is on one thread.
#if WEIR_TSAN
  private let hasOrdinaryCalls = false
#else
  private let hasOrdinaryCalls = true
#endif

@Suite(.enabled(if: hasOrdinaryCalls)) struct DeepStackTests {
  typealias Stream = AnyPublisher<Int, TestFailure>

  /// A stream through an operator again and again, each erased.
  private func chain(
    _ depth: Int, from first: Stream, _ apply: (Stream) -> some Publisher<Int, TestFailure>
  ) -> Stream {
    var stream = first
    for _ in 0..<depth { stream = apply(stream).eraseToAnyPublisher() }
    return stream
  }

  /// Sends a value and an end, or a value and a cancellation, through a pipeline, and frees it.
  private func send(
    _ expected: [String], through make: @escaping (PassthroughSubject<Int, TestFailure>) -> Stream
  ) {
    onMainThreadSizedStack {
      let subject = PassthroughSubject<Int, TestFailure>()
      do {
        let stream = make(subject)
        let recorder = RecordingSubscriber<Int, TestFailure>(.unlimited)
        stream.subscribe(recorder)
        subject.send(1)
        subject.send(completion: .finished)
        #expect(Array(recorder.log.dropFirst()) == expected)
        var values: [Int] = []
        let again = PassthroughSubject<Int, TestFailure>()
        let cancellable = make(again).sink(receiveCompletion: { _ in }, receiveValue: { values.append($0) })
        again.send(1)
        cancellable.cancel()
        again.send(2)
        #expect(values == [Int(expected[0])!])
      }
    }
  }

  // MARK: Erased chains

  @Test func aChainOfErasedMaps() {
    let depth = depth(10_000, debug: 4000)
    send(["\(depth + 1)", "finished"]) { subject in
      chain(depth, from: subject.eraseToAnyPublisher()) { $0.map { $0 + 1 } }
    }
  }

  @Test func aChainOfErasedScans() {
    send(["1", "finished"]) { subject in
      chain(depth(10_000, debug: 3000), from: subject.eraseToAnyPublisher()) {
        $0.tryScan(0) { $0 + $1 }.mapError { $0 as! TestFailure }
      }
    }
  }

  @Test func aChainOfErasedMerges() {
    send(["1", "finished"]) { subject in
      chain(depth(10_000, debug: 1500), from: subject.eraseToAnyPublisher()) { $0.merge(with: Empty()) }
    }
  }

  @Test func aChainOfErasedShares() {
    send(["1", "finished"]) { subject in
      chain(depth(10_000, debug: 1500), from: subject.eraseToAnyPublisher()) { $0.share() }
    }
  }

  @Test func aChainOfErasedFlatMaps() {
    send(["1", "finished"]) { subject in
      chain(depth(4000, debug: 800), from: subject.eraseToAnyPublisher()) { upstream in
        upstream.flatMap { Just($0).setFailureType(to: TestFailure.self) }
      }
    }
  }

  // MARK: One stream after another

  @Test func appendingToAStreamThatGoesOn() {
    send(["1", "finished"]) { subject in
      chain(depth(30_000, debug: 3000), from: subject.eraseToAnyPublisher()) { $0.append(Empty()) }
    }
  }

  /// Most of what is appended has no values: each value passes through all that was appended later.
  @Test func appendingValuesOneByOne() {
    onMainThreadSizedStack {
      let depth = depth(30_000, debug: 2000)
      var stream = Just(0).eraseToAnyPublisher()
      for number in 1...depth { stream = stream.append(number % 500 == 0 ? [number] : []).eraseToAnyPublisher() }
      var values: [Int] = []
      var ends = 0
      let cancellable = stream.sink(receiveCompletion: { _ in ends += 1 }, receiveValue: { values.append($0) })
      #expect(values == Array(stride(from: 0, through: depth, by: 500)))
      #expect(ends == 1)
      cancellable.cancel()
    }
  }

  @Test func prependingValuesOneByOne() {
    onMainThreadSizedStack {
      let depth = depth(9000, debug: 1000)
      var stream = Just(0).eraseToAnyPublisher()
      for number in 1...depth { stream = stream.prepend(number).eraseToAnyPublisher() }
      var values: [Int] = []
      let cancellable = stream.sink { values.append($0) }
      #expect(values == Array((0...depth).reversed()))
      cancellable.cancel()
    }
  }

  @Test func catchingFailuresOneByOne() {
    onMainThreadSizedStack {
      let depth = depth(30_000, debug: 2000)
      var stream = Fail<Int, TestFailure>(error: .first).eraseToAnyPublisher()
      for _ in 0..<depth { stream = stream.catch { Fail(error: $0) }.eraseToAnyPublisher() }
      let recorder = RecordingSubscriber<Int, TestFailure>(.unlimited)
      stream.subscribe(recorder)
      #expect(recorder.log == ["Catch", "failed first"])
    }
  }

  // MARK: No limit at all

  @Test func retryingAMillionFailuresAtOnce() {
    onMainThreadSizedStack {
      let retries = depth(1_000_000, debug: 100_000)
      var attempts = 0
      let recorder = RecordingSubscriber<Int, TestFailure>(.unlimited)
      Deferred {
        attempts += 1
        return Fail<Int, TestFailure>(error: .second)
      }.retry(retries).subscribe(recorder)
      #expect(attempts == retries + 1)
      #expect(recorder.log == ["Retry", "failed second"])
    }
  }

  @Test func aSequenceOfTenMillionValues() {
    onMainThreadSizedStack {
      let count = depth(10_000_000, debug: 500_000)
      var sum = 0
      var ends = 0
      let cancellable = (1...count).publisher.map { $0 }.eraseToAnyPublisher()
        .sink(receiveCompletion: { _ in ends += 1 }, receiveValue: { sum += $0 })
      #expect(sum == count * (count + 1) / 2)
      #expect(ends == 1)
      cancellable.cancel()
    }
  }

  @Test func aSequenceAskedForValueByValue() {
    onMainThreadSizedStack {
      let count = depth(1_000_000, debug: 100_000)
      var received = 0
      let recorder = AnySubscriber<Int, Never>(
        receiveSubscription: { $0.request(.max(1)) },
        receiveValue: { _ in
          received += 1
          return .max(1)
        })
      (1...count).publisher.append(0).subscribe(recorder)
      #expect(received == count + 1)
    }
  }

  @Test func aFlatMapOverManySequencesAtOnce() {
    onMainThreadSizedStack {
      let count = depth(1_000_000, debug: 50_000)
      var received = 0
      let cancellable = (1...count).publisher.flatMap(maxPublishers: .max(1)) { [$0, $0].publisher }
        .sink { _ in received += 1 }
      #expect(received == 2 * count)
      cancellable.cancel()
    }
  }

  // MARK: Nested sends

  @Test func aSubjectSentToFromWithinItsDeliveries() {
    onMainThreadSizedStack {
      let depth = depth(10_000, debug: 2000)
      let subject = CurrentValueSubject<Int, Never>(0)
      var values = 0
      let cancellable = subject.sink { value in
        values += 1
        if value < depth { subject.send(value + 1) }
      }
      #expect(values == depth + 1)
      #expect(subject.value == depth)
      cancellable.cancel()
    }
  }
}
