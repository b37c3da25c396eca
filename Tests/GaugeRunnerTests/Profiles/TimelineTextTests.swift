// Timelines as text.

import Testing

@testable import GaugeRunner

@Suite struct TimelineTextTests {
  private let text = TimelineText(timeline: MadeTimeline.everything)

  @Test func `a table fits its width and says what happens where`() {
    for width in [60, 80, 120] {
      #expect(text.text(width: width, colour: false).allSatisfy { $0.count <= width })
    }
    let lines = text.text(width: 120, colour: false)
    #expect(
      lines.prefix(4) == [
        "  operation 1 behind the warm-up: 11 events in 130 ns, the time to record them included",
        "  2 allocations (64 bytes), 1 reallocation, 2 frees, left: 1 block (16 bytes), 3 retains, 1 release, 1 wait",
        "  thread 1: main (1)", "  thread 2: ended (2)",
      ], "\(lines)")
    let words = lines.map { $0.split(separator: " ").joined(separator: " ") }
    #expect(words.contains("# time thread what block bytes type site"), "\(words)")
    #expect(words.contains("1 10 ns 1 allocate 1 48 Box A.swift:3 f()"), "\(words)")
    #expect(words.contains("4 50 ns 1 reallocate 1 48→96 Box A.swift:3 f()"), "\(words)")
    #expect(words.contains("5 60 ns 1 retain ×2 2 Node<Int> A.swift:3 f()"), "\(words)")
    #expect(words.contains("7 80 ns 2 resume: mutex 1, ended by thread 1 A.swift:7 lock()"), "\(words)")
  }

  @Test func `what is not shown is told`() {
    var text = text
    text.limit = 3
    let lines = text.text(width: 80, colour: false)
    #expect(lines.last == "  and 8 more events: --format events lists all")
    #expect(TimelineText(timeline: Timeline(title: "a")).text(width: 160, colour: false).count == 2)
  }

  @Test func `what lives on isn't known where events were left out`() {
    var timeline = MadeTimeline.everything
    timeline.lost = 2
    let head = TimelineText(timeline: timeline).head
    #expect(head[1].contains(", left: unavailable: 2 events left out, "), "\(head)")
  }

  @Test func `a listing has no times`() {
    let lines = text.listing.split(separator: "\n").map(String.init)
    #expect(lines[0] == "# gauge timeline 1: bench")
    #expect(lines[1] == "# operation\tthread\twhat\tblock\tbytes\ttype\tsite")
    #expect(lines[2] == "1\t1\tallocate\t1\t48\tBox\tA.swift:3 f()")
    #expect(lines[4] == "1\t2\twait mutex 1\t\t\t\tA.swift:7 lock()")
    #expect(lines[5] == "1\t1\treallocate\t1\t48→96\tBox\tA.swift:3 f()")
    #expect(lines.count == 13)
    var later = MadeTimeline.everything
    for index in later.events.indices { later.events[index].time += 17 * index }
    #expect(TimelineText(timeline: later).listing == text.listing)
    later.notes = ["7 events were left out"]
    #expect(TimelineText(timeline: later).listing.hasSuffix("# note: 7 events were left out\n"))
  }

  @Test(arguments: [(0, "0 ns"), (9999, "9999 ns"), (12_345, "12.3 µs"), (12_345_678, "12.3 ms")])
  func `times have the unit that fits`(nanoseconds: Int, text: String) {
    #expect(TimelineText.time(nanoseconds) == text)
  }
}
