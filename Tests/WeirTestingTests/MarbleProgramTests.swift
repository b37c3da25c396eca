// Random marble texts, there and back: read, played, recorded and written.

import TestKit
import Testing
import Weir

@testable import WeirTesting

@Suite struct MarbleProgramTests {
  private let values: [Character: Int] = ["a": 1, "b": 2, "c": 3]

  /// How long a frame is, and what texts name its length with.
  private static let frames: [(length: Int, units: [(name: String, length: Int)])] = [
    (7, [("ns", 1)]), (1_000_000, [("ms", 1_000_000), ("us", 1_000)]),
    (3_600_000_000_000, [("m", 60_000_000_000), ("s", 1_000_000_000)]),
  ]

  @Test(arguments: 0..<4) func thereAndBack(quarter: UInt64) throws {
    for seed in programSeeds(quarter: quarter) {
      var random = SplitMix(seed: seed)
      let (length, units) = Self.frames.randomElement(using: &random)!
      let unit = units.randomElement(using: &random)!
      let time = { (count: Int) in "\(count * (length / unit.length))\(unit.name)" }
      let program = MarbleProgram(&random, time: time)
      guard try isRead(program, frame: length, time: time), try isPlayed(program, frame: length, &random, time: time)
      else {
        Issue.record("seed \(seed): \(program.text)")
        return
      }
    }
  }

  /// Reads a text, and writes what it says.
  private func isRead(_ program: MarbleProgram, frame length: Int, time: (Int) -> String) throws -> Bool {
    let frames = { (time: MarbleTime) -> MarbleFrames in
      let (count, rest) = (time.stride() as VirtualTime.Stride).magnitude.quotientAndRemainder(dividingBy: length)
      return rest == 0 ? .whole(count) : .broken
    }
    var events = try Marbles(program.text, frames: frames)
    guard program.hasPast == events.events.contains(where: { $0.frame.number < 0 }) else { return false }
    events.events.removeAll { $0.frame.number < 0 }
    guard try events == Marbles(program.plain), let written = events.text(time: time) else { return false }
    return try (program.isLong || written == program.plain) && Marbles(written, frames: frames) == events
  }

  /// Plays a text, and compares what recorders note.
  private func isPlayed(
    _ program: MarbleProgram, frame length: Int, _ random: inout SplitMix, time: (Int) -> String
  ) throws -> Bool {
    let scheduler = TestScheduler()
    scheduler.advance(by: .nanoseconds(Int.random(in: 0..<9, using: &random)))
    let frame = VirtualTime.Stride.nanoseconds(length)
    func record(_ stream: some Publisher<Int, TestFailure>) throws -> PublisherRecorder<Int, TestFailure> {
      guard let end = program.cancellation else { return scheduler.record(stream, frame: frame) }
      let marbles = end % 2 == 0 ? "\(time(end)) !" : String(repeating: "-", count: end) + "!"
      return try scheduler.record(stream, until: marbles, frame: frame)
    }
    func cold() throws -> AnyPublisher<Int, TestFailure> {
      try scheduler.cold(program.source, values: values, failure: TestFailure.first, frame: frame)
    }
    let hot = try scheduler.hot(program.source, values: values, failure: TestFailure.first, frame: frame)
    var recorders = [try record(hot)]
    if program.hasPast {
      #expect(throws: MarbleError.self) { _ = try cold() }
    } else {
      recorders.append(try record(cold()))
    }
    scheduler.run()
    if !program.hasPast {
      let beginning = scheduler.now
      recorders.append(try record(cold()))
      scheduler.run()
      // Nothing of a cancelled stream is left.
      if let end = program.cancellation, scheduler.now != beginning.advanced(by: .nanoseconds(length * end)) {
        return false
      }
    }
    for recorder in recorders {
      guard try recorder.difference(from: program.text, values: values) == nil else { return false }
    }
    // It tells other texts from this one.
    let isSame = try recorders[0].difference(from: "-" + program.plain, values: values) == nil
    return isSame == program.plain.allSatisfy { $0 == "-" } && scheduler.scheduledCount == 0
  }
}

/// A random text, and others that say the same.
private struct MarbleProgram {
  /// With times, spaces, and `^`.
  private(set) var text = ""
  /// What comes from the subscription on, in the shortest way, with `-` only for what time passes.
  private(set) var plain = ""
  /// What the stream sends: beyond a cancellation too.
  private(set) var source = ""
  /// The frame of the cancellation, if there is one.
  private(set) var cancellation: Int?
  /// Whether something comes before `^`.
  private(set) var hasPast = false
  /// Whether times are written where nothing comes for so long.
  private(set) var isLong = false

  init(_ random: inout SplitMix, time: (Int) -> String) {
    if Int.random(in: 0..<3, using: &random) == 0 { addSubscription(&random, time) }
    for _ in 0..<Int.random(in: 0..<6, using: &random) { addPiece(&random, time) }
    source = text
    switch Int.random(in: 0..<8, using: &random) {
    case 0: add("|", &random)
    case 1: add("#", &random)
    case 2: add("(b|)", &random)
    case 3, 4:
      // At the end of a group it comes with its value.
      let isInGroup = Bool.random(using: &random)
      cancellation = plain.count
      add(isInGroup ? "(c!)" : "!", &random)
      source += (isInGroup ? "c" : "-") + ["", "ab", "a|", "-#"].randomElement(using: &random)!
      return
    default: while plain.last == "-" { plain.removeLast() }
    }
    source = text
  }

  private mutating func addSubscription(_ random: inout SplitMix, _ time: (Int) -> String) {
    for _ in 0..<Int.random(in: 0..<3, using: &random) { addPiece(&random, time) }
    hasPast = plain.contains { $0 != "-" }
    isLong = false
    if Bool.random(using: &random) {
      text += "^"
      plain = "-"
    } else {
      text += "(^a)"
      plain = "a---"
    }
  }

  private mutating func addPiece(_ random: inout SplitMix, _ time: (Int) -> String) {
    func sign() -> Character { "abc".randomElement(using: &random)! }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: add(String(repeating: "-", count: Int.random(in: 1..<5, using: &random)), &random)
    case 1:
      var count = Int.random(in: 0..<12, using: &random)
      if Int.random(in: 0..<32, using: &random) == 0 { count += 101 }
      text += (text.isEmpty ? "" : " ") + time(count) + " "
      plain += String(repeating: "-", count: count)
      isLong = isLong || count > 20
    case 2: add(String(sign()), &random)
    default: add("(\(String((0..<Int.random(in: 2..<4, using: &random)).map { _ in sign() })))", &random)
    }
  }

  private mutating func add(_ piece: String, _ random: inout SplitMix) {
    text += piece
    plain += piece
    if Int.random(in: 0..<4, using: &random) == 0 { text += " " }
  }
}
