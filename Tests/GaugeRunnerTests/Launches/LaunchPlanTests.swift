// Which launches a plan holds, and how they are mixed.

import Gauge
import Testing

@testable import GaugeRunner

@Suite struct LaunchPlanTests {
  static let points: [BenchmarkPoint] = [
    .sample("a", "n=1", passes: [.time, .allocations]), .sample("a", "n=2", passes: [.time, .latency]),
    .sample("b", passes: [.time, .latency, .allocations]),
  ]

  @Test func `every point and pass has its launches once, numbered in order`() {
    let plan = LaunchPlan.sample(Self.points, launches: 5)
    #expect(plan.launches.count == 7 * 5)
    #expect(plan.launches.map(\.sequence) == Array(0..<35))
    for point in Self.points {
      for pass in LaunchRequest.Pass.allCases {
        let numbers = plan.launches.filter { $0.point == point && $0.pass == pass }.map(\.launch)
        #expect(numbers == (point.passes.contains(pass) ? Array(0..<5) : []))
      }
    }
  }

  @Test func `the order comes from the seed alone`() {
    let plan = LaunchPlan.sample(Self.points, seed: 7)
    #expect(plan == .sample(Self.points, seed: 7))
    #expect(plan.launches != LaunchPlan.sample(Self.points, seed: 8).launches)
  }

  @Test(arguments: [1, 2, 3, 4, 5] as [UInt64]) func `launches of a point are spread over the whole run`(seed: UInt64) {
    let points = (0..<20).map { BenchmarkPoint.sample("b\($0)") }
    let plan = LaunchPlan.sample(points, launches: 10, seed: seed)
    for point in points {
      // Launch k stands within the k-th tenth of the run, give or take what the others' places shift it by.
      for launch in plan.launches where launch.point == point {
        #expect(abs(launch.sequence / 20 - launch.launch) <= 1)
      }
    }
    #expect(plan.launches.prefix(20).map(\.point.benchmark) != (0..<20).map { "b\($0)" })
  }

  @Test func `passes that nobody asks for are left out`() throws {
    let plan = LaunchPlan.sample(Self.points, selection: try MetricSelection(names: ["latency_p50"]))
    #expect(Set(plan.launches.map(\.pass)) == [.latency])
  }

  @Test func `a launch asks for its point, pass and budget`() {
    let request = LaunchPlan.sample([.sample("a", "n=1")], launches: 1, budget: 33).launches[0].request
    #expect(request == LaunchRequest(benchmark: "a", parameters: "n=1", pass: .time, budget: 33))
  }
}
