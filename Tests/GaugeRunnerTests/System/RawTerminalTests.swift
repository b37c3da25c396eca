// A terminal whose keys are read one by one, and what it is afterwards.

import Foundation
import Testing

@testable import GaugeRunner

/// A terminal that nobody sits at: what is written to one end is typed at the other.
private final class Pseudoterminal {
  let typing: Int32
  let terminal: Int32

  init() throws {
    // The C library's own calls for this are hidden from Swift:
    // TIOCSPTLCK lets it be opened, TIOCGPTN tells its number.
    typing = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var (isLocked, number) = (Int32(0), Int32(-1))
    try #require(typing >= 0 && ioctl(typing, 0x4004_5431, &isLocked) == 0 && ioctl(typing, 0x8004_5430, &number) == 0)
    terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    try #require(terminal >= 0)
  }

  deinit {
    close(terminal)
    close(typing)
  }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(write(typing, bytes, bytes.count) == bytes.count)
  }

  /// What is set of the terminal: whether it waits for lines, shows keys and makes signals of them, and so on.
  func settings() -> [Int] {
    var settings = termios()
    tcgetattr(terminal, &settings)
    return [Int(settings.c_lflag), Int(settings.c_iflag), Int(settings.c_oflag)]
  }
}

@Suite(.enabled(if: Files.kindBehindLinks("/dev/ptmx") == .other)) struct RawTerminalTests {
  @Test func `keys come as they are typed, and the terminal is as before afterwards`() throws {
    let pseudo = try Pseudoterminal()
    let before = pseudo.settings()
    do {
      let raw = try #require(RawTerminal(pseudo.terminal))
      #expect(pseudo.settings() != before)
      #expect(raw.keys(within: 0) == [])
      pseudo.type("s\u{3}\r")
      // None of them is an end of a line, a signal, or changed.
      #expect(raw.keys(within: 60_000) == [UInt8(ascii: "s"), 3, UInt8(ascii: "\r")])
    }
    #expect(pseudo.settings() == before)
  }

  @Test func `a pipe is no terminal`() throws {
    let pipe = try Pipe.make()
    let isTerminal = RawTerminal(pipe.reading.number) != nil
    #expect(!isTerminal)
  }

  @Test func `a terminal has a size`() throws {
    let pseudo = try Pseudoterminal()
    var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
    #expect(ioctl(pseudo.terminal, UInt(TIOCSWINSZ), &size) == 0)
    #expect(Terminal.size(pseudo.terminal)?.columns == 80)
    #expect(Terminal.size(pseudo.terminal)?.lines == 24)
    #expect(Terminal.width(pseudo.terminal) == 80)
  }
}
