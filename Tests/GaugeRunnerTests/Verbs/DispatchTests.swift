// Finding the verb, help and mistyped words.

import Testing

@testable import GaugeRunner

@Suite struct DispatchTests {
  let gauge = CapturedProgram()

  @Test func `without arguments the overview goes to standard error`() {
    #expect(gauge() == 64)
    #expect(gauge.output == "")
    #expect(gauge.error.hasPrefix("gauge: measures Swift benchmarks"))
  }

  @Test(arguments: ["help", "--help", "-h"]) func `help is printed`(word: String) {
    #expect(gauge(word) == 0)
    for verb in Verbs.all { #expect(gauge.output.contains("  \(verb.name) ")) }
    #expect(gauge.error == "")
  }

  @Test(arguments: Verbs.all) func `every verb has its page, asked for in two ways`(verb: Verb) {
    #expect(gauge("help", verb.name) == 0)
    let page = gauge.output
    #expect(page.hasPrefix(verb.usage))
    #expect(gauge(verb.name, "anything", "--help") == 0)
    #expect(gauge.output == page)
    #expect(gauge("help", "--long", verb.name) == 0)
    #expect(gauge.output.hasPrefix(verb.usage))
    #expect(gauge.output.contains(verb.description))
  }

  @Test func `the version is printed`() {
    #expect(gauge("--version") == 0)
    #expect(gauge.output == "gauge \(Program.version)\n")
  }

  @Test func `a mistyped verb is told with the nearest`() {
    #expect(gauge("comapre", "a", "b") == 64)
    #expect(gauge.error == "gauge: error: unknown command 'comapre'\nDid you mean 'compare'?\nSee 'gauge help'.\n")
    #expect(gauge("help", "lst") == 64)
    #expect(gauge.error == "gauge: error: unknown command 'lst'\nDid you mean 'list'?\nSee 'gauge help'.\n")
    #expect(gauge("--verison") == 64)
    #expect(gauge.error == "gauge: error: unknown option '--verison'\nDid you mean '--version'?\nSee 'gauge help'.\n")
  }

  @Test func `a mistyped option is told with the nearest and the page to read`() {
    #expect(gauge("run", "--quik") == 64)
    #expect(
      gauge.error == "gauge run: error: unknown option '--quik'\nDid you mean '--quick'?\nSee 'gauge help run'.\n")
  }

  @Test func `colours can be chosen`() {
    #expect(gauge("compare", "--color", "always") == 64)
    #expect(gauge("compare", "--color", "sometimes", "a", "b") == 64)
    #expect(gauge.error.hasPrefix("gauge compare: error: option '--color' knows always, never, auto, not 'sometimes'"))
  }
}
