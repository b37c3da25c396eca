// Pipes and files are no terminals.

import Testing

@testable import GaugeRunner

@Suite struct TerminalTests {
  @Test func `a pipe is no terminal and has no width`() throws {
    let pipe = try Pipe.make()
    #expect(!Terminal.isTerminal(pipe.reading.number))
    #expect(Terminal.width(pipe.reading.number) == nil)
  }

  @Test func `what doesn't fit is told, and what fits is all there`() throws {
    let folder = try TemporaryFolder()
    let file = try Descriptor.appending(to: folder("file"), emptied: false)
    try Terminal.send(Array("some text".utf8), to: file.number)
    #expect(try folder.read("file") == "some text")
    let full = try Descriptor.appending(to: "/dev/full", emptied: false)
    try Terminal.send([], to: full.number)
    let error = #expect(throws: SystemError.self) { try Terminal.send([1], to: full.number) }
    #expect(error?.reason == "No space left on device")
  }
}
