// The formats of other harnesses: what their readers insist on; scripts/checks/check-formats has the readers.

import Foundation
import Gauge
import Testing

@testable import GaugeRunner

@Suite struct HarnessExportsTests {
  let run = RunSummary.sample()

  func json(_ text: String) throws -> Any { try JSONSerialization.jsonObject(with: Data(text.utf8)) }

  @Test func `google-benchmark has an entry per launch, with counters`() throws {
    let document = try #require(try json(run.googleBenchmark(by: "gauge 1.2.3")) as? [String: Any])
    let entries = try #require(document["benchmarks"] as? [[String: Any]])
    #expect(entries.count == 3)
    #expect(entries[1]["name"] as? String == "a b/c/n:1/k:x,\"y\"")
    #expect(entries[1]["repetition_index"] as? Int == 1)
    #expect(entries[1]["real_time"] as? Double == 3)
    #expect(entries[1]["allocations"] as? Double == 5)
    #expect((document["context"] as? [String: Any])?["json_schema_version"] as? Int == 1)
  }

  @Test func `JMH has a fork per launch, and names without spaces`() throws {
    let entries = try #require(try json(run.jmh) as? [[String: Any]])
    #expect(entries.count == 1)
    #expect(entries[0]["benchmark"] as? String == "a-b.c")
    #expect(entries[0]["mode"] as? String == "avgt")
    let metric = try #require(entries[0]["primaryMetric"] as? [String: Any])
    #expect(metric["score"] as? Double == 3)
    #expect(metric["scoreUnit"] as? String == "ns/op")
    #expect(metric["rawData"] as? [[Double]] == [[2], [3], [4]])
    let others = try #require(entries[0]["secondaryMetrics"] as? [String: Any])
    #expect(others.keys.sorted() == ["allocations", "throughput"])
    let throughput = try #require(others["throughput"] as? [String: Any])
    #expect(throughput["scoreUnit"] as? String == "elements/s")
  }

  @Test func `hyperfine is in seconds`() throws {
    let document = try #require(try json(run.hyperfine) as? [String: [[String: Any]]])
    let entry = try #require(document["results"]?.first)
    #expect(entry["median"] as? Double == 3e-9)
    #expect(entry["exit_codes"] as? [Int] == [0, 0, 0])
  }

  @Test func `Go has a line per launch, and units that say what is exact`() {
    let lines = run.goBenchmark.split(separator: "\n").map(String.init)
    #expect(lines.contains("Unit allocs/op assume=exact"))
    #expect(lines.contains("Unit ns/op assume=nothing"))
    #expect(lines.contains("BenchmarkA_b/c/n=1/k=x,\"y\"-1 100 3.0 ns/op"))
    #expect(lines.filter { $0.hasSuffix(" allocs/op") && $0.hasPrefix("Benchmark") }.count == 2)
    #expect(lines.contains("cpu: Xeon"))
  }

  @Test func `quantities of Go's have a unit each, exact where it is so in all benchmarks`() {
    var results = Results.run()
    results.add(.allocatedBytes, [48], to: "a")
    results.add(.peakHeap, [64], to: "a")
    results.add(.allocations, [1], to: "a")
    var varying = Metric.allocations
    varying.kind = .sampled
    results.add(varying, [2, 3], to: "b")
    let lines = RunSummary(results, title: "t").goBenchmark.split(separator: "\n").map(String.init)
    #expect(
      lines.filter { $0.hasPrefix("Unit ") } == [
        "Unit B/op assume=exact", "Unit allocs/op assume=nothing", "Unit peak_heap-B/op assume=exact",
      ])
    #expect(
      lines.filter { $0.hasPrefix("BenchmarkA-1 ") }.sorted() == [
        "BenchmarkA-1 100 1.0 allocs/op", "BenchmarkA-1 100 48.0 B/op", "BenchmarkA-1 100 64.0 peak_heap-B/op",
      ])
  }

  @Test func `no name begins a line of Go's, or ends a word`() {
    var results = Results.run()
    results.environment += [("cpu_model", "a\r\nBenchmarkFake 1 1 ns/op\u{85}x")]
    results.environment.removeAll { $0.name == "cpu_model" && $0.value == "Xeon" }
    results.add(
      Metric("m n", unit: "u\u{2028}v"), [1], to: "b\u{600} c\r\nBenchmarkFake 1 1 ns/op", parameters: "k=\u{a0}")
    let lines = RunSummary(results, title: "t").goBenchmark.unicodeScalars.split(whereSeparator: \.endsLine).map(
      String.init)
    #expect(
      lines.filter { $0.hasPrefix("Benchmark") } == [
        "BenchmarkB\u{600}_c__BenchmarkFake_1_1_ns/op/k=_-1 100 1.0 m_n-u_v"
      ])
    #expect(lines.filter { $0.hasPrefix("cpu: ") } == ["cpu: a BenchmarkFake 1 1 ns/op x"])
    #expect(lines.count == 5, "\(lines)")
  }

  /// Each launch has all counters: of many of both there would be their product.
  @Test func `a launch has a bounded number of counters`() throws {
    var results = Results.run()
    results.add(.time, Array(repeating: 1, count: 300), to: "a")
    for number in 0..<300 { results.add(Metric("c\(number)", unit: "1", kind: .exact), [1], to: "a") }
    let text = RunSummary(results, title: "t").googleBenchmark(by: "gauge")
    #expect(text.components(separatedBy: "\"real_time\": 1").count - 1 == 300)
    #expect(text.split(separator: "\n").count { $0.contains(/"c\d+": 1/) } == 300 * 100)
  }
}
