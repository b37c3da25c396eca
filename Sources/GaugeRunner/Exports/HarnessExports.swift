// A run in the formats of other harnesses: google-benchmark, JMH, hyperfine and Go, for the tools that read those.

import Foundation
import Gauge
import GaugeStatistics

extension RunSummary {
  /// google-benchmark's JSON (`src/json_reporter.cc`), one entry per launch of the time,
  /// as its `compare.py` tests them.
  ///
  /// CPU time is not measured: `cpu_time` repeats the wall-clock time, as readers insist on it. Exact metrics are
  /// counters of every entry.
  ///
  /// - Parameter harness: Name and version of what has measured.
  func googleBenchmark(by harness: String) -> String {
    let entries = points.enumerated().flatMap { family, point -> [JSONText] in
      guard let time = point.row(.time) else { return [] }
      let name = ([point.benchmark] + point.parameters.map { "\($0.name):\($0.value)" }).joined(separator: "/")
      // Each launch has all of them.
      let counters = point.rows.filter { $0.metric.kind == .exact }.prefix(Self.mostCounters).map {
        (name: $0.metric.name, value: JSONText.number($0.estimate.value))
      }
      return time.values.enumerated().map { index, value in
        .object(
          [
            ("name", .string(name)), ("family_index", .number(Double(family))), ("per_family_instance_index", 0),
            ("run_name", .string(name)), ("run_type", "iteration"), ("repetitions", .number(Double(time.values.count))),
            ("repetition_index", .number(Double(index))), ("threads", .number(Double(point.threads))),
            ("iterations", .number(Double(time.iterations))), ("real_time", .number(value)),
            ("cpu_time", .number(value)), ("time_unit", "ns"),
          ] + counters)
      }
    }
    return JSONText.object([
      (
        "context",
        .object([
          ("date", .string(field("date"))), ("host_name", .string(field("machine_id"))),
          ("executable", .string(field("executables"))), ("num_cpus", .number(Double(field("cpu_count")) ?? 1)),
          ("mhz_per_cpu", 0), ("cpu_scaling_enabled", .boolean(false)), ("aslr_enabled", .boolean(true)),
          ("caches", .array([])), ("load_avg", .array([])), ("library_version", .string(harness)),
          ("library_build_type", "release"), ("json_schema_version", 1),
        ])
      ), ("benchmarks", .array(entries)),
    ]).text() + "\n"
  }

  /// Most counters of an entry of google-benchmark's.
  private static let mostCounters = 100

  /// JMH's JSON (`JSONResultFormat.java`): mode `avgt`, a fork per launch. Names have dots for slashes, as class names
  /// do, and neither spaces nor `=`, which jmh-visualizer splits at.
  var jmh: String {
    let entries = points.compactMap { point -> JSONText? in
      guard let time = point.row(.time) else { return nil }
      let secondary = point.rows.filter { $0.metric.name != Metric.time.name && $0.metric.polarity != .neither }
      return .object([
        ("jmhVersion", "1.37"), ("benchmark", .string(Self.javaName(point.benchmark))), ("mode", "avgt"),
        ("threads", .number(Double(point.threads))), ("forks", .number(Double(time.values.count))),
        ("jvm", .string(field("toolchain"))), ("jvmArgs", .array([])), ("jdkVersion", "0"), ("vmName", "Swift"),
        ("vmVersion", "0"), ("warmupIterations", 1), ("warmupTime", "0 ms"), ("warmupBatchSize", 1),
        ("measurementIterations", 1), ("measurementTime", "0 ms"), ("measurementBatchSize", 1),
        (
          "params",
          .object(point.parameters.map { (Self.javaName($0.name), .string(Self.javaName($0.value))) })
        ), ("primaryMetric", Self.jmhMetric(time)),
        ("secondaryMetrics", .object(secondary.map { ($0.metric.name, Self.jmhMetric($0)) })),
      ])
    }
    return JSONText.array(entries).text() + "\n"
  }

