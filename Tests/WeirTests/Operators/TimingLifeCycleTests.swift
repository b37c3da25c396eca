// What the operators of time owe to those above and below them, asked of each in turn.

import TestKit
import Testing
import Weir

@Suite struct TimingLifeCycleTests {
  typealias Source = ScriptedPublisher<Int, TestFailure>

  /// Operators as they are on a scheduler without time, where everything happens within the call.
  static let immediate = [
    OperatorCase("Delay", .ignores) { upstream, _ in upstream.delay(for: 1, scheduler: ImmediateScheduler.shared) },
    OperatorCase("SubscribeOn", .ignores) { upstream, _ in upstream.subscribe(on: ImmediateScheduler.shared) },
    OperatorCase("MeasureInterval", .ignores) { upstream, _ in
      upstream.measureInterval(using: ImmediateScheduler.shared).map { _ in 0 }
    },
    OperatorCase("Debounce", .ignores) { upstream, _ in
      upstream.debounce(for: 1, scheduler: ImmediateScheduler.shared)
    },
    OperatorCase("Throttle", .ignores) { upstream, _ in
      upstream.throttle(for: 1, scheduler: ImmediateScheduler.shared, latest: false)
    },
    OperatorCase("CollectByTime", .ignores) { upstream, _ in
      upstream.collect(.byTimeOrCount(ImmediateScheduler.shared, 1, 1)).map { $0[0] }
    },
  ]

  private let source = Source()
  private var upstream: RecordingSubscription { source.subscription! }
  private let subject = PassthroughSubject<Int, TestFailure>()
  private let lifetimes = Lifetimes()

  private func value(_ number: Int, _ tested: OperatorCase) -> String {
    tested.description == "MeasureInterval" ? "0" : "\(number)"
  }

  @Test(arguments: immediate) func sendsASubscriptionOfItsOwn(_ tested: OperatorCase) {
    let recorder = tested.subscribe(to: source)
    #expect(recorder.log == [tested.description])
    #expect(source.subscriber?.description == tested.description)
    #expect(upstream.history == [.requested(.unlimited)])
  }

  @Test(arguments: immediate) func cancelsASecondSubscription(_ tested: OperatorCase) {
    let recorder = tested.subscribe(to: source)
    let further = [RecordingSubscription(), RecordingSubscription()]
    source.send(subscription: further[0])
    source.send(completion: .finished)
    source.send(subscription: further[1])
    #expect(further.map(\.history) == [[.cancelled], [.cancelled]])
    #expect(recorder.log == [tested.description, "finished"])
  }

  @Test(arguments: immediate) func ignoresWhatComesBeforeTheSubscription(_ tested: OperatorCase) {
    source.subscription = nil
    let recorder = tested.subscribe(to: source)
    #expect(source.send(1) == .none)
    source.send(completion: .finished)
    #expect(recorder.log == [])
  }

  @Test(arguments: immediate) func endsOnce(_ tested: OperatorCase) {
    let recorder = tested.subscribe(to: source)
    source.send(1)
    source.send(completion: .finished)
    source.send(completion: .finished)
    source.send(completion: .failure(.second))
    source.send(2)
    recorder.request(.max(1))
    recorder.cancel()
    #expect(recorder.log == [tested.description, value(1, tested), "finished"])
    #expect(upstream.history == [.requested(.unlimited)])
  }

  @Test(arguments: immediate) func failsAsTheUpstreamDoes(_ tested: OperatorCase) {
    let recorder = tested.subscribe(to: source)
    source.send(completion: .failure(.first))
    #expect(recorder.log == [tested.description, "failed first"])
    #expect(upstream.history == [.requested(.unlimited)])
  }

  @Test(arguments: immediate) func cancelsOnce(_ tested: OperatorCase) {
    let recorder = tested.subscribe(to: source)
    recorder.cancel()
    recorder.request(.max(3))
    recorder.cancel()
    source.send(1)
    source.send(completion: .finished)
    #expect(recorder.log == [tested.description])
    #expect(upstream.history == [.requested(.unlimited), .cancelled])
  }

  @Test(arguments: immediate) func cancelsWithinADelivery(_ tested: OperatorCase) {
    let recorder = tested.subscribe(to: Publishers.Sequence<[Int], TestFailure>(sequence: [0, 2, 3]), demand: nil)
    recorder.onEachValue { [unowned recorder] in recorder.cancel() }
    recorder.request(.unlimited)
    if tested.description != "Debounce", tested.description != "Throttle" {
      #expect(recorder.log == [tested.description, "0"])
    }
    #expect(!recorder.log.contains("finished") || recorder.log.count == 2)
  }

  @Test(arguments: immediate) func cancelsWithinADeliveryOfASubject(_ tested: OperatorCase) {
    let recorder = tested.subscribe(to: subject)
    recorder.onEachValue { [unowned recorder] in recorder.cancel() }
    for value in 1...2 { subject.send(value) }
    subject.send(completion: .finished)
    #expect(recorder.log == [tested.description, value(1, tested)])
  }

