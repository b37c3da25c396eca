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
}
