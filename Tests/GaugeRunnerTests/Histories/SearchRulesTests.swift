// Where a commit stands between two others.

import Foundation
import GaugeStatistics
import Testing

@testable import GaugeRunner

@Suite struct SearchRulesTests {
  @Test(
    arguments: [(100, .before), (103, .before), (107, .after), (112, .after), (105, .neither)]
      as [(Double, SearchRules.Side)])
  func `a count is like the nearer end, or like neither`(value: Double, side: SearchRules.Side) {
    let rules = CommitSearchTests.exactRules
    #expect(rules.side(of: value, between: 100, and: 110) == side)
    #expect(rules.side(of: -value, between: -100, and: -110) == side)
  }

  @Test(
    arguments: [(0, .before), (1, .after), (0.5, .neither), (2, .neither), (-1, .neither)]
      as [(Double, SearchRules.Side)])
  func `launches tell where a commit stands`(part: Double, side: SearchRules.Side) {
    var noise = Noise(seed: 1)
    for rises in [true, false] {
      let height = rises ? 0.1 : -0.1
      let launches = [0, part * height, height].map { level in
        (0..<20).map { _ in level + 0.005 * noise.normal() }
      }
      #expect(CommitSearchTests.rules.side(launches, at: 0, rises: rises) == side)
    }
  }

  @Test func `launches that scatter ask for more, and the last look takes the nearer half`() {
    var noise = Noise(seed: 1)
    let launches = [0, 0, 0.02].map { level in (0..<1150).map { _ in level + 0.05 * noise.normal() } }
    #expect(CommitSearchTests.rules.side(launches.map { Array($0.prefix(20)) }, at: 0, rises: true) == nil)
    #expect(CommitSearchTests.rules.side(launches, at: 10, rises: true) == .before)
  }

  @Test func `what doesn't matter is none`() {
    let rules = SearchRules(commits: 8, isExact: true, threshold: 0.01, resolution: 2)
    #expect(rules.isNone(1, of: 1000) && rules.isNone(-10, of: 1000) && !rules.isNone(11, of: 1000))
    #expect(rules.isNone(2, of: 10) && !rules.isNone(3, of: 10))
  }

  /// Ten picoseconds for each element and twice as much were the same: both were less than a tenth of a cycle.
  @Test func `values of other metrics than time may be small`() {
    let rules = SearchRules(commits: 8, isExact: false, resolution: 0, floor: 0.001)
    let (before, after) = (Array(repeating: 0.01, count: 20), Array(repeating: 0.02, count: 20))
    #expect(rules.judge.judge(before, after, at: 0)?.verdict == .worse)
    #expect(abs(rules.position(0.02) - rules.position(0.01) - log(2)) < 1e-12)
    #expect(CommitSearchTests.rules.judge.judge(before, after, at: 0)?.verdict == .same)
  }

  /// Counts may mislead a search once.
  @Test func `what is asked twice has half of its part of the error each time`() {
    let confidence: Double = 1 - 0.01 / 8 / 11
    #expect(CommitSearchTests.rules.restConfidence == confidence)
    // Of 20 pairs on a machine that drifts, the 5th in size is the only one that fell: a chance of 60 in 2^20 by six
    // tests, where 77 are within the part of the first look, and 38 within half of it.
    let before: [Double] = (1...20).map { 100 * exp(0.5 * Double($0)) }
    let after: [Double] = (1...20).map { rank in
      let change: Double = rank == 5 ? -0.01 : 0.01
      return before[rank - 1] * 1.001 * exp(change * Double(rank))
    }
    #expect(CommitSearchTests.rules.judge.judge(before, after, at: 0)?.verdict == .worse)
    #expect(CommitSearchTests.rules.stepJudge.judge(before, after, at: 0)?.verdict == .notEnoughData)
  }

  @Test func `changes are ratios where they can be`() {
    let rules = CommitSearchTests.exactRules
    #expect(rules.change(.exact(1), from: 4) == Change(scale: .ratio, estimate: .exact(1.25)))
    #expect(rules.change(.exact(1), from: 0) == Change(scale: .difference, estimate: .exact(1)))
  }
}
