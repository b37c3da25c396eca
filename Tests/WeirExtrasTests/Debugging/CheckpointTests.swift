// Tests of places in streams that have a name.

import TestKit
import Testing
import Weir
import WeirExtras

@Suite struct CheckpointTests {
  private let subject = PassthroughSubject<Int, TestFailure>()
  private let log = Log<String>()

  /// The places that what is being delivered has come past.
  private static var passed: [String] { StreamCheckpoint.passed.map(\.name) }

  /// Logs the places of each signal that a stream delivers.
  private func logging(_ stream: some Publisher) -> AnyCancellable {
    let log = log
    return stream.sink { completion in
      guard case .failure = completion else { return log.add("end \(Self.passed)") }
      log.add("failure \(Self.passed)")
    } receiveValue: {
      log.add("\($0) \(Self.passed)")
    }
  }

  @Test func aSinkIsToldWhatAFailureHasComePast() {
    let sink = logging(subject.checkpoint("first").map { $0 + 1 }.checkpoint("second"))
    subject.send(1)
    subject.send(completion: .failure(.first))
    #expect(log.all == [#"2 ["first", "second"]"#, #"failure ["first", "second"]"#])
    #expect(StreamCheckpoint.passed.isEmpty)
    sink.cancel()
  }

  @Test func aPlaceTellsItsNameFileAndLine() {
    let checkpoint = Just(1).checkpoint("here", file: "Shop/Orders.swift", line: 12).checkpoint
    #expect(checkpoint.name == "here")
    #expect("\(checkpoint.file)" == "Shop/Orders.swift")
    #expect(checkpoint.line == 12)
    #expect(checkpoint.description == #""here" (Shop/Orders.swift:12)"#)
    let line: UInt = #line + 1
    let own = Just(1).checkpoint("own").checkpoint
    #expect(own.line == line)
    #expect("\(own.file)" == "WeirExtrasTests/CheckpointTests.swift")
  }

  @Test func anErrorThatIsThrownForAValueHasThePlacesOfTheValue() {
    let sink = logging(
      subject.checkpoint("before").tryMap { (_: Int) throws -> Int in throw TestFailure.first }.checkpoint("behind"))
    subject.send(1)
    #expect(log.all == [#"failure ["before", "behind"]"#])
    sink.cancel()
  }

  @Test func anEndAndWhatFollowsItHaveNone() {
    let sink = logging(
      Empty<Int, TestFailure>().checkpoint("finished").append(Fail(error: .first)).checkpoint("behind"))
    #expect(log.all == [#"failure ["behind"]"#])
    sink.cancel()
    let end = logging(Empty<Int, TestFailure>().checkpoint("finished"))
    #expect(log.all.last == "end []")
    end.cancel()
  }

  @Test func anotherFailureThatIsSentWithinHasBothPlaces() {
    let inner = PassthroughSubject<Int, TestFailure>()
    let listening = logging(inner.checkpoint("inner"))
    let outer = subject.checkpoint("outer").sink { _ in
    } receiveValue: { _ in
      inner.send(completion: .failure(.second))
    }
    subject.send(1)
    #expect(log.all == [#"failure ["outer", "inner"]"#])
    listening.cancel()
    outer.cancel()
  }

