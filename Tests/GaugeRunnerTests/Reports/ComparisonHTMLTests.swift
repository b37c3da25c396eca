// The page of a comparison.

import Testing

@testable import GaugeRunner

@Suite struct ComparisonHTMLTests {
  @Test func `changes are drawn, the rest is folded away`() {
    let base = reportedSuite(seed: 1)
    let new = reportedSuite(seed: 2, factor: 2, allocations: 1)
    let comparison = Comparison(base: base, new: new)
    let page = comparisonHTML(comparison, base: base, new: new, title: "t")
    #expect(page.contains("<p class=\"summary\">2 worse, 0 better"))
    #expect(page.contains("<section class=\"panel worse\">"))
    #expect(page.components(separatedBy: "<svg").count >= 3)
    #expect(page.contains("<details><summary>\(comparison.ranked(.same).count) same</summary>"))
    #expect(page.contains("<td><code>machine_id</code></td><td>a1</td><td>a1</td>"))
  }

  @Test func `without a change there is nothing to draw`() {
    let base = reportedSuite(seed: 1)
    let page = comparisonHTML(Comparison(base: base, new: base), base: base, new: base, title: "t")
    #expect(!page.contains("<svg"))
  }
}
