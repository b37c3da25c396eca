// The formats of services that keep results.

import Foundation
import Gauge
import Testing

@testable import GaugeRunner

@Suite struct ServiceExportsTests {
  let run = RunSummary.sample()

  @Test func `Bencher has measures with bounds`() throws {
    let document =
      try JSONSerialization.jsonObject(with: Data(run.bencher.utf8)) as? [String: [String: [String: Double]]]
    #expect(document?["d"]?["latency-p99"] == ["value": 200, "lower_value": 100, "upper_value": 300])
    #expect(document?["a b/c[n=1;k=x,\"y\"]"]?["latency"]?["value"] == 3)
    // The loop of the instrument measures nothing of the benchmark.
    #expect(document?["d"]?["reference-loop"] == nil)
  }

  @Test func `github-action-benchmark has a file per direction`() throws {
    let smaller = try JSONSerialization.jsonObject(with: Data(run.gitHubAction(.lower).utf8)) as? [[String: Any]]
    let bigger = try JSONSerialization.jsonObject(with: Data(run.gitHubAction(.higher).utf8)) as? [[String: Any]]
    #expect(smaller?.count == 5)
    #expect(bigger?.map { $0["name"] as? String } == ["a b/c[n=1;k=x,\"y\"] throughput"])
    #expect(bigger?.first?["unit"] as? String == "elements/s")
    #expect(bigger?.first?["range"] as? String == "± 100")
  }

  @Test func `Otava has a line per run`() {
    var other = run
    other.points.removeLast()
    let lines = RunSummary.otava([run, other]).split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("time,commit,\"a b/c[n=1;k=x,\"\"y\"\"] allocations\","))
    #expect(lines[1] == "2025-01-01T00:00:00Z,abc,5.0,200.0,3.0,2000.0,20.0,200.0")
    #expect(lines[2] == "2025-01-01T00:00:00Z,abc,5.0,200.0,3.0,,,")
  }
}
