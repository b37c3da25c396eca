// The verbs of a benchmark executable.

import Testing

@testable import Gauge

@Suite struct SuiteCommandTests {
  /// What a command did to its surroundings.
  private final class Surroundings {
    var output = ""
    var errors = ""
    var descriptors: [Int32] = []
    var keepsWhatIsPrinted = false
    var executed: [(path: String, arguments: [String])] = []
    let report = RecordedReport()
  }

  private func run(
    _ arguments: [String], benchmarks: [Benchmark] = Self.benchmarks, isFollowed: Bool = true,
    runFixture: Fixture? = nil, flaw: String? = nil, requests: [String] = []
  ) -> (code: Int32, surroundings: Surroundings) {
    let surroundings = Surroundings()
    var command = SuiteCommand(benchmarks: benchmarks)
    command.runFixture = runFixture
    command.flaw = flaw
    var requests = requests
    command.nextRequest = { requests.popLast() }
    command.print = { text, descriptor in
      if descriptor == 1 { surroundings.output += text } else { surroundings.errors += text }
    }
    command.makeReport = { descriptor in
      surroundings.descriptors.append(descriptor)
      return surroundings.report.makeWriter()
    }
    command.follow = { _ in isFollowed }
    command.keepPrinted = { surroundings.keepsWhatIsPrinted = true }
    command.executablePath = { "/some/folder/Benchmarks" }
    command.execute = { path, arguments in
      surroundings.executed.append((path, arguments))
      return 2
    }
    return (command.run(arguments), surroundings)
  }

  private static var benchmarks: [Benchmark] {
    [
      Benchmark("a/plain", passes: [.allocations, .time]) { $0.measure {} },
      Benchmark("a/grid", over: .values("n", [1, 2]), .values("s", ["x+y"])) { $0.measure {} },
      Benchmark("a/broken", openLoopRate: 100, limit: "a/plain") { _ in throw Complaint("broken") },
    ]
  }

