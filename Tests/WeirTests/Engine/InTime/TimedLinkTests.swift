// Tests of the engine between an upstream and timers: which timer counts, and who delivers what was put when.

import TestKit
import Testing

@testable import Weir

/// Puts each value and each tick's generation, negated, into the queue; says what it was asked.
private struct EchoPolicy: TimedPolicy {
  typealias Input = Int
  typealias Output = Int
  typealias Failure = TestFailure
  typealias Kept = [String]

  static var name: StaticString { "Echo" }

  let scheduler: LooseScheduler
  let interval = ManualTime.Stride(5)
  let timerOptions: Never? = nil
  let jobOptions: Never? = nil
  var scale: Int { 3 }
  var nothing: [String] { [] }

  private func note<D: Subscriber>(_ word: String, _ link: TimedLink<EchoPolicy, D>) {
    link.withState { $0.kept.append(word) }
  }

  func begin<D: Subscriber>(_ link: TimedLink<EchoPolicy, D>) { note("begin", link) }
  func open<D: Subscriber>(_ link: TimedLink<EchoPolicy, D>) { note("open", link) }
  func request<D: Subscriber>(_ demand: Subscribers.Demand, _ link: TimedLink<EchoPolicy, D>) {
    note("request \(demand)", link)
  }

  func take<D: Subscriber>(_ input: Int, _ link: TimedLink<EchoPolicy, D>) -> Subscribers.Demand
  where D.Input == Int, D.Failure == TestFailure {
    let interval = link.nextInterval
    let (number, timer) = link.withState { state in
      (link.put(input > 100 ? .unanswered(input) : .value(input)), link.wantTick(after: interval, &state))
    }
    if let timer { link.start(timer) }
    link.deliverLater(from: number)
    return .max(9)
  }

  func finish<D: Subscriber>(_ completion: Subscribers.Completion<D.Failure>, _ link: TimedLink<EchoPolicy, D>)
  where D.Input == Int, D.Failure == TestFailure {
    let number = link.stopTimer { _ in link.put(.completion(completion)) }
    if let number { link.deliverLater(from: number) }
  }

  func tick<D: Subscriber>(_ generation: Int, _ link: TimedLink<EchoPolicy, D>)
  where D.Input == Int, D.Failure == TestFailure {
    let count = link.withState { state -> Int in
      guard state.generation == generation else { return 0 }
      link.put(.value(-generation))
      return 1
    }
    link.deliverHere(count)
  }

  func answer<D: Subscriber>(_ demand: Subscribers.Demand, _ link: TimedLink<EchoPolicy, D>) {
    note("answer \(demand)", link)
  }
}

