// Tests of publishers and expectations as marble text.

import TestKit
import Testing
import Weir

@testable import WeirTesting

/// A moment in floating point, as those of operation queues.
struct Seconds: Strideable, Hashable {
  var seconds: Double
  func distance(to other: Seconds) -> Stride { Stride(other.seconds - seconds) }
  func advanced(by stride: Stride) -> Seconds { Seconds(seconds: seconds + stride.magnitude) }

  struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral {
    var magnitude: Double
    init(_ magnitude: Double) { self.magnitude = magnitude }
    init(integerLiteral value: Double) { magnitude = value }
    init(floatLiteral value: Double) { magnitude = value }
    init?<Source: BinaryInteger>(exactly source: Source) {
      guard let value = Double(exactly: source) else { return nil }
      magnitude = value
    }
    static func < (lhs: Self, rhs: Self) -> Bool { lhs.magnitude < rhs.magnitude }
    static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude + rhs.magnitude) }
    static func - (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude - rhs.magnitude) }
    static func * (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude * rhs.magnitude) }
    static func *= (lhs: inout Self, rhs: Self) { lhs.magnitude *= rhs.magnitude }
    static func seconds(_ value: Int) -> Self { Self(Double(value)) }
    static func seconds(_ value: Double) -> Self { Self(value) }
    static func milliseconds(_ value: Int) -> Self { Self(Double(value) / 1_000) }
    static func microseconds(_ value: Int) -> Self { Self(Double(value) / 1_000_000) }
    static func nanoseconds(_ value: Int) -> Self { Self(Double(value) / 1_000_000_000) }
  }
}

/// A moment in whole milliseconds, whose lengths of time are in nanoseconds.
struct Milliseconds: Strideable, Hashable {
  var count: Int
  func distance(to other: Self) -> VirtualTime.Stride { .milliseconds(other.count - count) }
  func advanced(by stride: VirtualTime.Stride) -> Self { Self(count: count + stride.magnitude / 1_000_000) }
}

@Suite struct TestSchedulerMarblesTests {
  private let values: [Character: String] = ["a": "A", "b": "B", "c": "C"]

  @Test func anOperatorAsMarbles() throws {
    let scheduler = TestScheduler()
    let keys = try scheduler.hot("-ab---c-|", values: values)
    let recorder = scheduler.record(keys.debounce(for: .milliseconds(2), scheduler: scheduler))
    scheduler.run()
    // The value that waits at the end is dropped: the end comes at once, as in Combine.
    try recorder.expect("----b---|", values: values)
    #expect(recorder.values == ["B"])
  }

  /// Subscribes once at the beginning and once after some frames.
  private func expect(
    _ publisher: some Publisher<String, Never>, on scheduler: TestScheduler<VirtualTime, Never>, after frames: Int,
    _ first: String, _ second: String
  ) throws {
    let early = scheduler.record(publisher)
    scheduler.advance(by: .milliseconds(frames))
    let late = scheduler.record(publisher)
    scheduler.run()
    try early.expect(first, values: values)
    try late.expect(second, values: values)
  }

  @Test func aColdPublisherBeginsWithEachSubscription() throws {
    let scheduler = TestScheduler()
    try expect(scheduler.cold("a-b|", values: values), on: scheduler, after: 2, "a-b|", "a-b|")
  }

  @Test func aHotPublisherDoesNotWait() throws {
    let scheduler = TestScheduler()
    let publisher = try scheduler.hot("a-b-^-c-(ab|)", values: values)
    try expect(publisher, on: scheduler, after: 3, "--c-(ab|)", "-(ab|)")
    #expect(publisher.subscriberCount == 0)
  }

  @Test func failuresAndFramesOfAnyLength() throws {
    let scheduler = TestScheduler()
    let hot = try scheduler.hot("-a#", values: values, failure: TestFailure.first, frame: .seconds(1))
    let cold = try scheduler.cold("-b#", values: values, failure: TestFailure.second, frame: .seconds(1))
    let recorder = scheduler.record(hot.catch { _ in cold }, frame: .seconds(1))
    scheduler.run()
    try recorder.expect("-a-b#", values: values)
    recorder.expectFailure(.second)
  }

