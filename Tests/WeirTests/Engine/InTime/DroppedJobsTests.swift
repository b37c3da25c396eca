// Tests of schedulers that drop jobs: what these were for is left out, and nothing else.

import TestKit
import Testing

@testable import Weir

@Suite struct DroppedJobsTests {
  private let scheduler = ManualScheduler()
  private let subject = PassthroughSubject<Int, Never>()
  private let seen = Shared([String]())

  private func attach(_ publisher: some Publisher<Int, Never>) -> AnyCancellable {
    publisher.sink { _ in
      seen.value.append("end")
    } receiveValue: {
      seen.value.append("\($0)")
    }
  }

  private func send(_ values: Int...) { for value in values { subject.send(value) } }

  @Test func valuesWhoseJobsAreDroppedAreLeftOutAndNoOthers() {
    let token = attach(subject.receive(on: scheduler))
    send(1, 2, 3)
    scheduler.drop()
    send(4, 5, 6, 7)
    scheduler.drop(1, 2)
    subject.send(completion: .finished)
    scheduler.run()
    #expect(seen.value == ["4", "7", "end"])
    token.cancel()
  }

  @Test func anEndWhoseJobIsDroppedDoesNotCome() {
    let token = attach(subject.receive(on: scheduler))
    send(1)
    subject.send(completion: .finished)
    scheduler.drop(1)
    scheduler.run()
    #expect(seen.value == ["1"])
    token.cancel()
  }

  @Test func delayedValuesToo() {
    let token = attach(subject.delay(for: .seconds(1), scheduler: scheduler))
    send(1, 2)
    scheduler.drop(0)
    send(3)
    scheduler.advance(by: .seconds(1))
    #expect(seen.value == ["2", "3"])
    token.cancel()
  }

  @Test func aDroppedBatchDoesNotStopTheStream() {
    let token = attach(subject.receive(on: scheduler, options: .init(0, batch: DeliveryBatch())))
    send(1, 2)
    #expect(scheduler.waitingCount == 1)
    scheduler.drop()
    send(3)
    scheduler.run()
    send(4)
    scheduler.run()
    #expect(seen.value == ["3", "4"])
    token.cancel()
  }

  @Test func aDroppedJobThatWasToDeliverWhatOthersHadLeftDoesNotStopTheStream() {
    let publisher = ScriptedPublisher(of: Int.self, failingWith: Never.self)
    let recorder = RecordingSubscriber<Int, Never>(.unlimited)
    recorder.onSubscription = { _ in
      publisher.send(1)
      onThreads(1) { _ in scheduler.run() }
    }
    publisher.receive(on: scheduler).subscribe(recorder)
    #expect(scheduler.waitingCount == 1)
    scheduler.drop()
    for value in 2...3 { publisher.send(value) }
    scheduler.drop(0)
    scheduler.run()
    publisher.send(completion: .finished)
    scheduler.run()
    #expect(recorder.history == [.subscription("ReceiveOn"), .value(3), .completion(.finished)])
  }

  @Test func norOneOfATimedOperator() {
    let publisher = ScriptedPublisher(of: Int.self, failingWith: Never.self)
    let recorder = RecordingSubscriber<Int, Never>(.unlimited)
    recorder.onSubscription = { _ in
      publisher.send(1)
      scheduler.run()
    }
    publisher.timeout(.seconds(9), scheduler: scheduler).subscribe(recorder)
    // The job came last; timers wait, too.
    scheduler.drop(scheduler.waitingCount - 1)
    publisher.send(2)
    scheduler.run()
    publisher.send(completion: .finished)
    scheduler.run()
    #expect(recorder.history == [.subscription("Timeout"), .value(2), .completion(.finished)])
  }

  @Test func aDroppedJobThatWasToAskForWhatOthersHadLeftDoesNotStopRequests() {
    let publisher = ScriptedPublisher(of: Int.self, failingWith: Never.self)
    let recorder = RecordingSubscriber<Int, Never>()
    recorder.onSubscription = { subscription in
      subscription.request(.max(1))
      onThreads(1) { _ in scheduler.run() }
    }
    publisher.subscribe(on: scheduler).subscribe(recorder)
    scheduler.runNext()
    #expect(scheduler.waitingCount == 1)
    scheduler.drop()
    recorder.request(.max(2))
    scheduler.run()
    #expect(publisher.subscription!.history == [.requested(.max(2))])
  }

  @Test func theCancellationsJobDoesNotDoTheRequestOfADroppedOne() {
    let upstream = RecordingSubscription()
    let link = RemoteLink(scheduler: scheduler, options: nil, name: "Remote")
    #expect(link.connect(upstream))
    link.request(.max(1))
    scheduler.drop()
    link.cancel()
    scheduler.run()
    #expect(upstream.history == [.cancelled])
  }

  @Test func aPieceThatHasLeftTheQueueIsNotLeftOutOfIt() {
    let queue = DroppableQueue<Character>()
    #expect("abcdef".map { queue.append($0) } == [0, 1, 2, 3, 4, 5])
    #expect([queue.popFirst(), queue.popFirst()] == ["a", "b"])
    #expect(queue.drop(3..<5) == [])
    #expect(queue.drop(0..<1) == [2])
    #expect(queue.drop(0..<2) == [2, 5])
    #expect(queue.drop(1..<3) == [5])
    #expect(queue.goneCount == 5)
    #expect([queue.popFirst(), queue.popFirst()] == ["f", nil])
    #expect(queue.drop(5..<6) == [])
    #expect(queue.append("g") == 6)
    #expect(queue.popFirst() == "g")
  }

