// The formats of time-series stores.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct SeriesExportsTests {
  let run = RunSummary.sample()

  @Test func `line protocol escapes tags and ends in the time of the run`() {
    let lines = run.influx.split(separator: "\n").map(String.init)
    #expect(lines.count == 7)
    #expect(
      lines[2] == #"gauge,benchmark=a\ b/c,commit=abc,machine=a1,metric=time,param_k=x\,"y",param_n=1,unit=ns/op "#
        + "median=3.0,low=2.0,high=4.0,launches=3i 1735689600000000000")
  }

  @Test func `OpenMetrics has a family per metric, in base units`() {
    let text = run.openMetrics
    #expect(text.hasSuffix("# EOF\n"))
    #expect(
      text.contains(
        """
        # TYPE gauge_latency_p99_seconds gauge
        # UNIT gauge_latency_p99_seconds seconds
        # HELP gauge_latency_p99_seconds latency_p99 in ns by gauge.
        gauge_latency_p99_seconds{benchmark="d",stat="median"} 2e-07

        """))
    #expect(text.contains(#"gauge_allocations{benchmark="a b/c",param_n="1",param_k="x,\"y\"",stat="median"} 5.0"#))
    let families = text.split(separator: "\n").filter { $0.hasPrefix("# TYPE") }
    #expect(Set(families).count == families.count)
  }

  @Test func `a family has its unit once`() {
    var results = Results.run()
    for metric in [Metric.allocatedBytes, .peakResident, Metric("wait_seconds", unit: "ns")] {
      results.add(metric, [48, 48], to: "a")
    }
    let text = RunSummary(results, title: "units").openMetrics
    for (name, unit) in [
      ("gauge_allocated_bytes", "bytes"), ("gauge_peak_resident_bytes", "bytes"), ("gauge_wait_seconds", "seconds"),
    ] {
      #expect(text.contains("# TYPE \(name) gauge\n# UNIT \(name) \(unit)\n"))
    }
  }
}
