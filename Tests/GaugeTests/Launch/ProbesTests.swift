// A launch whose probes fail says so for each quantity, and does not run the operation.

import CProbes
import Testing

@testable import Gauge

@Suite struct ProbesTests {
  /// Something that takes time.
  @Sendable private static func work() { for turn in 0..<100 { blackHole(turn) } }

  private static var failing: Probes {
    Probes(
      heap: { HeapCounter(nil) }, references: { ReferenceCounter(absence: "no references") },
      usage: { UsageCounter(source: .failing(1)) }, hardware: { EventCounter(open: { _ in -1 }) },
      allocator: { AllocatorCounter(error: -1) }, systemCalls: { SystemCallCounter(error: 1) },
      foreignLoad: { ForeignLoad(source: ForeignLoad.Source(processors: { ("", 2) })) },
      stacks: { _ in StackRecorder(absence: "no stacks") })
  }

  @Test(
    arguments: [
      (.allocations, Metric.heap), (.references, Metric.references),
      (.resources, Metric.resources), (.hardware, Metric.hardware), (.allocator, Metric.allocator),
      (.systemCalls, [.systemCalls]),
    ] as [(LaunchRequest.Pass, [Metric])])
  func aFailingProbeIsUnavailable(pass: LaunchRequest.Pass, metrics: [Metric]) throws {
    let recorded = RecordedReport()
    let measurer = LaunchMeasurer(
      pass: pass, budget: 1e5, threads: .single, report: recorded.makeWriter(), probes: Self.failing)
    var executed = 0
    measurer.start(MeasuringSettings()).run { executed += 1 }
    measurer.finish()
    let report = try LaunchReport(text: recorded.text)
    #expect(executed == 0)
    #expect(report.measurements.map(\.metric) == metrics)
    for measurement in report.measurements {
      guard case .unavailable(let reason) = measurement.outcome else {
        Issue.record("\(measurement.metric.name) has a value")
        return
      }
      #expect(!reason.isEmpty)
    }
  }

  @Test(arguments: LaunchRequest.Profile.Kind.allCases)
  func stacksThatCannotBeRecordedAreUnavailable(kind: LaunchRequest.Profile.Kind) async throws {
    let profile = LaunchRequest.Profile(kind, file: "/nowhere/stacks")
    let unavailable = Measurement(.profiledOperations, .unavailable("no stacks"))
    let alone = RecordedReport()
    let measurer = LaunchMeasurer(
      pass: .profile, budget: 1e5, threads: .single, profile: profile, report: alone.makeWriter(), probes: Self.failing)
    measurer.start(MeasuringSettings()).run {}
    measurer.finish()
    #expect(try LaunchReport(text: alone.text).measurements == [unavailable])

    let together = try await onOwnThread {
      let recorded = RecordedReport()
      let measurer = LaunchMeasurer(
        pass: .profile, budget: 1e5, threads: .several, profile: profile, report: recorded.makeWriter(),
        probes: Self.failing)
      try measurer.run([ThreadGroup("a") {}], MeasuringSettings())
      return try LaunchReport(text: recorded.text).measurements
    }
    #expect(together == [unavailable])
  }

  @Test func aLoadThatCannotBeToldIsUnavailableAndTheTimeIsNot() async throws {
    let recorded = RecordedReport()
    let measurer = LaunchMeasurer(
      pass: .time, budget: 1e5, threads: .several, report: recorded.makeWriter(), probes: Self.failing)
    measurer.start(MeasuringSettings()).run(Self.work)
    measurer.finish()
    let alone = try LaunchReport(text: recorded.text).measurements

    let together = try await onOwnThread {
      let recorded = RecordedReport()
      let measurer = LaunchMeasurer(
        pass: .time, budget: 1e5, threads: .several, report: recorded.makeWriter(), probes: Self.failing)
      try measurer.run([ThreadGroup("a", operation: Self.work)], MeasuringSettings())
      return try LaunchReport(text: recorded.text).measurements
    }
    for measurements in [alone, together] {
      #expect(
        measurements.last == Measurement(.foreignLoad, .unavailable("/proc/stat: No such file or directory")))
      guard case .value = measurements.first?.outcome else {
        Issue.record("the time has no value: \(measurements)")
        return
      }
    }
  }

  @Test func groupsOfThreadsFindTheSame() async throws {
    let outcomes = try await onOwnThread {
      let recorded = RecordedReport()
      let measurer = LaunchMeasurer(
        pass: .resources, budget: 1e5, threads: .several, report: recorded.makeWriter(), probes: Self.failing)
      try measurer.run([ThreadGroup("a") {}], MeasuringSettings())
      return try LaunchReport(text: recorded.text).measurements.map(\.outcome)
    }
    #expect(
      outcomes == Array(repeating: .unavailable("getrusage: Operation not permitted"), count: 7)
        + Array(repeating: .unavailable("/proc/self/status: Operation not permitted"), count: 2))
  }
}

extension UsageCounter.Source {
  /// A system that tells nothing.
  static func failing(_ error: Int32) -> UsageCounter.Source {
    UsageCounter.Source(
      usage: { (probe_usage(), error) }, memory: { (probe_memory(), error) }, forgetPeak: { error })
  }
}
