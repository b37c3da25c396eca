// When a launch counts as hanging.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct LaunchLimitsTests {
  let launches = LaunchPlan.sample([.sample(passes: [.time]), .sample("b", passes: [.time])], budget: 40).launches
  var first: PlannedLaunch { launches.first { $0.point.benchmark == "a" }! }
  var other: PlannedLaunch { launches.first { $0.point.benchmark == "b" }! }

  @Test func `an operation of ten seconds with its warm-up fits the first launch`() {
    #expect(LaunchLimits(fixed: nil).limit(of: first) == .seconds(60))
    var long = first
    long.budget = 5000
    #expect(LaunchLimits(fixed: nil).limit(of: long) == .seconds(110))
  }

  @Test func `launches that follow may take ten times as long as the longest of their kind`() {
    var limits = LaunchLimits(fixed: nil)
    limits.record(.milliseconds(80), of: first)
    #expect(limits.limit(of: first) == .milliseconds(10_800))
    limits.record(.seconds(21), of: first)
    limits.record(.seconds(20), of: first)
    #expect(limits.limit(of: first) == .seconds(210))
    #expect(limits.limit(of: other) == .seconds(60))
  }

  @Test func `a launch that counts has a minute, as it may count many where another has counted one`() {
    var limits = LaunchLimits(fixed: nil)
    for pass in [LaunchRequest.Pass.allocations, .hardware, .systemCalls] {
      var counting = first
      counting.pass = pass
      limits.record(.milliseconds(80), of: counting)
      #expect(limits.limit(of: counting) == .milliseconds(60_800))
    }
  }

  @Test func `what the user says holds for all`() {
    var limits = LaunchLimits(fixed: .seconds(2))
    limits.record(.seconds(1), of: first)
    #expect(limits.limit(of: first) == .seconds(2))
  }
}
