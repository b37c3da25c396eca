// The regression report for a pull request.

import Gauge
import GaugeRunner
import Testing

@Suite struct ComparisonMarkdownTests {
  private func report(_ base: Results, _ new: Results) -> String {
    comparisonMarkdown(Comparison(base: base, new: new))
  }

  @Test func showsChangesAndFoldsTheRest() {
    let text = report(reportedSuite(seed: 1), reportedSuite(seed: 2, factor: 1.5, allocations: 1))
    #expect(text.hasPrefix("### Benchmarks: 2 worse, 0 better, 58 same, 0 not enough data\n\n| benchmark | metric |"))
    #expect(text.contains("|  | allocations | 0 | 1 | +1 | worse |"))
    #expect(text.contains("<details><summary>58 same</summary>\n\n| benchmark"))
    #expect(text.contains("... and 8 more.\n\n</details>"))
    #expect(text.contains("<details><summary>30 not judged</summary>"))
    #expect(text.hasSuffix("of a build adds one. Measured times that are the same are so within 25.0 %.\n"))
  }

  @Test func listsWhatWasNotCompared() {
    let text = report(reportedSuite(seed: 1), reportedSuite(seed: 2, machine: "b2"))
    #expect(text.contains("60 times not compared (machine_id differs)"))
    #expect(text.contains("<details><summary>60 not compared</summary>"))
  }

  @Test func faultsComeFirstAndTheirOutputStaysInItsBlock() {
    var new = reportedSuite(seed: 2, benchmarks: 2)
    new.faults = [reportedFault]
    let text = report(reportedSuite(seed: 1, benchmarks: 2), new)
    #expect(
      text.contains(
        """
        - **broke**: queue/push[n=2]: killed by signal 4 (Illegal instruction)

          ```text
          Fatal error: index | out of range
          '''
          ```

        """))
  }

  @Test func staysWithinGitHubsLimit() {
    let text = report(reportedSuite(seed: 1, benchmarks: 120), reportedSuite(seed: 2, benchmarks: 120))
    #expect(text.contains("... and 190 more.") && text.contains("... and 70 more."))
    #expect(text.utf8.count < 65_536)
  }
}
