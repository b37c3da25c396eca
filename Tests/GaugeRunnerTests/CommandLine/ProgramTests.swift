// What the command works with.

import Testing

@testable import GaugeRunner

@Suite struct ProgramTests {
  @Test func `two pieces of work don't share a folder`() {
    #expect(Program.scratchPath() != Program.scratchPath())
  }
}