  @Test func aFailureShowsBothLinesAndUnknownValues() throws {
    let scheduler = TestScheduler()
    let recorder = scheduler.record(try scheduler.cold("-a-b|", values: values).map { $0 == "B" ? "X" : $0 })
    scheduler.run()
    #expect(
      try recorder.difference(from: "-a-c|", values: values) == """
        the stream differs from its marbles at frame 3
        expected: -a-c|
        actual:   -a-?|
                     ^
        ? is X
        """)
    try withKnownIssue {
      try recorder.expect("-a-c|", values: values)
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("expected: -a-c|\nactual:   -a-?|") }
    }
  }

  @Test func twoSignsMayStandForTheSameValue() throws {
    let scheduler = TestScheduler()
    let same: [Character: Int] = ["x": 1, "y": 1]
    let recorder = scheduler.record(try scheduler.cold("xy|", values: same))
    scheduler.run()
    try recorder.expect("yx|", values: same)
    #expect(recorder.values == [1, 1])
  }

  /// It vanished where moments are in floating point, as sums of those are not exact: its value came at frame 1.
  @Test func aHundredthOfAFrameIsRefusedInFloatingPoint() throws {
    let scheduler = TestScheduler<Seconds, Never>(now: Seconds(seconds: 0))
    for text in ["a 10ms |", "a 1990ms |", "a 2000001us |"] {
      #expect(throws: MarbleError("this time is no whole number of frames", in: text, at: 2)) {
        try scheduler.cold(text, values: values, frame: 1)
      }
    }
  }

  @Test func timesCountInFrames() throws {
    let scheduler = TestScheduler()
    let hot = try scheduler.hot("1s a 500ms |", values: values, frame: .milliseconds(250))
    let recorder = scheduler.record(hot.delay(for: .milliseconds(250), scheduler: scheduler), frame: .milliseconds(250))
    scheduler.run()
    try recorder.expect("-----a--|", values: values)
    try recorder.expect("1250ms a 500ms |", values: values)
    #expect(scheduler.now.nanoseconds == 2_000_000_000)
    #expect(throws: MarbleError("this time is no whole number of frames", in: "a 3ms |", at: 2)) {
      try scheduler.cold("a 3ms |", values: values, frame: .milliseconds(2))
    }
    for text in ["2m a", "120s a", "120000ms a", "120000000us a", "120000000000ns a"] {
      let recorder = scheduler.record(
        try scheduler.cold("2m a", values: values, frame: .seconds(1)), frame: .seconds(1))
      scheduler.run()
      #expect(try recorder.difference(from: text, values: values) == nil)
    }
  }

  @Test func anExclamationMarkCancels() throws {
    let scheduler = TestScheduler()
    let hot = try scheduler.hot("a-b-c-|", values: values)
    let recorder = try scheduler.record(hot, until: "2ms !")
    scheduler.run()
    try recorder.expect("a-(b!)", values: values)
    try recorder.expect("a-b", values: values)
    #expect(hot.subscriberCount == 0 && hot.totalSubscriberCount == 1)
    #expect(try recorder.difference(from: "a-b!", values: values) != nil)
    let early = try scheduler.record(hot, until: "-!")
    #expect(try early.difference(from: "!", values: values) != nil)
    for (text, place) in [("--", 2), ("a!", 0), ("|", 0), ("--a-!", 2), ("", 0), ("10ms", 4)] {
      #expect(throws: MarbleError("there has to be a cancellation and nothing else", in: text, at: place)) {
        try scheduler.record(hot, until: text)
      }
    }
    for (text, place) in [("!--^", 0), ("--!--^", 2)] {
      #expect(throws: MarbleError("the cancellation comes before the subscription", in: text, at: place)) {
        try scheduler.record(hot, until: text)
      }
    }
    let late = try scheduler.record(scheduler.cold("a-b", values: values), until: "--^-!")
    scheduler.run()
    try late.expect("a-(b!)", values: values)
    #expect(throws: MarbleError("a stream doesn't cancel itself", in: "a!", at: 1)) {
      try scheduler.cold("a!", values: values)
    }
  }

  @Test func nothingComesBeforeAColdPublishersSubscription() throws {
    let scheduler = TestScheduler()
    #expect(throws: MarbleError("a cold stream sends nothing before its subscription", in: "a^b|", at: 1)) {
      try scheduler.cold("a^b|", values: values)
    }
    try expect(scheduler.cold("--^b|", values: values), on: scheduler, after: 2, "-b|", "-b|")
  }

  /// The stream never ended.
  @Test(arguments: [("-|^", 1), ("(a|)--^", 2), ("#^", 0)])
  func theEndDoesNotComeBeforeTheSubscription(text: String, place: Int) throws {
    let scheduler = TestScheduler()
    let mistake = MarbleError("the end comes before the subscription", in: text, at: place)
    #expect(throws: mistake) { try scheduler.hot(text, values: values, failure: TestFailure.first) }
    #expect(throws: mistake) { try scheduler.record(Just("A")).expect(text, values: values) }
    let recorder = scheduler.record(try scheduler.hot("a-(|^)", values: values))
    scheduler.run()
    try recorder.expect("a-(|^)", values: values)
    recorder.expectFinished()
  }

  /// Each event counted all frames since the beginning.
  @Test func framesOfALongTimeAreReckonedAtOnce() throws {
    let scheduler = TestScheduler()
    let subject = PassthroughSubject<String, Never>()
    let recorder = scheduler.record(subject, frame: .nanoseconds(1))
    scheduler.advance(by: .seconds(3600))
    for _ in 0..<10 { subject.send("A") }
    scheduler.advance(by: .infinity)
    subject.send("A")
    #expect(
      recorder.tape.records.map(\.frame).dropLast()
        == Array(repeating: MarbleFrame(number: 3_600_000_000_000), count: 10)[...])
    #expect(recorder.tape.records.last?.frame?.number == .max - 1)
    let late = scheduler.record(subject)
    subject.send("A")
    #expect(late.tape.records.map(\.frame) == [MarbleFrame(number: 0)])
  }

  @Test(arguments: ["9223372036854775807ns a", "99999999999999999999ns a", "9223372036854775807m a"])
  func aTimeBeyondTheClockIsAMistake(text: String) {
    let scheduler = TestScheduler()
    for frame in [VirtualTime.Stride.nanoseconds(1), .milliseconds(1), 60] {
      #expect(throws: MarbleError("there is no frame as late as this", in: text, at: 0)) {
        try scheduler.hot(text, values: values, frame: frame)
      }
    }
  }

  /// All that is beyond the clock came at its last moment.
  @Test func framesBeyondTheClockAreAMistake() throws {
    let scheduler = TestScheduler()
    let frame = VirtualTime.Stride.nanoseconds(.max / 3)
    for (text, place) in [("-a-b-|", 5), ("----a", 4), ("-a---^----|", 10)] {
      #expect(throws: MarbleError("there is no frame as late as this", in: text, at: place)) {
        try scheduler.hot(text, values: values, frame: frame)
      }
    }
    #expect(throws: MarbleError("there is no frame as late as this", in: "----!", at: 4)) {
      try scheduler.record(Just(1), until: "----!", frame: frame)
    }
    let recorder = scheduler.record(try scheduler.hot("-ab", values: values, frame: frame), frame: frame)
    scheduler.run()
    try recorder.expect("-ab", values: values)
  }

  @Test func aFailureShowsLongTimesAsTimes() throws {
    let scheduler = TestScheduler()
    let recorder = scheduler.record(try scheduler.cold("a 10s b 1500ms |", values: values))
    scheduler.run()
    #expect(
      try recorder.difference(from: "a 9000000000s b|", values: values) == """
        the stream differs from its marbles at frame 10001
        expected: a 150000000m b|
        actual:   a 10s b 1500ms |
                     ^
        """)
    let odd = scheduler.record(
      try scheduler.cold("3s b", values: values, frame: .microseconds(1_500)), frame: .microseconds(1_500))
    scheduler.run()
    #expect(
      try odd.difference(from: "6s b", values: values) == """
        the stream differs from its marbles at frame 2000
        expected: 6s b
        actual:   3s b
                  ^
        """)
  }

  @Test func mistakesInTheTextAreThrown() {
    let scheduler = TestScheduler()
    #expect(throws: MarbleError("no value for this sign", in: "-z", at: 1)) { try scheduler.hot("-z", values: values) }
    // Not the `m` of a unit.
    #expect(throws: MarbleError("no value for this sign", in: "10ms a m", at: 7)) {
      try scheduler.hot("10ms a m", values: values)
    }
    #expect(throws: MarbleError("no value for this sign", in: "1ms (as)", at: 6)) {
      try scheduler.cold("1ms (as)", values: values)
    }
    #expect(throws: MarbleError("this stream can't fail: pass a failure for it", in: "a#", at: 1)) {
      try scheduler.cold("a#", values: values)
    }
  }

  /// What it had scheduled stayed, and moved the clock.
  @Test func cancellingEndsAColdPublisher() throws {
    let scheduler = TestScheduler()
    let recorder = scheduler.record(try scheduler.cold("-a-b-c|", values: values).prefix(1))
    scheduler.advance(by: .milliseconds(1))
    #expect(scheduler.scheduledCount == 0)
    scheduler.run()
    #expect(scheduler.now == VirtualTime(nanoseconds: 1_000_000))
    try recorder.expect("-(a|)", values: values)
    #expect(recorder.values == ["A"])
  }

  /// They were listed as events, as no unit is a whole number of such frames.
  @Test(arguments: [(3, 150, "450ms a|"), (7, 1000, "7s a|"), (5, 101, "505ms a|"), (60_000, 240, "240m a|")])
  func longTimesOfLongFramesAreShownAsTimes(milliseconds: Int, frames: Int, text: String) throws {
    let scheduler = TestScheduler()
    let frame = VirtualTime.Stride.milliseconds(milliseconds)
    let cold = try scheduler.cold(text, values: values, frame: frame)
    let recorder = scheduler.record(cold, frame: frame)
    scheduler.run()
    try recorder.expect(text, values: values)
    #expect(
      try recorder.difference(from: "b", values: values) == """
        the stream differs from its marbles at frame 0
        expected: b
        actual:   \(text)
                  ^
        """)
  }

  /// Sums of such times are not exact: most frames were taken for something between two.
  @Test(arguments: [0, 0.1, 812_345_678.9]) func momentsInFloatingPointHaveFrames(beginning: Double) throws {
    for number in 1...300 {
      let scheduler = TestScheduler<Seconds, Never>(now: Seconds(seconds: beginning))
      let text = "a \(number)ms b-(c|)"
      let source = try scheduler.hot(text, values: values)
      let recorder = scheduler.record(source.delay(for: .milliseconds(3), scheduler: scheduler))
      scheduler.run()
      #expect(try recorder.difference(from: "---\(text)", values: values) == nil)
    }
    let scheduler = TestScheduler<Seconds, Never>(now: Seconds(seconds: beginning))
    let recorder = scheduler.record(Just("A").delay(for: .microseconds(1_500), scheduler: scheduler))
    scheduler.run()
    #expect(try recorder.difference(from: "-(a|)", values: values) != nil)
    #expect(try recorder.difference(from: "--(a|)", values: values) != nil)
  }

  /// Some were refused, as moments so far from zero are less exact than the frames' lengths.
  @Test func timesOfShortFramesAreCountedFarFromZero() throws {
    for number in stride(from: 1, to: 3_000, by: 37) {
      let scheduler = TestScheduler<Seconds, Never>(now: Seconds(seconds: 812_345_678.9))
      let (text, frame) = ("\(number)us a", Seconds.Stride.microseconds(1))
      let recorder = scheduler.record(try scheduler.hot(text, values: values, frame: frame), frame: frame)
      scheduler.run()
      #expect(try recorder.difference(from: text, values: values) == nil)
    }
  }

  /// They were taken for the longest times that can be told.
  @Test func timesThatCanNotBeToldAreTooLong() {
    let scheduler = TestScheduler<Seconds, Never>(now: Seconds(seconds: 0))
    let frame = Seconds.Stride.seconds(9_223_372_036.854775807)
    for unit in ["ns", "us", "ms", "s", "m"] {
      let text = "a 99999999999999999999\(unit) b"
      #expect(throws: MarbleError("there is no frame as late as this", in: text, at: 2)) {
        try scheduler.hot(text, values: values, frame: frame)
      }
    }
  }

  /// The defect: a repetition ended when the next date was the same, though later ones were not.
  @Test func repetitionsWhoseDatesTheClockCannotTellApartGoOn() {
    let scheduler = TestScheduler<Seconds, Never>(now: Seconds(seconds: 800_000_000))
    var runs = 0
    let repetition = scheduler.schedule(after: scheduler.now, interval: .nanoseconds(50)) { runs += 1 }
    scheduler.advance(by: .nanoseconds(50_000))
    // A date may be off by what the clock can't tell, some times over.
    #expect((980...1_020).contains(runs), "\(runs)")
    repetition.cancel()
    var last = 0
    let end = TestScheduler<Seconds, Never>(now: Seconds(seconds: 1e300))
    let none = end.schedule(after: end.now, interval: .seconds(1)) { last += 1 }
    end.advance(by: .seconds(1))
    #expect(last == 1)
    none.cancel()
  }

  /// It was at no frame.
  @Test func aMomentInfinitelyFarAwayIsAtAFrame() throws {
    let scheduler = TestScheduler<Seconds, Never>(now: Seconds(seconds: 0))
    scheduler.advance(by: .infinity)
    let recorder = scheduler.record(Just("A"))
    #expect(try recorder.difference(from: "(a|)", values: values) == nil)
  }

  /// Those of `hot` and of `record`, with and without an end.
  @Test func theExamplesOfTheDocumentationHold() throws {
    let scheduler = TestScheduler()
    let keys = try scheduler.hot("-ab---c-|", values: ["a": 1, "b": 2, "c": 3])
    let recorder = scheduler.record(keys.debounce(for: .milliseconds(2), scheduler: scheduler))
    scheduler.run()
    try recorder.expect("----b---|", values: ["b": 2])
    let other = TestScheduler()
    let long = try other.hot("--a-b-------c-|", values: ["a": 1, "b": 2, "c": 3])
    let until = try other.record(long, until: "10ms !")
    other.run()
    try until.expect("--a-b-----!", values: ["a": 1, "b": 2])
    #expect(recorder.values == [2] && until.values == [1, 2])
  }

  /// It passed as one before the cancellation.
  @Test func aValueBehindTheCancellationOfItsFrameIsBehindIt() throws {
    let scheduler = TestScheduler()
    let recorder = try scheduler.record(Deaf(scheduler: scheduler), until: "-!")
    scheduler.run()
    #expect(recorder.values == [1])
    #expect(try recorder.difference(from: "-(a!)", values: ["a": 1]) != nil)
  }

  /// Roundings added up: each date is rounded once.
  @Test(arguments: [(1_000, 12), (300_000, 13), (1_900_000, 100)])
  func theDatesOfARepetitionAreAsExactAsTheClock(nanoseconds: Int, milliseconds: Int) {
    let scheduler = TestScheduler<Milliseconds, Never>(now: Milliseconds(count: 0))
    var dates: [Int] = []
    let token = scheduler.schedule(after: scheduler.now, interval: .nanoseconds(nanoseconds)) {
      dates.append(scheduler.now.count)
    }
    scheduler.advance(by: .milliseconds(milliseconds))
    token.cancel()
    let exact = (0...).lazy.map { $0 * nanoseconds / 1_000_000 }.prefix { $0 <= milliseconds }
    #expect(dates == Array(exact))
  }

  @Test(arguments: [1, 2, 3, 1 << 61, 1 << 62, Int.max])
  func aRepetitionEndsWhereAClockStandsStill(interval: Int) {
    typealias Moment = ImmediateScheduler.SchedulerTimeType
    let scheduler = TestSchedulerOf<ImmediateScheduler>(now: ImmediateScheduler.shared.now)
    var runs = 0
    let token = scheduler.schedule(after: scheduler.now, interval: Moment.Stride(interval)) { runs += 1 }
    scheduler.advance()
    #expect(runs == 1)
    token.cancel()
    #expect(!EqualIntervals(from: scheduler.now, every: Moment.Stride(interval)).goOn(after: scheduler.now))
  }

  /// Sends 1 at frame 1, behind whatever is scheduled for that before, and hears of no cancellation.
  private struct Deaf: Publisher {
    typealias Output = Int
    typealias Failure = Never

    let scheduler: TestScheduler<VirtualTime, Never>

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
      subscriber.receive(subscription: Subscriptions.empty)
      scheduler.schedule(after: scheduler.now.advanced(by: .microseconds(500))) {
        scheduler.schedule(after: scheduler.now.advanced(by: .microseconds(500))) { _ = subscriber.receive(1) }
      }
    }
  }
}