  @Test func aFailureKeepsItsPlacesOnSchedulersAndInBuffers() {
    let scheduler = ManualScheduler()
    let marked = subject.checkpoint("before")
    let sinks = [
      logging(marked.receive(on: scheduler).checkpoint("behind")),
      logging(marked.delay(for: .seconds(1), scheduler: scheduler)),
      logging(marked.timeout(.seconds(9), scheduler: scheduler)),
      logging(marked.debounce(for: .seconds(1), scheduler: scheduler)),
      logging(marked.throttle(for: .seconds(1), scheduler: scheduler, latest: true)),
    ]
    let recorder = RecordingSubscriber<String, TestFailure>(Subscribers.Demand.none)
    let log = log
    marked.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest)
      .handleEvents(receiveCompletion: { _ in log.add("buffer \(Self.passed)") })
      .map { "\($0)" }
      .subscribe(recorder)
    subject.send(completion: .failure(.first))
    scheduler.advance(by: .seconds(2))
    #expect(log.all.filter { $0 == #"failure ["before"]"# }.count == 4)
    #expect(log.all.contains(#"failure ["before", "behind"]"#))
    #expect(log.all.contains(#"buffer ["before"]"#))
    #expect(StreamCheckpoint.passed.isEmpty)
    for sink in sinks { sink.cancel() }
  }

  @Test func theFailureOfABufferHasThePlacesOfTheValueThatFoundNoRoom() {
    let recorder = RecordingSubscriber<Int, TestFailure>(Subscribers.Demand.none)
    let log = log
    subject.checkpoint("before").buffer(size: 1, prefetch: .byRequest, whenFull: .customError { .second })
      .handleEvents(receiveCompletion: { _ in log.add("\(Self.passed)") })
      .subscribe(recorder)
    for value in 1...2 { subject.send(value) }
    recorder.request(.unlimited)
    #expect(recorder.history.dropFirst() == [.value(1), .completion(.failure(.second))])
    #expect(log.all == [#"["before"]"#])
  }

  @Test func whatIsCancelledLeavesNothingBehind() {
    let scheduler = ManualScheduler()
    logging(subject.checkpoint("cancelled").receive(on: scheduler)).cancel()
    let cancelled = logging(subject.checkpoint("cancelled").receive(on: scheduler))
    subject.send(completion: .failure(.first))
    cancelled.cancel()
    scheduler.run()
    let other = logging(Fail<Int, TestFailure>(error: .second).receive(on: scheduler))
    scheduler.run()
    #expect(log.all == ["failure []"])
    other.cancel()
  }

  @Test func otherThreadsAreToldNothing() {
    let sink = subject.checkpoint("here").sink { _ in
    } receiveValue: { [log] _ in
      onThreads(1) { _ in log.add("\(Self.passed)") }
    }
    subject.send(1)
    #expect(log.all == ["[]"])
    sink.cancel()
  }

  @Test func itPassesEverythingOnBlindly() {
    let publisher = ScriptedPublisher(of: Int.self, failingWith: TestFailure.self)
    let recorder = RecordingSubscriber<Int, TestFailure>(.max(3), perValue: .max(2))
    publisher.checkpoint("here", file: "A.swift", line: 3).subscribe(recorder)
    #expect(publisher.send(1) == .max(2))
    publisher.send(completion: .failure(.first))
    publisher.send(completion: .finished)
    #expect(
      recorder.history == [
        .subscription("RecordingSubscription"), .value(1), .completion(.failure(.first)), .completion(.finished),
      ])
    #expect(publisher.subscriber?.description == "Checkpoint")
    #expect(publisher.subscriber?.customMirror.children.map(\.label) == ["name", "file", "line"])
  }

  // MARK: Messages

  private func text(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  @Test func assertNoFailureNamesThem() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let scheduler = ManualScheduler()
      let sink = Fail<Int, TestFailure>(error: .first)
        .checkpoint("orders", file: "Shop/Orders.swift", line: 12)
        .receive(on: scheduler)
        .checkpoint("prices", file: "Shop/Prices.swift", line: 7)
        .assertNoFailure("unpaid").sink { _ in }
      scheduler.run()
      sink.cancel()
    }
    let said = #"first, behind the checkpoint "orders" (Shop/Orders.swift:12), then "prices" (Shop/Prices.swift:7)"#
    #expect(text(result).contains("unpaid: "))
    #expect(text(result).contains(said))
  }

  @Test func breakpointsNameThem() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let sink = Just(1).checkpoint("orders", file: "Shop/Orders.swift", line: 12)
        .breakpoint(receiveOutput: { $0 == 1 }).sink { _ in }
      sink.cancel()
    }
    #expect(text(result).contains(#"Breakpoint, behind the checkpoint "orders" (Shop/Orders.swift:12)"#))
  }

  @Test func anEndWithoutAnErrorHasThePlacesOfWhatItIsSentWithinAlone() {
    let (outer, inner) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    var passed: [[String]] = []
    let ends = inner.checkpoint("inner").sink { _ in
      passed.append(StreamCheckpoint.passed.map(\.name))
    } receiveValue: { _ in
    }
    let values = outer.checkpoint("outer").sink { _ in inner.send(completion: .finished) }
    outer.send(1)
    #expect(passed == [["outer"]])
    withExtendedLifetime((ends, values)) {}
  }

  /// In release builds such a message isn't printed.
  @Test func trapsNameThem() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let publisher = ScriptedPublisher(nil, of: Int.self, failingWith: TestFailure.self)
      let sink = publisher.checkpoint("orders", file: "Shop/Orders.swift", line: 12)
        .prefix(while: { _ in true })
        .sink { _ in
        } receiveValue: { _ in
        }
      publisher.send(1)
      sink.cancel()
    }
    #if DEBUG
      let said = #"before a subscription, behind the checkpoint "orders" (Shop/Orders.swift:12)"#
      #expect(text(result).contains(said))
    #else
      #expect(result != nil)
    #endif
  }
}
