// Tests of values gathered by time, and by time or count, in virtual time.

import TestKit
import Testing
import Weir

@Suite struct CollectByTimeTests {
  typealias Recorder = RecordingSubscriber<[Int], TestFailure>

  private let scheduler = ManualScheduler()
  private let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private var upstream: RecordingSubscription { publisher.subscription! }

  private func subscribe(_ recorder: Recorder, count: Int? = nil) {
    let options = ManualScheduler.SchedulerOptions(7)
    if let count {
      publisher.collect(.byTimeOrCount(scheduler, 10, count), options: options).subscribe(recorder)
    } else {
      publisher.collect(.byTime(scheduler, 10), options: options).subscribe(recorder)
    }
  }

  // MARK: By time

  @Test func publishesWhatEachIntervalBrings() {
    let recorder = Recorder(.unlimited)
    subscribe(recorder)
    #expect(recorder.history == [.subscription("CollectByTime")])
    publisher.send(1)
    publisher.send(2)
    scheduler.advance(by: 9)
    #expect(recorder.values == [])
    scheduler.advance(by: 1)
    #expect(recorder.values == [[1, 2]])
    scheduler.advance(by: 30)
    publisher.send(3)
    scheduler.advance(by: 10)
    #expect(recorder.values == [[1, 2], [3]])
    #expect(scheduler.options.first == ManualScheduler.SchedulerOptions(7))
  }

  @Test(arguments: [nil, 2]) func theUpstreamIsAskedWhenTheSubscriptionIsDelivered(_ count: Int?) {
    let recorder = Recorder()
    recorder.onSubscription = { subscription in
      subscription.request(.max(3))
      #expect(upstream.history == [])
    }
    subscribe(recorder, count: count)
    let asked: Subscribers.Demand = count == nil ? .max(1) : .max(6)
    #expect(upstream.history == [.requested(asked)])
  }

  @Test func whatIsGatheredPrecedesTheFinish() {
    let recorder = Recorder(.unlimited)
    subscribe(recorder)
    publisher.send(1)
    publisher.send(2)
    publisher.send(completion: .finished)
    publisher.send(3)
    #expect(recorder.history == [.subscription("CollectByTime")])
    scheduler.run()
    #expect(recorder.history == [.subscription("CollectByTime"), .value([1, 2]), .completion(.finished)])
    #expect(!upstream.history.contains(.cancelled))
  }

  /// The scheduler of the others may drop jobs.
  @Test func soItDoesOnASchedulerThatRunsEveryJob() {
    let loose = LooseScheduler()
    let recorder = Recorder(.unlimited)
    publisher.collect(.byTime(loose, 10)).subscribe(recorder)
    publisher.send(1)
    publisher.send(2)
    publisher.send(completion: .finished)
    // After the timer.
    loose.run(1)
    #expect(recorder.history == [.subscription("CollectByTime"), .value([1, 2]), .completion(.finished)])
  }

  @Test func aFailureDropsWhatIsGathered() {
    let recorder = Recorder(.unlimited)
    subscribe(recorder)
    publisher.send(1)
    publisher.send(completion: .failure(.first))
    #expect(recorder.history == [.subscription("CollectByTime")])
    scheduler.advance(by: 100)
    #expect(recorder.history == [.subscription("CollectByTime"), .completion(.failure(.first))])
  }

  @Test func asksForOneValueAfterTheOther() {
    let recorder = Recorder(.max(2))
    subscribe(recorder)
    #expect(upstream.history == [.requested(.max(1))])
    #expect(publisher.send(1) == .max(1))
    #expect(publisher.send(2) == .max(1))
    recorder.request(.max(5))
    recorder.request(.none)
    #expect(upstream.history == [.requested(.max(1)), .requested(.max(1))])
  }

  @Test func valuesWaitForDemand() {
    let recorder = Recorder(.max(1))
    recorder.demandPerValue = { $0 == [3, 4] ? .max(1) : .none }
    subscribe(recorder)
    for value in 1...4 {
      publisher.send(value)
      if value != 3 { scheduler.advance(by: 10) }
    }
    #expect(recorder.values == [[1]])
    recorder.request(.max(1))
    scheduler.advance(by: 10)
    #expect(recorder.values == [[1], [2, 3, 4]])
    publisher.send(5)
    scheduler.advance(by: 10)
    publisher.send(completion: .finished)
    scheduler.run()
    #expect(recorder.values == [[1], [2, 3, 4], [5]])
    #expect(recorder.completions == [.finished])
  }

