// The evidence of sampled rows.

import GaugeStatistics
import Testing

@testable import GaugeRunner

@Suite struct SampledChangeTests {
  private func change(
    _ base: [Double], _ new: [Double], threshold: Double = 0.1, resolution: Double = 0,
    lowerIsBetter: Bool = true
  ) -> SampledChange {
    SampledChange(
      base: base, new: new, threshold: threshold, resolution: resolution, lowerIsBetter: lowerIsBetter,
      confidence: 0.95)
  }

  /// Ten launches that scatter by 1 % and do not drift.
  private let steady = [100, 101, 99, 100.5, 99.5, 99.6, 100.4, 99.1, 100.9, 100.1]

  @Test func findsAChangeBeyondTheThreshold() {
    let slower = change(steady, steady.map { $0 * 1.3 })
    #expect(slower.change.scale == .ratio)
    #expect(abs(slower.change.estimate.value - 1.3) < 1e-9)
    #expect(slower.change.estimate.interval.contains(1.3) && slower.change.estimate.interval.lower > 1.25)
    #expect(slower.plainVerdict == .worse && slower.pValue < 1e-4)
    #expect(change(steady, steady.map { $0 / 1.3 }).plainVerdict == .better)
    #expect(change(steady, steady.map { $0 * 1.3 }, lowerIsBetter: false).plainVerdict == .better)
  }

  @Test func withinTheThresholdIsTheSame() {
    let little = change(steady, steady.map { $0 * 1.05 })
    #expect(little.plainVerdict == .same && little.pValue == 1)
  }

  @Test func acrossTheThresholdIsUndecided() {
    let near = change(steady, steady.map { $0 * 1.1 })
    #expect(near.plainVerdict == .notEnoughData && near.pValue > 0.5)
  }

  @Test func driftWithinARunWidensTheInterval() {
    let drifting = steady.enumerated().map { $1 * ($0 < 5 ? 1 : 1.06) }
    let still = change(steady, steady)
    let moved = change(drifting, drifting)
    #expect(moved.driftDecides && !still.driftDecides)
    #expect(moved.plainVerdict == .notEnoughData)
    #expect(moved.change.estimate.interval.upper > 1.1)
  }

  @Test func valuesAtZeroAreComparedByDifference() {
    let empty = [0, 0.1, -0.1, 0.05, 0, 0.1, -0.05, 0, 0.1, 0]
    let same = change(empty, empty.map { $0 + 0.2 }, resolution: 0.5)
    #expect(same.change.scale == .difference && same.plainVerdict == .same)
    let slower = change(empty, empty.map { $0 + 5 }, resolution: 0.5)
    #expect(slower.plainVerdict == .worse && slower.pValue < 1e-4)
    #expect(abs(slower.change.estimate.value - 5) < 0.2)
  }

  @Test func belowTheResolutionNothingIsJudged() {
    let fast = steady.map { $0 / 100 }
    // 0.4 ns more than 1 ns: 40 %, but about a cycle.
    let unresolved = change(fast, fast.map { $0 * 1.4 }, resolution: 0.5)
    #expect(unresolved.plainVerdict == .same && unresolved.pValue == 1)
    #expect(change(fast, fast.map { $0 * 1.4 }, resolution: 0.1).plainVerdict == .worse)
    let mixed = change(fast + [3], fast.map { $0 * 1.4 } + [4], resolution: 0.5)
    #expect(mixed.plainVerdict == .notEnoughData && mixed.pValue == 1 && mixed.resolutionDecides)
    #expect(!unresolved.resolutionDecides)
  }

  @Test func constantZerosAreTheSame() {
    let zeros = [Double](repeating: 0, count: 6)
    let none = change(zeros, zeros)
    #expect(none.plainVerdict == .same && none.pValue == 1)
    #expect(none.change.estimate == .exact(0))
  }

  @Test func manyLaunchesUseTheApproximation() {
    let many: [Double] = (0..<150).map { 100 + Double($0 * 37 % 150) / 100 }
    #expect(change(many, many.map { $0 * 1.2 }).plainVerdict == .worse)
    #expect(change(many, many).plainVerdict == .same)
  }
}
