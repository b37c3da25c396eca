// Tests of switchToLatest: who is cancelled when, where demand goes, how it ends.

import TestKit
import Testing
import Weir

@Suite struct SwitchToLatestTests {
  typealias Inner = ScriptedPublisher<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let outer = ScriptedPublisher(of: Inner.self, failingWith: TestFailure.self)
  private let first = Inner(RecordingSubscription("first"))
  private let second = Inner(RecordingSubscription("second"))
  private let recorder = Recorder()

  private func subscribe(_ demand: Subscribers.Demand?, perValue: Subscribers.Demand = .none) {
    recorder.initialDemand = demand
    recorder.demandPerValue = { _ in perValue }
    outer.switchToLatest().subscribe(recorder)
  }

  @Test(arguments: [Subscribers.Demand.unlimited, .max(1)])
  func followsSequencesToTheirEnd(_ demand: Subscribers.Demand) {
    let recorder = RecordingSubscriber(demand, perValue: .max(1), of: Int.self, failingWith: Never.self)
    (1..<4).publisher.map { ($0..<$0 + 3).publisher }.switchToLatest().subscribe(recorder)
    #expect(recorder.values == [1, 2, 3, 2, 3, 4, 3, 4, 5])
    #expect(recorder.completions == [.finished])
  }

  @Test func asksTheOuterStreamForEverything() {
    subscribe(nil)
    #expect(recorder.history == [.subscription("SwitchToLatest")])
    #expect(outer.subscription?.history == [.requested(.unlimited)])
    #expect(outer.subscriber?.description == "SwitchToLatest")
    #expect(outer.send(first) == .none)
    #expect(first.subscriber?.description == "SwitchToLatest")
  }

  @Test func publishesTheNewestStreamOnly() {
    subscribe(.unlimited)
    outer.send(first)
    first.send(1)
    outer.send(second)
    #expect(first.send(2) == .none)
    second.send(3)
    #expect(recorder.values == [1, 3])
  }

  @Test func cancelsTheFormerStreamBeforeItSubscribesToTheNew() {
    subscribe(.unlimited)
    outer.send(first)
    first.subscription?.onCancel = { [second] in #expect(second.subscriber == nil) }
    outer.send(second)
    #expect(first.subscription?.history == [.requested(.unlimited), .cancelled])
    #expect(second.subscription?.history == [.requested(.unlimited)])
  }

  @Test func carriesTheRemainingDemandOver() {
    subscribe(nil, perValue: .max(5))
    outer.send(first)
    #expect(first.subscription?.history == [])
    recorder.request(.max(1))
    #expect(first.subscription?.history == [.requested(.max(1))])
    first.send(completion: .finished)
    recorder.request(.max(41))
    recorder.request(.max(1))
    #expect(first.subscription?.history == [.requested(.max(1))])
    outer.send(second)
    #expect(second.subscription?.history == [.requested(.max(43))])
    #expect(second.send(1) == .max(5))
    #expect(second.send(2) == .max(5))
    let third = Inner()
    outer.send(third)
    #expect(second.subscription?.history == [.requested(.max(43)), .cancelled])
    #expect(third.subscription?.history == [.requested(.max(51))])
    outer.send(completion: .finished)
    recorder.request(.max(9))
    #expect(third.subscription?.history == [.requested(.max(51)), .requested(.max(9))])
  }

  @Test func returnedDemandGoesToTheStreamThatCameWithinTheDelivery() {
    subscribe(.max(1), perValue: .max(3))
    recorder.onValue = { [outer, second] in if $0 == 1 { outer.send(second) } }
    outer.send(first)
    #expect(first.send(1) == .max(3))
    #expect(first.subscription?.history == [.requested(.max(1)), .cancelled])
    #expect(second.subscription?.history == [.requested(.max(3))])
  }

  @Test func trapsWhenAskedForNothing() async {
    await #expect(processExitsWith: .failure) {
      let recorder = RecordingSubscriber(Subscribers.Demand.none, of: Int.self, failingWith: Never.self)
      Just(Just(1)).switchToLatest().subscribe(recorder)
    }
  }