  @Test func returnedDemandCounts() {
    let recorder = Recorder(.max(1), perValue: .max(1))
    subscribe(recorder)
    for value in 1...3 {
      publisher.send(value)
      scheduler.advance(by: 10)
    }
    #expect(recorder.values == [[1], [2], [3]])
    #expect(upstream.history == [.requested(.max(1))])
  }

  // MARK: By time or count

  @Test func publishesFullArraysAndWhatEachIntervalBrings() {
    let recorder = Recorder(.unlimited)
    subscribe(recorder, count: 2)
    for value in 1...3 { #expect(publisher.send(value) == .none) }
    #expect(recorder.values == [])
    scheduler.run()
    #expect(recorder.values == [[1, 2]])
    scheduler.advance(by: 10)
    #expect(recorder.values == [[1, 2], [3]])
    for value in 4...8 { publisher.send(value) }
    scheduler.advance(by: 10)
    publisher.send(completion: .finished)
    scheduler.run()
    #expect(
      recorder.history == [
        .subscription("CollectByTime"), .value([1, 2]), .value([3]), .value([4, 5]), .value([6, 7]), .value([8]),
        .completion(.finished),
      ])
  }

  /// It began the interval anew, as CombineX does and Combine doesn't.
  @Test func aFullArrayLeavesTheIntervalAlone() {
    let recorder = Recorder(.unlimited)
    subscribe(recorder, count: 2)
    scheduler.advance(by: 8)
    for value in 1...3 { publisher.send(value) }
    scheduler.advance(by: 1)
    #expect(recorder.values == [[1, 2]])
    scheduler.advance(by: 1)
    #expect(recorder.values == [[1, 2], [3]])
    publisher.send(4)
    scheduler.advance(by: 10)
    #expect(recorder.values == [[1, 2], [3], [4]])
  }

  @Test func asksForAsManyValuesAsFullArraysHold() {
    let recorder = Recorder(.max(2))
    recorder.demandPerValue = { $0 == [0, 1] ? .max(1) : $0.contains(2) ? .max(5) : .none }
    subscribe(recorder, count: 2)
    #expect(upstream.history == [.requested(.max(4))])
    for value in 0..<6 {
      if value % 3 == 0 { scheduler.advance(by: 10) }
      #expect(publisher.send(value) == .none)
    }
    scheduler.advance(by: 10)
    #expect(recorder.values == [[0, 1], [2], [3, 4], [5]])
    #expect(upstream.history == [.requested(.max(4)), .requested(.max(2))])
    recorder.request(.unlimited)
    #expect(upstream.history == [.requested(.max(4)), .requested(.max(2)), .requested(.unlimited)])
  }

  // MARK: Both

  @Test(arguments: [nil, 3]) func cancellingDropsWhatIsGatheredAndStopsTheTime(_ count: Int?) {
    let recorder = Recorder(.unlimited)
    subscribe(recorder, count: count)
    publisher.send(1)
    recorder.cancel()
    recorder.cancel()
    publisher.send(2)
    scheduler.advance(by: 100)
    publisher.send(completion: .finished)
    scheduler.advance(by: 100)
    #expect(recorder.history == [.subscription("CollectByTime")])
    #expect(upstream.history.last == .cancelled)
    #expect(scheduler.waitingCount == 0)
  }

  @Test(arguments: [nil, 3]) func theTimerStopsAtTheEnd(_ count: Int?) {
    let recorder = Recorder(.unlimited)
    subscribe(recorder, count: count)
    publisher.send(completion: .finished)
    scheduler.advance(by: 100)
    #expect(recorder.history == [.subscription("CollectByTime"), .completion(.finished)])
    #expect(scheduler.waitingCount == 0)
  }

  @Test func describesItself() {
    let recorder = Recorder()
    subscribe(recorder)
    #expect(publisher.subscriber?.description == "CollectByTime")
    #expect("\(recorder.subscriptions[0])" == "CollectByTime")
    #expect(Mirror(reflecting: recorder.subscriptions[0]).children.isEmpty)
  }
}
