// Tests of the engine of flatMap, merge and switchToLatest: lanes, and what happens where several threads meet.

import TestKit
import Testing
import WeirQueues

@testable import Weir

@Suite struct FlattenLinkTests {
  typealias Source = ScriptedPublisher<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let recorder = Recorder()
  private let sources = [Source(), Source(), Source()]

  private func link(_ policy: FlattenPolicy, _ demand: Subscribers.Demand?) -> FlattenLink<Recorder> {
    recorder.initialDemand = demand
    let link = withThreadMark(ContentionPolicy.handOver.mark) {
      FlattenLink(downstream: HeldSubscriber(recorder), policy: policy, name: "Test")
    }
    recorder.receive(subscription: link)
    return link
  }

  /// Runs `action` on another thread, to its end, while the subscriber receives its first value.
  private func during(_ action: @escaping () -> Void) {
    var isFirst = true
    recorder.onValue = { _ in
      guard isFirst else { return }
      isFirst = false
      onThreads(1) { _ in action() }
    }
  }

  @Test func placesAreUsedAgainUnderANewGeneration() {
    let link = link(.fair(maxPublishers: .max(2), cancelsOuter: false), .unlimited)
    for source in sources[..<2] { link.open(source) }
    #expect(link.open == 2)
    sources[0].send(completion: .finished)
    link.open(sources[2])
    #expect(link.lanes.count == 2)
    #expect(link.lanes.map(\.generation) == [1, 0])
    sources[0].send(9)
    sources[2].send(1)
    #expect(recorder.values == [1])
  }

  @Test func thousandsOfStreamsInTurnNeedOnePlace() {
    let link = link(.fair(maxPublishers: .max(1), cancelsOuter: false), .unlimited)
    for value in 0..<5000 { link.open(Just(value).setFailureType(to: TestFailure.self)) }
    #expect(link.lanes.count == 1)
    #expect(recorder.values == Array(0..<5000))
  }

  @Test func aValueOfAnotherThreadIsDeliveredByTheHolder() {
    let link = link(.all, .unlimited)
    for source in sources { link.open(source) }
    during { [sources] in
      #expect(sources[1].send(2) == .none)
      #expect(sources[2].send(3) == .none)
    }
    sources[0].send(1)
    #expect(recorder.values == [1, 2, 3])
  }

  @Test func aValueThatWasLeftBehindIsAnsweredWithARequest() {
    let link = link(.all, .max(3))
    for source in sources { link.open(source) }
    during { [sources] in #expect(sources[1].send(2) == .none) }
    #expect(sources[0].send(1) == .max(1))
    #expect(sources[0].subscription?.history == [.requested(.max(1))])
    #expect(sources[1].subscription?.history == [.requested(.max(1)), .requested(.max(1))])
    #expect(recorder.values == [1, 2])
  }

  @Test func aStreamThatChangesThreadsDoesNotOvertakeItself() {
    let link = link(.latest, .max(10))
    link.open(sources[0])
    // The first value left behind is answered with demand, which the stream serves on the holder's thread.
    recorder.demandPerValue = { $0 == 2 ? .max(1) : .none }
    during { [sources] in
      sources[0].send(2)
      sources[0].send(3)
    }
    sources[0].subscription?.onRequest = { [sources] _ in sources[0].send(4) }
    sources[0].send(1)
    #expect(recorder.values == [1, 2, 3, 4])
  }

  @Test func aCompletionOfAnotherThreadComesBehindItsValues() {
    let link = link(.all, .unlimited)
    for source in sources[..<2] { link.open(source) }
    link.seal()
    during { [sources] in
      sources[1].send(2)
      sources[1].send(completion: .failure(.second))
      sources[0].send(completion: .finished)
    }
    sources[0].send(1)
    #expect(recorder.history.dropFirst() == [.value(1), .value(2), .completion(.failure(.second))])
  }

  @Test func nothingIsDeliveredAfterACancellationByAnotherThread() {
    let link = link(.all, .unlimited)
    for source in sources { link.open(source) }
    during { [recorder, sources] in
      sources[1].send(2)
      recorder.cancel()
      sources[2].send(completion: .failure(.first))
    }
    sources[0].send(1)
    #expect(recorder.history == [.subscription("Test"), .value(1)])
    for source in sources { #expect(source.subscription?.history == [.requested(.unlimited), .cancelled]) }
  }

  @Test func demandOfAnotherThreadIsServedByTheHolder() {
    let link = link(.all, .max(1))
    for source in sources[..<2] { link.open(source) }
    during { [recorder, sources] in
      sources[1].send(2)
      recorder.request(.max(1))
    }
    sources[0].send(1)
    #expect(recorder.values == [1, 2])
  }

  @Test func aStreamOpenedByAnotherThreadIsSubscribedByTheHolder() {
    let link = link(.latest, .unlimited)
    link.open(sources[0])
    during { [sources] in
      link.open(sources[1])
      #expect(sources[1].subscriber == nil)
    }
    sources[0].send(1)
    #expect(sources[0].subscription?.history == [.requested(.unlimited), .cancelled])
    #expect(sources[1].subscription?.history == [.requested(.unlimited)])
  }

  @Test func aNewStreamIsAskedOnceForDemandThatComesAtTheSameTime() {
    let link = link(.latest, .max(1))
    link.open(sources[0])
    during { [recorder, sources] in
      recorder.request(.max(5))
      link.open(sources[1])
      recorder.request(.max(2))
    }
    sources[0].send(1)
    #expect(sources[0].subscription?.history == [.requested(.max(1)), .requested(.max(5)), .cancelled])
    // Its subscription, which it sends on the holder's thread, goes behind the second request.
    #expect(sources[1].subscription?.history == [.requested(.max(7))])
  }

  @Test func letsGoOfEverythingAtTheEnd() {
    let lifetimes = Lifetimes()
    var subscription: (any Subscription)?
    let source = Source()
    do {
      let tracked = lifetimes.track()
      let recorder = Recorder(.max(1))
      recorder.keepsSubscriptions = false
      recorder.onSubscription = { subscription = $0 }
      recorder.onValue = { _ in tracked.touch() }
      Publishers.MergeMany([source]).subscribe(recorder)
    }
    source.send(1)
    source.send(2)
    #expect(lifetimes.live == 1)
    subscription?.cancel()
    #expect(lifetimes.live == 0)
    source.send(3)
    withExtendedLifetime(subscription) {}
  }
}
