// Tests of handleEvents.

import TestKit
import Testing
import Weir

@Suite struct HandleEventsTests {
  private final class Log { var lines: [String] = [] }

  private let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
  private let recorder = RecordingSubscriber<Int, TestFailure>()
  private let log = Log()
  private var upstream: RecordingSubscription { publisher.subscription! }

  private func handled<Upstream: Publisher>(
    _ upstream: Upstream, _ tracked: LifetimeTracked? = nil
  ) -> Publishers.HandleEvents<Upstream> {
    let log = log
    func note(_ line: String) {
      tracked?.touch()
      log.lines.append(line)
    }
    return upstream.handleEvents(
      receiveSubscription: { note("\($0)") }, receiveOutput: { note("\($0)") },
      receiveCompletion: { note("\($0)") }, receiveCancel: { note("cancel") },
      receiveRequest: { note("\($0)") })
  }

  @Test func reportsEverythingBeforeItIsPassedOn() {
    recorder.demandPerValue = { .max($0) }
    recorder.onSubscription = { [log] _ in #expect(log.lines == ["RecordingSubscription"]) }
    handled(publisher).subscribe(recorder)
    #expect([0, 1, 2].map { publisher.send($0) } == [.none, .max(1), .max(2)])
    recorder.request(.max(14))
    recorder.request(.none)
    publisher.send(completion: .finished)
    #expect(
      log.lines == ["RecordingSubscription", "0", "1", "max(1)", "2", "max(2)", "max(14)", "max(0)", "finished"])
    #expect(upstream.history == [.requested(.max(14)), .requested(.none)])
  }

  @Test func passesOnWhatComesAfterTheEndWithoutReportingIt() {
    handled(publisher).subscribe(recorder)
    publisher.send(completion: .finished)
    publisher.send(completion: .failure(.first))
    recorder.demandPerValue = { .max($0) }
    #expect(publisher.send(144) == .max(144))
    recorder.request(.max(1))
    recorder.cancel()
    #expect(
      recorder.history == [
        .subscription("HandleEvents"), .completion(.finished), .completion(.failure(.first)), .value(144),
      ])
    #expect(log.lines == ["RecordingSubscription", "finished"])
    #expect(upstream.history == [])
  }

  @Test func reportsACancellationOnce() {
    recorder.initialDemand = .max(2)
    handled(publisher).subscribe(recorder)
    recorder.cancel()
    recorder.request(.max(1))
    recorder.cancel()
    publisher.send(1)
    publisher.send(completion: .finished)
    #expect(log.lines == ["RecordingSubscription", "max(2)", "cancel"])
    #expect(upstream.history == [.requested(.max(2)), .cancelled])
    #expect(recorder.history == [.subscription("HandleEvents"), .value(1), .completion(.finished)])
  }

  @Test func reportsAndCancelsFurtherSubscriptions() {
    handled(publisher).subscribe(recorder)
    let second = RecordingSubscription("second")
    publisher.send(subscription: second)
    #expect(second.history == [.cancelled])
    #expect(log.lines == ["RecordingSubscription", "second"])
  }

  @Test func reportsAndPassesOnWhatComesBeforeTheSubscription() {
    publisher.subscription = nil
    recorder.demandPerValue = { _ in .max(42) }
    handled(publisher).subscribe(recorder)
    #expect(publisher.send(1) == .max(42))
    publisher.send(completion: .finished)
    #expect(recorder.history == [.value(1), .completion(.finished)])
    #expect(log.lines == ["1", "max(42)", "finished"])
  }

  @Test func worksWithoutClosures() {
    publisher.handleEvents().subscribe(recorder)
    publisher.send(1)
    recorder.cancel()
    #expect(recorder.history == [.subscription("HandleEvents"), .value(1)])
    #expect(publisher.subscriber?.description == "HandleEvents")
    #expect(publisher.subscriber?.customMirror.children.isEmpty == true)
  }

  @Test func acceptsAValueFromWithinAReport() {
    let subject = PassthroughSubject<Int, TestFailure>()
    recorder.initialDemand = .unlimited
    subject.handleEvents(receiveOutput: { if $0 == 1 { subject.send(2) } }).subscribe(recorder)
    subject.send(1)
    #expect(recorder.values == [2, 1])
  }

  @Test func aCancellationFromWithinAReportDoesNotStopTheValue() {
    recorder.initialDemand = .unlimited
    publisher.handleEvents(receiveOutput: { [recorder] _ in recorder.cancel() }).subscribe(recorder)
    publisher.send(1)
    #expect(recorder.values == [1])
    #expect(upstream.history == [.requested(.unlimited), .cancelled])
  }

  @Test func freesItsClosuresAtTheEnd() {
    let lifetimes = Lifetimes()
    for isCancelled in [true, false] {
      let subject = PassthroughSubject<Int, TestFailure>()
      handled(subject, lifetimes.track()).subscribe(recorder)
      subject.send(1)
      #expect(lifetimes.live == 1)
      if isCancelled { recorder.cancel() } else { subject.send(completion: .finished) }
      #expect(lifetimes.live == 0)
    }
  }

  @Test func doesNotKeepItsUpstreamAlive() {
    weak var weakPublisher: ScriptedPublisher<Int, TestFailure>?
    do {
      let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
      weakPublisher = publisher
      publisher.handleEvents().subscribe(recorder)
    }
    #expect(weakPublisher == nil)
  }

  @Test func racesWithACancellation() {
    for _ in 0..<100 {
      let subject = PassthroughSubject<Int, TestFailure>()
      let cancels = Counter()
      let recorder = RecordingSubscriber<Int, TestFailure>(.unlimited)
      subject.handleEvents(receiveOutput: { _ in }, receiveCancel: { cancels.add() }, receiveRequest: { _ in })
        .subscribe(recorder)
      onThreads([
        { for value in 0..<100 { subject.send(value) } }, { recorder.cancel() }, { recorder.request(.max(1)) },
      ])
      #expect(cancels.value == 1)
    }
  }

  /// It was called within itself without end.
  @Test func aCancellationFromWithinItsClosureIsSeenOnce() {
    var cancellations = 0
    let recorder = RecordingSubscriber<Int, Never>(.unlimited)
    let subscription = RecordingSubscription()
    ScriptedPublisher<Int, Never>(subscription)
      .handleEvents(receiveCancel: {
        cancellations += 1
        if cancellations < 100 { recorder.cancel() }
      })
      .subscribe(recorder)
    recorder.cancel()
    recorder.cancel()
    #expect(cancellations == 1)
    #expect(subscription.history == [.requested(.unlimited), .cancelled])
  }
}
