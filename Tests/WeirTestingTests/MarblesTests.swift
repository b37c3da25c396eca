// Tests of streams as text.

import Testing

@testable import WeirTesting

@Suite struct MarblesTests {
  private func read(_ text: String) throws -> [String] {
    try Marbles(text).events.map { "\($0.sign.character)\($0.frame.number)" }
  }

  @Test func signsAndFrames() throws {
    #expect(try read("--a-b-|") == ["a2", "b4", "|6"])
    #expect(try read("a#") == ["a0", "#1"])
    #expect(try read("-(ab)-c(d|)") == ["a1", "b1", "c6", "d7", "|7"])
    #expect(try read("-- a -- |") == ["a2", "|5"])
    #expect(try read("-a-^-b") == ["a-2", "b2"])
    #expect(try read("") == [])
  }

  @Test func mistakesArePointedAt() {
    func problem(_ text: String) -> String? {
      do {
        _ = try Marbles(text)
        return nil
      } catch { return "\(error)" }
    }
    #expect(problem("-a|b") == "nothing comes after the end\n-a|b\n   ^")
    #expect(problem("(a") == "the group is not closed\n(a\n  ^")
    #expect(problem("a)") == "there is no group to close\na)\n ^")
    #expect(problem("((a") == "a group can't be inside another one\n((a\n ^")
    #expect(problem("(a-b)") == "no time passes between parentheses\n(a-b)\n  ^")
    #expect(problem("^-^") == "there is one subscription already\n^-^\n  ^")
  }

  @Test func aTimeTakesItsFrames() throws {
    func read(_ text: String) throws -> [String] {
      let frames = { (time: MarbleTime) in time.unit == .milliseconds ? MarbleFrames.whole(time.count) : .broken }
      return try Marbles(text, frames: frames).events.map { "\($0.sign.character)\($0.frame.number)" }
    }
    #expect(try read("a 10ms b|") == ["a0", "b11", "|12"])
    #expect(try read("3ms (ab) 0ms !") == ["a3", "b3", "!7"])
    #expect(try read("a5ms b 5x") == ["a0", "51", "m2", "s3", "b4", "55", "x6"])
    #expect(throws: MarbleError("this time is no whole number of frames", in: "a 3ns b", at: 2)) { try read("a 3ns b") }
    for (text, place) in [
      ("--  \(Int.max)ms", 4), ("a \(Int.max)ms", 2), ("\(Int.max)ms a", 22), ("9\(Int.max)ms a", 23),
      ("\(Int.max - 1)ms (ab)", 23),
    ] {
      #expect(throws: MarbleError("there is no frame as late as this", in: text, at: place)) { try read(text) }
    }
    #expect(try read("\(Int.max - 1)ms a") == ["a\(Int.max - 1)"])
  }

  @Test func anErrorShowsTheLineOfTheMistake() {
    #expect(MarbleError("no", in: "-a-", at: 1).description == "no\n-a-\n ^")
    #expect(MarbleError("no", in: "-a-\n-b-\n", at: 5).description == "no\n-b-\n ^")
    #expect(MarbleError("no", in: "-a\n-b", at: 2).description == "no\n-a\n  ^")
    #expect(MarbleError("no", in: "(a", at: 2).description == "no\n(a\n  ^")
  }

  @Test func eventsAsText() throws {
    for text in ["--a-b-|", "-(ab)-c(d|)", "a#", ""] { #expect(try Marbles(text).text() == text) }
    #expect(try Marbles("-a-^-b").text() == nil)
    let crowded = Marbles(events: [
      .init(frame: .init(number: 0), sign: .value("a")), .init(frame: .init(number: 0), sign: .value("b")),
      .init(frame: .init(number: 1), sign: .finish),
    ])
    #expect(crowded.text() == nil && crowded.list == "a at frame 0, b at frame 0, | at frame 1")
  }

  /// The text was shown, and read as another stream: `1s` as a second, two halves of a flag as one sign.
  @Test func signsThatReadAsSomethingElseAreNoText() {
    func marbles(_ signs: (frame: Int, sign: Character)...) -> Marbles {
      Marbles(events: signs.map { .init(frame: .init(number: $0.frame), sign: .value($0.sign)) })
    }
    let time = { (frames: Int) in "\(frames)ms" }
    #expect(marbles((0, "1"), (1, "s")).text(time: time) == nil)
    #expect(marbles((1, "1"), (2, "s")).text(time: time) == "-1s")
    #expect(marbles((0, "x"), (200, "0"), (201, "s")).text(time: time) == nil)
    #expect(marbles((0, "x"), (200, "0"), (201, "s"), (202, "x")).text(time: time) == "x 199ms 0sx")
    #expect(marbles((0, "\u{1F1E9}"), (1, "\u{1F1EA}")).text(time: time) == nil)
    #expect(marbles((0, "-"), (1, "|")).text(time: time) == nil)
  }

  /// It was written out.
  @Test func aLongTimeIsWrittenAsOne() throws {
    func event(_ number: Int, _ sign: Marbles.Sign) -> Marbles.Event { .init(frame: .init(number: number), sign: sign) }
    let long = Marbles(events: [
      event(101, .value("a")), event(202, .value("b")), event(304, .value("c")), event(304, .value("d")),
      event(10_000_000_000_000, .finish),
    ])
    let text = long.text { "\($0)ms" }
    #expect(text == "101ms a" + String(repeating: "-", count: 100) + "b 101ms (cd) 9999999999692ms |")
    #expect(try Marbles(text ?? "") { .whole($0.count) } == long)
    #expect(long.text() == nil)
    #expect(Marbles(events: [event(.max, .finish)]).text { "\($0)ms" } == nil)
  }

  @Test func differencesShowTheExpectedLineAboveTheActualOne() throws {
    #expect(try Marbles("-a|").difference(from: Marbles("-a|")) == nil)
    #expect(
      try Marbles("--a-b-|").difference(from: Marbles("--a--b|")) == """
        the stream differs from its marbles at frame 4
        expected: --a-b-|
        actual:   --a--b|
                      ^
        """)
    #expect(
      try Marbles("-a").difference(
        from: Marbles(events: [.init(frame: .init(number: 1, isExact: false), sign: .unknown)]))
          == """
          the stream differs from its marbles at frame 1
          expected: a at frame 1
          actual:   ? at frame 1 and a bit
          """)
  }
}
