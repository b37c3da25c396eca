// Colours, where they are wanted.

import Testing

@testable import GaugeRunner

@Suite struct ConsoleTests {
  func console(colour: Bool) -> Console {
    let stream = Console.Stream(write: { _ in }, columns: 80, colour: colour)
    return Console(output: stream, error: stream)
  }

  @Test(arguments: [
    (Console.ColourChoice.always, true, true), (.always, false, true), (.never, true, false), (.never, false, false),
    (.auto, true, true), (.auto, false, false),
  ])
  func `a choice beats what the stream is`(choice: Console.ColourChoice, stream: Bool, colour: Bool) {
    let console = console(colour: stream).choosing(choice)
    #expect(console.output.colour == colour)
    #expect(console.error.colour == colour)
  }

  @Test(arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]]) func `the environment can say no`(
    environment: [String: String]
  ) {
    let console = Console.standard(environment: environment)
    #expect(!console.output.colour)
    #expect(!console.error.colour)
  }

  @Test func `colours are marks around a text`() {
    #expect(console(colour: true).output.bold("a") == "\u{1B}[1ma\u{1B}[0m")
    #expect(console(colour: true).output.red("a") == "\u{1B}[31ma\u{1B}[0m")
    #expect(console(colour: false).output.bold("a") == "a")
    #expect(console(colour: false).output.red("a") == "a")
  }

  @Test func `a broken benchmark is told with what it printed, which steers no terminal`() {
    var written = ""
    let stream = Console.Stream(write: { written += $0 }, columns: nil, colour: false)
    let console = Console(output: stream, error: stream)
    console.tellBroken("orders/place", "it trapped", printed: "Fatal error: no order\n\n\u{1B}[2Jbye\n")
    let lines = written.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.prefix(2) == ["gauge: orders/place broke: it trapped", "    | Fatal error: no order"])
    #expect(lines.count == 4)
    #expect(lines[2].hasPrefix("    | ") && lines[2].hasSuffix("bye") && !written.contains("\u{1B}"))
    written = ""
    #expect(console.tellStopped(by: 15) == 143)
    #expect(written.hasPrefix("gauge: stopped by ") && written.hasSuffix("\n"))
  }
}
