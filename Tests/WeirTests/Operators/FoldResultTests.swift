// The results of the operators that make one value of all, and the demand for them.

import TestKit
import Testing
import Weir

/// An operator that makes one value of all, and what it makes of some streams.
struct FoldCase: CustomTestStringConvertible, @unchecked Sendable {
  typealias Upstream = AnyPublisher<Int, TestFailure>

  /// Its name, as Combine shows it.
  let testDescription: String
  /// What it makes of 1, 2, 3, 4, 5.
  let result: String
  /// Whether it knows that before the stream finishes.
  let isEarly: Bool
  /// What it makes of no values at all.
  let nothing: String?

  private let record: (Upstream, Subscribers.Demand?, @escaping (Int) -> Void) -> any StreamRecorder

  /// Describes an operator; its closure, if it has one, is to call the one it is given with each value.
  init<Applied: Publisher>(
    _ name: String, _ result: String, isEarly: Bool = false, nothing: String? = nil,
    _ make: @escaping (Upstream, @escaping (Int) -> Void) -> Applied
  ) {
    testDescription = name
    record = { upstream, demand, inside in
      let recorder = RecordingSubscriber<Applied.Output, Applied.Failure>(demand)
      make(upstream, inside).subscribe(recorder)
      return recorder
    }
    self.result = result
    self.isEarly = isEarly
    self.nothing = nothing
  }

  /// Subscribes to the operator, applied to a publisher.
  ///
  /// - Parameters:
  ///   - upstream: The publisher.
  ///   - demand: What is asked for when the subscription arrives; nothing if `nil`.
  ///   - inside: Called from within the operator's closure, with each value.
  func subscribe<Source: Publisher>(
    to upstream: Source, demand: Subscribers.Demand?, inside: @escaping (Int) -> Void = { _ in }
  ) -> any StreamRecorder where Source.Output == Int, Source.Failure == TestFailure {
    record(upstream.eraseToAnyPublisher(), demand, inside)
  }

  static let withoutClosures = [
    FoldCase("Count", "5", nothing: "0") { upstream, _ in upstream.count() },
    FoldCase("Collect", "[1, 2, 3, 4, 5]", nothing: "[]") { upstream, _ in upstream.collect() },
    FoldCase("First", "1", isEarly: true) { upstream, _ in upstream.first() },
    FoldCase("Last", "5") { upstream, _ in upstream.last() },
    FoldCase("Contains", "true", isEarly: true, nothing: "false") { upstream, _ in upstream.contains(3) },
    FoldCase("Contains", "false", nothing: "false") { upstream, _ in upstream.contains(7) },
    FoldCase("Comparison", "1") { upstream, _ in upstream.min() },
    FoldCase("Comparison", "5") { upstream, _ in upstream.max() },
  ]

  static let withClosures = [
    FoldCase("Reduce", "120", nothing: "1") { upstream, inside in
      upstream.reduce(1) { result, value in
        inside(value)
        return result * value
      }
    },
    FoldCase("TryReduce", "120", nothing: "1") { upstream, inside in
      upstream.tryReduce(1) { result, value in
        inside(value)
        return result * value
      }
    },
    FoldCase("AllSatisfy", "false", isEarly: true, nothing: "true") { upstream, inside in
      upstream.allSatisfy { value in
        inside(value)
        return value < 3
      }
    },
    FoldCase("TryAllSatisfy", "true", nothing: "true") { upstream, inside in
      upstream.tryAllSatisfy { value in
        inside(value)
        return value < 30
      }
    },
    FoldCase("ContainsWhere", "true", isEarly: true, nothing: "false") { upstream, inside in
      upstream.contains { value in
        inside(value)
        return value == 3
      }
    },
    FoldCase("TryContainsWhere", "false", nothing: "false") { upstream, inside in
      upstream.tryContains { value in
        inside(value)
        return value == 30
      }
    },
    // So Combine calls it.
    FoldCase("TryFirst", "3", isEarly: true) { upstream, inside in
      upstream.first { value in
        inside(value)
        return value == 3
      }
    },
    FoldCase("TryFirstWhere", "4", isEarly: true) { upstream, inside in
      upstream.tryFirst { value in
        inside(value)
        return value == 4
      }
    },
    FoldCase("LastWhere", "3") { upstream, inside in
      upstream.last { value in
        inside(value)
        return value < 4
      }
    },
    FoldCase("TryLastWhere", "4") { upstream, inside in
      upstream.tryLast { value in
        inside(value)
        return value < 5
      }
    },
  ]

