// What a machine can't deliver is told in every form of a result, never as a number.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct UnavailableTests {
  private static let metrics =
    [Metric.allocations, .frees, .allocatedBytes, .systemCalls, .singleShot] + Metric.counted + Metric.resources
    + Metric.references + Metric.allocator + Metric.hardware

  @Test(arguments: metrics) func `the reason is in the file and on the page`(metric: Metric) throws {
    let reason = "not here, \"as\" they say"
    let row = ResultRow.sample(metric: metric, .unavailable(reason))
    let text = ResultFormat.head(environment: []) + ResultFormat.line(row)
    #expect(text.contains("unavailable: not here"))
    let results = try ResultFile.parse(Array(text.utf8), path: "f.csv").results
    #expect(results.rows == [row])
    let page = resultsMarkdown(results, title: "t")
    #expect(page.contains("unavailable: \(reason)"), "\(page)")
  }
}
