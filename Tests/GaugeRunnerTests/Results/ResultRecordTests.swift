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
    ("b,,latency_p99,ns,lower,sampled,0,0,1,1,-1,", "value"),
    ("b,,open_latency_max,ns,lower,sampled,0,0,1,1,-0.1,", "value"),
    ("b,,throughput,elements/s,higher,sampled,0,0,1,1,-1,", "value"),
    ("b,,reference_loop,ns/turn,neither,sampled,0,0,1,1,-1,", "value"),
    ("b,,foreign_load,processors,neither,sampled,0,0,1,1,-1,", "value"),
    ("b,,time,ns/op,lower,sampled,0,0,1,1,0x1p3,", "value"), ("b,,time,ns/op,lower,sampled,+3,0,1,1,1,", "launch"),
  ])
  func `what contradicts a built-in metric, and what is no decimal number, is refused`(line: String, field: String) {
    let failure = #expect(throws: ResultFile.Failure.self) { try content(line) }
    #expect(failure?.description.hasPrefix("f:3: field '\(field)': expected ") == true)
  }

  /// What takes less than an empty operation varies, as `gauge/empty` does, and what an author measures.
  @Test(arguments: ["time,ns/op,lower,sampled", "instructions,1/op,lower,exact", "degrees,K,lower,sampled"])
  func `what an empty operation is subtracted from may be below 0`(metric: String) throws {
    guard case .row(let row) = try content("b,,\(metric),0,0,1,1,-0.25,") else {
      Issue.record("not a row")
      return
    }
    #expect(row.outcome == .value(-0.25))
  }

  /// An author's own differences and virtual times have such names, too.
  @Test(arguments: [
    "latency_p50_readers,ns,lower,sampled", "throughput_readers,elements/s,higher,sampled",
    "time_readers,ns/op,lower,exact", "virtual_time,ns,lower,exact", "jobs,jobs/s,higher,sampled",
  ])
  func `an author's own metrics, and those of groups, may be below 0 or exact`(metric: String) throws {
    guard case .row = try content("b,,\(metric),0,0,1,1,-5,") else {
      Issue.record("not a row")
      return
    }
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

  @Test(arguments: [("benchmark", 10_000), ("parameters", 10_000), ("metric", 10_000), ("unit", 1000)])
  func `names have a limit`(field: String, most: Int) throws {
    func line(_ bytes: Int) -> String {
      let fields = ["benchmark", "parameters", "metric", "unit"].map {
        $0 == field ? String(repeating: "x", count: bytes) : "y"
      }
      return fields.joined(separator: ",") + ",lower,sampled,0,0,1,1,1,"
    }
    _ = try content(line(most))
    let failure = #expect(throws: ResultFile.Failure.self) { try content(line(most + 1)) }
    #expect(failure?.description.hasPrefix("f:3: field '\(field)': expected at most \(most) bytes") == true)
  }
}
