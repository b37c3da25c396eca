// Tests of throttle, in virtual time.

import TestKit
import Testing
import Weir

@Suite struct ThrottleTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let scheduler = ManualScheduler()
  private let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private var upstream: RecordingSubscription { publisher.subscription! }

  private func subscribe(_ recorder: Recorder, latest: Bool = true) {
    publisher.throttle(for: 60, scheduler: scheduler, latest: latest).subscribe(recorder)
  }

  @Test func publishesTheNewestOfEachInterval() {
    let recorder = Recorder(.max(100), perValue: .max(12))
    subscribe(recorder)
    #expect(recorder.history == [.subscription("Throttle")])
    #expect(upstream.history == [.requested(.unlimited)])
    for value in 1...3 { #expect(publisher.send(value) == .none) }
    #expect(recorder.values == [])
    #expect(scheduler.scheduledCount == 1)
    scheduler.run()
    #expect(recorder.values == [3])
    publisher.send(4)
    scheduler.advance(by: 30)
    publisher.send(5)
    scheduler.advance(by: 29)
    #expect(recorder.values == [3])
    scheduler.advance(by: 1)
    #expect(recorder.values == [3, 5])
    #expect(scheduler.scheduledCount == 2)
    #expect(upstream.history == [.requested(.unlimited)])
  }

  @Test func publishesTheFirstOfEachInterval() {
    let recorder = Recorder(.unlimited)
    subscribe(recorder, latest: false)
    for value in 1...3 { publisher.send(value) }
    scheduler.run()
    for value in 4...6 { publisher.send(value) }
    scheduler.advance(by: 60)
    #expect(recorder.values == [1, 4])
  }

  @Test func aValueAfterALongSilenceIsPublishedAtOnce() {
    let recorder = Recorder(.unlimited)
    subscribe(recorder, latest: false)
    publisher.send(0)
    scheduler.run()
    scheduler.advance(by: 45)
    publisher.send(1)
    scheduler.run()
    #expect(recorder.values == [0])
    scheduler.advance(by: 15)
    #expect(recorder.values == [0, 1])
    scheduler.advance(by: 61)
    publisher.send(2)
    #expect(recorder.values == [0, 1])
    scheduler.run()
    #expect(recorder.values == [0, 1, 2])
  }

  @Test func valuesWithoutDemandAreDropped() {
    let recorder = Recorder(.max(2))
    subscribe(recorder, latest: false)
    publisher.send(1)
    publisher.send(5)
    scheduler.run()
    publisher.send(2)
    scheduler.advance(by: 60)
    publisher.send(3)
    scheduler.advance(by: 600)
    #expect(recorder.values == [1, 2])
    recorder.request(.none)
    recorder.request(.max(1))
    publisher.send(4)
    scheduler.run()
    #expect(recorder.values == [1, 2, 4])
  }

  @Test func receivesNothingWithoutDemand() {
    let recorder = Recorder()
    subscribe(recorder)
    publisher.send(1)
    scheduler.run()
    #expect(recorder.history == [.subscription("Throttle")])
    #expect(upstream.history == [.requested(.unlimited)])
  }

  @Test func theCompletionWaitsForTheValueBeforeIt() {
    let recorder = Recorder(.unlimited)
    subscribe(recorder)
    publisher.send(-1)
    scheduler.run()
    publisher.send(1000)
    publisher.send(completion: .failure(.first))
    publisher.send(completion: .finished)
    publisher.send(5)
    scheduler.advance(by: 59)
    #expect(recorder.values == [-1])
    scheduler.advance(by: 1)
    #expect(
      recorder.history == [
        .subscription("Throttle"), .value(-1), .value(1000), .completion(.failure(.first)),
      ])
    #expect(upstream.history == [.requested(.unlimited)])
  }

  @Test func aCompletionAloneIsScheduledAtOnce() {
    let recorder = Recorder()
    subscribe(recorder)
    publisher.send(completion: .failure(.first))
    #expect(recorder.completions == [])
    scheduler.run()
    #expect(recorder.history == [.subscription("Throttle"), .completion(.failure(.first))])
    #expect(upstream.history == [.requested(.unlimited)])
  }

  @Test func cancellingDropsWhatIsDue() {
    let recorder = Recorder(.unlimited)
    subscribe(recorder)
    publisher.send(1)
    recorder.cancel()
    recorder.request(.max(1))
    recorder.cancel()
    publisher.send(2)
    publisher.send(completion: .finished)
    scheduler.advance(by: 100)
    #expect(recorder.history == [.subscription("Throttle")])
    #expect(upstream.history == [.requested(.unlimited), .cancelled])
    #expect(scheduler.scheduledCount == 1)
  }

  @Test func cancellingWhileTheCompletionIsDueCancelsTheUpstreamToo() {
    let recorder = Recorder(.unlimited)
    subscribe(recorder)
    publisher.send(completion: .finished)
    recorder.cancel()
    scheduler.run()
    #expect(recorder.history == [.subscription("Throttle")])
    #expect(upstream.history == [.requested(.unlimited), .cancelled])
  }

  @Test func cancellingWithinAValue() {
    let recorder = Recorder(.unlimited, perValue: .max(42))
    recorder.onValue = { _ in recorder.cancel() }
    subscribe(recorder)
    publisher.send(1)
    scheduler.run()
    publisher.send(2)
    scheduler.advance(by: 100)
    #expect(recorder.history == [.subscription("Throttle"), .value(1)])
    #expect(upstream.history == [.requested(.unlimited), .cancelled])
  }

  @Test func acceptsValuesFromWithinADelivery() {
    let recorder = Recorder(.unlimited, perValue: .max(418))
    publisher.throttle(for: 60, scheduler: ImmediateScheduler.shared, latest: true).subscribe(recorder)
    var left = 5
    recorder.onValue = { _ in
      if left == 0 { return }
      left -= 1
      self.publisher.send(-1)
    }
    publisher.send(0)
    #expect(recorder.values == [0, -1, -1, -1, -1, -1])
    recorder.onCompletion = { _ in self.publisher.send(completion: .failure(.second)) }
    publisher.send(completion: .finished)
    #expect(recorder.completions == [.finished])
  }

  @Test func deliversTheValueOfAPublisherThatSendsOnRequest() {
    let recorder = RecordingSubscriber<Int, Never>(.unlimited)
    Just(1).throttle(for: 60, scheduler: scheduler, latest: true).subscribe(recorder)
    scheduler.run()
    #expect(recorder.history == [.subscription("Throttle"), .value(1), .completion(.finished)])
  }

  @Test func describesItself() {
    let recorder = Recorder()
    subscribe(recorder)
    #expect(publisher.subscriber?.description == "Throttle")
    #expect("\(recorder.subscriptions[0])" == "Throttle")
    #expect(Mirror(reflecting: recorder.subscriptions[0]).children.isEmpty)
  }
}