  @Test func theMachineReadableListHasALineForEachPoint() {
    let (code, surroundings) = run(["list", "--machine"])
    let rest = "resources,system_calls,references,allocator,hardware,single_shot"
    #expect(code == 0)
    #expect(
      surroundings.output == """
        benchmark\ta/plain\t\ttime,allocations
        benchmark\ta/grid\tn=1;s=x+y\ttime,latency,allocations,counts,\(rest)
        benchmark\ta/grid\tn=2;s=x+y\ttime,latency,allocations,counts,\(rest)
        benchmark\ta/broken\t\ttime,latency,open_latency,allocations,counts,\(rest)\ta/plain

        """)
    #expect(surroundings.executed.isEmpty)
  }

  @Test func tagsAreBehindTheLimitAndTheRunFixtureInFront() {
    let benchmarks = [
      Benchmark("a", passes: [.time], tags: ["fast", "io"]) { $0.measure {} },
      Benchmark("b", passes: [.time], limit: "a", tags: ["io"]) { $0.measure {} },
      Benchmark("c", threads: .several, passes: [.time]) { $0.measure {} },
    ]
    let surroundings = run(["list", "--machine"], benchmarks: benchmarks, runFixture: Fixture(setUp: {})).surroundings
    #expect(
      surroundings.output == """
        suite\trun-fixture
        benchmark\ta\t\ttime\t\tfast,io
        benchmark\tb\t\ttime\ta\tio
        benchmark\tc\t\ttime\t\t\tthreads

        """)
  }

  @Test func aFlawOfTheBuildIsInFront() {
    #expect(
      run(["list", "--machine"], flaw: "for debugging").surroundings.output.hasPrefix("suite\tflaw\tfor debugging\n"))
    #if DEBUG
      #expect(SuiteList.flaw != nil)
    #endif
  }

  @Test func aPartOfTheRunFixtureIsRun() {
    var events: [String] = []
    let fixture = Fixture(
      setUp: { events.append("set-up") },
      tearDown: { throw Complaint("busy") })
    #expect(run(FixturePart.setUp.arguments, runFixture: fixture).code == 0)
    #expect(events == ["set-up"])
    let (code, surroundings) = run(FixturePart.tearDown.arguments, runFixture: fixture)
    #expect(code == 1)
    #expect(surroundings.errors == "error: the run fixture threw: busy\n")
    #expect(run(FixturePart.setUp.arguments).code == 0)
  }

  @Test func aFaultySuiteIsNotListed() {
    let (code, surroundings) = run(["list", "--machine"], benchmarks: [Benchmark("a b") { _ in }])
    #expect(code == 64)
    #expect(surroundings.output.isEmpty)
    #expect(surroundings.errors.contains("'a b'"))
  }

  @Test func aLaunchWritesToItsDescriptor() throws {
    let request = LaunchRequest(
      benchmark: "a/grid", parameters: "n=2;s=x+y", pass: .time, budget: 1, reportDescriptor: 9)
    let (code, surroundings) = run(request.arguments)
    #expect(code == 0)
    #expect(surroundings.descriptors == [9])
    #expect(surroundings.keepsWhatIsPrinted)
    #expect(try LaunchReport(text: surroundings.report.text).ending == .done)
  }

  @Test func aLaunchThatNobodyReadsDoesNotRun() {
    let request = LaunchRequest(benchmark: "a/broken", pass: .time, budget: 1)
    let (code, surroundings) = run(request.arguments, isFollowed: false)
    #expect(code == 73)
    #expect(surroundings.descriptors.isEmpty)
  }

  @Test func aForkedProcessOfABatchRunsItsLaunch() throws {
    let request = LaunchRequest(benchmark: "a/grid", parameters: "n=2;s=x+y", pass: .time, budget: 1)
    let (code, surroundings) = run(LaunchBatch.arguments, requests: [LaunchBatch.line(request)])
    #expect(code == 0)
    #expect(surroundings.descriptors == [3])
    #expect(surroundings.keepsWhatIsPrinted)
    #expect(try LaunchReport(text: surroundings.report.text).ending == .done)
    #expect(run(LaunchBatch.arguments, requests: ["launch\\x"]).code == 64)
  }

  @Test func theProcessThatForksRunsNothingItself() {
    let (code, surroundings) = run(LaunchBatch.arguments)
    #expect(code == 0 && surroundings.descriptors.isEmpty)
    #expect(run(LaunchBatch.arguments, isFollowed: false).code == 73)
  }

  @Test func failedAndSkippedLaunchesHaveTheirCodes() {
    #expect(run(LaunchRequest(benchmark: "a/broken", pass: .time, budget: 1).arguments).code == 1)
    #expect(run(LaunchRequest(benchmark: "a/plain", pass: .latency, budget: 1).arguments).code == 0)
  }

  @Test func malformedLaunchesAreUsageErrors() {
    let (code, surroundings) = run(["launch", "--benchmark", "a/plain"])
    #expect(code == 64)
    #expect(surroundings.descriptors.isEmpty)
    #expect(surroundings.errors.contains("--report-descriptor"))
  }

  @Test(arguments: [
    ([], []), (["help"], ["help"]), (["compare", "a", "b"], ["compare", "a", "b"]),
    (["profile", "a"], ["profile", "--executable", "/some/folder/Benchmarks", "a"]),
    (["run", "--quick"], ["run", "--executable", "/some/folder/Benchmarks", "--quick"]),
    (["list"], ["list", "--executable", "/some/folder/Benchmarks"]),
    (["list", "--machine", "x"], ["list", "--executable", "/some/folder/Benchmarks", "--machine", "x"]),
  ])
  func otherVerbsGoToGauge(arguments: [String], handed: [String]) {
    let (code, surroundings) = run(arguments)
    #expect(surroundings.executed.map(\.path) == ["/some/folder/gauge"])
    #expect(surroundings.executed.map(\.arguments) == [handed])
    // Becoming gauge succeeds by not coming back; this one came back.
    #expect(code == 66)
    #expect(surroundings.errors.contains("/some/folder/gauge"))
    #expect(surroundings.errors.contains("--product gauge"))
  }
}
