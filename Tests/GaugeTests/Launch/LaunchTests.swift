// Launches from request to report, in this process.

import Testing

@testable import Gauge

@Suite(.serialized) struct LaunchTests {
  private func launch(
    _ benchmarks: [Benchmark], _ name: String, _ parameters: String = "", pass: LaunchRequest.Pass = .time
  ) throws -> LaunchReport {
    let recorded = RecordedReport()
    let request = LaunchRequest(benchmark: name, parameters: parameters, pass: pass, budget: 1)
    let ending = Launch(benchmarks: benchmarks, request: request, report: recorded.makeWriter()).run()
    let report = try LaunchReport(text: recorded.text)
    #expect(report.ending == ending)
    return report
  }

  @Test func timeIsMeasured() throws {
    let report = try launch([Benchmark("a") { $0.measure { for turn in 0..<100 { blackHole(turn) } } }], "a")
    #expect(report.ending == .done)
    #expect(
      report.measurements.map(\.metric)
        == [.time, .meanTime, .meanByMedian, .throughput, .readyWait] + Metric.referenceLoops)
    #expect(report.measurements[0].samples >= 1)
    #expect(report.measurements[0].iterations >= report.measurements[0].samples)
    // Other tests may run in threads of this process.
    for measurement in report.measurements where ![.readyWait, .referenceStores].contains(measurement.metric) {
      guard case .value(let turn) = measurement.outcome else {
        Issue.record("\(measurement.metric.name) has no value")
        return
      }
      #expect(turn > 0)
    }
  }

  @Test func latencyIsMeasured() throws {
    let report = try launch([Benchmark("a") { $0.measure {} }], "a", pass: .latency)
    #expect(report.ending == .done)
    #expect(
      report.measurements.map(\.metric.name) == [
        "latency_p50", "latency_p90", "latency_p99", "latency_p99_9", "latency_p99_99", "latency_max",
      ])
  }

  @Test func latencyInAnOpenLoopIsMeasured() throws {
    let report = try launch([Benchmark("a", openLoopRate: 100_000) { $0.measure {} }], "a", pass: .openLatency)
    #expect(report.ending == .done)
    #expect(
      report.measurements.map(\.metric.name) == [
        "open_latency_p50", "open_latency_p90", "open_latency_p99", "open_latency_p99_9", "open_latency_p99_99",
        "open_latency_max", "open_loop_rate",
      ])
    #expect(
      try launch([Benchmark("a") { $0.measure {} }], "a", pass: .openLatency).ending
        == .skipped("the benchmark takes no part in the pass 'open_latency'"))
  }

  @Test func allocationsWithoutHooksAreUnavailable() throws {
    var executed = 0
    let report = try launch([Benchmark("a") { $0.measure { executed += 1 } }], "a", pass: .allocations)
    #expect(report.ending == .done)
    #expect(report.measurements.map(\.metric.name) == Metric.heap.map(\.name))
    #expect(report.measurements.allSatisfy { $0.outcome == .unavailable(HeapHooks.absence) })
    #expect(executed == 0)
  }

  @Test func instructionsOutsideOfCallgrindAreUnavailable() throws {
    var executed = 0
    let report = try launch([Benchmark("a") { $0.measure { executed += 1 } }], "a", pass: .counts)
    #expect(report.ending == .done)
    let absence = try #require(InstructionCounter.absence)
    #expect(report.measurements == Metric.counted.map { Measurement($0, .unavailable(absence)) })
    #expect(executed == 0)
  }

  @Test func instructionsOfSeveralThreadsAreNeverCountedAndTheBodyNotRun() throws {
    let benchmark = Benchmark("a", threads: .several) { _ in throw Complaint("run") }
    let report = try launch([benchmark], "a", pass: .counts)
    #expect(report.ending == .done)
    #expect(report.measurements == Metric.counted.map { Measurement($0, .unavailable("threads")) })
  }

  @Test(
    arguments: [
      (
        .time,
        [
          "time", "mean_time", "mean_by_median", "throughput", "ready_wait", "time_a", "mean_time_a",
          "mean_by_median_a", "throughput_a", "foreign_load",
        ]
      ),
      (
        .latency,
        ["latency_p50", "latency_p90", "latency_p99", "latency_p99_9", "latency_p99_99", "latency_max"]
          + ["latency_p50_a", "latency_p90_a", "latency_p99_a", "latency_p99_9_a", "latency_p99_99_a", "latency_max_a"]
      ),
      (.openLatency, ["open_latency_p50"]), (.allocations, Metric.heap.map(\.name)),
      (.counts, ["instructions", "retains", "releases"]), (.custom, ["hits"]),
      (.resources, Metric.resources.map(\.name)), (.references, Metric.references.map(\.name)),
      (.allocator, Metric.allocator.map(\.name)), (.singleShot, ["single_shot"]),
    ] as [(LaunchRequest.Pass, [String])])
  func groupsAreMeasured(pass: LaunchRequest.Pass, metrics: [String]) async throws {
    let report = try await onOwnThread {
      let hits = Metric("hits", unit: "1")
      let benchmark = Benchmark("a", threads: .several, openLoopRate: 100, metrics: [hits]) { run in
        try run.measure(ThreadGroup("a", threads: 2) {})
        run.record(hits, 3)
      }
      return try launch([benchmark], "a", pass: pass)
    }
    #expect(report.ending == .done)
    #expect(report.measurements.map(\.metric.name) == metrics)
    #expect(report.measurements.allSatisfy { $0.metric.kind == .sampled || pass == .counts })
  }

  /// In a process of its own: they would count all threads of the others, and stop each at each of its calls.
  @Test func groupsAreNotCountedByTheKernel() async {
    await #expect(processExitsWith: .success) {
      for (pass, metrics) in [(LaunchRequest.Pass.hardware, Metric.hardware), (.systemCalls, [.systemCalls])] {
        let report = try await onOwnThread {
          let benchmark = Benchmark("a", threads: .several) { run in
            try run.measure(ThreadGroup("a", threads: 2) {})
          }
          return try LaunchTests().launch([benchmark], "a", pass: pass)
        }
        #expect(report.ending == .done)
        #expect(report.measurements.map(\.metric.name) == metrics.map(\.name))
        #expect(report.measurements.allSatisfy { if case .unavailable = $0.outcome { true } else { false } })
      }
    }
  }

  @Test func ownMetricsComeBehindTheBody() throws {
    let hits = Metric("hits", unit: "1", polarity: .higher)
    let benchmark = Benchmark("a", metrics: [hits]) { run in
      run.measure {}
      run.record(hits, 4)
    }
    #expect(
      try launch([benchmark], "a", pass: .custom).measurements == [
        Measurement(hits, .value(4), iterations: 1, samples: 1)
      ])
    #expect(try launch([benchmark], "a").measurements.map(\.metric).contains(hits) == false)
  }

  @Test func bytesMakeABandwidth() throws {
    let benchmark = Benchmark("a") { run in
      run.bytes = 1000
      run.measure { (0..<1000).reduce(0) { opaque($0 &+ $1) } }
    }
    let report = try launch([benchmark], "a")
    guard case .value(let time)? = report.measurements.first(where: { $0.metric == .meanTime })?.outcome,
      case .value(let bandwidth)? = report.measurements.first(where: { $0.metric == .bandwidth })?.outcome
    else {
      Issue.record("no time or no bandwidth")
      return
    }
    #expect(abs(bandwidth * time / 1e12 - 1) < 1e-9)
  }

  @Test func theLaunchFixtureStandsAroundTheBody() throws {
    var events: [String] = []
    func launch(
      setUp: @escaping () throws -> Void = {}, tearDown: @escaping () throws -> Void = {},
      body: @escaping (BenchmarkRun) throws -> Void
    ) -> LaunchReport.Ending {
      events = []
      var launch = Launch(
        benchmarks: [Benchmark("a", body: body)], request: LaunchRequest(benchmark: "a", pass: .time, budget: 1),
        report: RecordedReport().makeWriter())
      launch.fixture = Fixture(
        setUp: {
          events.append("set-up")
          try setUp()
        },
        tearDown: {
          events.append("tear-down")
          try tearDown()
        })
      return launch.run()
    }
    let body: (BenchmarkRun) throws -> Void = { run in
      events.append("body")
      run.measure {}
    }
    #expect(launch(body: body) == .done)
    #expect(events == ["set-up", "body", "tear-down"])
    #expect(launch(setUp: { throw BenchmarkSkipped("no data") }, body: body) == .skipped("no data"))
    #expect(events == ["set-up"])
    #expect(
      launch(setUp: { throw Complaint("full") }, body: body)
        == .failed("the launch fixture threw while setting up: full"))
    #expect(
      launch(tearDown: { throw Complaint("busy") }, body: body)
        == .failed("the launch fixture threw while tearing down: busy"))
    #expect(
      launch(tearDown: { throw Complaint("busy") }, body: { _ in throw Complaint("first") })
        == .failed("the benchmark threw: first"))
    #expect(events == ["set-up", "tear-down"])
  }

  @Test func anAsynchronousBodyIsMeasured() async throws {
    let report = try await onOwnThread {
      try launch([Benchmark("a") { run in await run.measure { await Task.yield() } }], "a")
    }
    #expect(report.ending == .done)
    #expect(report.measurements.first?.metric == .time)
  }

  @Test func errorsFailTheLaunch() async throws {
    let inOperation = Benchmark("operation") { run in try run.measure { throw Complaint("no tide") } }
    #expect(try launch([inOperation], "operation").ending == .failed("the benchmark threw: no tide"))
    let inSetup = Benchmark("setup") { _ in throw Complaint("no water") }
    #expect(try launch([inSetup], "setup").ending == .failed("the benchmark threw: no water"))
    let inTask = try await onOwnThread {
      let benchmark = Benchmark("task") { run in
        try await run.measure {
          await Task.yield()
          throw Complaint("no wind")
        }
      }
      return try launch([benchmark], "task").ending
    }
    #expect(inTask == .failed("the benchmark threw: no wind"))
  }

  @Test func measurementsBeforeAnErrorAreKept() throws {
    let benchmark = Benchmark("a") { run in
      run.measure {}
      throw Complaint("in teardown")
    }
    let report = try launch([benchmark], "a")
    #expect(report.measurements.count == 5 + Metric.referenceLoops.count)
    #expect(report.ending == .failed("the benchmark threw: in teardown"))
  }

  @Test func skippingIsNotFailing() throws {
    let benchmark = Benchmark("a") { _ in throw BenchmarkSkipped("needs two cores") }
    #expect(try launch([benchmark], "a").ending == .skipped("needs two cores"))
  }

  @Test func aPassThatIsNotDeclaredIsSkipped() throws {
    let benchmark = Benchmark("a", passes: [.time]) { $0.measure {} }
    let report = try launch([benchmark], "a", pass: .latency)
    #expect(report.ending == .skipped("the benchmark takes no part in the pass 'latency'"))
    #expect(report.measurements.isEmpty)
  }

  @Test func misuseFailsTheLaunch() throws {
    #expect(try launch([Benchmark("a") { _ in }], "a").ending == .failed("the body never called measure"))
    let twice = Benchmark("a") { run in
      run.measure {}
      run.measure {}
    }
    #expect(
      try launch([twice], "a").ending == .failed("the body called measure twice: make it two benchmarks"))
  }

  @Test func unknownNamesAndParametersFailTheLaunch() throws {
    let benchmark = Benchmark("a", over: .values("n", [1, 2])) { $0.measure {} }
    #expect(try launch([benchmark], "b").ending == .failed("there is no benchmark 'b'"))
    #expect(
      try launch([benchmark], "a", "n=3").ending == .failed("the benchmark 'a' has no parameters 'n=3'"))
    #expect(try launch([benchmark], "a", "n=2").ending == .done)
  }

  @Test(arguments: ["", "a b", "a=b", "a;b", "ä", "a\t", "a+b"])
  func illegalNamesFailTheLaunch(name: String) throws {
    guard case .failed(let message) = try launch([Benchmark(name) { $0.measure {} }], name).ending else {
      Issue.record("'\(name)' is accepted")
      return
    }
    #expect(message.contains("'\(name)'"))
  }

  @Test func suitesAreChecked() {
    func fault(_ benchmarks: Benchmark...) -> String? { Gauge.Suite.fault(in: benchmarks) }
    func benchmark(_ axes: BenchmarkAxis...) -> Benchmark {
      var benchmarks: [Benchmark] = []
      switch axes.count {
      case 1: benchmarks = [Benchmark("x", over: axes[0]) { $0.measure {} }]
      default: benchmarks = [Benchmark("x", over: axes[0], axes[1]) { $0.measure {} }]
      }
      return benchmarks[0]
    }
    #expect(fault(Benchmark("Ab/c.d_e-9") { $0.measure {} }) == nil)
    #expect(fault(Benchmark("x") { _ in }, Benchmark("x") { _ in })?.contains("two benchmarks") == true)
    #expect(fault(Benchmark("x", passes: []) { _ in })?.contains("no pass") == true)
    #expect(
      fault(Benchmark("x", openLoopRate: 0) { _ in })
        == "the open-loop rate of 'x' is 0, but must be at least 1")
    #expect(
      fault(Benchmark("x", limit: "y") { _ in }) == "the limit of 'x' is 'y', but there is no such benchmark")
    #expect(fault(Benchmark("x", limit: "y") { _ in }, Benchmark("y") { _ in }) == nil)
    #expect(
      fault(Benchmark("x", tags: ["a b"]) { _ in })
        == "the tag 'a b' of 'x' is not made of ASCII letters, digits and . _ -")
    #expect(fault(Benchmark("x", metrics: [Metric("a b", unit: "")]) { _ in })?.contains("'a b'") == true)
    #expect(fault(Benchmark("x", metrics: [.time]) { _ in })?.contains("built-in") == true)
    let twice = [Metric("m", unit: ""), Metric("m", unit: "s")]
    #expect(fault(Benchmark("x", metrics: twice) { _ in })?.contains("two metrics") == true)
    #expect(fault(benchmark(.values("n", ["a/b+c", "-1"]))) == nil)
    #expect(fault(benchmark(.values("n", [1]), .values("n", [2])))?.contains("two axes") == true)
    #expect(fault(benchmark(.values("n", [Int]())))?.contains("no value") == true)
    #expect(fault(benchmark(.values("n", [1, 1])))?.contains("twice") == true)
    #expect(fault(benchmark(.values("n/m", [1])))?.contains("'n/m'") == true)
    #expect(fault(benchmark(.values("n", ["a;b"])))?.contains("'a;b'") == true)
    #expect(fault(benchmark(.values("n", [""])))?.contains("''") == true)
  }

  @Test func anUnknownParameterEndsTheProcess() async {
    await #expect(processExitsWith: .exitCode(1)) {
      let benchmark = Benchmark("a", over: .values("n", [1])) { run in run.measure { run["m"] } }
      let request = LaunchRequest(benchmark: "a", parameters: "n=1", pass: .time, budget: 1, reportDescriptor: 1)
      _ = Launch(benchmarks: [benchmark], request: request, report: ReportWriter(descriptor: 1)).run()
    }
  }

  @Test func aWordReadAsANumberEndsTheProcess() async throws {
    let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardOutputContent]) {
      let benchmark = Benchmark("a", over: .values("n", ["x"])) { run in blackHole(run["n"]) }
      let request = LaunchRequest(benchmark: "a", parameters: "n=x", pass: .time, budget: 1, reportDescriptor: 1)
      _ = Launch(benchmarks: [benchmark], request: request, report: ReportWriter(descriptor: 1)).run()
    }
    let output = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
    #expect(output.contains("failed\tthe parameter 'n' is not a whole number"))
  }
}
