// Tests of where operators were made, and of which way a failure has come, in a build with the trait Inspection.

import Foundation
import Testing
import Weir
import WeirExtras
import WeirTesting

extension LiveGraphTests {
  /// The lines of a graph's operators, from the end of the stream to its origin.
  private func lines(_ graph: StreamGraph) -> [Int?] {
    graph.subscriptions.flatMap { $0.operators.reversed().map { $0.site.place?.line } }
  }

  @Test func eachOperatorHasItsLine() throws {
    let numbers = PassthroughSubject<Int, Never>()
    let line = #line
    keep(
      numbers
        .filter { $0 > 1 }
        .scan(0, +)
        .removeDuplicates()
        .sink { _ in })
    let graph = WeirInspector.snapshot()
    #expect(lines(graph) == [line + 5, line + 4, line + 3, line - 1])
    let end = try #require(graph.subscriptions.first)
    let place = try #require(end.attachment?.place)
    #expect(place.description == "AssemblyTests.swift:\(line + 6)")
    #expect(place.file.hasSuffix("/InspectionTests/AssemblyTests.swift"))
    #expect(place.function.contains("eachOperatorHasItsLine"))
    #expect(graph.subscriptions.dropFirst().allSatisfy { $0.attachment == nil })
    #expect("\(graph)".hasPrefix("Sink (\(place))\n- RemoveDuplicates \(end.id) (AssemblyTests.swift:\(line + 5))"))
  }

  @Test func operatorsThatAreOneHaveTheirNamesAndLines() throws {
    let line = #line
    keep(
      subject
        .map { $0 + 1 }
        .tryMap { $0 + 1 }
        .map { $0 + 1 }
        .sink { _ in
        } receiveValue: { _ in
        })
    let graph = WeirInspector.snapshot()
    let first = try #require(graph.subscriptions.first)
    #expect(first.publisher == "Map+TryMap+TryMap")
    #expect(first.operators.map(\.name) == ["Map", "TryMap", "TryMap"])
    #expect(first.operators.map { $0.site.place?.line } == [line + 3, line + 4, line + 5])
  }

  @Test func operatorsOfInnerStreamsHaveTheirLines() throws {
    let inner = PassthroughSubject<Int, Never>()
    let line = #line + 2
    let outer = subject.flatMap { _ in
      inner.scan(0, +)
    }
    keep(outer.sink { _ in })
    subject.send(1)
    let scan = try #require(WeirInspector.snapshot().subscriptions.first { $0.publisher == "Scan" })
    #expect(scan.operators.map { $0.site.place?.line } == [line])
  }

  @Test func placesAreReadFromJSON() throws {
    keep(subject.map { $0 }.sink { _ in })
    let graph = WeirInspector.snapshot()
    let read = try JSONDecoder().decode(StreamGraph.self, from: Data(try graph.json().utf8))
    #expect(read.subscriptions.map(\.attachment?.place) == graph.subscriptions.map(\.attachment?.place))
    #expect(read.subscriptions.map { $0.operators.map(\.name) } == graph.subscriptions.map { $0.operators.map(\.name) })
    let frames = try #require(graph.subscriptions.first?.attachment?.frames)
    #expect(frames.count > 2 && frames.allSatisfy { $0.contains("+0x") }, "\(frames)")
  }

  @Test func whatIsMadeWhileItIsOffHasNoLine() {
    WeirInspector.isOn = false
    let numbers = subject.scan(0, +)
    WeirInspector.isOn = true
    keep(numbers.sink { _ in })
    // What it knows is where it was subscribed to.
    #expect(WeirInspector.snapshot().subscriptions.first?.operators.map { $0.site.place?.line } == [#line - 2])
  }
}

/// Programs that go wrong, not in the tests that run them: what stands in these belongs to a macro.
private enum Ways {
  static let failLine = #line + 1

  static func fail() {
    WeirInspector.isOn = true
    let numbers = PassthroughSubject<Int, Never>()
    let token =
      numbers
      .scan(0, +)
      .tryMap { if $0 > 1 { throw Broken.early } }
      .removeDuplicates { _, _ in false }
      .sink { _ in
      } receiveValue: { _ in
      }
    numbers.send(2)
    token.cancel()
  }

  static let failElsewhereLine = #line + 1

  static func failElsewhere() {
    WeirInspector.isOn = true
    let scheduler = TestScheduler()
    let numbers = PassthroughSubject<Int, Never>()
    let token =
      numbers
      .map { $0 }
      .tryMap { if $0 > 1 { throw Broken.early } }
      .receive(on: scheduler)
      .delay(for: .seconds(1), scheduler: scheduler)
      .sink { _ in
      } receiveValue: { _ in
      }
    numbers.send(2)
    scheduler.advance(by: .seconds(1))
    token.cancel()
  }

