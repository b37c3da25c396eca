// Tests of the context of what streams within a stream publish.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct CarryingIntoStreamsTests {
  private let subject = PassthroughSubject<Int, TestFailure>()
  private let log = Log<String>()
  private let inner = (PassthroughSubject<String, TestFailure>(), PassthroughSubject<String, TestFailure>())

  private func stream(of value: Int) -> PassthroughSubject<String, TestFailure> { value == 1 ? inner.0 : inner.1 }

  @Test func aStreamsValuesComeInTheContextOfTheValueItWasMadeOf() {
    let sink = subject.carrying(Sender.$id).flatMap { stream(of: $0) }.noted(in: log)
    by("a") { subject.send(1) }
    by("b") { subject.send(2) }
    by("loader") {
      inner.1.send("y")
      inner.0.send("x")
      inner.0.send(completion: .finished)
      inner.1.send(completion: .failure(.first))
    }
    #expect(log.all == ["y b", "x a", "failure b"])
    sink.cancel()
  }

  @Test func theEndComesInTheContextOfTheOuterStreams() {
    let sink = subject.carrying(Sender.$id).flatMap { stream(of: $0) }.noted(in: log)
    by("a") { subject.send(1) }
    by("c") { subject.send(completion: .finished) }
    by("loader") { inner.0.send(completion: .finished) }
    #expect(log.all == ["end c"])
    sink.cancel()
  }

  /// Of a stream that is asked for one value at a time, whoever asks for the next one delivers it.
  @Test func alsoWhereAValueWaitsForDemand() {
    let recorder = RecordingSubscriber<Int, TestFailure>()
    recorder.onValue = { [log] in log.add("\($0) \(Sender.id)") }
    subject.carrying(Sender.$id).flatMap { [$0, $0 + 1].publisher.setFailureType(to: TestFailure.self) }
      .subscribe(recorder)
    by("a") { recorder.request(.max(1)) }
    by("b") { subject.send(1) }
    by("c") { recorder.request(.max(1)) }
    #expect(log.all == ["1 b", "2 b"])
    recorder.cancel()
  }

  @Test func theStreamIsMadeAndSubscribedToInTheContextToo() {
    let log = log
    let sink = subject.carrying(Sender.$id).buffer(size: 9, prefetch: .byRequest, whenFull: .dropNewest)
      .flatMap(maxPublishers: .max(1)) { value in
        log.add("make \(value) \(Sender.id)")
        return Deferred {
          log.add("subscribe \(value) \(Sender.id)")
          return stream(of: value)
        }
      }.noted(in: log)
    by("a") { subject.send(1) }
    by("b") { subject.send(2) }
    by("loader") { inner.0.send(completion: .finished) }
    #expect(log.all == ["make 1 a", "subscribe 1 a", "make 2 b", "subscribe 2 b"])
    sink.cancel()
  }

  @Test func theNewestStreamHasTheContextOfItsValue() {
    let sink = subject.carrying(Sender.$id).flatMapLatest { stream(of: $0) }.noted(in: log)
    by("a") { subject.send(1) }
    by("loader") { inner.0.send("x") }
    by("b") { subject.send(2) }
    by("loader") {
      inner.0.send("late")
      inner.1.send("y")
    }
    #expect(log.all == ["x a", "y b"])
    sink.cancel()
  }

  @Test func theFirstStreamHasTheContextOfItsValue() {
    let sink = subject.carrying(Sender.$id).flatMapFirst { stream(of: $0) }.noted(in: log)
    by("a") { subject.send(1) }
    by("b") { subject.send(2) }
    by("loader") { inner.0.send("x") }
    by("c") { subject.send(completion: .finished) }
    by("loader") { inner.0.send(completion: .finished) }
    #expect(log.all == ["x a", "end c"])
    sink.cancel()
  }

  @Test func ofStreamsThatAreSentTheContextIsThatOfTheirSender() {
    let streams = PassthroughSubject<PassthroughSubject<String, TestFailure>, TestFailure>()
    let sink = streams.carrying(Sender.$id).switchToLatest().noted(in: log)
    by("a") { streams.send(inner.0) }
    by("loader") { inner.0.send("x") }
    #expect(log.all == ["x a"])
    sink.cancel()
  }

  /// Whichever of the streams can fail.
  @Test func allFormsCarry() {
    let (safe, never) = (PassthroughSubject<Int, Never>(), PassthroughSubject<String, Never>())
    let failing = inner.0
    let sinks = [
      subject.carrying(Sender.$id).flatMap { _ in never }.carried(in: log),
      safe.carrying(Sender.$id).flatMap { _ in failing }.carried(in: log),
      safe.carrying(Sender.$id).flatMap { _ in never }.carried(in: log),
      subject.carrying(Sender.$id).flatMapLatest { _ in never }.carried(in: log),
      safe.carrying(Sender.$id).flatMapLatest { _ in never }.carried(in: log),
      subject.carrying(Sender.$id).flatMapFirst { _ in failing }.carried(in: log),
      subject.carrying(Sender.$id).map { _ in never }.switchToLatest().carried(in: log),
      safe.carrying(Sender.$id).map { _ in failing }.switchToLatest().carried(in: log),
      safe.carrying(Sender.$id).map { _ in never }.switchToLatest().carried(in: log),
    ]
    by("a") {
      subject.send(1)
      safe.send(1)
    }
    by("loader") {
      never.send("x")
      failing.send("x")
    }
    #expect(log.all == sinks.map { _ in "x a" })
  }

  /// There the compiler does not know what the closure makes before it has chosen a form of `flatMap`.
  @Test func alsoWithAClosureOfSeveralStatementsWhoseValuesAreTakenAsOnesOfAnyType() {
    let (log, inner) = (log, inner.0)
    let note = { (value: Any) in log.add("\(value) \(Sender.id)") }
    let sink = subject.carrying(Sender.$id).flatMap { value in
      log.add("make \(value)")
      return inner
    }.sink(receiveCompletion: { _ in }, receiveValue: { note($0) })
    by("a") { subject.send(1) }
    by("loader") { inner.send("x") }
    #expect(log.all == ["make 1", "x a"])
    sink.cancel()
  }
}

extension ContextCarrying {
  /// As `noted`, of a stream that is known to carry.
  fileprivate func carried(in log: Log<String>) -> AnyCancellable { noted(in: log) }
}
