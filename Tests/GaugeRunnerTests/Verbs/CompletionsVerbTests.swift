// What `gauge completions` writes, and where.

import Testing

@testable import GaugeRunner

@Suite struct CompletionsVerbTests {
  @Test func `the command prints the scripts, and knows its shells`() {
    let gauge = CapturedProgram()
    #expect(gauge("completions", "bash") == 0)
    #expect(gauge.output == Completions(verbs: Verbs.all).script(for: .bash))
    #expect(gauge("completions", "zsh") == 0)
    #expect(gauge.output.hasPrefix("#compdef gauge\n"))
    #expect(gauge("completions", "bsh") == 64)
    #expect(gauge.error.contains("Did you mean 'bash'?"))
    #expect(gauge("completions") == 64)
  }
}
