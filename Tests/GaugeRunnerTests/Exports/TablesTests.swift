// Tables and trees for scripts.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct TablesTests {
  @Test func `a run is a line per metric`() throws {
    let records = try CSV.records(Array(RunSummary.sample().csv.utf8)[...], firstLine: 1)
    #expect(records.count == 8)
    #expect(
      records[3].fields == [
        "a b/c", "n=1;k=x,\"y\"", "time", "ns/op", "lower", "sampled", "3", "3.0", "2.0", "4.0", "",
      ])
  }

  @Test func `a run is a tree with its launches`() throws {
    let tree = try JSONSerialization.jsonObject(with: Data(RunSummary.sample().json.utf8)) as? [String: Any]
    #expect((tree?["benchmarks"] as? [Any])?.count == 2)
    #expect((tree?["environment"] as? [String: String])?["commit"] == "abc")
  }

  @Test func `a comparison has its verdicts in both`() throws {
    var new = reportedSuite(seed: 2, benchmarks: 3, factor: 1.5, allocations: 1)
    new.faults = [reportedFault]
    let comparison = Comparison(base: reportedSuite(seed: 1, benchmarks: 3), new: new)
    let records = try CSV.records(Array(comparison.csv.utf8)[...], firstLine: 1)
    #expect(records.count == 1 + comparison.entries.count)
    #expect(records[1].fields.prefix(6) == ["subject/send", "sinks=0", "allocations", "1/op", "worse", "difference"])
    let tree = try JSONSerialization.jsonObject(with: Data(comparison.json.utf8)) as? [String: Any]
    #expect(tree?["exit_code"] as? Int == 3)
    #expect((tree?["counts"] as? [String: Int])?["worse"] == comparison.count(.worse))
    #expect((tree?["rows"] as? [Any])?.count == comparison.entries.count)
  }
}
