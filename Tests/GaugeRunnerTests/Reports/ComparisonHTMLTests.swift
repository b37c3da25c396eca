// The page of a comparison.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct ComparisonHTMLTests {
  @Test func `changes are drawn, the rest is folded away`() {
    let base = reportedSuite(seed: 1)
    let new = reportedSuite(seed: 2, factor: 2, allocations: 1)
    let comparison = Comparison(base: base, new: new)
    let page = comparisonHTML(comparison, base: base, new: new, title: "t")
    #expect(page.contains("<p class=\"verdict worse\">Worse</p>\n<p class=\"summary\">2 worse, 0 better"))
    #expect(page.contains("<section class=\"panel worse\">"))
    // The time's two; of the count the table says it all.
    #expect(page.components(separatedBy: "<svg").count == 3)
    #expect(page.contains("<details><summary>\(comparison.ranked(.same).count) same</summary>"))
    #expect(page.contains("<td><code>machine_id</code></td><td>a1</td><td>a1</td>"))
  }

  @Test func `without a change there is nothing to draw`() {
    let base = reportedSuite(seed: 1)
    let page = comparisonHTML(Comparison(base: base, new: base), base: base, new: base, title: "t")
    #expect(!page.contains("<svg"))
    #expect(page.contains("<p class=\"verdict \">The same</p>"))
  }

  @Test func `undecided rows are folded away with their reason once, and not drawn`() {
    var (base, new) = (Results.run(), Results.run())
    for name in ["a/b", "a/c"] {
      base.add(.time, [10, 11, 12], to: name)
      new.add(.time, [20, 21, 22], to: name)
    }
    let page = comparisonHTML(Comparison(base: base, new: new), base: base, new: new, title: "t")
    #expect(page.contains("<p class=\"verdict unsure\">Not enough data</p>"))
    #expect(page.contains("<details><summary>2 not enough data</summary>"))
    #expect(page.components(separatedBy: "3 launches on a side, 5 are needed").count == 2)
    #expect(!page.contains("<svg"))
  }

  @Test func `what strangers have named is text, in every place of the page`() throws {
    let evil = "x\u{0600}</script><script>alert(1)</script><\u{0338}img src=x onerror=y>"
    var (base, new) = (Results.run(machine: evil), Results.run(machine: evil))
    let metric = Metric(evil, unit: evil, kind: .exact)
    base.add(metric, [1, 1], to: evil, parameters: evil)
    new.add(metric, [2, 3], to: evil, parameters: evil)
    new.faults = [BenchmarkFault(benchmark: evil, parameters: evil, reason: evil, output: evil)]
    let comparison = Comparison(base: base, new: new)
    for page in [
      comparisonHTML(comparison, base: base, new: new, title: evil), resultsHTML(new, title: evil),
      flameGraphPage([FlameGraph(Profile(.cpu, operations: 1), title: evil)], title: evil),
    ] {
      let bytes = Array(page.utf8)
      for forbidden in ["<script>alert", "<img", "<\u{0338}"] {
        #expect(bytes.firstRange(of: Array(forbidden.utf8)) == nil, "\(forbidden)")
      }
    }
  }
}
