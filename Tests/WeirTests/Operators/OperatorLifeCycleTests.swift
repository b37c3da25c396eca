// What every operator owes to those above and below it, asked of each in turn.

import TestKit
import Testing
import Weir

@Suite struct OperatorLifeCycleTests {
  typealias Source = ScriptedPublisher<Int, TestFailure>

  static let transparent = [
    OperatorCase("Map", .transparent) { upstream, inside in
      upstream.map { value -> Int in
        inside(value)
        return value
      }
    },
    OperatorCase("Filter", .transparent) { upstream, inside in
      upstream.filter { value in
        inside(value)
        return true
      }
    },
    OperatorCase("CompactMap", .transparent) { upstream, inside in
      upstream.compactMap { value -> Int? in
        inside(value)
        return value
      }
    },
    OperatorCase("Scan", .transparent) { upstream, inside in
      upstream.scan(0) { _, value in
        inside(value)
        return value
      }
    },
  ]

  static let passingValues = [
    OperatorCase("TryMap", .passesValues) { upstream, inside in
      upstream.tryMap { value -> Int in
        inside(value)
        return value
      }
    },
    OperatorCase("TryScan", .passesValues) { upstream, inside in
      upstream.tryScan(0) { _, value in
        inside(value)
        return value
      }
    },
  ]

  static let passingCompletions = [
    OperatorCase("CollectByCount", .passesCompletions) { upstream, _ in upstream.collect(1).map { $0[0] } }
  ]

  static let refusing =
    [
      OperatorCase("TryFilter", .refuses) { upstream, inside in
        upstream.tryFilter { value in
          inside(value)
          return true
        }
      },
      OperatorCase("TryCompactMap", .refuses) { upstream, inside in
        upstream.tryCompactMap { value -> Int? in
          inside(value)
          return value
        }
      },
      OperatorCase("RemoveDuplicates", .refuses) { upstream, inside in
        upstream.removeDuplicates { _, value in
          inside(value)
          return false
        }
      },
      OperatorCase("TryRemoveDuplicates", .refuses) { upstream, inside in
        upstream.tryRemoveDuplicates { _, value in
          inside(value)
          return false
        }
      },
    ] + ValueOperators.refusing

  static let withClosures = transparent + passingValues + refusing
  static let withSubscriptions = passingValues + passingCompletions + refusing + ValueOperators.withoutClosures
  static let all = transparent + ValueOperators.transparent + withSubscriptions

  private let source = Source()
  private var upstream: RecordingSubscription { source.subscription! }
  private let subject = PassthroughSubject<Int, TestFailure>()
  private let lifetimes = Lifetimes()

  @Test(arguments: all) func tellsTheUpstreamItsName(_ tested: OperatorCase) {
    let recorder = tested.subscribe(to: source)
    #expect(source.subscriber?.description == tested.description)
    #expect(recorder.log == [tested.strays == .transparent ? "RecordingSubscription" : tested.description])
  }

  @Test(arguments: all) func asksForNothingByItself(_ tested: OperatorCase) {
    let recorder = tested.subscribe(to: source, demand: nil)
    #expect(upstream.history == [])
    recorder.request(.max(3))
    recorder.request(.unlimited)
    #expect(upstream.history == [.requested(.max(3)), .requested(.unlimited)])
  }

  @Test(arguments: transparent + passingValues) func passesOnAZeroDemand(_ tested: OperatorCase) {
    let recorder = tested.subscribe(to: source, demand: nil)
    recorder.request(.none)
    #expect(upstream.history == [.requested(.none)])
  }

  // MARK: Second subscription

  @Test(arguments: transparent) func passesOnASecondSubscription(_ tested: OperatorCase) {
    let recorder = tested.subscribe(to: source)
    let second = RecordingSubscription("second")
    source.send(subscription: second)
    #expect(recorder.log == ["RecordingSubscription", "second"])
    #expect(second.history == [.requested(.unlimited)])
  }

  @Test(arguments: withSubscriptions) func cancelsASecondSubscription(_ tested: OperatorCase) {
    let recorder = tested.subscribe(to: source)
    let second = RecordingSubscription()
    source.send(subscription: second)
    #expect(second.history == [.cancelled])
    source.send(completion: .finished)
    let third = RecordingSubscription()
    source.send(subscription: third)
    #expect(third.history == [.cancelled])
    #expect(upstream.history == [.requested(.unlimited)])
    #expect(recorder.log == [tested.description, "finished"])
  }

