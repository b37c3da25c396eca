// The frame of the HTML reports.

import Testing

@testable import GaugeRunner

@Suite struct HTMLPageTests {
  @Test func `a page has nothing from outside, and is light or dark`() {
    let page = htmlPage(title: "a < b", body: ["<p>x</p>"])
    #expect(page.contains("<title>a &lt; b</title>"))
    #expect(page.contains("prefers-color-scheme: dark"))
    #expect(!page.contains("http") && !page.contains("<script"))
  }

  @Test func `a table's rows have their emphasis and their notes`() {
    let table = Table(
      columns: [Table.Column(title: "name", isName: true), Table.Column(title: "n", isNumber: true)],
      rows: [Table.Row(cells: ["<a>", "1"], note: "why & how", emphasis: .bad)])
    #expect(
      htmlTable(table) == """
        <div class="wide"><table>
        <thead><tr><th>name</th><th class="number">n</th></tr></thead>
        <tbody>
        <tr class="worse"><td><code>&lt;a&gt;</code></td><td class="number">1</td></tr>
        <tr class="note"><td colspan="2">why &amp; how</td></tr>
        </tbody></table></div>
        """)
  }

  @Test func `faults show what was printed`() {
    #expect(htmlFaults([reportedFault])[0].contains("<pre>Fatal error: index | out of range\n```</pre>"))
    #expect(htmlFigure("<svg/>", "a<b") == "<figure><svg/><figcaption>a&lt;b</figcaption></figure>")
  }
}