  /// These call their closures from the second value on.
  static let comparisons = [
    FoldCase("Comparison", "1") { upstream, inside in
      upstream.min { first, second in
        inside(first)
        return first < second
      }
    },
    FoldCase("TryComparison", "5") { upstream, inside in
      upstream.tryMax { first, second in
        inside(second)
        return first < second
      }
    },
  ]

  static let all = withoutClosures + withClosures + comparisons
}

@Suite struct FoldResultTests {
  private let source = ScriptedPublisher<Int, TestFailure>()
  private var upstream: RecordingSubscription { source.subscription! }

  @Test(arguments: FoldCase.all) func asksForEverythingAndWaitsWithTheResult(_ fold: FoldCase) {
    let recorder = fold.subscribe(to: source, demand: nil)
    #expect(upstream.history == [.requested(.unlimited)])
    #expect((1...5).map { source.send($0) } == [.none, .none, .none, .none, .none])
    source.send(completion: .finished)
    source.send(completion: .failure(.first))
    #expect(recorder.log == [fold.testDescription])
    recorder.request(.max(1))
    recorder.request(.max(1))
    #expect(recorder.log == [fold.testDescription, fold.result, "finished"])
    #expect(upstream.history == [.requested(.unlimited)] + (fold.isEarly ? [.cancelled] : []))
  }

  @Test(arguments: FoldCase.all) func deliversTheResultAtOnceIfItWasAskedFor(_ fold: FoldCase) {
    let recorder = fold.subscribe(to: source, demand: .max(1))
    for value in 1...5 { source.send(value) }
    let early = recorder.log
    source.send(completion: .finished)
    source.send(9)
    source.send(completion: .finished)
    let complete = [fold.testDescription, fold.result, "finished"]
    #expect(recorder.log == complete)
    #expect(early == (fold.isEarly ? complete : [fold.testDescription]))
  }

  @Test(arguments: FoldCase.all) func makesWhatItSaysOfNothing(_ fold: FoldCase) {
    let recorder = fold.subscribe(to: source, demand: nil)
    source.send(completion: .finished)
    #expect(recorder.log == [fold.testDescription])
    recorder.request(.unlimited)
    #expect(recorder.log == [fold.testDescription] + (fold.nothing.map { [$0] } ?? []) + ["finished"])
    #expect(upstream.history == [.requested(.unlimited)])
  }

  @Test(arguments: FoldCase.all) func failsAtOnceWithoutAResult(_ fold: FoldCase) {
    let recorder = fold.subscribe(to: source, demand: nil)
    source.send(0)
    // A first value ends that stream.
    guard fold.testDescription != "First" else { return }
    source.send(completion: .failure(.second))
    source.send(completion: .failure(.first))
    recorder.request(.max(1))
    #expect(recorder.log == [fold.testDescription, "failed second"])
  }

  @Test(arguments: FoldCase.all) func aCancelledWaitingResultIsDropped(_ fold: FoldCase) {
    let recorder = fold.subscribe(to: source, demand: nil)
    source.send(completion: .finished)
    recorder.cancel()
    recorder.request(.unlimited)
    #expect(recorder.log == [fold.testDescription])
  }

