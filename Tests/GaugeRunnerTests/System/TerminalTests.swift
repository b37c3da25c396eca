// Pipes and files are no terminals.

import Testing

@testable import GaugeRunner

@Suite struct TerminalTests {
  @Test func `a pipe is no terminal and has no width`() throws {
    let pipe = try Pipe.make()
    #expect(!Terminal.isTerminal(pipe.reading.number))
    #expect(Terminal.width(pipe.reading.number) == nil)
  }
}
