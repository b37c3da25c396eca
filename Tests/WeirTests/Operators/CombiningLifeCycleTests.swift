// What the operators of several streams owe to those above and below them, asked of each in turn.

import TestKit
import Testing
import Weir

@Suite struct CombiningLifeCycleTests {
  typealias Source = ScriptedPublisher<Int, TestFailure>
  typealias Numbers = Publishers.Sequence<Range<Int>, TestFailure>

  static let severalAtOnce = [
    OperatorCase("FlatMap", .ignores) { upstream, _ in upstream.flatMap { Just($0) } },
    OperatorCase("FlatMap", .ignores) { upstream, _ in upstream.flatMap(maxPublishers: .max(4)) { Just($0) } },
    OperatorCase("SwitchToLatest", .ignores) { upstream, _ in Just(upstream).switchToLatest() },
    OperatorCase("Merge", .ignores) { upstream, _ in upstream.merge(with: Numbers(sequence: 0..<0)) },
    OperatorCase("Zip", .ignores) { upstream, _ in upstream.zip(Numbers(sequence: 0..<1000)) { first, _ in first } },
    OperatorCase("Buffer", .ignores) { upstream, _ in
      upstream.buffer(size: 9, prefetch: .byRequest, whenFull: .dropOldest)
    },
    OperatorCase("Buffer", .ignores) { upstream, _ in
      upstream.buffer(size: 1000, prefetch: .keepFull, whenFull: .customError { .second })
    },
    OperatorCase("Multicast", .ignores) { upstream, _ in upstream.share() },
  ]

  private let source = Source()
  private var upstream: RecordingSubscription { source.subscription! }
  private let subject = PassthroughSubject<Int, TestFailure>()
  private let lifetimes = Lifetimes()

  private func isFirstRequest(_ event: RecordingSubscription.Event?) -> Bool {
    guard case .requested(let demand) = event else { return false }
    return demand > .none
  }

  @Test(arguments: all) func sendsASubscriptionOfItsOwn(_ tested: OperatorCase) {
    let recorder = tested.subscribe(to: source)
    #expect(recorder.log == [tested.description])
    #expect(upstream.history.count == 1)
    #expect(isFirstRequest(upstream.history.first))
  }

  @Test(arguments: all) func cancelsASecondSubscription(_ tested: OperatorCase) {
    let recorder = tested.subscribe(to: source)
    let further = [RecordingSubscription(), RecordingSubscription()]
    source.send(subscription: further[0])
    source.send(completion: .finished)
    source.send(subscription: further[1])
    #expect(further.map(\.history) == [[.cancelled], [.cancelled]])
    #expect(recorder.log == [tested.description, "finished"])
  }

  @Test(arguments: all) func endsOnce(_ tested: OperatorCase) {
    let recorder = tested.subscribe(to: source)
    source.send(1)
    source.send(completion: .finished)
    source.send(completion: .finished)
    source.send(completion: .failure(.second))
    source.send(2)
    #expect(recorder.log == [tested.description, "1", "finished"])
    #expect(!upstream.history.contains(.cancelled))
  }

  @Test(arguments: all) func failsAsTheUpstreamDoes(_ tested: OperatorCase) {
    let recorder = tested.subscribe(to: source)
    source.send(completion: .failure(.first))
    let history = upstream.history
    recorder.request(.max(1))
    recorder.cancel()
    #expect(recorder.log == [tested.description, "failed first"])
    #expect(upstream.history == history)
  }

  @Test(arguments: all) func cancelsOnce(_ tested: OperatorCase) {
    let recorder = tested.subscribe(to: source)
    recorder.cancel()
    let history = upstream.history
    recorder.request(.max(3))
    recorder.cancel()
    source.send(1)
    source.send(completion: .finished)
    #expect(recorder.log == [tested.description])
    #expect(history.last == .cancelled)
    #expect(upstream.history == history)
  }

  @Test(arguments: all) func cancelsWithinADelivery(_ tested: OperatorCase) {
    let recorder = tested.subscribe(to: Publishers.Sequence<[Int], TestFailure>(sequence: [1, 2, 3]), demand: nil)
    recorder.onEachValue { [unowned recorder] in recorder.cancel() }
    recorder.request(.unlimited)
    #expect(recorder.log == [tested.description, "1"])
  }

  @Test(arguments: all) func cancelsWithinADeliveryOfASubject(_ tested: OperatorCase) {
    let recorder = tested.subscribe(to: subject)
    recorder.onEachValue { [unowned recorder] in recorder.cancel() }
    subject.send(1)
    subject.send(2)
    subject.send(completion: .finished)
    #expect(recorder.log == [tested.description, "1"])
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

  @Test(arguments: all) func acceptsAValueFromWithinADelivery(_ tested: OperatorCase) {
    let recorder = tested.subscribe(to: subject)
    var sent = 1
    recorder.onEachValue { [subject] in
      sent += 1
      if sent <= 3 { subject.send(sent) }
    }
    subject.send(1)
    #expect(recorder.log == [tested.description, "1", "2", "3"])
  }

  @Test(arguments: all) func acceptsDemandFromWithinADelivery(_ tested: OperatorCase) {
    let recorder = tested.subscribe(
      to: Publishers.Sequence<[Int], TestFailure>(sequence: [1, 2, 3]), demand: nil)
    recorder.onEachValue { [unowned recorder] in recorder.request(.max(1)) }
    recorder.request(.max(1))
    #expect(recorder.log == [tested.description, "1", "2", "3", "finished"])
  }

  // MARK: Leaks: the subscriber keeps its subscription all the while

  @Test(arguments: all, [Subscribers.Completion<TestFailure>.finished, .failure(.first)])
  func letsGoOfItsSubscriberAtTheEnd(_ tested: OperatorCase, _ completion: Subscribers.Completion<TestFailure>) {
    weak let recorder = subscribe(tested)
    subject.send(1)
    #expect(recorder?.log == [tested.description, "1"])
    #expect(lifetimes.live == 1)
    subject.send(completion: completion)
    #expect(lifetimes.live == 0)
    #expect(recorder == nil)
  }

  @Test(arguments: all) func letsGoOfItsSubscriberWhenCancelled(_ tested: OperatorCase) {
    weak let recorder = subscribe(tested)
    subject.send(1)
    #expect(lifetimes.live == 1)
    recorder?.cancel()
    #expect(lifetimes.live == 0)
    #expect(recorder == nil)
  }

  private func subscribe(_ tested: OperatorCase) -> any StreamRecorder {
    let tracked = lifetimes.track()
    let recorder = tested.subscribe(to: subject)
    recorder.onEachValue { tracked.touch() }
    return recorder
  }
}
