// Percentile distributions as HdrHistogram prints them.

import Testing

@testable import GaugeRunner

@Suite struct HdrPercentilesTests {
  @Test func `each percentile is a line, the maximum the last`() {
    let files = RunSummary.sample().hdrPercentiles
    #expect(files.map(\.name) == ["d.hgrm"])
    #expect(
      files.first?.text == """
               Value     Percentile TotalCount 1/(1-Percentile)

              20.000 0.500000000000         15           2.00
             200.000 0.990000000000         30         100.00
            2000.000 1.000000000000         30
        #[Max     =     2000.000, Total count    =           30]

        """)
  }

  @Test func `no two benchmarks have one file`() {
    var results = Results.run()
    for name in ["l/1", "l-1", "L-1"] { results.add(.latency(percentile: "99"), [1, 1], to: name, parameters: "") }
    #expect(
      Set(RunSummary(results, title: "t").hdrPercentiles.map(\.name)) == ["L-1.hgrm", "l-1_2.hgrm", "l-1_3.hgrm"])
  }
}
