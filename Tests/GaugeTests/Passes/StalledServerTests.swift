// Must show: a server that stalls for 100 ms every second, on a played clock. The open loop tells what its clients
// feel, to within 5 % of what follows from the script; the closed loop tells nothing of it.
// The documentation's example of why.

import Testing

@testable import Gauge

@Suite struct StalledServerTests {
  private static let millisecond: UInt64 = 1_000_000
  private static let second = 1000 * millisecond
  /// Time that the server takes for a request while it doesn't stall.
  private static let service: UInt64 = 10_000

  /// When a request ends that begins at a moment: a request in the middle of a stall waits for the stall's end.
  private static func end(ofRequestAt moment: UInt64) -> UInt64 {
    let within = moment % second
    let isStalled = (500 * millisecond..<600 * millisecond).contains(within)
    return (isStalled ? moment - within + 600 * millisecond : moment) + service
  }

  private static let budget = 20e9

  private func value(_ name: String, in measurements: [Measurement]) -> Double? {
    guard case .value(let value)? = measurements.first(where: { $0.metric.name == name })?.outcome else { return nil }
    return value
  }

  @Test func theOpenLoopTellsTheStall() throws {
    var sampler = OpenLatencySampler(budget: Self.budget, rate: 1000, nanosecondsPerTick: 1, overhead: 0)
    var now = 100 * Self.second
    while let start = sampler.nextStart(now: now) {
      now = Self.end(ofRequestAt: max(now, start))
      sampler.record(from: start, to: now)
    }
    let measurements = sampler.measurements()
    // One request in ten comes during a stall, and waits between 100 ms and nothing:
    // P(latency > x) = 0.1 (1 - x / 100 ms).
    for (percentile, milliseconds) in [("99", 90.0), ("99_9", 99), ("99_99", 99.9)] {
      let measured = try #require(value("open_latency_p\(percentile)", in: measurements))
      #expect(abs(measured / (milliseconds * 1e6) - 1) < 0.05, "p\(percentile): \(measured / 1e6) ms")
    }
    #expect(abs(try #require(value("open_latency_p50", in: measurements)) / Double(Self.service) - 1) < 0.05)
  }

  @Test func theClosedLoopDoesNot() throws {
    var sampler = LatencySampler(budget: Self.budget, nanosecondsPerTick: 1, overhead: 0)
    var now = 100 * Self.second
    while sampler.nextCount() != nil {
      let start = now
      now = Self.end(ofRequestAt: start)
      sampler.record(from: start, to: now)
    }
    let measurements = sampler.measurements()
    for percentile in ["50", "99", "99_9", "99_99"] {
      let measured = try #require(value("latency_p\(percentile)", in: measurements))
      #expect(abs(measured / Double(Self.service) - 1) < 0.05, "p\(percentile): \(measured / 1e6) ms")
    }
    // It is there, once a second, and only the maximum knows.
    #expect(try #require(value("latency_max", in: measurements)) > 95e6)
  }
}
