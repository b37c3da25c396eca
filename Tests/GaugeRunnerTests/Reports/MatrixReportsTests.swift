// The matrix as text, Markdown and a page.

import Testing

@testable import GaugeRunner

@Suite struct MatrixReportsTests {
  private let matrix = ComparisonMatrix.sample

  @Test func `variants that don't fit beside each other stand below each other`() {
    let text = matrix.text(width: 80)
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(text)")
    #expect(text.split(separator: "\n").count { $0.hasPrefix("benchmark ") } == 2)
    let wide = matrix.text(width: 120)
    #expect(
      wide == """
        Each variant against the same without it.
        broke: c: with option=-Xswiftc -Ounchecked: exit code 9

        benchmark  metric        1: variable=WORK=2              2: option=-Xswiftc -Ounchecked
        a          time          worse +100.0 % [+99.0, +101.0]  not enough data +1.0 % [0, +2.0] [1]
        a          instructions  worse +50.0 % [+49.0, +51.0]    –
        b          time          same [2]                        better -10.0 % [-11.0, -9.0]
        c          time          same +0.1 % [-0.9, +1.1]        broke

        [1] the time was up
        [2] not measured: the counts are identical
        Terms.
        1: variable=WORK=2: 2 worse, 0 better, 3 same, 0 not enough data; median change of the times +0.1 %
        2: option=-Xswiftc -Ounchecked: 1 broke, 0 worse, 1 better, 1 same, 1 not enough data; \
        median change of the times -4.5 %
        3: toolchain=/opt/none: can't be built: it doesn't build

        """, "\(wide)")
  }

  @Test func `many rows that are the same are counted in a text, folded in Markdown and on a page`() {
    let entries = (10...21).map { ComparisonMatrix.entry("same\($0)", .same, change: 1) }
    let columns = [
      ComparisonMatrix.column(1, "variable=A=1", entries),
      ComparisonMatrix.column(2, "variable=A=2", entries + [ComparisonMatrix.entry("z", .worse, change: 2)]),
    ]
    let matrix = ComparisonMatrix(base: "'main'", columns: columns, terms: "Terms.")
    let text = matrix.text(width: 100)
    #expect(text.contains("Rows not listed: 12 that are the same in all variants.") && !text.contains("same10"))
    #expect(text.contains("z          time    –                worse +100.0 % [+99.0, +101.0]"), "\(text)")
    #expect(matrix.markdown.contains("<details><summary>12 the same in all variants</summary>"))
    #expect(matrix.markdown.contains("| `same10` | time | same 0 % "), "\(matrix.markdown)")
    #expect(matrix.html(title: "T", runs: []).contains("<summary>12 the same in all variants</summary>"))
  }

  @Test func `what names say is text in Markdown and on a page`() {
    let columns = [
      ComparisonMatrix.column(1, "variable=A=<script>|", [ComparisonMatrix.entry("a", .worse, change: 2)])
    ]
    let matrix = ComparisonMatrix(base: "'x'", columns: columns, terms: "Terms.")
    #expect(matrix.markdown.contains("A=\\<script>") && !matrix.markdown.contains("A=<script>"), "\(matrix.markdown)")
    let page = matrix.html(title: "T", runs: [])
    #expect(!page.contains("A=<script>") && page.contains("A=&lt;script&gt;"))
  }

  @Test func `where nothing was measured there is no table`() {
    let columns = [ComparisonMatrix.Column(number: 1, name: "x=y", failure: "can't be built: why")]
    let text = ComparisonMatrix(base: "'x'", columns: columns, terms: "Terms.").text(width: 100)
    #expect(text == "Each variant against 'x'.\n\nTerms.\n1: x=y: can't be built: why\n")
  }
}
