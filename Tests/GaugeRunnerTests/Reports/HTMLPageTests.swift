// The frame of the HTML reports.

import Testing

@testable import GaugeRunner

@Suite struct HTMLPageTests {
  @Test func `a page has nothing from outside, and is light or dark`() {
    let page = htmlPage(title: "a < b", body: ["<p>x</p>"])
    // All that runs is known by its hash.
    #expect(page.contains("<script>\(ReportScript.text)</script>"))
    #expect(page.components(separatedBy: "<script").count == 2 && page.components(separatedBy: "<style>").count == 2)
    let style = page.components(separatedBy: "<style>")[1].components(separatedBy: "</style>")[0]
    #expect(page.contains("content=\"\(contentSecurityPolicy(style: style, script: ReportScript.text))\""))
    #expect(page.contains("<title>a &lt; b</title>"))
    #expect(page.contains("prefers-color-scheme: dark"))
    #expect(!page.contains("http:") && !page.contains("https:"))
  }

  @Test func `a page of a site has its scripts in files beside it`() {
    let page = htmlPage(title: "a", body: [], files: ["../x.js", "a\"b.js"], style: "b { color: red; }")
    #expect(page.contains("<script src=\"../x.js\"></script>\n<script src=\"a&quot;b.js\"></script>"))
    #expect(page.contains("script-src 'self' file:; base-uri 'none'"))
    let style = page.components(separatedBy: "<style>")[1].components(separatedBy: "</style>")[0]
    #expect(style.hasSuffix("b { color: red; }"))
    #expect(page.contains("content=\"\(contentSecurityPolicy(style: style, script: nil))\""))
  }

  @Test func `a cell leads where its row says`() {
    let table = Table(
      columns: [Table.Column(title: "name", isName: true), Table.Column(title: "n", isNumber: true)],
      rows: [Table.Row(cells: ["a", "1"], links: ["x?a=1&b=\"", nil])])
    #expect(htmlTable(table).text.contains("<a href=\"x?a=1&amp;b=&quot;\"><code>a</code></a>"))
    #expect(htmlTable(table).text.contains("<td class=\"number\">1</td>"))
  }

  @Test func `a table's rows have their emphasis and their notes`() {
    let table = Table(
      columns: [Table.Column(title: "name", isName: true), Table.Column(title: "n", isNumber: true)],
      rows: [Table.Row(cells: ["<a>", "1 µs"], values: [nil, 1000], note: "why & how", emphasis: .bad)])
    #expect(
      htmlTable(table).text == """
        <div class="wide"><table class="rows">
        <thead><tr><th scope="col">name</th><th class="number" scope="col">n</th></tr></thead>
        <tbody class="worse"><tr><td><code>&lt;a&gt;</code></td><td class="number" data-value="1000.0">1 µs</td></tr>
        <tr class="note"><td colspan="2">why &amp; how</td></tr></tbody>
        </table></div>
        """)
  }

  @Test func `rows that are folded away share their reasons`() {
    var table = Table(columns: [Table.Column(title: "name", isName: true)])
    table.rows = ["few launches", "", "few launches"].map { Table.Row(cells: ["a"], note: $0) }
    let text = Markup(htmlFolded("3 <undecided>", table)).text
    #expect(text.hasPrefix("<details><summary>3 &lt;undecided&gt;</summary>"))
    #expect(text.components(separatedBy: "<td>[1]</td>").count == 3)
    #expect(text.components(separatedBy: "few launches").count == 2 && text.contains("[1] few launches</p>"))
    #expect(htmlFolded("0", Table(columns: [])).isEmpty)
  }

  @Test func `faults show what was printed`() {
    #expect(htmlFaults([reportedFault])[0].text.contains("<pre>Fatal error: index | out of range\n```</pre>"))
    #expect(htmlFigure("<svg/>", "a<b").text == "<figure><svg/><figcaption>a&lt;b</figcaption></figure>")
  }
}
