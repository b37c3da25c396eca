// The exact text of a result file.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct ResultFormatTests {
  @Test func `the head holds the version, the environment and the columns`() {
    #expect(
      ResultFormat.head(environment: [("commit", "abc"), ("note", "two\nlines")]) == """
        # gauge-results 1
        # commit: abc
        # note: two\\nlines
        benchmark,parameters,metric,unit,polarity,kind,launch,sequence,iterations,samples,value,note

        """)
  }

  @Test func `a value is a row without a note`() {
    let row = ResultRow.sample(parameters: "sinks=1;queue=a", launch: 2, sequence: 17)
    #expect(ResultFormat.line(row) == "subject/send,sinks=1;queue=a,time,ns/op,lower,sampled,2,17,1000,25,12.5,\n")
  }

  @Test func `the end of a run is a row that is no measurement`() throws {
    #expect(
      ResultFormat.end(after: 400) == "gauge,,end,launches,neither,exact,0,400,0,0,,end: 400 launches were planned\n")
    let text = ResultFormat.head(environment: [(Results.plannedField, "400")]) + ResultFormat.line(.sample())
    let cut = try ResultFile.parse(Array(text.utf8), path: "f.csv").results
    #expect(!cut.hasEnd && cut.incompleteness == "1 of 400 launches")
    let again = try ResultFile.parse(
      Array((text + ResultFormat.line(.sample(launch: 30, sequence: 400))).utf8), path: "f.csv")
    #expect(again.results.incompleteness == "1 of 400 launches")
    let whole = try ResultFile.parse(Array((text + ResultFormat.end(after: 400)).utf8), path: "f.csv").results
    #expect(whole.hasEnd && whole.incompleteness == nil && whole.rows == cut.rows)
  }

  @Test func `a missing value says why`() {
    let row = ResultRow.sample(metric: .allocations, .unavailable("no hooks, sorry"))
    #expect(
      ResultFormat.line(row)
        == "subject/send,,allocations,1/op,lower,exact,0,0,1000,25,,\"unavailable: no hooks, sorry\"\n")
  }

  @Test func `a fault carries its reason and output on one line`() {
    let fault = BenchmarkFault(
      benchmark: "b", parameters: "n=1", reason: "threw: a | b", output: "x\\\ny\n", launch: 1, sequence: 3)
    #expect(
      ResultFormat.line(fault) == "b,n=1,fault,,neither,sampled,1,3,0,0,,fault: threw: a \\| b | x\\\\\\ny\\n\n")
  }

  @Test(arguments: ["", "a\nb\\n\r\\", "\\\\n", "é\t|"]) func `escaping is undone`(text: String) {
    #expect(!ResultFormat.escape(text).contains("\n"))
    #expect(ResultFormat.unescape(ResultFormat.escape(text).unicodeScalars[...]) == text)
  }
}
