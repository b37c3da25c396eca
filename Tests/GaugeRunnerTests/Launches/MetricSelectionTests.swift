// Which passes and metrics a run takes.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct MetricSelectionTests {
  static let own = Metric("bytes_copied", unit: "B/op")

  @Test func `everything takes every metric of every pass but the counts and profiles`() {
    for pass in LaunchRequest.Pass.allCases {
      let isTaken = pass != .counts && pass != .profile
      #expect(MetricSelection.everything.takes(pass) == isTaken)
      #expect(MetricSelection.everything.takes(Self.own, of: pass) == isTaken)
    }
  }

  @Test func `no run takes profiles`() {
    #expect(throws: MetricSelection.UnknownName(name: "profile")) { try MetricSelection(names: ["profile"]) }
    #expect(!MetricSelection.names.contains("profile"))
  }

  @Test func `a run that asks for nothing takes what says most for its time`() throws {
    for pass in LaunchRequest.Pass.allCases {
      #expect(
        MetricSelection.usual.takes(pass)
          == [.time, .latency, .openLatency, .allocations, .custom].contains(pass))
    }
    #expect(try MetricSelection(names: ["frees", "all"]) == .everything)
  }

  @Test(
    arguments: [
      ("cpu_time", .resources), ("peak_resident", .resources), ("resident_growth", .resources), ("mean_time", .time),
      ("mean_by_median", .time), ("ready_wait", .time), ("mean_time_readers", .time), ("arc_retains", .references),
      ("fragmentation", .allocator), ("branch_misses", .hardware), ("system_calls", .systemCalls),
      ("single_shot", .singleShot), ("time_readers", .time), ("throughput_readers", .time), ("bandwidth", .time),
      ("foreign_load", .time), ("mean_by_median_readers", .time),
      ("latency_p50_readers", .latency),
    ] as [(String, LaunchRequest.Pass)])
  func `every metric knows its pass`(name: String, pass: LaunchRequest.Pass) throws {
    let selection = try MetricSelection(names: [name])
    for other in LaunchRequest.Pass.allCases { #expect(selection.takes(other) == (other == pass)) }
  }

  @Test func `what is exact comes alone or beside what is named`() throws {
    let beside = try MetricSelection(names: ["throughput", "frees"]).withExactPasses
    for pass in LaunchRequest.Pass.allCases {
      #expect(MetricSelection.exact.takes(pass) == [.allocations, .counts].contains(pass))
      #expect(beside.takes(pass) == [.time, .allocations, .counts].contains(pass))
    }
    #expect(beside.takes(Metric.allocations, of: .allocations))
    #expect(!beside.takes(Metric.time, of: .time))
  }

  @Test func `a pass takes all that its launches measure`() throws {
    let selection = try MetricSelection(names: ["time"])
    #expect(selection.takes(.time))
    #expect(!selection.takes(.latency))
    #expect(selection.takes(Metric.throughput, of: .time))
    #expect(selection.takes(Self.own, of: .time))
    #expect(!selection.takes(Metric.allocations, of: .allocations))
  }

  @Test func `metrics need their pass and leave the others of it out`() throws {
    let selection = try MetricSelection(names: [
      "throughput", "latency_p99_9", "frees", "allocated_bytes", "instructions",
    ])
    for pass in LaunchRequest.Pass.allCases {
      #expect(selection.takes(pass) == [.time, .latency, .allocations, .counts].contains(pass))
    }
    #expect(selection.takes(Metric.throughput, of: .time))
    #expect(!selection.takes(Metric.time, of: .time))
    #expect(selection.takes(Metric.latency(percentile: "99.9"), of: .latency))
    #expect(!selection.takes(Metric.latencyMaximum, of: .latency))
    #expect(selection.takes(Metric.allocatedBytes, of: .allocations))
    #expect(!selection.takes(Metric.allocations, of: .allocations))
  }

  @Test(arguments: [Metric.openLatency(percentile: "99"), .openLatencyMaximum, .openLoopRate])
  func `the open loop's metrics need its pass`(metric: Metric) throws {
    let selection = try MetricSelection(names: [metric.name])
    #expect(selection.takes(metric, of: .openLatency))
    #expect(!selection.takes(.latency))
  }

  @Test(arguments: [["latency", "latency_max"], ["latency_max", "latency"]])
  func `a pass beats its metrics in any order`(names: [String]) throws {
    #expect(try MetricSelection(names: names).takes(Metric.latency(percentile: "50"), of: .latency))
  }

  @Test func `an unknown name is refused`() {
    #expect(throws: MetricSelection.UnknownName(name: "speed")) { try MetricSelection(names: ["time", "speed"]) }
  }

  @Test func `it is known how many rows a launch writes at most`() throws {
    #expect(MetricSelection.usual.mostRows(of: .time) == 11)
    #expect(MetricSelection.usual.mostRows(of: .latency) == 6)
    #expect(MetricSelection.usual.mostRows(of: .openLatency) == 7)
    #expect(MetricSelection.usual.mostRows(of: .custom) == 1)
    #expect(MetricSelection.usual.mostRows(of: .counts) == 0)
    #expect(try MetricSelection(names: ["throughput", "latency_p99"]).mostRows(of: .time) == 1)
  }

  @Test func `every name that is suggested can be given`() throws {
    _ = try MetricSelection(names: MetricSelection.names)
  }
}
