// One launch: finds the benchmark and the point of its grid, runs the body, and says how it ended.

/// Runs a launch request against a suite's benchmarks.
struct Launch {
  let benchmarks: [Benchmark]
  let request: LaunchRequest
  let report: ReportWriter
  /// What has to stand around the body.
  var fixture: Fixture?

  /// Runs the launch to its end.
  ///
  /// - Returns: How it ended; the same stands in the report.
  func run() -> LaunchReport.Ending {
    let ending = measure()
    report.end(ending)
    return ending
  }

  private func measure() -> LaunchReport.Ending {
    if let fault = Suite.fault(in: benchmarks) { return .failed(fault) }
    guard let benchmark = benchmarks.first(where: { $0.name == request.benchmark }) else {
      return .failed("there is no benchmark '\(request.benchmark)'")
    }
    guard let point = GridPoint.grid(benchmark.axes).first(where: { $0.text == request.parameters }) else {
      return .failed("the benchmark '\(benchmark.name)' has no parameters '\(request.parameters)'")
    }
    guard request.pass == .profile || benchmark.passes.contains(request.pass) else {
      return .skipped("the benchmark takes no part in the pass '\(request.pass.rawValue)'")
    }
    if request.pass == .counts, benchmark.threads == .several {
      // Which thread runs when is up to the system, and so is what each of them executes while it waits.
      for metric in Metric.counted { report.add(Measurement(metric, .unavailable("threads"))) }
      return .done
    }
    let measurer = LaunchMeasurer(
      pass: request.pass, budget: Double(request.budget) * 1e6, threads: benchmark.threads,
      openLoopRate: benchmark.openLoopRate, profile: request.profile, isAsynchronous: benchmark.isAsynchronous,
      report: report)
    let run = BenchmarkRun(
      point: point, measurer: measurer,
      declaration: BenchmarkRun.Declaration(
        isSingleThreaded: benchmark.threads == .single, metrics: benchmark.metrics, records: request.pass == .custom))
    if let ending = attempt({ try fixture?.setUp() }, blaming: "the launch fixture threw while setting up") {
      return ending
    }
    var ending = attempt(
      {
        switch benchmark.body {
        case .synchronous(let body): try body(run)
        case .asynchronous(let body): try Waiter.run(body, run)
        }
      }, blaming: "the benchmark threw")
    if ending == nil { ending = run.verdict.map { .failed($0) } }
    let afterwards = attempt({ try fixture?.tearDown() }, blaming: "the launch fixture threw while tearing down")
    if let ending = ending ?? afterwards { return ending }
    for measurement in run.records { report.add(measurement) }
    return .done
  }

  /// Runs a part of the launch.
  ///
  /// - Returns: How the launch ends where the part threw; `nil` where it goes on.
  private func attempt(_ part: () throws -> Void, blaming blame: String) -> LaunchReport.Ending? {
    do {
      try part()
      return nil
    } catch let skipped as BenchmarkSkipped {
      return .skipped(skipped.reason)
    } catch {
      return .failed("\(blame): \(error)")
    }
  }
}

/// Rules that a suite's declarations must keep.
enum Suite {
  /// The first fault of a suite's declarations, in words; `nil` where there is none.
  static func fault(in benchmarks: [Benchmark]) -> String? {
    var names: Set<String> = []
    for benchmark in benchmarks {
      guard isWord(benchmark.name, also: "/._-") else {
        return "the benchmark name '\(benchmark.name)' is not made of ASCII letters, digits and / . _ -"
      }
      guard names.insert(benchmark.name).inserted else {
        return "there are two benchmarks named '\(benchmark.name)'"
      }
      guard !benchmark.passes.isEmpty else { return "the benchmark '\(benchmark.name)' takes part in no pass" }
      if let rate = benchmark.openLoopRate, rate < 1 {
        return "the open-loop rate of '\(benchmark.name)' is \(rate), but must be at least 1"
      }
      if let limit = benchmark.limit, !benchmarks.contains(where: { $0.name == limit }) {
        return "the limit of '\(benchmark.name)' is '\(limit)', but there is no such benchmark"
      }
      for tag in benchmark.tags where !isWord(tag, also: "._-") {
        return "the tag '\(tag)' of '\(benchmark.name)' is not made of ASCII letters, digits and . _ -"
      }
      if let fault = fault(in: benchmark.metrics) { return "\(fault) in the benchmark '\(benchmark.name)'" }
      if let fault = fault(in: benchmark.axes) { return "\(fault) in the benchmark '\(benchmark.name)'" }
    }
    return nil
  }

  private static func fault(in metrics: [Metric]) -> String? {
    var names: Set<String> = []
    for metric in metrics {
      guard isWord(metric.name, also: "_") else {
        return "the metric name '\(metric.name)' is not made of ASCII letters, digits and _"
      }
      guard names.insert(metric.name).inserted else { return "there are two metrics named '\(metric.name)'" }
      guard Metric.builtIn(named: metric.name) == nil else {
        return "the metric '\(metric.name)' has the name of a built-in one"
      }
    }
    return nil
  }

  private static func fault(in axes: [BenchmarkAxis]) -> String? {
    var names: Set<String> = []
    for axis in axes {
      guard isWord(axis.name, also: "._-") else {
        return "the axis name '\(axis.name)' is not made of ASCII letters, digits and . _ -"
      }
      guard names.insert(axis.name).inserted else { return "there are two axes named '\(axis.name)'" }
      guard !axis.values.isEmpty else { return "there is no value on the axis '\(axis.name)'" }
      guard Set(axis.values).count == axis.values.count else {
        return "there is a value twice on the axis '\(axis.name)'"
      }
      for value in axis.values where !isWord(value, also: "/._-+") {
        return "the value '\(value)' of '\(axis.name)' is not made of ASCII letters, digits and / . _ - +"
      }
    }
    return nil
  }

  private static func isWord(_ text: String, also marks: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: marks.utf8.contains(byte)
        }
      }
  }
}