  static let failThroughSubjectsLine = #line + 1

  static func failThroughSubjects() {
    WeirInspector.isOn = true
    let numbers = PassthroughSubject<Int, Broken>()
    let relay = PassthroughSubject<Int, Broken>()
    let feed = numbers.scan(0, +).subscribe(relay)
    let token =
      relay
      .share()
      .scan(0, +)
      .sink { _ in
      } receiveValue: { _ in
      }
    numbers.send(completion: .failure(.early))
    token.cancel()
    feed.cancel()
  }

  static let failAgainLine = #line + 1

  static func failAgain() {
    WeirInspector.isOn = true
    var attempts = 0
    let token =
      Deferred { () -> AnyPublisher<Int, Broken> in
        attempts += 1
        guard attempts > 1 else { return Fail(error: .early).eraseToAnyPublisher() }
        return Just(1).setFailureType(to: Broken.self).eraseToAnyPublisher()
      }
      .retry(1)
      .tryMap { _ in throw Broken.early }
      .sink { _ in
      } receiveValue: { _ in
      }
    token.cancel()
  }

  static let failBehindZipLine = #line + 1

  static func failBehindZip() {
    WeirInspector.isOn = true
    let (left, right) = (PassthroughSubject<Int, Broken>(), PassthroughSubject<Int, Broken>())
    let token =
      left
      .scan(0, +)
      .zip(right)
      .tryMap { _ in throw Broken.early }
      .sink { _ in
      } receiveValue: { _ in
      }
    left.send(1)
    right.send(1)
    token.cancel()
  }

  static let failToCatchLine = #line + 1

  static func failToCatch() {
    WeirInspector.isOn = true
    let token = Fail<Int, Broken>(error: .early)
      .tryCatch { _ -> Just<Int> in throw Broken.early }
      .sink { _ in
      } receiveValue: { _ in
      }
    token.cancel()
  }

  static func failAmongMany() {
    WeirInspector.isOn = true
    let numbers = PassthroughSubject<Int, Broken>()
    let inner = (0..<20).map { _ in PassthroughSubject<Int, Broken>() }
    let token =
      numbers
      .flatMap { inner[$0].scan(0, +) }
      .tryMap { _ in throw Broken.early }
      .sink { _ in
      } receiveValue: { _ in
      }
    for number in 0..<20 { numbers.send(number) }
    inner[15].send(1)
    token.cancel()
  }

  static func failOfThree() {
    WeirInspector.isOn = true
    let three = (0..<3).map { _ in PassthroughSubject<Int, Broken>() }
    let token = Publishers.MergeMany(three).sink { _ in
    } receiveValue: { _ in
    }
    three[1].send(completion: .failure(.early))
    token.cancel()
  }

  static let failUnexpectedlyLine = #line + 1

  static func failUnexpectedly() {
    WeirInspector.isOn = true
    let numbers = PassthroughSubject<Int, Broken>()
    let token =
      numbers
      .scan(0, +)
      .assertNoFailure()
      .sink { _ in }
    numbers.send(completion: .failure(.early))
    token.cancel()
  }

  static let stopLine = #line + 1

  static func stop() {
    WeirInspector.isOn = true
    let numbers = PassthroughSubject<Int, Never>()
    let token =
      numbers
      .map { $0 + 1 }
      .breakpoint(receiveOutput: { $0 > 1 })
      .sink { _ in }
    numbers.send(1)
    token.cancel()
  }

  static let askLine = #line + 1

  static func ask() {
    WeirInspector.isOn = true
    let numbers = PassthroughSubject<Int, Never>()
    let slow = Slow()
    numbers
      .scan(0, +)
      .subscribe(slow)
    slow.subscription?.request(.none)
  }
}