  private static func javaName(_ name: String) -> String {
    var java = ""
    for scalar in name.unicodeScalars {
      java.unicodeScalars.append(scalar == "/" ? "." : scalar == " " || scalar == "=" ? "-" : scalar)
    }
    return java
  }

  private static func jmhMetric(_ row: Row) -> JSONText {
    let sorted = row.values.sorted()
    let interval = row.estimate.interval
    let percentiles = ["0.0", "50.0", "90.0", "95.0", "99.0", "99.9", "99.99", "99.999", "99.9999", "100.0"]
    return .object([
      ("score", .number(row.estimate.value)), ("scoreError", .number((interval.upper - interval.lower) / 2)),
      ("scoreConfidence", .array([.number(interval.lower), .number(interval.upper)])),
      (
        "scorePercentiles",
        .object(percentiles.map { ($0, .number(quantile((Double($0) ?? 0) / 100, ofSorted: sorted))) })
      ),
      ("scoreUnit", .string(row.metric.unit)),
      ("rawData", .array(row.values.map { .array([.number($0)]) })),
    ])
  }

  /// hyperfine's JSON, in seconds; a launch's estimate stands for a run. User and system time are not measured and 0.
  var hyperfine: String {
    let entries = points.compactMap { point -> JSONText? in
      guard let time = point.row(.time), let summary = Summary(time.values) else { return nil }
      return .object([
        ("command", .string(point.title)), ("mean", .number(summary.mean / 1e9)),
        ("stddev", summary.standardDeviation.map { .number($0 / 1e9) } ?? .null),
        ("median", .number(summary.median / 1e9)), ("user", 0), ("system", 0), ("min", .number(summary.min / 1e9)),
        ("max", .number(summary.max / 1e9)), ("times", .array(time.values.map { .number($0 / 1e9) })),
        ("exit_codes", .array(time.values.map { _ in 0 })), ("parameters", JSONText(point.parameters)),
      ])
    }
    return JSONText.object([("results", .array(entries))]).text() + "\n"
  }

  /// Go's benchmark format (`golang.org/x/perf/benchfmt`), one line per launch, for benchstat.
  var goBenchmark: String {
    let metrics = Dictionary(grouping: points.flatMap(\.rows).map(\.metric), by: Self.goUnit)
    // A unit has one line: it is exact where it is so in every benchmark.
    let units = metrics.map { unit, metrics in
      "Unit \(unit) assume=\(metrics.allSatisfy { $0.kind == .exact } ? "exact" : "nothing")"
    }
    var lines = ["goos: linux", "pkg: gauge"]
    lines += [("cpu", "cpu_model"), ("commit", "commit"), ("toolchain", "toolchain")].compactMap { key, name in
      field(name).isEmpty ? nil : "\(key): \(legible(field(name)))"
    }
    lines += units.sorted()
    for point in points {
      let name =
        ([point.benchmark.prefix(1).uppercased() + point.benchmark.dropFirst()]
        + point.parameters.map { "\($0.name)=\($0.value)" }).joined(separator: "/")
      let full = "Benchmark\(Self.goWord(name))-\(max(1, point.threads))"
      for row in point.rows where row.metric.polarity != .neither {
        lines += row.values.map { "\(full) \(max(1, row.iterations)) \($0) \(Self.goUnit(row.metric))" }
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func goUnit(_ metric: Metric) -> String {
    switch metric.name {
    case Metric.time.name: "ns/op"
    case Metric.allocations.name: "allocs/op"
    // Other bytes have a unit of their own: benchstat takes all of one unit for samples of one quantity.
    case Metric.allocatedBytes.name: "B/op"
    default: goWord("\(metric.name)-\(metric.unit)")
    }
  }

  /// A text without what Go takes for a space or for the end of a line.
  private static func goWord(_ text: String) -> String {
    var word = ""
    for scalar in text.unicodeScalars {
      word.unicodeScalars.append(scalar.properties.isWhitespace || scalar.isControl ? "_" : scalar)
    }
    return word
  }
}
