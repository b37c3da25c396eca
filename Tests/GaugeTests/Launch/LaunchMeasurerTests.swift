// From a pass to what is reported, in this process.

import Testing

@testable import Gauge

@Suite(.serialized) struct LaunchMeasurerTests {
  @Test func nothingIsReportedBeforeTheBatchesHaveRun() throws {
    let recorded = RecordedReport()
    let measurer = LaunchMeasurer(pass: .time, budget: 1e6, threads: .single, report: recorded.makeWriter())
    let batches = measurer.start(MeasuringSettings(elements: 4))
    #expect(recorded.writes == 1)
    batches.run {}
    measurer.finish()
    let report = try LaunchReport(text: recorded.text)
    #expect(
      report.measurements.map(\.metric)
        == [.time, .meanTime, .meanByMedian, .timePerElement, .throughput, .readyWait] + Metric.referenceLoops)
    #expect(report.ending == nil)
  }

  @Test(arguments: [1.0, 2.0]) func whatOwnThreadsSlowIsNoNeighbours(processors: Double) throws {
    let recorded = RecordedReport()
    var probes = Probes()
    probes.processTime = { (UInt64(Double(MonotonicClock.nanoseconds()) * processors), 0) }
    let measurer = LaunchMeasurer(
      pass: .time, budget: 1e6, threads: .single, report: recorded.makeWriter(), probes: probes)
    measurer.start(MeasuringSettings()).run {}
    measurer.finish()
    let stores = try #require(
      LaunchReport(text: recorded.text).measurements.first { $0.metric == .referenceStores })
    if processors == 1 {
      guard case .value(let turn) = stores.outcome else { Issue.record("\(stores.outcome)"); return }
      #expect(turn > 0)
    } else {
      #expect(stores.outcome == .unavailable("other threads of the benchmark ran meanwhile"))
    }
  }

  @Test(
    arguments: [
      (.time, .single, false, 1), (.latency, .single, false, 1), (.time, .several, false, 0), (.time, .single, true, 0),
      (.resources, .single, false, 0),
    ] as [(LaunchRequest.Pass, Benchmark.Threads, Bool, Int)])
  func onlyAThreadThatWorksAloneIsMoved(
    pass: LaunchRequest.Pass, threads: Benchmark.Threads, isAsynchronous: Bool, expected: Int
  ) {
    var probes = Probes()
    var choices = 0
    probes.settleOnProcessor = { choices += 1 }
    let measurer = LaunchMeasurer(
      pass: pass, budget: 1e5, threads: threads, isAsynchronous: isAsynchronous,
      report: RecordedReport().makeWriter(), probes: probes)
    measurer.start(MeasuringSettings()).run {}
    measurer.finish()
    #expect(choices == expected)
  }

  @Test func ofSeveralThreadsTheLoadOfOthersIsReportedToo() async throws {
    let recorded = RecordedReport()
    let measurer = LaunchMeasurer(pass: .time, budget: 1e6, threads: .several, report: recorded.makeWriter())
    measurer.start(MeasuringSettings()).run {}
    measurer.finish()
    let report = try LaunchReport(text: recorded.text)
    #expect(
      report.measurements.map(\.metric) == [.time, .meanTime, .meanByMedian, .throughput, .readyWait] + Metric.machine)

    let groups = try await onOwnThread {
      let recorded = RecordedReport()
      let measurer = LaunchMeasurer(pass: .time, budget: 1e6, threads: .several, report: recorded.makeWriter())
      try measurer.run([ThreadGroup("", threads: 2) {}], MeasuringSettings())
      return try LaunchReport(text: recorded.text).measurements.map(\.metric)
    }
    #expect(groups == [.time, .meanTime, .meanByMedian, .throughput, .readyWait, .foreignLoad])
  }

  @Test func eachMeasurementIsAWriteOfItsOwn() {
    let recorded = RecordedReport()
    let measurer = LaunchMeasurer(pass: .latency, budget: 1e5, threads: .single, report: recorded.makeWriter())
    measurer.start(MeasuringSettings()).run {}
    measurer.finish()
    #expect(recorded.writes == 7)
  }

  @Test func withoutHooksCountingRunsNothing() throws {
    let recorded = RecordedReport()
    let measurer = LaunchMeasurer(pass: .allocations, budget: 1e5, threads: .several, report: recorded.makeWriter())
    #expect(measurer.start(MeasuringSettings()).begin() == 0)
    measurer.finish()
    let report = try LaunchReport(text: recorded.text)
    #expect(report.measurements.map(\.metric.name) == Metric.heap.map(\.name))
    #expect(report.measurements.allSatisfy { $0.metric.kind == .sampled })
  }
}
