// What a machine can't deliver is told in every form of a result, never as a number.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct UnavailableTests {
  private static let metrics =
    Metric.heap + [.systemCalls, .singleShot, .latency(percentile: "99")] + Metric.counted + Metric.resources
    + Metric.references + Metric.allocator + Metric.hardware

  @Test(arguments: metrics) func `the reason is in the file and on the page`(metric: Metric) throws {
    let reason = "not here, \"as\" they say"
    let row = ResultRow.sample(metric: metric, .unavailable(reason))
    let text = ResultFormat.head(environment: []) + ResultFormat.line(row)
    #expect(text.contains("unavailable: not here"))
    let results = try ResultFile.parse(Array(text.utf8), path: "f.csv").results
    #expect(results.rows == [row])
    // In the tables of both kinds, as their readers get them.
    let summary = RunSummary(results, title: "t")
    let exported = (csv: summary.csv, json: summary.json)
    #expect(exported.csv.contains("unavailable: not here, \"\"as\"\" they say"), "\(exported.csv)")
    #expect(exported.json.contains(#"unavailable: not here, \"as\" they say"#), "\(exported.json)")
    let page = resultsMarkdown(results, title: "t")
    #expect(page.contains("unavailable: \(reason)"), "\(page)")
  }
}