  @Test func trapsAtAValueThatNobodyAskedFor() async {
    await #expect(processExitsWith: .failure) {
      let inner = ScriptedPublisher(of: Int.self, failingWith: Never.self)
      let recorder = RecordingSubscriber(Subscribers.Demand.max(1), of: Int.self, failingWith: Never.self)
      Just(inner).switchToLatest().subscribe(recorder)
      inner.send(1)
      guard recorder.values == [1] else { return }
      inner.send(2)
    }
  }

  // MARK: End

  @Test func finishesWhenTheOuterStreamHasAndThenTheInner() {
    subscribe(.max(1))
    outer.send(first)
    outer.send(completion: .finished)
    #expect(recorder.completions == [])
    first.send(1)
    first.send(completion: .finished)
    first.send(completion: .failure(.first))
    #expect(recorder.history == [.subscription("SwitchToLatest"), .value(1), .completion(.finished)])
    #expect(outer.subscription?.history == [.requested(.unlimited)])
    #expect(first.subscription?.history == [.requested(.max(1))])
  }

  @Test func finishesWhenTheInnerStreamHasAndThenTheOuter() {
    subscribe(.max(1))
    outer.send(first)
    first.send(completion: .finished)
    #expect(recorder.completions == [])
    outer.send(completion: .finished)
    outer.send(completion: .failure(.first))
    #expect(recorder.history == [.subscription("SwitchToLatest"), .completion(.finished)])
  }

  @Test func waitsForAnInnerStreamWhoseSubscriptionIsAwaited() {
    subscribe(.unlimited)
    first.subscription = nil
    outer.send(first)
    outer.send(completion: .finished)
    #expect(recorder.completions == [])
    let subscription = RecordingSubscription()
    first.send(subscription: subscription)
    #expect(subscription.history == [.requested(.unlimited)])
    #expect(recorder.completions == [])
    first.send(completion: .finished)
    #expect(recorder.completions == [.finished])
  }

  @Test func ignoresStreamsAfterTheOuterHasFinished() {
    subscribe(.unlimited)
    outer.send(first)
    outer.send(completion: .finished)
    outer.send(second)
    #expect(second.subscriber == nil)
    first.send(1)
    #expect(recorder.values == [1])
    #expect(first.subscription?.history == [.requested(.unlimited)])
  }

  @Test func anInnerFailureCancelsTheOuterStream() {
    subscribe(.max(1), perValue: .max(1))
    outer.send(first)
    #expect(first.send(1) == .max(1))
    first.send(completion: .failure(.first))
    first.send(completion: .finished)
    #expect(first.send(-1) == .none)
    #expect(recorder.history == [.subscription("SwitchToLatest"), .value(1), .completion(.failure(.first))])
    #expect(outer.subscription?.history == [.requested(.unlimited), .cancelled])
    #expect(first.subscription?.history == [.requested(.max(1))])
  }

  @Test func anOuterFailureCancelsTheInnerStream() {
    subscribe(.max(1))
    outer.send(first)
    outer.send(completion: .failure(.second))
    #expect(first.send(1) == .none)
    first.send(completion: .finished)
    #expect(recorder.history == [.subscription("SwitchToLatest"), .completion(.failure(.second))])
    #expect(first.subscription?.history == [.requested(.max(1)), .cancelled])
    #expect(outer.subscription?.history == [.requested(.unlimited)])
  }

  @Test func cancelsTheInnerStreamAndThenTheOuterOnce() {
    subscribe(.max(42))
    outer.send(first)
    outer.subscription?.onCancel = { [first] in
      #expect(first.subscription?.history == [.requested(.max(42)), .cancelled])
    }
    recorder.cancel()
    recorder.cancel()
    #expect(outer.subscription?.history == [.requested(.unlimited), .cancelled])
    #expect(first.subscription?.history == [.requested(.max(42)), .cancelled])
    outer.send(second)
    #expect(second.subscriber == nil)
    first.send(1)
    first.send(completion: .failure(.first))
    outer.send(completion: .failure(.first))
    #expect(recorder.history == [.subscription("SwitchToLatest")])
  }

  @Test func cancelsFurtherSubscriptions() {
    subscribe(.unlimited)
    outer.send(first)
    let further = RecordingSubscription()
    outer.send(subscription: further)
    first.send(subscription: further)
    outer.send(second)
    first.send(subscription: further)
    #expect(further.history == [.cancelled, .cancelled, .cancelled])
  }

  // MARK: Re-entrance

  @Test func aStreamThatComesWhileTheFormerIsCancelledIsCancelledToo() {
    subscribe(.unlimited)
    outer.send(first)
    first.subscription?.onCancel = { [outer, second] in outer.send(second) }
    let third = Inner()
    outer.send(third)
    second.send(2)
    third.send(3)
    #expect(second.subscription?.history == [.requested(.unlimited), .cancelled])
    #expect(recorder.values == [3])
    outer.send(completion: .finished)
    third.send(completion: .finished)
    #expect(recorder.completions == [.finished])
  }

  @Test func doesNotSubscribeIfItIsCancelledWhileTheFormerIs() {
    subscribe(.unlimited)
    outer.send(first)
    first.subscription?.onCancel = { [recorder] in recorder.cancel() }
    outer.send(second)
    #expect(second.subscriber == nil)
    #expect(outer.subscription?.history == [.requested(.unlimited), .cancelled])
  }

  @Test func switchesWithinADelivery() {
    subscribe(.unlimited)
    recorder.onValue = { [outer, second] in if $0 == 1 { outer.send(second) } }
    outer.send(first)
    first.send(1)
    first.send(2)
    second.send(3)
    #expect(recorder.values == [1, 3])
  }

  // MARK: Kinds of errors

  @Test func innerAndOuterStreamMayDifferInTheirErrors() {
    let never = ScriptedPublisher(of: Inner.self, failingWith: Never.self)
    let safe = ScriptedPublisher(of: Just<Int>.self, failingWith: TestFailure.self)
    let recorders = [Recorder(.unlimited), Recorder(.unlimited)]
    never.switchToLatest().subscribe(recorders[0])
    never.send(first)
    first.send(completion: .failure(.first))
    safe.switchToLatest().subscribe(recorders[1])
    safe.send(Just(1))
    safe.send(completion: .failure(.second))
    #expect(recorders[0].history == [.subscription("SwitchToLatest"), .completion(.failure(.first))])
    #expect(recorders[1].history == [.subscription("SwitchToLatest"), .value(1), .completion(.failure(.second))])
  }

  /// The older one was followed, or, if the outer stream finished then, none.
  @Test(arguments: [ContentionPolicy.wait, .handOver], [false, true])
  func ofTwoStreamsPublishedWithinADeliveryTheNewerIsFollowed(_ contention: ContentionPolicy, ends: Bool) {
    typealias Numbers = PassthroughSubject<Int, TestFailure>
    let (outer, streams) = (PassthroughSubject<Numbers, TestFailure>(), (0..<4).map { _ in Numbers() })
    func sendStreams() {
      outer.send(streams[2])
      outer.send(streams[3])
      if ends { outer.send(completion: .finished) }
    }
    recorder.initialDemand = .unlimited
    recorder.onValue = { value in
      guard value == 1 else { return }
      #expect(OtherThread { contention == .wait ? outer.send(streams[1]) : sendStreams() }.comesBack())
      if contention == .wait { sendStreams() }
    }
    outer.switchToLatest().contention(contention).subscribe(recorder)
    outer.send(streams[0])
    streams[0].send(1)
    for number in 1...3 { streams[number].send(number + 1) }
    #expect(recorder.values == [1, 4])
    streams[3].send(completion: .finished)
    #expect(recorder.completions == (ends ? [.finished] : []))
    recorder.cancel()
  }
}
