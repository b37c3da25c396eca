// The matrix as CSV and JSON.

import Foundation
import Testing

@testable import GaugeRunner

@Suite struct MatrixTablesTests {
  @Test func `a line for each row of each variant`() {
    let lines = ComparisonMatrix.sample.csv.split(separator: "\n").map(String.init)
    #expect(lines[0] == "variant,benchmark,parameters,metric,unit,verdict,scale,before,after,change,low,high,reason")
    #expect(lines.count == 1 + 5 + 3 + 1)
    #expect(lines.last == "toolchain=/opt/none,,,,,broke,,,,,,,can't be built: it doesn't build")
    #expect(lines.contains("variable=WORK=2,a,,time,ns/op,worse,ratio,,,2.0,1.99,2.01,"), "\(lines)")
  }

  @Test func `each variant with its comparison`() throws {
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(ComparisonMatrix.sample.json.utf8)) as? [String: Any])
    #expect(json["format"] as? String == "gauge-matrix" && json["exit_code"] as? Int == 3)
    let variants = try #require(json["variants"] as? [[String: Any]])
    #expect(
      variants.map { $0["varied"] as? String } == [
        "variable=WORK=2", "option=-Xswiftc -Ounchecked", "toolchain=/opt/none",
      ])
    #expect(variants.map { $0["failure"] as? String } == [nil, nil, "can't be built: it doesn't build"])
    #expect(variants[0]["median_time_ratio"] as? Double == 1.001)
    let comparison = try #require(variants[0]["comparison"] as? [String: Any])
    #expect(comparison["format"] as? String == "gauge-comparison" && (comparison["rows"] as? [Any])?.count == 5)
    #expect(variants[2]["comparison"] is NSNull)
  }
}
