// What a body may do with its run, and what is told where it does otherwise.

import Testing

@testable import Gauge

@Suite struct BenchmarkRunTests {
  private static let point = GridPoint(parameters: [
    GridPoint.Parameter(name: "sinks", value: "10"), GridPoint.Parameter(name: "kind", value: "a/b"),
  ])

  private func makeRun(_ measurer: ScriptedMeasurer = ScriptedMeasurer()) -> BenchmarkRun {
    BenchmarkRun(point: Self.point, measurer: measurer)
  }

  @Test func parametersAreReadByName() {
    let run = makeRun()
    #expect(run["sinks"] == 10)
    #expect(run[text: "sinks"] == "10")
    #expect(run[text: "kind"] == "a/b")
  }

  @Test func theOperationRunsAsOftenAsTheBatchesSay() {
    let measurer = ScriptedMeasurer([1, 5, 100])
    let run = makeRun(measurer)
    var executed = 0
    run.measure {
      executed += 1
      return executed
    }
    #expect(executed == 106)
    #expect(measurer.batches.ended == 3)
    #expect(measurer.finished == 1)
    #expect(run.verdict == nil)
  }

  @Test func settingsReachTheMeasurer() {
    let measurer = ScriptedMeasurer()
    let run = makeRun(measurer)
    run.elements = 7
    run.countedOperations = 12
    run.bytes = 4096
    run.measure {}
    #expect(measurer.started == [MeasuringSettings(elements: 7, bytes: 4096, countedOperations: 12)])
  }

  @Test func bytesAreAtLeastOne() {
    let run = makeRun()
    run.bytes = 0
    run.measure {}
    #expect(run.verdict == "bytes is 0, but must be at least 1")
  }

  @Test func groupsReachTheMeasurer() throws {
    let measurer = ScriptedMeasurer()
    let run = makeRun(measurer)
    run.elements = 3
    try run.measure(ThreadGroup("a", threads: 2) {}, ThreadGroup("b") {})
    #expect(measurer.groups.map { $0.map(\.name) } == [["a", "b"]])
    #expect(measurer.started == [MeasuringSettings(elements: 3)])
    #expect(run.verdict == nil)
    let same = ScriptedMeasurer()
    try makeRun(same).measure(threads: 4) {}
    #expect(same.groups.map { $0.map(\.threads) } == [[4]])
  }