@Suite struct AssemblyTraceTests {
  private func errors(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  private func place(_ line: Int) -> String { "(AssemblyTests.swift:\(line))" }

  @Test func aFailureThatReachesASinkTellsItsWay() async {
    let line = Ways.failLine
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      Ways.fail()
    }
    #expect(
      errors(result).contains(
        """
        Sink has received early
        The stream, from its origin to its end:
          PassthroughSubject \(place(line + 3))
          Scan \(place(line + 6))
        > TryMap \(place(line + 7))
          RemoveDuplicates \(place(line + 8))
          Sink \(place(line + 9))
        """), "\(errors(result))")
  }

  /// What the failure has come past is gone when the scheduler runs.
  @Test func aFailureThatAnotherSchedulerTellsTellsItsWay() async {
    let line = Ways.failElsewhereLine
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      Ways.failElsewhere()
    }
    #expect(
      errors(result).contains(
        """
        The stream, from its origin to its end:
          PassthroughSubject \(place(line + 4))
          Map \(place(line + 7))
        > TryMap \(place(line + 8))
          ReceiveOn \(place(line + 9))
          Delay \(place(line + 10))
          Sink \(place(line + 11))
        """), "\(errors(result))")
  }

  @Test func aFailureThatFeedsASubjectTellsItsWay() async {
    let line = Ways.failThroughSubjectsLine
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      Ways.failThroughSubjects()
    }
    #expect(
      errors(result).contains(
        """
        The stream, from its origin to its end:
        > PassthroughSubject \(place(line + 3))
          Scan \(place(line + 5))
          PassthroughSubject \(place(line + 4))
          PassthroughSubject
          Multicast
          Share \(place(line + 8))
          Scan \(place(line + 9))
          Sink \(place(line + 10))
        """), "\(errors(result))")
  }

  @Test func anAttemptThatHasFailedIsNoPartOfALaterFailure() async {
    let line = Ways.failAgainLine
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      Ways.failAgain()
    }
    let text = errors(result)
    #expect(text.contains("  Retry \(place(line + 10))\n> TryMap \(place(line + 11))"), "\(text)")
    #expect(!text.contains("Fail"), "\(text)")
  }

  /// What was thrown for has been cancelled by then, one stream after the other.
  @Test func whatThrowsBehindZipTellsBothWays() async {
    let line = Ways.failBehindZipLine
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      Ways.failBehindZip()
    }
    #expect(
      errors(result).contains(
        """
        The stream, from its origin to its end:
          PassthroughSubject \(place(line + 3))
          Scan \(place(line + 6))
          PassthroughSubject \(place(line + 3))
          Zip \(place(line + 7))
        > TryMap \(place(line + 8))
          Sink \(place(line + 9))
        """), "\(errors(result))")
  }

  @Test func whatFailsToCatchIsMarked() async {
    let line = Ways.failToCatchLine
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      Ways.failToCatch()
    }
    #expect(errors(result).contains("\n> TryCatch \(place(line + 4))\n"), "\(errors(result))")
  }

  @Test func manyThatLeadToOneOperatorAreCounted() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      Ways.failAmongMany()
    }
    let text = errors(result)
    #expect(text.split(separator: "\n").count { $0.hasPrefix("  PassthroughSubject") } == 8, "\(text)")
    #expect(text.contains("\n  ... and 13 more that lead here:\n  FlatMap"), "\(text)")
    #expect(text.contains("\n> TryMap"), "\(text)")
  }

  /// Of three that were merged one was left besides.
  @Test func whatHasNoPartInAFailureIsNotToldByAccident() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      Ways.failOfThree()
    }
    let text = errors(result)
    #expect(text.split(separator: "\n").count { $0.contains(" PassthroughSubject") } == 1, "\(text)")
    #expect(text.contains("\n> PassthroughSubject"), "\(text)")
  }

  @Test func whoWantsNoWordsOfFailuresGetsNone() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      WeirInspector.isOn = true
      WeirInspector.tellsFailures = false
      Fail<Int, Broken>(error: .early).sink { _ in
      } receiveValue: { _ in
      }.cancel()
    }
    #expect(!errors(result).contains("early"))
  }

  @Test func assertNoFailureTellsTheWay() async {
    let line = Ways.failUnexpectedlyLine
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Ways.failUnexpectedly()
    }
    let text = errors(result)
    #expect(text.contains("early\nThe stream, from its origin to its end:"), "\(text)")
    #expect(text.contains("> PassthroughSubject \(place(line + 3))\n  Scan \(place(line + 6))"), "\(text)")
    #expect(text.contains("  AssertNoFailure \(place(line + 7))\n  Sink \(place(line + 8))"), "\(text)")
  }

  @Test func aBreakpointTellsTheWay() async {
    let line = Ways.stopLine
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Ways.stop()
    }
    let text = errors(result)
    #expect(text.contains("  Map \(place(line + 6))\n> Breakpoint \(place(line + 7))"), "\(text)")
  }

  #if DEBUG
    @Test func aTrapOfTheEngineTellsTheWay() async {
      let line = Ways.askLine
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        Ways.ask()
      }
      let text = errors(result)
      #expect(text.contains("API violation"), "\(text)")
      #expect(text.contains("> PassthroughSubject \(place(line + 3))\n  Scan \(place(line + 6))"), "\(text)")
      #expect(text.contains("  Slow \(place(line + 7))"), "\(text)")
    }
  #endif
}
