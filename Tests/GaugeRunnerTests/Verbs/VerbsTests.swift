// Rules that every verb keeps.

import Testing

@testable import GaugeRunner

@Suite struct VerbsTests {
  @Test(arguments: Verbs.all) func `every verb is explained`(verb: Verb) {
    #expect(verb.summary.hasSuffix("."))
    #expect(!verb.description.isEmpty)
    #expect(!verb.examples.isEmpty)
    #expect(Set(verb.options.map(\.name)).count == verb.options.count)
    #expect(verb.options.contains { $0.name == "--help" })
    #expect(verb.options.contains { $0.name == "--color" })
    let stream = Console.Stream(write: { _ in }, columns: nil, colour: false)
    for line in verb.help(stream, .long).split(separator: "\n") { #expect(line.count <= 120) }
  }

  @Test(arguments: Verbs.all) func `the help of every verb fits a screen`(verb: Verb) {
    let lines = verb.help(Console.Stream(write: { _ in }, columns: nil, colour: false)).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 41, "40 lines, and the end of the last")
    for line in lines { #expect(line.count <= 120) }
  }

  @Test(arguments: Verbs.all) func `exit codes are those of the program`(verb: Verb) {
    let known = ExitCode.allCases.map(\.rawValue) + [130]
    for (code, meaning) in verb.exitCodes {
      #expect(Int32(code).map(known.contains) == true)
      #expect(!meaning.isEmpty)
    }
    #expect(verb.exitCodes.contains { $0.code == "64" })
    // The folder `.gauge` may be a link, or tracked.
    if verb.believesFolder { #expect(verb.exitCodes.contains { $0.code == "65" }) }
  }

  @Test(arguments: Verbs.all) func `examples are command lines that the verb takes`(verb: Verb) throws {
    for (line, _) in verb.examples {
      let words = line.split(separator: " ").map { String($0.filter { $0 != "'" }) }
      #expect(words.prefix(2) == ["gauge", verb.name])
      _ = try Arguments(Array(words.dropFirst(2)), options: verb.options)
    }
  }
}