@Suite struct TimedLinkTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let scheduler = LooseScheduler()
  private let recorder = Recorder(.max(2), perValue: .max(4))
  private let upstream = RecordingSubscription()

  private func makeLink() -> TimedLink<EchoPolicy, Recorder> {
    let link = TimedLink(EchoPolicy(scheduler: scheduler), downstream: recorder)
    link.receive(subscription: upstream)
    return link
  }

  @Test func opensTheStreamInOrder() {
    let link = makeLink()
    #expect(link.withState { $0.kept } == ["begin", "request max(2)", "open"])
    #expect(link.description == "Echo")
    #expect(link.scale == 3)
  }

  @Test func deliversOnTheSchedulerInTheOrderOfTheSteps() {
    let link = makeLink()
    #expect(link.receive(1) == .max(9))
    #expect(link.receive(101) == .max(9))
    // 0: the timer, 1: the job of 1, 2: that of 101. Each that puts or is scheduled for one delivers one.
    scheduler.run(0)
    #expect(recorder.values == [1])
    scheduler.run(1)
    #expect(recorder.values == [1, 101])
    scheduler.run(2)
    #expect(recorder.values == [1, 101, -1])
    #expect(link.withState { $0.kept.dropFirst(3) } == ["answer max(4)", "answer max(4)"])
    scheduler.run(0)
    #expect(recorder.values == [1, 101, -1, -1])
  }

  @Test func onlyTheNewestTimerCounts() {
    let link = makeLink()
    _ = link.receive(1)
    scheduler.run(1)
    link.receive(completion: .finished)
    scheduler.run(0)
    #expect(recorder.values == [1])
    scheduler.run(2)
    #expect(recorder.completions == [.finished])
    #expect(link.withState { $0.timer is NoTimer })
  }

  @Test func aTimerThatIsPutOffStartsTheNextWhenItTicks() {
    let link = makeLink()
    _ = link.receive(1)
    for (time, value) in [(2, 2), (4, 3)] {
      scheduler.now = ManualTime(time)
      _ = link.receive(value)
    }
    // 0: the timer, 1 to 3: the jobs.
    #expect(scheduler.entries.map(\.date) == [ManualTime(5), nil, nil, nil])
    scheduler.now = ManualTime(5)
    scheduler.run(0)
    #expect(recorder.values == [])
    #expect(scheduler.entries.map(\.date).last == ManualTime(9))
    #expect(scheduler.cancelled == [0])
    // The old one ticks no more, whatever its scheduler does.
    scheduler.run(0, 1, 2, 3)
    #expect(recorder.values == [1, 2, 3])
    #expect(scheduler.entries.count == 5)
    scheduler.now = ManualTime(9)
    scheduler.run(4)
    #expect(recorder.values == [1, 2, 3, -2])
  }

  @Test func aTimerThatTicksTooLateForItsNewDateCounts() {
    let link = makeLink()
    _ = link.receive(1)
    scheduler.now = ManualTime(4)
    _ = link.receive(2)
    scheduler.now = ManualTime(9)
    scheduler.run(1, 2, 0)
    #expect(recorder.values == [1, 2, -1])
    #expect(scheduler.entries.count == 3)
  }

  @Test func aTimerThatShouldHaveTickedIsReplaced() {
    let link = makeLink()
    _ = link.receive(1)
    scheduler.now = ManualTime(6)
    _ = link.receive(2)
    // 0: the timer, 1: the job of 1, 2: the timer that replaces it, 3: the job of 2.
    #expect(scheduler.entries.map(\.date) == [ManualTime(5), nil, ManualTime(11), nil])
    #expect(scheduler.cancelled == [0])
    scheduler.run(1, 3, 0)
    #expect(recorder.values == [1, 2])
    scheduler.run(2)
    #expect(recorder.values == [1, 2, -2])
  }

  /// As those of an operation queue, all of whose operations were cancelled.
  @Test func aTimerThatMayBeDroppedIsReplacedByEachValue() {
    let scheduler = ManualScheduler()
    let debounced = PassthroughSubject<Int, TestFailure>()
    debounced.debounce(for: 5, scheduler: scheduler).subscribe(recorder)
    debounced.send(1)
    scheduler.drop()
    debounced.send(2)
    scheduler.advance(by: 5)
    #expect(recorder.values == [2])
  }

  /// The clock of a wall may be set back.
  @Test func aTimerIsReplacedIfTheClockGoesBack() {
    let link = makeLink()
    scheduler.now = ManualTime(100)
    _ = link.receive(1)
    scheduler.now = ManualTime(10)
    _ = link.receive(2)
    #expect(scheduler.entries.map(\.date) == [ManualTime(105), nil, ManualTime(15), nil])
  }

  @Test func cancellingEmptiesTheStateAndEndsTheTimer() {
    let link = makeLink()
    _ = link.receive(1)
    link.cancel()
    link.cancel()
    #expect(link.withState { $0.kept.isEmpty && $0.isOver && $0.timer is NoTimer })
    scheduler.run(0, 1)
    #expect(recorder.history == [.subscription("Echo")])
    #expect(upstream.history == [.cancelled])
    #expect(link.receive(2) == .none)
    link.receive(completion: .finished)
    #expect(scheduler.entries.count == 2)
  }

  @Test func whatTimersPutWaitsForTheSubscriptionToBeDelivered() {
    let subject = PassthroughSubject<Int, TestFailure>()
    recorder.onSubscription = { _ in
      scheduler.run(0)
      #expect(recorder.history == [.subscription("Timeout")])
    }
    subject.timeout(5, scheduler: scheduler).subscribe(recorder)
    // 0: the subscription's timer, 1: the job.
    #expect(scheduler.entries.count == 2)
    scheduler.run(1)
    #expect(recorder.history == [.subscription("Timeout"), .completion(.finished)])
  }

  @Test func cancellingWhileTheSubscriptionIsDeliveredFreesTheSubscriber() {
    let lifetimes = Lifetimes()
    weak var weakRecorder: Recorder?
    do {
      let tracked = lifetimes.track()
      let recorder = Recorder()
      recorder.keepsSubscriptions = false
      recorder.onSubscription = { $0.cancel() }
      recorder.onValue = { _ in tracked.touch() }
      weakRecorder = recorder
      PassthroughSubject<Int, TestFailure>().timeout(5, scheduler: scheduler).subscribe(recorder)
    }
    #expect(weakRecorder == nil)
    #expect(lifetimes.live == 0)
    #expect(scheduler.entries.count == 1)
  }

  @Test func aTimerThatIsOverBeforeItIsReturnedIsCancelled() {
    let cancelled = Counter()
    let scheduler = EagerScheduler { cancelled.add() }
    let debounce = PassthroughSubject<Int, TestFailure>()
    debounce.debounce(for: 1, scheduler: scheduler).subscribe(recorder)
    debounce.send(1)
    #expect(recorder.values == [1])
    #expect(cancelled.value == 1)
  }
}

/// Fires each timer before it returns it.
private struct EagerScheduler: Scheduler {
  typealias SchedulerOptions = Never

  let onCancel: () -> Void
  var now: ManualTime { ManualTime() }
  var minimumTolerance: ManualTime.Stride { 0 }

  func schedule(options: Never?, _ action: @escaping () -> Void) { action() }
  func schedule(
    after date: ManualTime, tolerance: ManualTime.Stride, options: Never?, _ action: @escaping () -> Void
  ) { action() }
  func schedule(
    after date: ManualTime, interval: ManualTime.Stride, tolerance: ManualTime.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    action()
    return AnyCancellable(onCancel)
  }
}