  // MARK: Signals before the subscription; operators that refuse them trap, which their own tests show

  @Test(arguments: transparent + passingValues) func passesOnAValueBeforeTheSubscription(_ tested: OperatorCase) {
    source.subscription = nil
    let recorder = tested.subscribe(to: source)
    source.send(0)
    source.send(7)
    #expect(recorder.log == ["0", "7"])
  }

  @Test(arguments: passingCompletions) func ignoresAValueBeforeTheSubscription(_ tested: OperatorCase) {
    source.subscription = nil
    let recorder = tested.subscribe(to: source)
    #expect(source.send(7) == .none)
    #expect(recorder.log == [])
  }

  @Test(arguments: transparent + passingCompletions)
  func passesOnACompletionBeforeTheSubscription(_ tested: OperatorCase) {
    source.subscription = nil
    let recorder = tested.subscribe(to: source)
    source.send(completion: .finished)
    #expect(recorder.log == ["finished"])
  }

  @Test(arguments: passingValues) func ignoresACompletionBeforeTheSubscription(_ tested: OperatorCase) {
    source.subscription = nil
    let recorder = tested.subscribe(to: source)
    source.send(completion: .finished)
    #expect(recorder.log == [])
  }

  // MARK: Signals after the end

  @Test(arguments: all) func endsOnce(_ tested: OperatorCase) {
    let recorder = tested.subscribe(to: source)
    source.send(1)
    source.send(completion: .finished)
    source.send(completion: .finished)
    source.send(completion: .failure(.second))
    source.send(2)
    switch tested.strays {
    case .transparent:
      #expect(recorder.log == ["RecordingSubscription", "1", "finished", "finished", "failed second", "2"])
    case .passesValues: #expect(recorder.log == [tested.description, "1", "finished", "2"])
    case .passesCompletions:
      #expect(recorder.log == [tested.description, "1", "finished", "finished", "failed second"])
    case .refuses, .ignores: #expect(recorder.log == [tested.description, "1", "finished"])
    }
    #expect(upstream.history == [.requested(.unlimited)])
  }

  @Test(arguments: withSubscriptions) func failsAsTheUpstreamDoesAndLetsGoOfIt(_ tested: OperatorCase) {
    let recorder = tested.subscribe(to: source)
    source.send(completion: .failure(.first))
    recorder.request(.max(1))
    recorder.cancel()
    #expect(recorder.log == [tested.description, "failed first"])
    #expect(upstream.history == [.requested(.unlimited)])
  }

  // MARK: Cancellation

