// What every operator owes that makes one value of all: it waits for demand, ends once, and leaks nothing.

import TestKit
import Testing
import Weir

/// An operator that makes one value of all, and what it makes of some streams.
struct FoldCase: CustomTestStringConvertible, Sendable {
  let tested: OperatorCase
  /// What it makes of 1, 2, 3, 4, 5.
  let result: String
  /// Whether it knows that before the stream finishes.
  let isEarly: Bool
  /// What it makes of no values at all.
  let nothing: String?

  var testDescription: String { tested.description }

  /// Describes an operator; its closure, if it has one, is to call the one it is given with each value.
  init<Applied: Publisher>(
    _ name: String, _ result: String, isEarly: Bool = false, nothing: String? = nil,
    _ make: @escaping (OperatorCase.Upstream, @escaping (Int) -> Void) -> Applied
  ) {
    tested = OperatorCase(name, .ignores, make)
    self.result = result
    self.isEarly = isEarly
    self.nothing = nothing
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

@Suite struct FoldLifeCycleTests {
  private let source = ScriptedPublisher<Int, TestFailure>()
  private var upstream: RecordingSubscription { source.subscription! }
  private let subject = PassthroughSubject<Int, TestFailure>()
  private let lifetimes = Lifetimes()

  // MARK: The result and the demand for it

  @Test(arguments: FoldCase.all) func asksForEverythingAndWaitsWithTheResult(_ fold: FoldCase) {
    let recorder = fold.tested.subscribe(to: source, demand: nil)
    #expect(upstream.history == [.requested(.unlimited)])
    #expect((1...5).map { source.send($0) } == [.none, .none, .none, .none, .none])
    source.send(completion: .finished)
    source.send(completion: .failure(.first))
    #expect(recorder.log == [fold.tested.description])
    recorder.request(.max(1))
    recorder.request(.max(1))
    #expect(recorder.log == [fold.tested.description, fold.result, "finished"])
    #expect(upstream.history == [.requested(.unlimited)] + (fold.isEarly ? [.cancelled] : []))
  }

  @Test(arguments: FoldCase.all) func deliversTheResultAtOnceIfItWasAskedFor(_ fold: FoldCase) {
    let recorder = fold.tested.subscribe(to: source, demand: .max(1))
    for value in 1...5 { source.send(value) }
    let early = recorder.log
    source.send(completion: .finished)
    source.send(9)
    source.send(completion: .finished)
    let complete = [fold.tested.description, fold.result, "finished"]
    #expect(recorder.log == complete)
    #expect(early == (fold.isEarly ? complete : [fold.tested.description]))
  }

  @Test(arguments: FoldCase.all) func makesWhatItSaysOfNothing(_ fold: FoldCase) {
    let recorder = fold.tested.subscribe(to: source, demand: nil)
    source.send(completion: .finished)
    #expect(recorder.log == [fold.tested.description])
    recorder.request(.unlimited)
    #expect(recorder.log == [fold.tested.description] + (fold.nothing.map { [$0] } ?? []) + ["finished"])
    #expect(upstream.history == [.requested(.unlimited)])
  }

  @Test(arguments: FoldCase.all) func failsAtOnceWithoutAResult(_ fold: FoldCase) {
    let recorder = fold.tested.subscribe(to: source, demand: nil)
    source.send(0)
    // A first value ends that stream.
    guard fold.tested.description != "First" else { return }
    source.send(completion: .failure(.second))
    source.send(completion: .failure(.first))
    recorder.request(.max(1))
    #expect(recorder.log == [fold.tested.description, "failed second"])
  }

  @Test(arguments: FoldCase.all) func givesTheSubscriptionBeforeItAsks(_ fold: FoldCase) {
    upstream.onRequest = { [source] _ in #expect(source.subscription?.history == [.requested(.unlimited)]) }
    let recorder = fold.tested.subscribe(to: source, demand: .max(2))
    #expect(recorder.log == [fold.tested.description])
    #expect(upstream.history == [.requested(.unlimited)])
  }

  // MARK: Signals outside its life

  @Test(arguments: FoldCase.all) func ignoresWhatComesBeforeTheSubscription(_ fold: FoldCase) {
    source.subscription = nil
    let recorder = fold.tested.subscribe(to: source)
    #expect(source.send(1) == .none)
    source.send(completion: .finished)
    #expect(recorder.log == [])
  }

  @Test(arguments: FoldCase.all) func cancelsFurtherSubscriptions(_ fold: FoldCase) {
    let recorder = fold.tested.subscribe(to: source)
    let second = RecordingSubscription()
    source.send(subscription: second)
    source.send(completion: .finished)
    source.send(subscription: second)
    #expect(second.history == [.cancelled, .cancelled])
    #expect(recorder.log.count == (fold.nothing == nil ? 2 : 3))
  }

  @Test(arguments: FoldCase.all) func cancelsOnce(_ fold: FoldCase) {
    let recorder = fold.tested.subscribe(to: source, demand: nil)
    recorder.cancel()
    recorder.request(.unlimited)
    recorder.cancel()
    for value in 1...5 { #expect(source.send(value) == .none) }
    source.send(completion: .finished)
    #expect(recorder.log == [fold.tested.description])
    #expect(upstream.history == [.requested(.unlimited), .cancelled])
  }

  @Test(arguments: FoldCase.all) func aCancelledWaitingResultIsDropped(_ fold: FoldCase) {
    let recorder = fold.tested.subscribe(to: source, demand: nil)
    source.send(completion: .finished)
    recorder.cancel()
    recorder.request(.unlimited)
    #expect(recorder.log == [fold.tested.description])
  }

  // MARK: Re-entrance

  @Test(arguments: FoldCase.withClosures) func acceptsAnEndFromWithinItsClosure(_ fold: FoldCase) {
    let recorder = fold.tested.subscribe(to: subject) { [subject] value in
      if value == 1 { subject.send(completion: .finished) }
    }
    for value in 1...5 { subject.send(value) }
    #expect(recorder.log == [fold.tested.description] + (fold.nothing.map { [$0] } ?? []) + ["finished"])
  }

  @Test(arguments: FoldCase.withClosures) func acceptsACancellationFromWithinItsClosure(_ fold: FoldCase) {
    var recorder: (any StreamRecorder)?
    recorder = fold.tested.subscribe(to: subject) { _ in recorder?.cancel() }
    for value in 1...5 { subject.send(value) }
    subject.send(completion: .finished)
    #expect(recorder?.log == [fold.tested.description])
    recorder = nil
  }

  // MARK: Leaks and threads

  @Test(arguments: FoldCase.withClosures + FoldCase.comparisons) func freesItsClosures(_ fold: FoldCase) {
    func subscribe() -> any StreamRecorder {
      let tracked = lifetimes.track()
      return fold.tested.subscribe(to: subject, demand: nil) { _ in tracked.touch() }
    }
    for value in 0...1 {
      let finished = subscribe()
      subject.send(value)
      #expect(lifetimes.live == 1)
      subject.send(completion: value == 0 ? .finished : .failure(.first))
      finished.request(.max(1))
      #expect(lifetimes.live == 0)
    }
  }

  @Test(arguments: FoldCase.withClosures + FoldCase.comparisons)
  func freesItsClosuresWhenCancelled(_ fold: FoldCase) {
    func subscribe() -> any StreamRecorder {
      let tracked = lifetimes.track()
      return fold.tested.subscribe(to: subject, demand: nil) { _ in tracked.touch() }
    }
    let recorder = subscribe()
    subject.send(0)
    recorder.cancel()
    #expect(lifetimes.live == 0)
    #expect(recorder.log == [fold.tested.description])
  }

  @Test(arguments: FoldCase.all) func aRequestThatRacesWithTheEndDeliversOnce(_ fold: FoldCase) {
    for _ in 0..<200 {
      let source = ScriptedPublisher<Int, TestFailure>()
      let recorder = fold.tested.subscribe(to: source, demand: nil)
      onThreads([
        {
          for value in 1...5 { source.send(value) }
          source.send(completion: .finished)
        },
        { recorder.request(.max(1)) },
      ])
      #expect(recorder.log == [fold.tested.description, fold.result, "finished"])
    }
  }

  @Test(arguments: FoldCase.all) func aCancellationMayRaceWithAWaitingEnd(_ fold: FoldCase) {
    for _ in 0..<200 {
      let recorder = fold.tested.subscribe(to: Publishers.Sequence(sequence: 1...5), demand: nil)
      onThreads([{ recorder.request(.max(1)) }, { recorder.cancel() }])
      let complete = [fold.tested.description, fold.result, "finished"]
      #expect(recorder.log == complete || recorder.log == [fold.tested.description])
    }
  }
}

/// Operators whose closure throws at 3.
struct ThrowingCase: CustomTestStringConvertible, Sendable {
  let tested: OperatorCase
  var testDescription: String { tested.description }

  init<Applied: Publisher>(
    _ name: String, _ make: @escaping (OperatorCase.Upstream, @escaping (Int) throws -> Bool) -> Applied
  ) {
    tested = OperatorCase(name, .ignores) { upstream, inside in
      make(upstream) { value in
        inside(value)
        if value == 3 { throw TestFailure.second }
        return false
      }
    }
  }

  static let folds = [
    ThrowingCase("TryAllSatisfy") { upstream, fail in upstream.tryAllSatisfy { try !fail($0) } },
    ThrowingCase("TryContainsWhere") { upstream, fail in upstream.tryContains(where: fail) },
    ThrowingCase("TryFirstWhere") { upstream, fail in upstream.tryFirst(where: fail) },
    ThrowingCase("TryLastWhere") { upstream, fail in upstream.tryLast(where: fail) },
    ThrowingCase("TryComparison") { upstream, fail in upstream.tryMin { first, _ in try fail(first) } },
    ThrowingCase("TryReduce") { upstream, fail in upstream.tryReduce(0) { try fail($1) ? 1 : $0 } },
  ]
}

@Suite struct ThrowingFoldTests {
  @Test(arguments: ThrowingCase.folds) func cancelsTheUpstreamAndFailsWithoutDemand(_ throwing: ThrowingCase) {
    let source = ScriptedPublisher<Int, TestFailure>()
    var seen: [Int] = []
    let recorder = throwing.tested.subscribe(to: source, demand: nil) { seen.append($0) }
    for value in 1...5 { #expect(source.send(value) == .none) }
    source.send(completion: .finished)
    recorder.request(.max(1))
    #expect(recorder.log == [throwing.tested.description, "failed second"])
    #expect(source.subscription?.history == [.requested(.unlimited), .cancelled])
    #expect(seen.last == 3)
  }

  @Test(arguments: ThrowingCase.folds) func doesNotFailAfterACancellation(_ throwing: ThrowingCase) {
    let source = ScriptedPublisher<Int, TestFailure>()
    var recorder: (any StreamRecorder)?
    recorder = throwing.tested.subscribe(to: source) { value in
      if value == 3 { recorder?.cancel() }
    }
    for value in 1...5 { source.send(value) }
    #expect(recorder?.log == [throwing.tested.description])
    #expect(source.subscription?.history == [.requested(.unlimited), .cancelled])
    recorder = nil
  }
}
