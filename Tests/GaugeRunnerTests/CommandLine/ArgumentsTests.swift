// Sorting options from plain arguments.

import Testing

@testable import GaugeRunner

@Suite struct ArgumentsTests {
  static let options = [
    OptionSyntax(name: "--filter", placeholder: "GLOB", help: ""), OptionSyntax(name: "--quick", help: ""),
    OptionSyntax(name: "--seed", placeholder: "N", help: ""),
  ]

  func parse(_ arguments: String...) throws -> Arguments {
    try Arguments(arguments, options: Self.options)
  }

  @Test func `options and plain arguments may be mixed`() throws {
    let arguments = try parse("a", "--filter", "x", "--quick", "b", "--filter=y=z", "-", "--", "--seed", "c")
    #expect(arguments.plain == ["a", "b", "-", "--seed", "c"])
    #expect(arguments.all("--filter") == ["x", "y=z"])
    #expect(arguments.last("--filter") == "y=z")
    #expect(arguments.has("--quick"))
    #expect(!arguments.has("--seed"))
    #expect(arguments.last("--seed") == nil)
  }

  @Test(arguments: [
    (
      ["--fliter", "x"],
      CommandFailure(code: .usage, message: "unknown option '--fliter'", advice: "Did you mean '--filter'?")
    ),
    (["--xyzzy"], CommandFailure(code: .usage, message: "unknown option '--xyzzy'")),
    (["-q"], CommandFailure(code: .usage, message: "unknown option '-q'")),
    (["--quick=1"], CommandFailure(code: .usage, message: "option '--quick' takes no value")),
    (["a", "--filter"], CommandFailure(code: .usage, message: "option '--filter' needs a value: --filter GLOB")),
  ])
  func `what nobody knows is refused`(words: [String], failure: CommandFailure) {
    #expect(throws: failure) { try Arguments(words, options: Self.options) }
  }

  @Test func `lists are joined by commas or given one by one`() throws {
    #expect(try parse("--filter", "a,b", "--filter", "c,").list("--filter") == ["a", "b", "c"])
  }

  @Test func `numbers have bounds`() throws {
    #expect(try parse("--seed", "7").number("--seed", in: 1...9, expected: "a digit") == 7)
    #expect(try parse().number("--seed", in: 1...9, expected: "a digit") == nil)
    for text in ["0", "10", "x", "1.5", ""] {
      #expect(
        throws: CommandFailure(code: .usage, message: "option '--seed' needs a digit, not '\(text)'")
      ) { try parse("--seed", text).number("--seed", in: 1...9, expected: "a digit") }
    }
  }

  enum Format: String, CaseIterable {
    case text
    case markdown
  }

  @Test func `words are known or refused with the nearest`() throws {
    #expect(try parse("--filter", "text,markdown").words("--filter", as: Format.self) == [.text, .markdown])
    let failure = CommandFailure(
      code: .usage, message: "option '--filter' knows text, markdown, not 'mardown'", advice: "Did you mean 'markdown'?"
    )
    #expect(throws: failure) { try parse("--filter", "mardown").words("--filter", as: Format.self) }
  }
}
