// What every operator owes: nothing leaks however a stream ends, and misbehaving neighbours do no harm.

import TestKit
import Testing
import Weir
import WeirExtras

extension OperatorCase {
  /// Operators with a subscription of their own.
  static let guarded: [OperatorCase] = [
    OperatorCase("Pairwise", .ignores) { upstream, inside in
      upstream.pairwise().map { pair in inside(pair.current) }
    },
    OperatorCase("PrefixWhile", .refuses) { upstream, inside in
      upstream.filterOrComplete { value in
        inside(value)
        return true
      }
    },
    OperatorCase("Dematerialize", .ignores) { upstream, inside in
      upstream.map { value -> Int in
        inside(value)
        return value
      }.materialize().dematerialize()
    },
    OperatorCase("WithLatestFrom", .ignores) { upstream, inside in
      upstream.withLatestFrom(CurrentValueSubject<Int, TestFailure>(0)) { value, _ in inside(value) }
    },
    OperatorCase("FlatMapFirst", .ignores) { upstream, inside in
      upstream.flatMapFirst { value -> Result<Int, TestFailure>.Publisher in
        inside(value)
        return .init(value)
      }
    },
    OperatorCase("SwitchToLatest", .ignores) { upstream, inside in
      upstream.flatMapLatest { value -> Result<Int, TestFailure>.Publisher in
        inside(value)
        return .init(value)
      }
    },
    OperatorCase("RetryWithBackoff", .ignores) { upstream, inside in
      upstream.map(inside).retryWithBackoff(maxRetries: 0, scheduler: ImmediateScheduler.shared)
    },
    OperatorCase("RetryWhen", .ignores) { upstream, inside in
      upstream.map(inside).retry { failures in
        failures.first().setFailureType(to: TestFailure.self).filter { _ in false }
      }
    },
    OperatorCase("ShareReplay", .ignores) { upstream, inside in upstream.map(inside).shareReplay(bufferSize: 2) },
    OperatorCase("CombineLatest", .ignores) { upstream, inside in
      let other = Just(1).setFailureType(to: TestFailure.self)
      return upstream.map(inside).combineLatest(other, other, other, other)
    },
    OperatorCase("Zip", .ignores) { upstream, inside in
      let other = CurrentValueSubject<Int, TestFailure>(1)
      return upstream.map(inside).zip(other, other, other, other, other)
    },
  ]

  /// Operators that pass everything through.
  static let transparent: [OperatorCase] = [
    OperatorCase("MapVoid", .transparent) { upstream, inside in upstream.map(inside).mapVoid() },
    OperatorCase("FilterNils", .transparent) { upstream, inside in
      upstream.map { value -> Int? in
        inside(value)
        return value
      }.filterNils()
    },
    OperatorCase("IgnoreFailure", .transparent) { upstream, inside in upstream.map(inside).ignoreFailure() },
    OperatorCase("Carrying", .transparent) { upstream, inside in upstream.map(inside).carrying(Sender.$id) },
    OperatorCase("CarryingAcross", .transparent) { upstream, inside in
      upstream.carrying(Sender.$id).receive(on: ImmediateScheduler.shared).map(inside)
    },
    OperatorCase("CarryingSubject", .transparent) { upstream, inside in
      let subject = CarryingSubject<Int, TestFailure, _>(carrying: Sender.$id)
      return upstream.multicast(subject: subject).autoconnect().map(inside)
    },
    OperatorCase("Measured", .transparent) { upstream, inside in
      upstream.map(inside).measured("LifeCycleTests", in: StreamMetrics())
    },
    OperatorCase("Checkpoint", .transparent) { upstream, inside in
      upstream.map(inside).checkpoint("LifeCycleTests")
    },
    OperatorCase("NetworkState", .transparent) { upstream, inside in upstream.map(inside).mapToNetworkState() },
  ]
}

@Suite struct LifeCycleTests {
  enum Ending: CaseIterable { case finish, fail, cancel, drop }

  private let lifetimes = Lifetimes()

  @Test(arguments: OperatorCase.guarded + OperatorCase.transparent, Ending.allCases)
  func everythingIsFreedHoweverTheStreamEnds(sut: OperatorCase, ending: Ending) {
    do {
      let subject = PassthroughSubject<Int, TestFailure>()
      let tracked = lifetimes.track()
      var cancellable: AnyCancellable? = sut.sink(on: subject) { _ in tracked.touch() }
      subject.send(1)
      subject.send(2)
      switch ending {
      case .finish: subject.send(completion: .finished)
      case .fail: subject.send(completion: .failure(.first))
      case .cancel: cancellable?.cancel()
      case .drop: cancellable = nil
      }
      withExtendedLifetime(cancellable) {}
    }
    #expect(lifetimes.live == 0)
  }

  @Test(arguments: OperatorCase.guarded)
  func aSecondSubscriptionIsCancelled(sut: OperatorCase) {
    let source = ScriptedPublisher<Int, TestFailure>()
    let recorder = sut.subscribe(to: source, demand: .max(1))
    let second = RecordingSubscription()
    source.send(subscription: second)
    #expect(second.history == [.cancelled])
    #expect(recorder.log.count <= 2)
  }

  @Test(arguments: OperatorCase.guarded)
  func nothingComesAfterTheCancellationAndTheUpstreamIsCancelledOnce(sut: OperatorCase) {
    let source = ScriptedPublisher<Int, TestFailure>()
    let recorder = sut.subscribe(to: source)
    source.send(1)
    recorder.cancel()
    recorder.cancel()
    let before = recorder.log
    source.send(2)
    source.send(completion: .finished)
    #expect(recorder.log == before)
    #expect(source.subscription?.history.filter { $0 == .cancelled } == [.cancelled])
  }

  @Test(arguments: OperatorCase.guarded)
  func cancellingWithinAValueIsTheEnd(sut: OperatorCase) {
    let source = ScriptedPublisher<Int, TestFailure>()
    let recorder = sut.subscribe(to: source)
    recorder.onEachValue { recorder.cancel() }
    for value in 1...4 { source.send(value) }
    source.send(completion: .failure(.first))
    #expect(!recorder.log.contains { $0.hasPrefix("failed") })
    #expect(source.subscription?.history.last == .cancelled)
  }
}