  @Test func whatAnotherJobHasLeftComesWhereOneIsDroppedWhoseValueThatHasDelivered() {
    let values = PassthroughSubject<Int, Never>()
    let token = attach(values.receive(on: scheduler))
    for value in 1...3 { values.send(value) }
    values.send(completion: .finished)
    // The second job delivers the first value, and the third the second.
    scheduler.runAhead(1)
    scheduler.runAhead(1)
    scheduler.drop(0)
    #expect(seen.value == ["1", "2"])
    scheduler.run()
    #expect(seen.value == ["1", "2", "3", "end"])
    token.cancel()
  }

  @Test func requestsToo() {
    let upstream = RecordingSubscription()
    let link = RemoteLink(scheduler: scheduler, options: nil, name: "Remote")
    #expect(link.connect(upstream))
    link.request(.max(1))
    link.request(.max(2))
    link.cancel()
    scheduler.runAhead(1)
    scheduler.drop(0)
    scheduler.run()
    #expect(upstream.history == [.requested(.max(1)), .requested(.max(2)), .cancelled])
  }

  @Test(arguments: ["timeout", "collect"])
  func theEndThatATimerBringsIsNotLeftOutWithAValueThatItHasDelivered(name: String) {
    let token =
      name == "timeout"
      ? attach(subject.timeout(.seconds(9), scheduler: scheduler))
      : attach(subject.collect(.byTimeOrCount(scheduler, .seconds(9), 2)).map { $0[0] })
    if name == "timeout" { send(1) } else { send(1, 2, 3) }
    // The timer.
    scheduler.runAhead()
    #expect(seen.value == ["1"])
    scheduler.drop()
    scheduler.run()
    #expect(seen.value == (name == "timeout" ? ["1", "end"] : ["1", "3"]))
    token.cancel()
  }

  @Test(arguments: ["timeout", "collect"])
  func aTimedOperatorLeavesOutTheValueWhoseJobIsDropped(name: String) {
    let token =
      name == "timeout"
      ? attach(subject.timeout(.seconds(9), scheduler: scheduler))
      : attach(subject.collect(.byTimeOrCount(scheduler, .seconds(9), 1)).map { $0[0] })
    send(1, 2)
    scheduler.drop(scheduler.waitingCount - 1)
    send(3)
    subject.send(completion: .finished)
    scheduler.run()
    #expect(seen.value == ["1", "3", "end"])
    token.cancel()
  }

  @Test func anEndOfATimedOperatorWhoseJobIsDroppedDoesNotCome() {
    let token = attach(subject.timeout(.seconds(9), scheduler: scheduler))
    send(1, 2)
    subject.send(completion: .finished)
    scheduler.drop(scheduler.waitingCount - 1)
    scheduler.run()
    #expect(seen.value == ["1", "2"])
    token.cancel()
  }

  @Test(arguments: ["receive", "delay", "timeout", "throttle", "collect"])
  func whatIsLeftOutIsFreedAtOnce(name: String) {
    let lifetimes = Lifetimes()
    let objects = PassthroughSubject<LifetimeTracked, Never>()
    let all: [String: AnyPublisher<LifetimeTracked, Never>] = [
      "receive": objects.receive(on: scheduler).eraseToAnyPublisher(),
      "delay": objects.delay(for: .seconds(1), scheduler: scheduler).eraseToAnyPublisher(),
      "timeout": objects.timeout(.seconds(9), scheduler: scheduler).eraseToAnyPublisher(),
      "throttle": objects.throttle(for: .seconds(1), scheduler: scheduler, latest: true).eraseToAnyPublisher(),
      "collect": objects.collect(.byTimeOrCount(scheduler, .seconds(9), 1)).map { $0[0] }.eraseToAnyPublisher(),
    ]
    var numbers: [Int] = []
    let token = all[name]!.sink { numbers.append($0.number) }
    objects.send(lifetimes.track(1))
    if name == "throttle" { scheduler.drop() }
    for number in 2..<100 {
      objects.send(lifetimes.track(number))
      // But for throttle the first one waits still, so that this one is not the first in a queue.
      scheduler.drop(scheduler.waitingCount - 1)
    }
    #expect(lifetimes.live == (name == "throttle" ? 0 : 1))
    scheduler.advance(by: .seconds(1))
    #expect(numbers == (name == "throttle" ? [] : [1]))
    #expect(lifetimes.live == 0)
    token.cancel()
  }

  @Test func throttleCountsAValueThatIsLeftOutAsNotAskedFor() {
    let recorder = RecordingSubscriber<Int, Never>(.max(1))
    subject.throttle(for: .seconds(1), scheduler: scheduler, latest: true).subscribe(recorder)
    send(1)
    scheduler.drop()
    send(2)
    scheduler.run()
    send(3)
    scheduler.advance(by: .seconds(2))
    #expect(recorder.history == [.subscription("Throttle"), .value(2)])
  }
}
