// Scores of groups, with played threads.

import Testing

@testable import Gauge

@Suite struct GroupSamplerTests {
  private func share(_ group: Int, _ operations: Int, _ nanoseconds: Double) -> GroupShare {
    GroupShare(group: group, operations: operations, nanoseconds: nanoseconds)
  }

  private func value(_ name: String, of measurements: [Measurement]) -> Double? {
    guard case .value(let value)? = measurements.first(where: { $0.metric.name == name })?.outcome else { return nil }
    return value
  }

  @Test func windowsShareTheBudgetAndTheWarmUpDoesNotCount() {
    var sampler = GroupSampler(budget: 50e6, groups: [("", 2)])
    var windows = 0
    while let window = sampler.nextWindow() {
      #expect(window == 5_000_000)
      windows += 1
      // The warm-up is ten times slower.
      let operations = windows <= GroupSampler.warmUpWindows ? 100 : 1000
      sampler.record([share(0, operations, 1e6), share(0, operations, 1e6)])
      #expect(sampler.isWarm == (windows == GroupSampler.warmUpWindows))
    }
    #expect(windows == GroupSampler.warmUpWindows + GroupSampler.windows)
    let measurements = sampler.measurements(elements: 3, overhead: 0)
    #expect(measurements.map(\.metric) == [.time, .meanTime, .meanByMedian, .throughput])
    #expect(measurements.allSatisfy { $0.samples == 10 && $0.iterations == 20_000 })
    // Each of two threads does one operation per 1000 ns.
    #expect(abs((value("time", of: measurements) ?? 0) - 1000) < 1e-9)
    #expect(abs((value("throughput", of: measurements) ?? 0) - 6e6) < 1e-6)
  }

  @Test func namedGroupsHaveScoresOfTheirOwn() {
    var sampler = GroupSampler(budget: 1, groups: [("writers", 3), ("readers", 1)])
    #expect(sampler.nextWindow() == 1_000_000)
    while sampler.nextWindow() != nil {
      sampler.record((0..<3).map { _ in share(0, 100, 1e6) } + [share(1, 5000, 1e6)])
    }
    let measurements = sampler.measurements(elements: 1, overhead: 0.5)
    #expect(
      measurements.map(\.metric) == [
        .time, .meanTime, .meanByMedian, .throughput, .time(ofGroup: "writers"), .meanTime(ofGroup: "writers"),
        .meanByMedian.of(group: "writers"), .throughput(ofGroup: "writers"), .time(ofGroup: "readers"),
        .meanTime(ofGroup: "readers"), .meanByMedian.of(group: "readers"), .throughput(ofGroup: "readers"),
      ])
    #expect(abs((value("time_writers", of: measurements) ?? 0) - 9999.5) < 1e-9)
    #expect(abs((value("throughput_writers", of: measurements) ?? 0) - 3e5) < 1e-9)
    #expect(abs((value("time_readers", of: measurements) ?? 0) - 199.5) < 1e-9)
    #expect(abs((value("throughput", of: measurements) ?? 0) - 5.3e6) < 1e-6)
  }

  @Test func nothingDoneIsUnavailable() {
    var sampler = GroupSampler(budget: 1, groups: [("", 1)])
    while sampler.nextWindow() != nil { sampler.record([share(0, 0, 1e6)]) }
    #expect(
      sampler.measurements(elements: 1, overhead: 0).map(\.outcome)
        == Array(repeating: .unavailable("the budget held no operation"), count: 4))
  }

  @Test func throughputIsThatOfAllWindows() {
    var sampler = GroupSampler(budget: 1, groups: [("", 1)])
    var window = 0
    // Every fifth window comes to a tenth of what the others do.
    while sampler.nextWindow() != nil {
      sampler.record([share(0, window % 5 == 0 ? 100 : 1000, 1e6)])
      window += 1
    }
    let thread = WaitingThread()
    var waits = thread.account(isOfTheTimed: false)
    waits.begin()
    thread.wait(8_200)
    _ = waits.look()
    let measurements = sampler.measurements(elements: 1, overhead: 0, waits: waits)
    #expect(abs((value("time", of: measurements) ?? 0) - 1000) < 1e-9)
    #expect(abs((value("throughput", of: measurements) ?? 0) - 8.2e5) < 1e-6)
    #expect(abs((value("mean_time", of: measurements) ?? 0) - 1e9 / 8.2e5) < 1e-9)
    #expect(value("ready_wait", of: measurements) == 1)
  }

  /// The defect: windows are not of one length where an operation outlasts them, and the mean of their rates was told.
  @Test func theMeanIsOfAllOperationsByAllTime() {
    var sampler = GroupSampler(budget: 1, groups: [("writers", 1), ("readers", 2)])
    var window = 0
    // In the last window an operation of the writer stalls for 90 ms.
    while sampler.nextWindow() != nil {
      window += 1
      let isStalled = window == GroupSampler.warmUpWindows + GroupSampler.windows
      sampler.record([share(0, 1000, isStalled ? 91e6 : 1e6), share(1, 200, 1e6), share(1, 300, 1e6)])
    }
    let measurements = sampler.measurements(elements: 2, overhead: 0)
    #expect(measurements.allSatisfy { $0.samples == 10 })
    // The writer does 10,000 operations in 100 ms; without the stall they would have been done in 10 ms.
    #expect(abs((value("throughput_writers", of: measurements) ?? 0) - 2e5) < 1e-6)
    #expect(abs((value("mean_time_writers", of: measurements) ?? 0) - 10_000) < 1e-6)
    #expect(abs((value("time_writers", of: measurements) ?? 0) - 1000) < 1e-6)
    #expect(abs((value("mean_by_median_writers", of: measurements) ?? 0) - 10) < 1e-9)
    #expect(abs((value("throughput_readers", of: measurements) ?? 0) - 1e6) < 1e-6)
    #expect(abs((value("mean_by_median_readers", of: measurements) ?? 0) - 1) < 1e-9)
    // All together: 600,000 operations a second instead of 1,500,000.
    #expect(abs((value("throughput", of: measurements) ?? 0) - 1.2e6) < 1e-6)
    #expect(abs((value("mean_time", of: measurements) ?? 0) - 5000) < 1e-6)
    #expect(abs((value("time", of: measurements) ?? 0) - 2000) < 1e-6)
    #expect(abs((value("mean_by_median", of: measurements) ?? 0) - 2.5) < 1e-9)
  }

  @Test func timesWithinTheOverheadHaveNoQuotient() {
    var sampler = GroupSampler(budget: 1, groups: [("", 1)])
    while sampler.nextWindow() != nil { sampler.record([share(0, 1_000_000, 1e6)]) }
    let measurements = sampler.measurements(elements: 1, overhead: 0.6)
    // The rest of 0.4 ns is less than what was taken off.
    #expect(
      measurements.first(where: { $0.metric == .meanByMedian })?.outcome
        == .unavailable("an operation takes less than the harness's own loop"))
    #expect(abs((value("time", of: measurements) ?? 0) - 0.4) < 1e-9)
  }
}
