// Tests of `carrying`.

import Dispatch
import TestKit
import Testing
import Weir
import WeirDispatch
import WeirExtras

@Suite struct CarryingTests {
  private let subject = PassthroughSubject<Int, TestFailure>()
  private let scheduler = ManualScheduler()
  private let log = Log<String>()

  /// What `carrying` is for: without it, the context is that of who runs the scheduler.
  @Test func withoutAMarkTheContextIsLost() {
    let sink = subject.receive(on: scheduler).noted(in: log)
    by("a") { subject.send(1) }
    by("runner") { scheduler.run() }
    #expect(log.all == ["1 runner"])
    sink.cancel()
  }

  @Test func aStreamOfNetworkStatesKeepsTheMark() {
    let sink = subject.carrying(Sender.$id).mapToNetworkState().dropFirst().receive(on: scheduler).sink { [log] _ in
      log.add(Sender.id)
    }
    by("a") { subject.send(1) }
    scheduler.run()
    #expect(log.all == ["a"])
    sink.cancel()
  }

  @Test func theContextIsThatOfTheSenderAndNotOfTheSubscriber() {
    let sink = by("subscriber") { subject.carrying(Sender.$id).receive(on: scheduler).noted(in: log) }
    by("a") { subject.send(1) }
    subject.send(2)
    by("runner") { scheduler.run() }
    #expect(log.all == ["1 a", "2 nobody"])
    by("runner") { #expect(Sender.id == "runner") }
    sink.cancel()
  }

  @Test func severalAreCarriedTogether() {
    let stream = subject.carrying(Sender.$id, Sender.$span).receive(on: scheduler)
    let sink = stream.map { "\($0) \(Sender.span)" }.noted(in: log)
    by("a", span: 7) { subject.send(1) }
    scheduler.run()
    #expect(log.all == ["1 7 a"])
    sink.cancel()
  }

  @Test func aFurtherOneIsAdded() {
    let first = subject.carrying(Sender.$id).map { $0 }.carrying(Sender.$span)
    let second = subject.carrying(Sender.$span).carrying(Sender.$id, Sender.$span)
    let sinks = [
      first.receive(on: scheduler).map { "\($0) \(Sender.span)" }.noted(in: log),
      second.receive(on: scheduler).map { "\($0) \(Sender.span)" }.noted(in: log),
    ]
    by("a", span: 7) { subject.send(1) }
    scheduler.run()
    #expect(log.all == ["1 7 a", "1 7 a"])
    withExtendedLifetime(sinks) {}
  }

  /// An erased type has no mark, but what is bound there can be marked again.
  @Test func anErasedStreamIsMarkedAgain() {
    let erased = subject.carrying(Sender.$id).receive(on: scheduler).eraseToAnyPublisher()
    let sinks = [
      erased.receive(on: scheduler).noted(in: log),
      erased.carrying(Sender.$id).receive(on: scheduler).noted(in: log),
    ]
    by("a") { subject.send(1) }
    scheduler.run()
    #expect(log.all.sorted() == ["1 a", "1 nobody"])
    withExtendedLifetime(sinks) {}
  }

  @Test func theMarkPassesEverythingOn() {
    let source = ScriptedPublisher<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, TestFailure>(.max(1), perValue: .max(2))
    source.carrying(Sender.$id).subscribe(recorder)
    #expect(source.send(1) == .max(2))
    source.send(completion: .failure(.first))
    recorder.cancel()
    #expect(source.subscription?.history == [.requested(.max(1)), .cancelled])
    #expect(recorder.values == [1])
    #expect(recorder.completions == [.failure(.first)])
  }

  // MARK: Across operators of any kind

  @Test func demandAndCancellationPassAnEdge() {
    let source = ScriptedPublisher<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, TestFailure>(.max(1), perValue: .max(2))
    source.carrying(Sender.$id) { $0.filter { $0.value > 0 } }.subscribe(recorder)
    #expect(source.send(1) == .max(2))
    #expect(source.send(0) == .max(1))
    recorder.request(.max(3))
    recorder.cancel()
    #expect(source.subscription?.history == [.requested(.max(1)), .requested(.max(3)), .cancelled])
    #expect(recorder.values == [1])
  }

  @Test func operatorsWithinChangeValuesInTheirContext() {
    let sink = subject.carrying(Sender.$id) {
      $0.receive(on: scheduler).map { $0.map { "\($0) of \(Sender.id)" } }.delay(for: 1, scheduler: scheduler)
    }.noted(in: log)
    by("a") { subject.send(1) }
    scheduler.advance(by: 5)
    #expect(log.all == ["1 of a a"])
    sink.cancel()
  }

  @Test func eachSubscriberHasAStreamOfItsOwn() {
    let made = Counter()
    let stream = subject.carrying(Sender.$id) { pairs in
      made.add()
      return pairs.share()
    }
    let sinks = [stream.noted(in: log), stream.noted(in: log)]
    #expect(made.value == 2)
    by("a") { subject.send(completion: .finished) }
    #expect(log.all == ["end a", "end a"])
    withExtendedLifetime(sinks) {}
  }

  /// A thread that hands its value over does so with the context.
  @Test func valuesThatAreHandedOverWhereStreamsMeet() {
    let other = PassthroughSubject<Int, TestFailure>()
    let log = log
    let merged = subject.carrying(Sender.$id) {
      $0.merge(with: other.capturing(Sender.$id)).contention(.handOver)
    }
    let sink = merged.sink(
      receiveCompletion: { _ in },
      receiveValue: { value in
        log.add("\(value) \(Sender.id)")
        if value == 1 { onThreads(1) { _ in by("b") { other.send(2) } } }
      })
    by("a") { subject.send(1) }
    #expect(log.all == ["1 a", "2 b"])
    sink.cancel()
  }

  /// What fails within the closure alone has no sender.
  @Test func anEndOfAnEdgeItselfComesAsItDoes() {
    let sink = subject.carrying(Sender.$id) { $0.receive(on: scheduler).prefix(1) }.noted(in: log)
    by("a") { subject.send(1) }
    by("runner") { scheduler.run() }
    #expect(log.all == ["1 a", "end runner"])
    sink.cancel()
  }

  @Test func aFailureOfAnEdgeComesInTheContextOfTheOneBeforeIt() {
    let other = PassthroughSubject<Int, TestFailure>()
    let sink = subject.carrying(Sender.$id) { $0.catch { _ in other.capturing(Sender.$id) } }.noted(in: log)
    by("a") { subject.send(completion: .failure(.first)) }
    by("b") { other.send(1) }
    by("b") { other.send(completion: .failure(.second)) }
    #expect(log.all == ["1 b", "failure a"])
    sink.cancel()
  }

  @Test func nothingIsKeptAfterTheEnd() {
    let lifetimes = Lifetimes()
    do {
      let subject = PassthroughSubject<LifetimeTracked, TestFailure>()
      let stream = subject.carrying(Kept.$object).receive(on: scheduler).delay(for: 1, scheduler: scheduler)
      let sink = stream.sink(receiveCompletion: { _ in }, receiveValue: { $0.touch() })
      Kept.$object.withValue(lifetimes.track()) {
        subject.send(lifetimes.track())
        subject.send(completion: .finished)
      }
      scheduler.advance(by: 5)
      withExtendedLifetime(sink) {}
    }
    #expect(lifetimes.live == 0)
  }

  private enum Kept {
    @TaskLocal static var object: LifetimeTracked?
  }

  /// A value that is sent within a delivery is sent in the context of that.
  @Test func aNestedValueComesInTheContextItIsSentIn() {
    let (subject, log) = (subject, log)
    let sink = subject.carrying(Sender.$id).receive(on: scheduler).sink(
      receiveCompletion: { _ in },
      receiveValue: { value in
        log.add("\(value) \(Sender.id)")
        if value == 1 { subject.send(2) }
        if value == 2 { by("b") { subject.send(3) } }
      })
    by("a") { subject.send(1) }
    by("runner") { scheduler.run() }
    #expect(log.all == ["1 a", "2 a", "3 b"])
    sink.cancel()
  }

  @Test func whatIsSentWithinADeliveryOfAReplaySubjectComesInItsContext() {
    let (replay, log) = (ReplaySubject<Int, Never>(bufferSize: 1), log)
    let sink = replay.carrying(Sender.$id).receive(on: scheduler).noted(in: log)
    let sending = replay.filter { $0 == 1 }.sink { _ in by("b") { replay.send(2) } }
    by("a") { replay.send(1) }
    scheduler.run()
    #expect(log.all == ["1 a", "2 a"])
    withExtendedLifetime((sink, sending)) {}
  }

  /// Jobs that run at once leave their value to the one that is at work: it has another context.
  @Test func onConcurrentQueuesToo() {
    let (subject, wrong, count) = (PassthroughSubject<Int, Never>(), Counter(), Counter())
    let sink = subject.carrying(Sender.$id).receive(on: DispatchQueue.global()).map { $0 }
      .delay(for: .nanoseconds(1), scheduler: DispatchQueue.global())
      .sink { value in
        if Sender.id != "\(value)" { wrong.add() }
        count.add()
      }
    onThreads(4) { number in
      for index in 0..<500 {
        let value = number * 500 + index
        by("\(value)") { subject.send(value) }
      }
    }
    while count.value < 2_000 { yieldThread() }
    #expect(wrong.value == 0)
    sink.cancel()
  }
}
