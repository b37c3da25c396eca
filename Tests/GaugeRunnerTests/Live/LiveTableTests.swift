// The table of live streams on terminals of several sizes.

import Testing

@testable import GaugeRunner

@Suite struct LiveTableTests {
  private let rows = ShopLooks.streams.ordered(by: .rate)

  @Test func `eighty columns have room for everything`() {
    #expect(
      LiveTable(streams: rows, marked: 9).lines(width: 80).map { $0.replacing(#/ +$/#, with: "") } == [
        "  ID  STREAM                          RATE▾  WAITING  DROPPED      LATENCY   AGE",
        "   3  PassthroughSub…> Map -> Sink   220 /s        -        -      2.00 µs  34 s",
        ">  9  CurrentValueSubject -> Sink   1.50 /s        -        -  unavailable   2 s",
        "   1  PassthroughSub…Buffer -> eve     0 /s      500      880  unavailable  64 s",
        "    has 500 values, no demand from eve for 4 s",
      ])
  }

  @Test func `forty columns have room for the rate and what waits`() {
    let lines = LiveTable(streams: rows).lines(width: 40)
    #expect(lines[0].split(separator: " ") == ["ID", "STREAM", "RATE▾", "WAITING"])
    for line in lines { #expect(line.count <= 40) }
    #expect(lines.contains("    has 500 values, no demand from eve"))
  }

  @Test func `the column of the order is there however narrow it is`() {
    let lines = LiveTable(streams: rows, order: .latency).lines(width: 50)
    #expect(lines[0].contains("LATENCY▾"))
    #expect(!lines[0].contains("DROPPED"))
  }

  @Test(arguments: 1...8) func `there are never more lines than there is room for`(height: Int) {
    let lines = LiveTable(streams: rows, marked: 1).lines(width: 80, height: height)
    #expect(lines.count <= height)
    if height >= 5 { #expect(lines.count == 5) }
  }

  @Test func `what finds no room is counted, and the marked stream is shown`() {
    let many = (1...100).map { LiveStream(id: $0, path: "Just -> Sink", rate: 1, age: 0, findings: []) }
    let first = LiveTable(streams: many, marked: 1).lines(width: 80, height: 10)
    #expect(first.count == 10)
    #expect(first[1].hasPrefix(">   1"))
    #expect(first.last == "  … and 92 more")
    let last = LiveTable(streams: many, marked: 100).lines(width: 80, height: 10)
    #expect(last.count == 10)
    #expect(last.contains { $0.hasPrefix("> 100") })
    #expect(last.last == "  … and 92 more")
  }

  @Test func `findings and the marked stream stand out where there is colour`() {
    let lines = LiveTable(streams: rows, marked: 3, colour: true).lines(width: 80)
    #expect(lines[1].hasPrefix("\u{1b}[1m>  3"))
    #expect(lines[1].hasSuffix("\u{1b}[0m"))
    #expect(lines.last == "\u{1b}[31m    has 500 values, no demand from eve for 4 s\u{1b}[0m")
  }

  @Test func `names of strangers steer no terminal`() {
    let stream = LiveStream(id: 1, path: "\u{1b}[2J\u{7}", rate: 1, age: 0, findings: ["\u{1b}[2J"])
    #expect(!LiveTable(streams: [stream]).lines(width: 80).joined().contains("\u{1b}"))
  }
}
