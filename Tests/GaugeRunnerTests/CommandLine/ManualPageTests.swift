// The manual page: everything is in it, and roff has nothing to complain about.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct ManualPageTests {
  @Test func `every verb, option and exit code is in it`() {
    let gauge = CapturedProgram()
    #expect(gauge("help", "--man") == 0)
    let page = gauge.output
    #expect(page.hasPrefix(".TH GAUGE 1 "))
    for verb in Verbs.all {
      #expect(page.contains(".SS gauge \(verb.name) "))
      for option in verb.options {
        #expect(page.contains("\\fB" + option.name.replacing("-", with: "\\-") + "\\fR"), "\(verb.name) \(option.name)")
      }
    }
  }

  @Test func `no line of text is taken for a request, and nothing for an escape`() {
    let verb = Verb(
      name: "weigh", arguments: "", summary: "Weighs.",
      description: ".gauge is a folder\n'it' is a \\word, n²\n\nTwice.",
      options: [], examples: [], exitCodes: []
    ) { _, _ in 0 }
    let page = manualPage([verb])
    #expect(page.contains("\n\\&.gauge is a folder\n\\(aqit\\(aq is a \\eword, n\\[u00B2]\n.PP\nTwice.\n"))
  }

  @Test(.enabled(if: CompletionsTests.has("groff"))) func `roff sets it without a warning`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(manualPage(Verbs.all), to: "gauge.1")
    let run = try ProcessRun.capturing(
      Command(program: "groff", arguments: ["-man", "-Tutf8", "-ww", "-P-cbou", path]), reportOn: 1)
    #expect(run.succeeded)
    #expect(run.output == "")
    #expect(run.report.contains("--time-limit SECONDS"))
  }
}
