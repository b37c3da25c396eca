// The table layouter and its two renderers.

import Testing

@testable import GaugeRunner

@Suite struct TableTests {
  private let table = Table(
    columns: [
      Table.Column(title: "name", minimum: 5, isName: true), Table.Column(title: "value", isNumber: true),
      Table.Column(title: "verdict"),
    ],
    rows: [
      Table.Row(cells: ["subject/passthrough", "12.3 ns", "worse"], note: "a | b", emphasis: .bad),
      Table.Row(cells: ["b", "1", "same"]),
    ])

  @Test func alignsColumns() {
    #expect(
      table.text(width: 80, colour: false) == [
        "name                   value  verdict",
        "subject/passthrough  12.3 ns  worse",
        "    a | b",
        "b                          1  same",
      ])
  }

  @Test(arguments: [10, 22, 30, 36]) func fitsTheWidth(width: Int) {
    for line in table.text(width: width, colour: false) { #expect(line.count <= width) }
  }

  @Test func cutsNamesInTheMiddle() {
    #expect(table.text(width: 30, colour: false)[1] == "subjec…rough  12.3 ns  worse")
    #expect(Table.cut("abcdef", to: 6, inMiddle: true) == "abcdef")
    #expect(Table.cut("abcdef", to: 5, inMiddle: true) == "ab…ef")
    #expect(Table.cut("abcdef", to: 5, inMiddle: false) == "abcd…")
    #expect(Table.cut("abcdef", to: 1, inMiddle: false) == "a")
    #expect(Table.cut("abcdef", to: 0, inMiddle: true) == "")
  }

  @Test func coloursTheLastCellOnlyIfAsked() {
    #expect(table.text(width: 80, colour: true)[1] == "subject/passthrough  12.3 ns  \u{1b}[31mworse\u{1b}[0m")
    #expect(table.text(width: 80, colour: true)[3] == "b                          1  same")
    #expect(!table.text(width: 80, colour: false).joined().contains("\u{1b}"))
  }

  @Test func rendersMarkdownWithNotesAndEscapes() {
    #expect(
      table.markdown == [
        "| name | value | verdict | note |",
        "| --- | ---: | --- | --- |",
        "| `subject/passthrough` | 12.3 ns | worse | a \\| b |",
        "| `b` | 1 | same |  |",
      ])
    var plain = table
    plain.rows.removeFirst()
    #expect(plain.markdown == ["| name | value | verdict |", "| --- | ---: | --- |", "| `b` | 1 | same |"])
  }

  @Test func detailsFollowTheNote() {
    var detailed = table
    detailed.rows[0].details = ["why: +1 call", "1. send(_:_:) <A>"]
    #expect(
      detailed.text(width: 80, colour: false)[1...] == [
        "subject/passthrough  12.3 ns  worse", "    a | b", "    why: +1 call", "    1. send(_:_:) <A>",
        "b                          1  same",
      ])
    #expect(
      detailed.markdown[2]
        == "| `subject/passthrough` | 12.3 ns | worse | a \\| b<br>why: +1 call<br>1. send(\\_:\\_:) \\<A> |")
    #expect(htmlTable(detailed).text.contains("a | b<br>why: +1 call<br>1. send(_:_:) &lt;A&gt;</td>"))
  }

  @Test func aTableWithoutRowsHasItsTitles() {
    #expect(Table(columns: table.columns).text(width: 80, colour: false) == ["name  value  verdict"])
  }

  @Test func aReasonHasOneMarkWhereverItStands() {
    var reasons = Footnotes()
    #expect(["a", "b", "a"].map { reasons.mark($0) } == ["[1]", "[2]", "[1]"])
    #expect(reasons.lines == ["[1] a", "[2] b"])
  }

  @Test func wrapsAtSpaces() {
    #expect(wrapped("one two three", indent: 2, width: 9) == ["  one two", "  three"])
    #expect(wrapped("incomprehensible", indent: 0, width: 8) == ["incompr…"])
    #expect(wrapped("", indent: 0, width: 8).isEmpty)
  }
}
