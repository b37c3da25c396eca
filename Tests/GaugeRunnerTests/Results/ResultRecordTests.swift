// Single records read into rows and faults.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct ResultRecordTests {
  func content(_ line: String) throws -> ResultRecord.Content {
    let records = try CSV.records(Array((line + "\n").utf8)[...], firstLine: 3)
    return try ResultRecord(records[0], path: "f").content()
  }

  @Test func `a measurement is read with all its fields`() throws {
    guard case .row(let row) = try content("b,n=1,throughput,elements/s,higher,sampled,4,5,6,7,8e3,") else {
      Issue.record("not a row")
      return
    }
    #expect(
      row
        == ResultRow(
          benchmark: "b", parameters: "n=1", metric: .throughput, launch: 4, sequence: 5, iterations: 6, samples: 7,
          outcome: .value(8000)))
  }

  @Test func `a fault is read with its output`() throws {
    guard case .fault(let fault) = try content("b,,fault,,neither,sampled,4,5,0,0,,fault: died | last\\nwords") else {
      Issue.record("not a fault")
      return
    }
    #expect(
      fault
        == BenchmarkFault(
          benchmark: "b", parameters: "", reason: "died", output: "last\nwords", launch: 4, sequence: 5))
  }

  @Test func `a record with a field too many is refused`() {
    #expect(
      throws: ResultFile.Failure.malformed(path: "f", line: 3, field: nil, message: "expected 12 fields, found 13")
    ) {
      try content("b,,time,ns/op,lower,sampled,0,0,1,1,1,,")
    }
  }

  @Test func `places are in the order of the columns`() {
    #expect(ResultRecord.Column.allCases.map { "\($0)" } == ResultFormat.columns)
  }

  @Test(arguments: [
    ("b,,time,ns/op,higher,sampled,0,0,1,1,1,", "polarity"),
    ("b,,latency_p99,ns,neither,sampled,0,0,1,1,1,", "polarity"),
    ("b,,time,ns/op,lower,exact,0,0,1,1,1,", "kind"), ("b,,allocations,1/op,lower,exact,0,0,1,1,-1,", "value"),
    ("b,,time,ns/op,lower,sampled,0,0,1,1,0x1p3,", "value"), ("b,,time,ns/op,lower,sampled,+3,0,1,1,1,", "launch"),
  ])
  func `what contradicts a built-in metric, and what is no decimal number, is refused`(line: String, field: String) {
    let failure = #expect(throws: ResultFile.Failure.self) { try content(line) }
    #expect(failure?.description.hasPrefix("f:3: field '\(field)': expected ") == true)
  }

  @Test func `a benchmark and a metric with the names of the end are a row`() throws {
    guard case .row = try content("gauge,,end,1,lower,sampled,0,0,1,1,1,") else {
      Issue.record("not a row")
      return
    }
    guard case .end(7) = try content("gauge,,end,launches,neither,exact,0,7,0,0,,end: 7 launches were planned") else {
      Issue.record("no end")
      return
    }
  }
}