  @Test(arguments: FoldCase.withClosures + FoldCase.comparisons, [true, false])
  func freesItsClosuresWithAWaitingResult(_ fold: FoldCase, isAskedFor: Bool) {
    let lifetimes = Lifetimes()
    func subscribe() -> any StreamRecorder {
      let tracked = lifetimes.track()
      return fold.subscribe(to: source, demand: nil) { _ in tracked.touch() }
    }
    let recorder = subscribe()
    #expect(lifetimes.live == 1)
    source.send(0)
    source.send(completion: .finished)
    source.forgetSubscriber()
    if isAskedFor { recorder.request(.max(1)) } else { recorder.cancel() }
    #expect(lifetimes.live == 0)
  }

  @Test(arguments: FoldCase.all) func aRequestThatRacesWithTheEndDeliversOnce(_ fold: FoldCase) {
    for _ in 0..<200 {
      let source = ScriptedPublisher<Int, TestFailure>()
      let recorder = fold.subscribe(to: source, demand: nil)
      onThreads([
        {
          for value in 1...5 { source.send(value) }
          source.send(completion: .finished)
        },
        { recorder.request(.max(1)) },
      ])
      #expect(recorder.log == [fold.testDescription, fold.result, "finished"])
    }
  }

  @Test(arguments: FoldCase.all) func aCancellationMayRaceWithAWaitingEnd(_ fold: FoldCase) {
    for _ in 0..<200 {
      let recorder = fold.subscribe(to: Publishers.Sequence(sequence: 1...5), demand: nil)
      onThreads([{ recorder.request(.max(1)) }, { recorder.cancel() }])
      let complete = [fold.testDescription, fold.result, "finished"]
      #expect(recorder.log == complete || recorder.log == [fold.testDescription])
    }
  }
}

/// Operators whose closure throws at 3.
enum ThrowingFold {
  private static func fold<Applied: Publisher>(
    _ name: String, _ make: @escaping (FoldCase.Upstream, @escaping (Int) throws -> Bool) -> Applied
  ) -> FoldCase {
    FoldCase(name, "") { upstream, inside in
      make(upstream) { value in
        inside(value)
        if value == 3 { throw TestFailure.second }
        return false
      }
    }
  }

  static let all = [
    fold("TryAllSatisfy") { upstream, fail in upstream.tryAllSatisfy { try !fail($0) } },
    fold("TryContainsWhere") { upstream, fail in upstream.tryContains(where: fail) },
    fold("TryFirstWhere") { upstream, fail in upstream.tryFirst(where: fail) },
    fold("TryLastWhere") { upstream, fail in upstream.tryLast(where: fail) },
    fold("TryComparison") { upstream, fail in upstream.tryMin { first, _ in try fail(first) } },
    fold("TryReduce") { upstream, fail in upstream.tryReduce(0) { try fail($1) ? 1 : $0 } },
  ]
}

@Suite struct ThrowingFoldTests {
  @Test(arguments: ThrowingFold.all) func cancelsTheUpstreamAndFailsWithoutDemand(_ fold: FoldCase) {
    let source = ScriptedPublisher<Int, TestFailure>()
    var seen: [Int] = []
    let recorder = fold.subscribe(to: source, demand: nil) { seen.append($0) }
    for value in 1...5 { #expect(source.send(value) == .none) }
    source.send(completion: .finished)
    recorder.request(.max(1))
    #expect(recorder.log == [fold.testDescription, "failed second"])
    #expect(source.subscription?.history == [.requested(.unlimited), .cancelled])
    #expect(seen.last == 3)
  }

  @Test(arguments: ThrowingFold.all) func doesNotFailAfterACancellation(_ fold: FoldCase) {
    let source = ScriptedPublisher<Int, TestFailure>()
    var recorder: (any StreamRecorder)?
    recorder = fold.subscribe(to: source, demand: .unlimited) { value in
      if value == 3 { recorder?.cancel() }
    }
    for value in 1...5 { source.send(value) }
    #expect(recorder?.log == [fold.testDescription])
    #expect(source.subscription?.history == [.requested(.unlimited), .cancelled])
    recorder = nil
  }
}
