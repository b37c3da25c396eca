// Tests of the subscriber made of two closures.

import TestKit
import Testing

@testable import Weir

@Suite struct SinkTests {
  typealias Sink = Subscribers.Sink<Int, TestFailure>

  /// A sink that writes down what it receives.
  final class Log {
    var values: [Int] = []
    var completions: [Subscribers.Completion<TestFailure>] = []

    func makeSink() -> Sink {
      Sink(receiveCompletion: { self.completions.append($0) }, receiveValue: { self.values.append($0) })
    }
  }

  @Test func asksForEverything() {
    let subscription = RecordingSubscription()
    Log().makeSink().receive(subscription: subscription)
    #expect(subscription.history == [.requested(.unlimited)])
  }

  @Test @MainActor func aClosureOfTheMainActorIsCalledThere() {
    let subject = PassthroughSubject<Int, Never>()
    var received = 0
    let subscription = subject.sink { received = $0 }
    subject.send(1)
    #expect(received == 1)
    subscription.cancel()
  }

  /// As with Apple's Combine: the compiler has the closure check where it is called.
  @Test func aClosureOfTheMainActorThatIsCalledElsewhereStopsTheProgram() async {
    await #expect(processExitsWith: .failure) {
      await MainActor.run {
        let subject = PassthroughSubject<Int, Never>()
        var received = 0
        let subscription = subject.sink { received = $0 }
        onThreads([{ subject.send(1) }])
        print(received, subscription)
      }
    }
  }

  @Test func cancelsEveryFurtherSubscription() {
    let sink = Log().makeSink()
    let first = RecordingSubscription()
    let second = RecordingSubscription()
    sink.receive(subscription: first)
    sink.receive(subscription: second)
    #expect(first.history == [.requested(.unlimited)])
    #expect(second.history == [.cancelled])
    sink.receive(subscription: first)
    #expect(first.history == [.requested(.unlimited), .cancelled])
  }

  @Test func cancelsASubscriptionThatComesAfterTheEnd() {
    let completed = Log().makeSink()
    completed.receive(completion: .finished)
    let first = RecordingSubscription()
    completed.receive(subscription: first)
    #expect(first.history == [.cancelled])

    let cancelled = Log().makeSink()
    cancelled.receive(subscription: RecordingSubscription())
    cancelled.cancel()
    let second = RecordingSubscription()
    cancelled.receive(subscription: second)
    #expect(second.history == [.cancelled])
  }

  @Test func aSubscriptionAfterTheCancellationIsCancelled() {
    let scheduler = ManualScheduler()
    let subject = PassthroughSubject<Int, Never>()
    weak var held: AnyObject?
    var seen: [Int] = []
    do {
      final class Held {}
      let object = Held()
      held = object
      let token = subject.subscribe(on: scheduler).sink { value in
        withExtendedLifetime(object) { seen.append(value) }
      }
      token.cancel()
    }
    #expect(held == nil)
    scheduler.run()
    subject.send(1)
    #expect(seen == [])
  }

  @Test func receivesAValueBeforeTheSubscription() {
    let log = Log()
    let sink = log.makeSink()
    #expect(sink.receive(1) == .none)
    sink.receive(completion: .finished)
    #expect(log.values == [1])
    #expect(log.completions == [.finished])
  }

  @Test func receivesNothingAfterTheCompletion() {
    let log = Log()
    let sink = log.makeSink()
    sink.receive(subscription: RecordingSubscription())
    #expect(sink.receive(1) == .none)
    sink.receive(completion: .failure(.first))
    #expect(sink.receive(2) == .none)
    sink.receive(completion: .finished)
    #expect(log.values == [1])
    #expect(log.completions == [.failure(.first)])
  }

  @Test func receivesNothingAfterCancellationEvenFromAPublisherThatGoesOn() {
    let log = Log()
    let sink = log.makeSink()
    let subscription = RecordingSubscription()
    sink.receive(subscription: subscription)
    _ = sink.receive(1)
    sink.cancel()
    sink.cancel()
    _ = sink.receive(2)
    sink.receive(completion: .finished)
    #expect(log.values == [1])
    #expect(log.completions == [])
    #expect(subscription.history == [.requested(.unlimited), .cancelled])
  }

  @Test func aCancelledSinkOperatorReceivesNothingFromAPublisherThatGoesOn() {
    let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
    let log = Log()
    let cancellable = publisher.sink(
      receiveCompletion: { log.completions.append($0) }, receiveValue: { log.values.append($0) })
    publisher.send(1)
    cancellable.cancel()
    publisher.send(2)
    publisher.send(completion: .finished)
    #expect(log.values == [1])
    #expect(log.completions == [])
    #expect(publisher.subscription?.history == [.requested(.unlimited), .cancelled])
  }

  @Test func cancellingWithoutASubscriptionDoesNothing() {
    let log = Log()
    let sink = log.makeSink()
    sink.cancel()
    _ = sink.receive(1)
    let subscription = RecordingSubscription()
    sink.receive(subscription: subscription)
    _ = sink.receive(2)
    #expect(subscription.history == [.requested(.unlimited)])
    #expect(log.values == [1, 2])
  }

  @Test func doesNotCancelTheUpstreamOnCompletion() {
    let sink = Log().makeSink()
    let subscription = RecordingSubscription()
    sink.receive(subscription: subscription)
    sink.receive(completion: .finished)
    sink.cancel()
    #expect(subscription.history == [.requested(.unlimited)])
  }

  // MARK: The closures' life

  enum Ending: CaseIterable { case finish, fail, cancel }

  /// A sink whose closures hold two tracked objects.
  private func trackedSink(_ lifetimes: Lifetimes) -> Sink {
    let inValue = lifetimes.track()
    let inCompletion = lifetimes.track()
    return Sink(receiveCompletion: { _ in inCompletion.touch() }, receiveValue: { _ in inValue.touch() })
  }

  @Test(arguments: Ending.allCases, [false, true])
  func freesItsClosuresAtTheEndWhileItIsStillHeld(ending: Ending, hasSubscription: Bool) {
    let lifetimes = Lifetimes()
    let sink = trackedSink(lifetimes)
    if hasSubscription { sink.receive(subscription: RecordingSubscription()) }
    _ = sink.receive(1)
    #expect(lifetimes.live == 2)
    switch ending {
    case .finish: sink.receive(completion: .finished)
    case .fail: sink.receive(completion: .failure(.first))
    case .cancel: sink.cancel()
    }
    #expect(lifetimes.live == (ending == .cancel && !hasSubscription ? 2 : 0))
    _ = sink.receive(2)
    #expect(lifetimes.live == (ending == .cancel && !hasSubscription ? 2 : 0))
  }

  /// As another thread may at that moment; they stayed as long as the sink.
  @Test func freesItsClosuresIfItIsCancelledWhileItsSubscriptionIsBeingStored() {
    let lifetimes = Lifetimes()
    let sink = trackedSink(lifetimes)
    let isStoring = sink.upstream.state.beginActivation()
    #expect(isStoring)
    sink.cancel()
    #expect(lifetimes.live == 0)
    let isStored = sink.upstream.state.endActivation()
    #expect(!isStored)
  }

  @Test func freesItsClosuresWithItself() {
    let lifetimes = Lifetimes()
    do {
      let sink = trackedSink(lifetimes)
      #expect(lifetimes.live == 2)
      withExtendedLifetime(sink) {}
    }
    #expect(lifetimes.live == 0)
  }

  @Test(arguments: Ending.allCases)
  func letsGoOfItsSubscriptionAtTheEnd(ending: Ending) {
    weak var weakSubscription: RecordingSubscription?
    let sink = Log().makeSink()
    do {
      let subscription = RecordingSubscription()
      weakSubscription = subscription
      sink.receive(subscription: subscription)
    }
    #expect(weakSubscription != nil)
    switch ending {
    case .finish: sink.receive(completion: .finished)
    case .fail: sink.receive(completion: .failure(.first))
    case .cancel: sink.cancel()
    }
    #expect(weakSubscription == nil)
    withExtendedLifetime(sink) {}
  }

  @Test(arguments: Ending.allCases)
  func endingFromWithinTheValueClosureKeepsTheRunningClosure(ending: Ending) {
    let lifetimes = Lifetimes()
    var liveInside: [Int] = []
    var sinkBox: Sink?
    let sink: Sink
    do {
      let inValue = lifetimes.track(1)
      let inCompletion = lifetimes.track(2)
      sink = Sink(
        receiveCompletion: { _ in inCompletion.touch() },
        receiveValue: { _ in
          switch ending {
          case .finish: sinkBox?.receive(completion: .finished)
          case .fail: sinkBox?.receive(completion: .failure(.first))
          case .cancel: sinkBox?.cancel()
          }
          liveInside.append(lifetimes.live)
          inValue.touch()
        })
    }
    sinkBox = sink
    sink.receive(subscription: RecordingSubscription())
    _ = sink.receive(1)
    #expect(liveInside == [2])
    #expect(lifetimes.live == 0)
    _ = sink.receive(2)
    #expect(liveInside == [2])
  }

  @Test func endingFromWithinANestedValueFreesTheClosuresAfterTheOutermost() {
    let lifetimes = Lifetimes()
    var liveInside: [Int] = []
    var sinkBox: Sink?
    let sink: Sink
    do {
      let tracked = lifetimes.track()
      sink = Sink(
        receiveCompletion: { _ in },
        receiveValue: { depth in
          if depth == 3 { sinkBox?.receive(completion: .finished) }
          if depth < 5 { _ = sinkBox?.receive(depth + 1) }
          liveInside.append(lifetimes.live)
          tracked.touch()
        })
    }
    sinkBox = sink
    sink.receive(subscription: RecordingSubscription())
    _ = sink.receive(1)
    #expect(liveInside == [1, 1, 1])
    #expect(lifetimes.live == 0)
  }

  @Test func aValueFromWithinTheCompletionClosureIsIgnoredAndFreesNothingTooEarly() {
    let lifetimes = Lifetimes()
    var liveInside = 0
    var values: [Int] = []
    var sinkBox: Sink?
    let sink: Sink
    do {
      let tracked = lifetimes.track()
      sink = Sink(
        receiveCompletion: { _ in
          _ = sinkBox?.receive(9)
          sinkBox?.receive(completion: .finished)
          sinkBox?.cancel()
          liveInside = lifetimes.live
          tracked.touch()
        },
        receiveValue: { values.append($0) })
    }
    sinkBox = sink
    sink.receive(subscription: RecordingSubscription())
    sink.receive(completion: .failure(.second))
    #expect(liveInside == 1)
    #expect(values == [])
    #expect(lifetimes.live == 0)
  }

  @Test func theCompletionClosureRunsOnce() {
    var count = 0
    var sinkBox: Sink?
    let sink = Sink(
      receiveCompletion: {
        count += 1
        sinkBox?.receive(completion: $0)
      }, receiveValue: { _ in })
    sinkBox = sink
    sink.receive(subscription: RecordingSubscription())
    sink.receive(completion: .finished)
    #expect(count == 1)
  }

  /// The closure's capture ends the same stream again when it is freed.
  @Test(arguments: Ending.allCases)
  func survivesACaptureThatCallsBackWhenItIsFreed(ending: Ending) {
    final class Callback {
      var action: () -> Void = {}
      deinit { action() }
    }
    let log = Log()
    var sinkBox: Sink?
    let sink: Sink
    do {
      let callback = Callback()
      callback.action = {
        _ = sinkBox?.receive(8)
        sinkBox?.receive(completion: .failure(.second))
        sinkBox?.cancel()
      }
      sink = Sink(
        receiveCompletion: { log.completions.append($0) },
        receiveValue: {
          log.values.append($0)
          withExtendedLifetime(callback) {}
        })
    }
    sinkBox = sink
    sink.receive(subscription: RecordingSubscription())
    _ = sink.receive(1)
    switch ending {
    case .finish: sink.receive(completion: .finished)
    case .fail: sink.receive(completion: .failure(.first))
    case .cancel: sink.cancel()
    }
    #expect(log.values == [1])
    #expect(log.completions == (ending == .cancel ? [] : ending == .finish ? [.finished] : [.failure(.first)]))
  }

  @Test func showsItsClosuresAndNoneAfterTheEnd() {
    let log = Log()
    let sink = log.makeSink()
    sink.receiveValue(4)
    sink.receiveCompletion(.finished)
    #expect(log.values == [4])
    #expect(log.completions == [.finished])
    sink.receive(completion: .finished)
    sink.receiveValue(5)
    sink.receiveCompletion(.finished)
    #expect(log.values == [4])
    #expect(log.completions == [.finished, .finished])
  }

  // MARK: The operator

  @Test func theOperatorCancelsWhenItsResultIsDropped() {
    let subject = PassthroughSubject<Int, Never>()
    var values: [Int] = []
    do {
      let cancellable = subject.sink { values.append($0) }
      subject.send(1)
      withExtendedLifetime(cancellable) {}
    }
    subject.send(2)
    #expect(values == [1])
  }

  @Test func theOperatorPassesTheCompletion() {
    let subject = PassthroughSubject<Int, TestFailure>()
    let log = Log()
    let cancellable = subject.sink(
      receiveCompletion: { log.completions.append($0) }, receiveValue: { log.values.append($0) })
    subject.send(1)
    subject.send(completion: .failure(.first))
    subject.send(2)
    #expect(log.values == [1])
    #expect(log.completions == [.failure(.first)])
    cancellable.cancel()
  }

  @Test func cancellingTheOperatorsResultFreesTheClosuresAtOnce() {
    let lifetimes = Lifetimes()
    let subject = PassthroughSubject<Int, Never>()
    let cancellable: AnyCancellable
    do {
      let tracked = lifetimes.track()
      cancellable = subject.sink { _ in tracked.touch() }
    }
    subject.send(1)
    #expect(lifetimes.live == 1)
    cancellable.cancel()
    #expect(lifetimes.live == 0)
    withExtendedLifetime((subject, cancellable)) {}
  }

  @Test func cancellingTheOperatorsResultFreesTheClosuresThoughThePublisherKeepsTheSink() {
    let lifetimes = Lifetimes()
    let publisher = ScriptedPublisher(of: Int.self, failingWith: Never.self)
    let cancellable: AnyCancellable
    do {
      let tracked = lifetimes.track()
      cancellable = publisher.sink { _ in tracked.touch() }
    }
    cancellable.cancel()
    #expect(lifetimes.live == 0)
    withExtendedLifetime(publisher) {}
  }

  @Test func describesItself() {
    let sink = Log().makeSink()
    #expect(sink.description == "Sink")
    #expect(sink.playgroundDescription as? String == "Sink")
    #expect(Mirror(reflecting: sink).children.isEmpty)
  }
}
