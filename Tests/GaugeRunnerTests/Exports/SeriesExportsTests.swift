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

  /// A run with a benchmark, a parameter and a metric of given names.
  func run(_ benchmark: String, _ parameters: String, _ metrics: [String]) -> RunSummary {
    var results = Results.run()
    for metric in metrics { results.add(Metric(metric, unit: metric), [1, 1], to: benchmark, parameters: parameters) }
    return RunSummary(results, title: "t")
  }

  @Test func `a tag can't be closed, and stands once`() {
    let run = run("a\u{600},host=evil b\\,c\r\nd\\", "k\u{600}==x;k\u{600}=y", ["m"])
    #expect(
      Array(run.influx.utf8).starts(
        with: Array(
          "gauge,benchmark=a\u{600}\\,host\\=evil\\ b\\_\\,c_d\\_,machine=a1,metric=m,param_k\u{600}=\\=x,unit=m median"
            .utf8)), "\(run.influx)")
  }

  @Test func `a label and a help line can't be closed`() {
    let run = run("a\u{600}\"} 1\r\nb\\\u{1}", "k=\"\u{301}", ["m\u{600}\n# EOF\r\nx"])
    let lines = run.openMetrics.split(whereSeparator: { $0.isNewline }).map(String.init)
    #expect(lines.count == 6, "\(lines)")
    #expect(lines.allSatisfy { $0.hasPrefix("# ") || $0.hasPrefix("gauge_m__") })
    #expect(
      lines[2].unicodeScalars.elementsEqual(
        #"gauge_m____EOF__x{benchmark="a\#u{600}\"} 1\nb\\\#u{fffd}",param_k="\"\#u{301}",stat="median"} 1.0"#
          .unicodeScalars), "\(lines)")
  }

  @Test func `names that differ only in what the format has no letters for are told apart`() {
    let text = run("a", "k-1=x;k_1=y", ["m-1", "m_1"]).openMetrics
    #expect(text.contains("gauge_m_1{benchmark=\"a\",param_k_1=\"x\",param_k_1_2=\"y\",stat=\"median\"}"))
    #expect(text.contains("# TYPE gauge_m_1_2 gauge\n"))
  }

  @Test func `a family has its unit once`() {
    var results = Results.run()
    for metric in [Metric.allocatedBytes, .peakResident, .bandwidth, Metric("wait_seconds", unit: "ns")] {
      results.add(metric, [48, 48], to: "a")
    }
    let text = RunSummary(results, title: "units").openMetrics
    for (name, unit) in [
      ("gauge_allocated_bytes", "bytes"), ("gauge_peak_resident_bytes", "bytes"), ("gauge_wait_seconds", "seconds"),
      ("gauge_bandwidth_bytes_per_second", "bytes_per_second"),
    ] {
      #expect(text.contains("# TYPE \(name) gauge\n# UNIT \(name) \(unit)\n"))
    }
  }

  /// The defect: what began like bytes or nanoseconds was told in these.
  @Test func `units that only begin like others are none of theirs`() {
    var results = Results.run()
    for (name, unit) in [("batches", "Batches"), ("shots", "nsamples"), ("rate", "MB/s")] {
      results.add(Metric(name, unit: unit), [48, 48], to: "a")
    }
    let text = RunSummary(results, title: "units").openMetrics
    for name in ["batches", "shots", "rate"] {
      #expect(text.contains("# TYPE gauge_\(name) gauge\n# HELP"))
      #expect(text.contains("gauge_\(name){benchmark=\"a\",stat=\"median\"} 48.0\n"))
    }
  }

  @Test func `a backslash at a tag's end doesn't hide what stands behind it`() {
    let run = run("a\u{600}\\", "k=x\u{600}\\", ["m"])
    #expect(
      Array(run.influx.utf8).starts(
        with: Array("gauge,benchmark=a\u{600}\\_,machine=a1,metric=m,param_k=x\u{600}\\_,unit=m median".utf8)),
      "\(run.influx)")
  }
}
