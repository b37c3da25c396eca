// Tests of debounce, in virtual time.

import TestKit
import Testing
import Weir

@Suite struct DebounceTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let scheduler = ManualScheduler()
  private let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private var upstream: RecordingSubscription { publisher.subscription! }
  private let timerOptions = ManualScheduler.SchedulerOptions(7)

  private func subscribe(_ recorder: Recorder) {
    publisher.debounce(for: 13, scheduler: scheduler, options: timerOptions).subscribe(recorder)
  }

  @Test func publishesTheNewestValueAfterSilence() {
    let recorder = Recorder(.max(2), perValue: .max(1))
    subscribe(recorder)
    #expect(recorder.history == [.subscription("Debounce")])
    #expect(upstream.history == [.requested(.unlimited)])
    #expect(scheduler.scheduledCount == 0)
    #expect(publisher.send(1) == .none)
    scheduler.advance(by: 4)
    publisher.send(2)
    scheduler.advance(by: 5)
    publisher.send(3)
    scheduler.advance(by: 12)
    #expect(recorder.values == [])
    scheduler.advance(by: 1)
    #expect(recorder.values == [3])
    scheduler.advance(by: 200)
    #expect(recorder.values == [3])
    publisher.send(completion: .finished)
    #expect(recorder.completions == [])
    scheduler.run()
    #expect(recorder.history == [.subscription("Debounce"), .value(3), .completion(.finished)])
    #expect(upstream.history == [.requested(.unlimited)])
    #expect(scheduler.options.filter { $0 != nil } == [timerOptions, timerOptions, timerOptions])
  }

  @Test(arguments: [Subscribers.Completion<TestFailure>.finished, .failure(.first)])
  func aCompletionDropsTheValueThatIsNotDue(_ completion: Subscribers.Completion<TestFailure>) {
    let lifetimes = Lifetimes()
    let source = PassthroughSubject<LifetimeTracked, TestFailure>()
    let recorder = RecordingSubscriber<LifetimeTracked, TestFailure>(.unlimited)
    source.debounce(for: 13, scheduler: scheduler).subscribe(recorder)
    source.send(lifetimes.track())
    scheduler.advance(by: 4)
    source.send(completion: completion)
    #expect(lifetimes.live == 0)
    #expect(recorder.completions == [])
    scheduler.advance(by: 100)
    #expect(recorder.history == [.subscription("Debounce"), .completion(completion)])
  }

  @Test func cancellingDropsTheValueThatIsNotDue() {
    let recorder = Recorder(.unlimited)
    subscribe(recorder)
    publisher.send(1)
    recorder.cancel()
    recorder.cancel()
    publisher.send(2)
    publisher.send(completion: .finished)
    scheduler.advance(by: 100)
    #expect(recorder.history == [.subscription("Debounce")])
    #expect(upstream.history == [.requested(.unlimited), .cancelled])
  }

  @Test func aCancelledCompletionIsNotDelivered() {
    let recorder = Recorder(.unlimited)
    subscribe(recorder)
    publisher.send(completion: .finished)
    recorder.cancel()
    scheduler.run()
    #expect(recorder.history == [.subscription("Debounce")])
    #expect(upstream.history == [.requested(.unlimited)])
  }

  @Test func aValueThatIsDueWithoutDemandIsDropped() {
    let recorder = Recorder()
    subscribe(recorder)
    publisher.send(1)
    scheduler.advance(by: 100)
    recorder.request(.max(3))
    scheduler.advance(by: 100)
    #expect(recorder.values == [])
    for value in 2...5 {
      publisher.send(value)
      scheduler.advance(by: 50)
    }
    #expect(recorder.values == [2, 3, 4])
    recorder.request(.none)
    recorder.request(.max(1))
    publisher.send(6)
    scheduler.advance(by: 50)
    #expect(recorder.values == [2, 3, 4, 6])
  }

  @Test func returnedDemandCounts() {
    let recorder = Recorder(.max(1))
    recorder.demandPerValue = { $0 < 3 ? .max(1) : .none }
    subscribe(recorder)
    for value in 1...5 {
      publisher.send(value)
      scheduler.advance(by: 50)
    }
    #expect(recorder.values == [1, 2, 3])
  }

  @Test func aTimerThatRunsIsPutOffByEachValue() {
    let loose = LooseScheduler()
    let recorder = Recorder(.unlimited)
    publisher.debounce(for: 13, scheduler: loose).subscribe(recorder)
    for value in 1...5 {
      loose.now = ManualTime(value)
      publisher.send(value)
    }
    #expect(loose.entries.map(\.date) == [ManualTime(14)])
    loose.now = ManualTime(14)
    loose.run(0)
    #expect(loose.entries.map(\.date) == [ManualTime(14), ManualTime(18)])
    #expect(loose.entries.map(\.tolerance) == [7, 7])
    #expect(loose.cancelled == [0])
    loose.now = ManualTime(18)
    loose.run(1)
    #expect(recorder.values == [5])
    #expect(loose.cancelled == [0, 1])
  }

  @Test func worksWithASchedulerThatHeedsNoCancellation() {
    let loose = LooseScheduler()
    let recorder = Recorder(.unlimited)
    publisher.debounce(for: 13, scheduler: loose).subscribe(recorder)
    publisher.send(1)
    loose.now = ManualTime(13)
    publisher.send(2)
    loose.run(0)
    #expect(recorder.values == [])
    loose.now = ManualTime(26)
    loose.run(0, 1, 1, 0)
    #expect(recorder.values == [2])
    publisher.send(3)
    recorder.cancel()
    loose.run(2)
    #expect(recorder.values == [2])
  }

  @Test func worksWithASchedulerThatRunsActionsAtOnce() {
    let recorder = Recorder(.max(2))
    publisher.debounce(for: 13, scheduler: ImmediateScheduler.shared).subscribe(recorder)
    recorder.onValue = { if $0 == 1 { self.publisher.send(2) } }
    publisher.send(1)
    publisher.send(3)
    publisher.send(completion: .finished)
    #expect(recorder.history == [.subscription("Debounce"), .value(1), .value(2), .completion(.finished)])
  }

  @Test func aValueFromWithinADeliveryStartsItsOwnTime() {
    let recorder = Recorder(.unlimited)
    subscribe(recorder)
    recorder.onValue = { if $0 == 1 { self.publisher.send(2) } }
    publisher.send(1)
    scheduler.advance(by: 25)
    #expect(recorder.values == [1])
    scheduler.advance(by: 1)
    #expect(recorder.values == [1, 2])
  }

  @Test func showsWhatItKeeps() {
    let recorder = Recorder(.max(3))
    subscribe(recorder)
    func children() -> [String?: String] {
      let mirror = Mirror(reflecting: recorder.subscriptions[0])
      return Dictionary(uniqueKeysWithValues: mirror.children.map { ($0.label, "\($0.value)") })
    }
    #expect(children()["downstreamDemand"] == "max(3)")
    #expect(children()["currentValue"] == "nil")
    publisher.send(5)
    #expect(children()["currentValue"] == "Optional(5)")
    #expect(children()["downstream"] == "Optional(RecordingSubscriber)")
    #expect(publisher.subscriber?.description == "Debounce")
  }
}