  @Test(arguments: all) func cancels(_ tested: OperatorCase) {
    let recorder = tested.subscribe(to: source)
    recorder.cancel()
    recorder.request(.max(3))
    recorder.cancel()
    source.send(1)
    source.send(completion: .finished)
    switch tested.strays {
    case .transparent:
      #expect(upstream.history == [.requested(.unlimited), .cancelled, .requested(.max(3)), .cancelled])
      #expect(recorder.log == ["RecordingSubscription", "1", "finished"])
    case .passesValues: #expect(recorder.log == [tested.description, "1"])
    case .passesCompletions: #expect(recorder.log == [tested.description, "finished"])
    case .refuses, .ignores: #expect(recorder.log == [tested.description])
    }
    if tested.strays != .transparent { #expect(upstream.history == [.requested(.unlimited), .cancelled]) }
  }

  @Test(arguments: all) func cancelsWithinADelivery(_ tested: OperatorCase) {
    let recorder = tested.subscribe(to: Publishers.Sequence<[Int], TestFailure>(sequence: [1, 2, 3]), demand: nil)
    recorder.onEachValue { [unowned recorder] in recorder.cancel() }
    recorder.request(.unlimited)
    #expect(recorder.log == [tested.strays == .transparent ? "[1, 2, 3]" : tested.description, "1"])
  }

  @Test(arguments: all) func cancelsWithinADeliveryOfASubject(_ tested: OperatorCase) {
    let recorder = tested.subscribe(to: subject)
    recorder.onEachValue { [unowned recorder] in recorder.cancel() }
    subject.send(1)
    subject.send(2)
    subject.send(completion: .finished)
    #expect(recorder.log.dropFirst() == ["1"])
  }

  /// As in Combine: the value that the closure was called for is passed on.
  @Test(arguments: withClosures) func cancelsWithinTheClosure(_ tested: OperatorCase) {
    var recorder: (any StreamRecorder)?
    recorder = tested.subscribe(to: subject) { [subject] value in
      if value == 1 {
        recorder?.cancel()
        subject.send(2)
      }
    }
    for value in [0, 1, 3] { subject.send(value) }
    #expect(recorder?.log.dropFirst() == ["0", "1"])
    recorder = nil
  }

  @Test(arguments: all) func racesWithACancellation(_ tested: OperatorCase) {
    for _ in 0..<50 {
      let subject = PassthroughSubject<Int, TestFailure>()
      let recorder = tested.subscribe(to: subject)
      onThreads([
        { for value in 0..<200 { subject.send(value) } },
        { recorder.cancel() },
      ])
      subject.send(-1)
      let values = recorder.log.dropFirst().map { Int($0) }
      #expect(values == Array(0..<values.count))
    }
  }

  // MARK: Re-entrance

  @Test(arguments: withClosures) func acceptsAValueFromWithinItsClosure(_ tested: OperatorCase) {
    let recorder = tested.subscribe(to: subject) { [subject] value in
      if value == 1 { subject.send(2) }
    }
    for value in [0, 1, 3] { subject.send(value) }
    subject.send(completion: .finished)
    #expect(recorder.log.dropFirst() == ["0", "2", "1", "3", "finished"])
  }

  /// As in Combine: the value that the closure was called for is passed on.
  @Test(arguments: withClosures) func acceptsACompletionFromWithinItsClosure(_ tested: OperatorCase) {
    let recorder = tested.subscribe(to: subject) { [subject] value in
      if value == 1 { subject.send(completion: .finished) }
    }
    for value in [0, 1, 2] { subject.send(value) }
    #expect(recorder.log.dropFirst() == ["0", "finished", "1"])
  }

  @Test(arguments: all) func acceptsAValueFromWithinADelivery(_ tested: OperatorCase) {
    let recorder = tested.subscribe(to: subject)
    var sent = 1
    recorder.onEachValue { [subject] in
      sent += 1
      if sent <= 3 { subject.send(sent) }
    }
    subject.send(1)
    #expect(recorder.log.dropFirst() == ["1", "2", "3"])
    recorder.onEachValue {}
  }

  @Test(arguments: all) func acceptsDemandFromWithinADelivery(_ tested: OperatorCase) {
    let recorder = tested.subscribe(
      to: Publishers.Sequence<[Int], TestFailure>(sequence: [1, 2, 3]), demand: nil)
    recorder.onEachValue { [unowned recorder] in recorder.request(.max(1)) }
    recorder.request(.max(1))
    #expect(recorder.log.dropFirst() == ["1", "2", "3", "finished"])
  }

  // MARK: Leaks: the subscriber keeps its subscription all the while

  @Test(arguments: withClosures, [Subscribers.Completion<TestFailure>.finished, .failure(.first)])
  func freesItsClosureAtTheEnd(_ tested: OperatorCase, _ completion: Subscribers.Completion<TestFailure>) {
    let recorder = subscribe(tested)
    subject.send(1)
    #expect(lifetimes.live == 1)
    subject.send(completion: completion)
    #expect(lifetimes.live == 0)
    #expect(recorder.log.count == 3)
  }

  @Test(arguments: withClosures) func freesItsClosureWhenCancelled(_ tested: OperatorCase) {
    let recorder = subscribe(tested)
    subject.send(1)
    #expect(lifetimes.live == 1)
    recorder.cancel()
    #expect(lifetimes.live == 0)
    #expect(recorder.log.count == 2)
  }

  @Test(arguments: withClosures) func freesItsClosureWithTheCancellable(_ tested: OperatorCase) {
    var sink: AnyCancellable? = sink(tested)
    subject.send(1)
    #expect(lifetimes.live == 1)
    withExtendedLifetime(sink) {}
    sink = nil
    #expect(lifetimes.live == 0)
  }

  private func subscribe(_ tested: OperatorCase) -> any StreamRecorder {
    let tracked = lifetimes.track()
    return tested.subscribe(to: subject) { _ in tracked.touch() }
  }

  private func sink(_ tested: OperatorCase) -> AnyCancellable {
    let tracked = lifetimes.track()
    return tested.sink(on: subject) { _ in tracked.touch() }
  }
}