  @Test func misusedGroupsAreNotRun() throws {
    func verdict(isSingleThreaded: Bool = false, _ body: (BenchmarkRun) throws -> Void) rethrows -> String? {
      let measurer = ScriptedMeasurer()
      let run = BenchmarkRun(
        point: Self.point, measurer: measurer,
        declaration: BenchmarkRun.Declaration(isSingleThreaded: isSingleThreaded))
      try body(run)
      #expect(measurer.groups.isEmpty)
      return run.verdict
    }
    #expect(try verdict { try $0.measure() } == "measure was given no group of threads")
    #expect(
      try verdict { try $0.measure(ThreadGroup("a") {}, ThreadGroup("a") {}) }
        == "two groups of threads have the same name")
    #expect(
      try verdict { try $0.measure(threads: 0) {} } == "the group '' has 0 threads, but must have at least 1")
    #expect(
      try verdict { try $0.measure(ThreadGroup("a b") {}) }
        == "the group name 'a b' is not made of ASCII letters, digits and _")
    #expect(
      try verdict(isSingleThreaded: true) { try $0.measure(threads: 2) {} }
        == "groups of threads need a benchmark declared with threads: .several")
  }

  private let hits = Metric("hits", unit: "1", polarity: .higher)
  private let misses = Metric("misses", unit: "1")

  private func recordingRun(records: Bool) -> BenchmarkRun {
    BenchmarkRun(
      point: Self.point, measurer: ScriptedMeasurer(),
      declaration: BenchmarkRun.Declaration(metrics: [hits, misses], records: records))
  }

  @Test func whatIsRecordedIsReportedAsMedian() {
    let run = recordingRun(records: true)
    for value in [3.0, 1, 8] { run.record(hits, value) }
    #expect(
      run.records == [
        Measurement(hits, .value(3), iterations: 3, samples: 3),
        Measurement(misses, .unavailable("the body recorded no value")),
      ])
    #expect(run.verdict == nil)
  }

  @Test func inOtherLaunchesNothingIsRecorded() {
    let run = recordingRun(records: false)
    run.record(hits, 3)
    #expect(run.records.isEmpty)
    #expect(run.verdict == "the body never called measure")
  }

  @Test func onlyDeclaredMetricsAndNumbersAreRecorded() {
    let unknown = recordingRun(records: false)
    unknown.record(Metric("others", unit: ""), 1)
    #expect(
      unknown.verdict == "the metric 'others' was recorded, but the benchmark was not declared with it")
    let infinite = recordingRun(records: true)
    infinite.record(hits, .infinity)
    #expect(infinite.verdict == "the value inf of the metric 'hits' is not a number")
  }

  @Test func skippingThrowsTheReason() {
    #expect(throws: BenchmarkSkipped("not here")) { try makeRun().skip("not here") }
  }

  @Test func anErrorEndsTheMeasurementAtOnce() {
    let measurer = ScriptedMeasurer([10, 10])
    let run = makeRun(measurer)
    var executed = 0
    let error = #expect(throws: Complaint.self) {
      try run.measure {
        executed += 1
        if executed == 4 { throw Complaint("fourth") }
      }
    }
    #expect(error?.description == "fourth")
    #expect(executed == 4)
    #expect(measurer.batches.ended == 0)
    #expect(measurer.finished == 0)
    #expect(run.verdict?.contains("caught the error") == true)
  }

  @Test func asynchronousOperationsAreAwaitedOneAfterTheOther() async {
    let measurer = ScriptedMeasurer([2, 3])
    let run = makeRun(measurer)
    var executed = 0
    await run.measure {
      await Task.yield()
      executed += 1
    }
    #expect(executed == 5)
    #expect(measurer.batches.ended == 2)
    #expect(run.verdict == nil)
  }

  @Test func asynchronousErrorsEndTheMeasurement() async {
    let run = makeRun(ScriptedMeasurer([3]))
    await #expect(throws: Complaint.self) {
      try await run.measure {
        await Task.yield()
        throw Complaint("first")
      }
    }
    #expect(run.verdict != nil)
  }

  @Test func resultsThatCannotBeCopiedAreMeasuredToo() {
    struct Token: ~Copyable {
      let number: Int
    }
    let run = makeRun(ScriptedMeasurer([4]))
    var made = 0
    run.measure { () -> Token in
      made += 1
      return Token(number: made)
    }
    #expect(made == 4)
  }

  @Test func measuringNothingIsMisuse() {
    #expect(makeRun().verdict == "the body never called measure")
  }

  @Test func measuringTwiceIsMisuseAndDoesNotRun() {
    let measurer = ScriptedMeasurer()
    let run = makeRun(measurer)
    run.measure {}
    var executed = 0
    run.measure { executed += 1 }
    #expect(executed == 0)
    #expect(measurer.started.count == 1)
    #expect(measurer.finished == 1)
    #expect(run.verdict?.contains("measure twice") == true)
  }

  @Test func illegalSettingsPreventMeasuring() {
    for spoil in [{ $0.elements = 0 }, { $0.countedOperations = -1 }] as [(BenchmarkRun) -> Void] {
      let measurer = ScriptedMeasurer()
      let run = makeRun(measurer)
      spoil(run)
      var executed = 0
      run.measure { executed += 1 }
      #expect(executed == 0)
      #expect(measurer.started.isEmpty)
      #expect(run.verdict?.contains("must be at least 1") == true)
    }
  }

  @Test func settingsBehindMeasureAreMisuse() {
    let run = makeRun()
    run.measure {}
    run.elements = 2
    #expect(run.verdict?.contains("elements was set after measure") == true)
  }

  @Test func theFirstMisuseIsTold() {
    let run = makeRun()
    run.elements = -5
    run.countedOperations = 0
    run.measure {}
    #expect(run.verdict == "elements is -5, but must be at least 1")
  }
}
