// Keys, and the screens that they lead to.

import Testing

@testable import GaugeRunner

@Suite struct LiveScreenTests {
  private let streams = ShopLooks.streams

  private func screen(_ keys: LiveKey...) -> LiveScreen {
    var screen = LiveScreen(title: "7 Shop", order: .rate, interval: "1")
    for key in keys { screen.press(key, streams) }
    return screen
  }

  private func lines(_ keys: LiveKey..., width: Int = 80, height: Int = 24) -> [String] {
    var screen = LiveScreen(title: "7 Shop", order: .rate, interval: "1")
    for key in keys { screen.press(key, streams) }
    return screen.lines(streams, width: width, height: height)
  }

  @Test func `bytes of a terminal are keys`() {
    #expect(
      LiveKey.keys(in: Array("qs\u{1b}[A\u{1b}OB\r\u{1b}[1;5Cxj\u{7f}\u{3}".utf8)) == [
        .quit, .order, .up, .down, .open, .open, .down, .back, .interrupt,
      ])
    #expect(LiveKey.keys(in: [0x1b]) == [.back])
    #expect(LiveKey.keys(in: Array("\u{1b}[".utf8)) == [])
    #expect(LiveKey.keys(in: Array("\u{1b}[D".utf8)) == [.back])
    #expect(LiveKey.keys(in: []) == [])
  }

  @Test func `a screen of 80 columns and 24 lines is filled`() {
    let lines = lines()
    #expect(lines.count == 24)
    #expect(lines[0] == "7 Shop: 3 streams, 6 subscriptions, 1 with findings")
    #expect(lines[2].contains("RATE▾"))
    #expect(lines[3].hasPrefix(">"))
    #expect(lines[23] == "by rate, each 1 s   q quit  s order  ↑↓ mark  ⏎ graph")
    for line in lines { #expect(line.count <= 80) }
  }

  @Test(arguments: [(40, 24), (20, 5), (1, 1), (10, 3)]) func `no screen is too small`(width: Int, height: Int) {
    for lines in [lines(width: width, height: height), lines(.open, width: width, height: height)] {
      #expect(lines.count == height)
      for line in lines { #expect(line.count <= width) }
    }
  }

  @Test func `arrows mark streams, and end at the last one`() {
    #expect(screen(.down).marked == 9)
    #expect(screen(.down, .down, .down).marked == 1)
    #expect(screen(.down, .down, .up).marked == 9)
    #expect(screen(.up).marked == nil)
  }

  @Test func `another order keeps the marked stream`() {
    let screen = screen(.down, .order)
    #expect(screen.order == .waiting)
    #expect(screen.marked == 9)
    #expect(lines(.order)[3].hasPrefix(">  1"))
  }

  @Test func `the graph of a stream is opened, scrolled and left`() {
    let graph = lines(.down, .down, .open)
    #expect(graph[2] == "eve")
    #expect(graph[3] == "- Buffer 1: 0 /s, delivered 20, demand 0, waiting 500, dropped 880")
    #expect(graph[23] == "q quit  ↑↓ scroll  ← streams")
    #expect(lines(.down, .down, .open, .down, height: 5)[2] == graph[3])
    #expect(lines(.down, .down, .open, .down, .up, height: 5)[2] == graph[2])
    #expect(lines(.down, .down, .open, .back)[5].hasPrefix(">  1"))
    #expect(lines(.open, .order, .back)[2].contains("RATE▾"))
  }

  @Test func `a stream that has gone is told, and no stream is`() {
    var screen = screen(.open)
    #expect(screen.lines(LiveStreams(), width: 80, height: 24)[2] == "  the stream has gone")
    screen.press(.back, LiveStreams())
    #expect(screen.lines(LiveStreams(), width: 80, height: 24)[2].hasPrefix("  No stream is alive"))
  }
}