  @Test(arguments: immediate) func racesWithACancellation(_ tested: OperatorCase) {
    for _ in 0..<50 {
      let subject = PassthroughSubject<Int, TestFailure>()
      let recorder = tested.subscribe(to: subject)
      onThreads([
        { for value in 0..<200 { subject.send(value) } },
        { recorder.cancel() },
      ])
      let count = recorder.log.count
      subject.send(-1)
      #expect(recorder.log.count == count)
      if tested.description != "MeasureInterval" {
        let values = recorder.log.dropFirst().map { Int($0) }
        #expect(values == Array(0..<values.count))
      }
    }
  }

  @Test(arguments: immediate) func acceptsAValueFromWithinADelivery(_ tested: OperatorCase) {
    let recorder = tested.subscribe(to: subject)
    var sent = 1
    recorder.onEachValue { [subject] in
      sent += 1
      if sent <= 3 { subject.send(sent) }
    }
    subject.send(1)
    #expect(recorder.log == [tested.description] + (1...3).map { value($0, tested) })
  }

  // MARK: Leaks: the subscriber keeps its subscription all the while

  /// Operators in virtual time.
  static let timed: [@Sendable (ManualScheduler) -> OperatorCase] = [
    { scheduler in OperatorCase("ReceiveOn", .ignores) { upstream, _ in upstream.receive(on: scheduler) } },
    { scheduler in OperatorCase("Delay", .ignores) { upstream, _ in upstream.delay(for: 5, scheduler: scheduler) } },
    { scheduler in OperatorCase("SubscribeOn", .ignores) { upstream, _ in upstream.subscribe(on: scheduler) } },
    { scheduler in
      OperatorCase("MeasureInterval", .ignores) { upstream, _ in
        upstream.measureInterval(using: scheduler).map(\.magnitude)
      }
    },
    { scheduler in
      OperatorCase("Debounce", .ignores) { upstream, _ in upstream.debounce(for: 5, scheduler: scheduler) }
    },
    { scheduler in
      OperatorCase("Throttle", .ignores) { upstream, _ in
        upstream.throttle(for: 5, scheduler: scheduler, latest: true)
      }
    },
    { scheduler in
      OperatorCase("Timeout", .ignores) { upstream, _ in upstream.timeout(1_000, scheduler: scheduler) }
    },
    { scheduler in
      OperatorCase("CollectByTime", .ignores) { upstream, _ in
        upstream.collect(.byTime(scheduler, 5)).map { $0[0] }
      }
    },
    { scheduler in
      OperatorCase("CollectByTime", .ignores) { upstream, _ in
        upstream.collect(.byTimeOrCount(scheduler, 5, 2)).map { $0[0] }
      }
    },
  ]

  private let scheduler = ManualScheduler()

  @Test(arguments: timed, [Subscribers.Completion<TestFailure>.finished, .failure(.first)])
  func letsGoOfItsSubscriberAtTheEnd(
    _ make: @Sendable (ManualScheduler) -> OperatorCase, _ completion: Subscribers.Completion<TestFailure>
  ) {
    weak let recorder = subscribe(make(scheduler))
    subject.send(1)
    scheduler.advance(by: 5)
    #expect(recorder?.log.count == 2)
    #expect(lifetimes.live == 1)
    subject.send(completion: completion)
    scheduler.advance(by: 5)
    #expect(lifetimes.live == 0)
    #expect(recorder == nil)
  }

  /// Also of what is under way, at once.
  @Test(arguments: timed, [true, false])
  func letsGoOfItsSubscriberWhenCancelled(
    _ make: @Sendable (ManualScheduler) -> OperatorCase, isIdle: Bool
  ) {
    let tested = make(scheduler)
    weak let recorder = subscribe(tested)
    subject.send(1)
    if isIdle { scheduler.advance(by: 5) }
    #expect(lifetimes.live == 1)
    recorder?.cancel()
    // Where the upstream is cancelled on the scheduler, or a job is in flight, that comes first.
    let waits = ["ReceiveOn", "Timeout"].contains(tested.description) && !isIdle
    if tested.description == "SubscribeOn" || waits { scheduler.run() }
    #expect(lifetimes.live == 0)
    #expect(recorder == nil)
  }

  /// While a timer or a job is on its way, except for throttle's; the subscriber has let go of its subscription.
  @Test(arguments: timed) func whatIsScheduledKeepsTheSubscriberAlive(
    _ make: @Sendable (ManualScheduler) -> OperatorCase
  ) {
    let tested = make(scheduler)
    let isKept = !["SubscribeOn", "MeasureInterval", "Throttle"].contains(tested.description)
    weak var weakRecorder: (any StreamRecorder)?
    do {
      let source = Source()
      let recorder = tested.subscribe(to: source)
      scheduler.run()
      source.send(1)
      recorder.forgetSubscriptions()
      weakRecorder = recorder
    }
    #expect((weakRecorder != nil) == isKept)
    scheduler.advance(by: 2_000)
    if tested.description != "CollectByTime" { #expect(weakRecorder == nil) }
  }

  private func subscribe(_ tested: OperatorCase) -> any StreamRecorder {
    let tracked = lifetimes.track()
    let recorder = tested.subscribe(to: subject)
    scheduler.run()
    recorder.onEachValue { tracked.touch() }
    return recorder
  }
}
