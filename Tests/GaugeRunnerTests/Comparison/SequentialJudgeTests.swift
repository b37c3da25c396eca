// Sequential verdicts: what is found, what is not, and how soon.

import GaugeStatistics
import Testing

@testable import GaugeRunner

@Suite struct SequentialJudgeTests {
  /// Looks at launches until there is a verdict.
  func decide(
    _ judge: SequentialJudge, _ before: [Double], _ after: [Double]
  ) -> (verdict: Verdict, pairs: Int) {
    for (look, pairs) in SequentialJudge.usualLooks.enumerated() {
      guard let judgement = judge.judge(Array(before.prefix(pairs)), Array(after.prefix(pairs)), at: look) else {
        break
      }
      if judgement.verdict != .notEnoughData { return (judgement.verdict, pairs) }
    }
    return (.notEnoughData, 150)
  }

  @Test(arguments: [(1.01, Verdict.worse), (0.99, .better), (1.0, .same), (1.0005, .same)])
  func `quiet launches are decided at the first look`(factor: Double, verdict: Verdict) {
    var noise = Noise(seed: 1)
    let judge = SequentialJudge(rows: 100)
    let before = noise.launches(150, around: 1000, spread: 0.001)
    let after = noise.launches(150, around: 1000 * factor, spread: 0.001)
    let decision = decide(judge, before, after)
    #expect(decision.verdict == verdict)
    #expect(decision.pairs == 20)
  }

  /// The target: a slow-down of the launches' own deviation, or half a per cent if that is more, is found at the error
  /// of a suite of a hundred rows.
  @Test(arguments: [(0.001, 0.005), (0.005, 0.005), (0.02, 0.02)])
  func `a change of one deviation is found`(spread: Double, size: Double) {
    var noise = Noise(seed: 3)
    let judge = SequentialJudge(rows: 100)
    let found = (0..<20).count { _ in
      let before = noise.launches(150, around: 1000, spread: spread)
      return decide(judge, before, noise.launches(150, around: 1000 * (1 + size), spread: spread)).verdict == .worse
    }
    #expect(found >= 19, "\(found)")
  }

  /// Half of the launches take half as much again: their distances to the median are farther than their deviation.
  @Test func `a change of one deviation is found of launches in two modes`() {
    var noise = Noise(seed: 4)
    let judge = SequentialJudge(rows: 100)
    let modes = { (noise: inout Noise, factor: Double) in
      noise.launches(150, around: 1000 * factor, spread: 0.01).map { $0 * (noise.generator.next() & 1 == 0 ? 1.5 : 1) }
    }
    let found = (0..<20).count { _ in
      decide(judge, modes(&noise, 1), modes(&noise, 1.2)).verdict == .worse
    }
    #expect(found >= 19, "\(found)")
  }

  @Test(arguments: [false, true]) func `the same build is never called changed`(isBimodal: Bool) {
    var noise = Noise(seed: 5)
    let judge = SequentialJudge(rows: 100)
    for _ in 0..<30 {
      var sides = (0..<2).map { _ in noise.launches(150, around: 1000, spread: 0.01) }
      if isBimodal {
        for side in sides.indices {
          for launch in sides[side].indices where noise.generator.next() & 1 == 0 { sides[side][launch] *= 1.5 }
        }
      }
      let verdict = decide(judge, sides[0], sides[1]).verdict
      #expect(verdict == .same || verdict == .notEnoughData)
    }
  }

  @Test func `what the instrument does not resolve is no change`() {
    let judge = SequentialJudge(rows: 1)
    let before = (0..<20).map { 5 + Double($0) / 10_000 }
    #expect(judge.judge(before, before.map { $0 + 0.02 }, at: 0)?.verdict == .same)
    #expect(judge.judge(before, before.map { $0 + 0.04 }, at: 0)?.verdict == .worse)
    #expect(judge.judge([0], [1, 1], at: 0) == nil)
  }

  /// Half a per cent of 20 ns is a third of a cycle, and is found nevertheless.
  @Test func `half a per cent of a short operation is found`() {
    var noise = Noise(seed: 6)
    let judge = SequentialJudge(rows: 100)
    let before = noise.launches(150, around: 20, spread: 0.003)
    #expect(decide(judge, before, noise.launches(150, around: 20.1, spread: 0.003)).verdict == .worse)
  }

  /// A launch that read no time at all, as its calibration was disturbed, leaves the others their verdict.
  @Test func `a launch of no time does not undo a row`() {
    var noise = Noise(seed: 7)
    let judge = SequentialJudge(rows: 100)
    var (before, after) = (noise.launches(150, around: 100), noise.launches(150, around: 110))
    before[3] = 0
    after[9] = -2
    #expect(decide(judge, before, after).verdict == .worse)
  }

  /// A search for a commit ended at once with "the same within 6 %" where there was a change of 2 %.
  @Test func `who is patient uses all looks before a wide margin is enough`() {
    var noise = Noise(seed: 11)
    let sides = (0..<2).map { _ in noise.launches(1150, around: 1000, spread: 0.1) }
    for (isPatient, looks) in [(false, 0...4), (true, 10...10)] {
      let judge = SequentialJudge(rows: 1, looks: SearchRules.looks, isPatient: isPatient)
      let decided = judge.looks.indices.first { look in
        let pairs = judge.looks[look]
        return judge.judge(Array(sides[0].prefix(pairs)), Array(sides[1].prefix(pairs)), at: look)?.verdict == .same
      }
      #expect(decided.map(looks.contains) == true)
    }
  }

  @Test func `a row's own threshold prevails`() {
    var noise = Noise(seed: 8)
    let key = ResultRow.Key(benchmark: "a/b", parameters: "", metric: "time")
    let own = Threshold(benchmark: "a/*", metric: "time", relative: 0.05, absolute: nil)
    let judge = SequentialJudge(rows: 100, thresholds: [own])
    let (before, after) = (
      noise.launches(20, around: 100, spread: 0.001), noise.launches(20, around: 103, spread: 0.001)
    )
    #expect(judge.judge(before, after, at: 0, of: key)?.verdict == .same)
    #expect(judge.judge(before, after, at: 0)?.verdict == .worse)
  }

  /// What an open row is told to lack does decide rows like it.
  @Test func `the missing pairs decide`() throws {
    var noise = Noise(seed: 9)
    let judge = SequentialJudge(rows: 100, margin: 0.001)
    let sides = (0..<2).map { _ in noise.launches(20, around: 1000, spread: 0.2) }
    let missing = try #require(judge.judge(sides[0], sides[1], at: 0)?.missing)
    #expect(missing.pairs > 20 && (0.05...0.5).contains(missing.threshold), "\(missing)")
    let wide = SequentialJudge(rows: 100, threshold: missing.threshold)
    let decided = (0..<20).count { _ in
      decide(wide, noise.launches(150, around: 1000, spread: 0.2), noise.launches(150, around: 1000, spread: 0.2))
        .verdict == .same
    }
    #expect(decided >= 16, "\(decided)")
  }

  /// Launches whose times differ by a tenth are told the same within a part of that, not within a hundredth.
  @Test func `rows that scatter are the same within a part of their scatter`() {
    var noise = Noise(seed: 11)
    let judge = SequentialJudge(rows: 100)
    let decisions = (0..<20).map { _ in
      decide(
        judge, noise.launches(150, around: 1000, spread: 0.1), noise.launches(150, around: 1000, spread: 0.1))
    }
    #expect(decisions.count { $0.verdict == .same } >= 18)
    #expect(decisions.reduce(0) { $0 + $1.pairs } <= 20 * 80)
    let before = noise.launches(150, around: 1000, spread: 0.1)
    let judgement = judge.judge(before, before, at: 5)
    #expect(judgement?.verdict == .same && judgement?.reason.hasSuffix("as its launches differ by more") == true)
    // A change of one deviation is none that such a margin lets pass.
    let passed = (0..<20).count { _ in
      let after = noise.launches(150, around: 1105, spread: 0.1)
      return decide(judge, noise.launches(150, around: 1000, spread: 0.1), after).verdict == .same
    }
    #expect(passed <= 1, "\(passed)")
  }

  /// Each launch takes 3 to 5 % longer than its partner: less than three quarters of the launches' deviation.
  @Test func `a change that shows is not the same within a wide margin before the last look`() {
    var noise = Noise(seed: 12)
    let judge = SequentialJudge(rows: 10_000)
    let before = noise.launches(150, around: 1000, spread: 0.1)
    let after = before.map { $0 * (1.03 + 0.02 * noise.generator.unit()) }
    let first = judge.judge(Array(before.prefix(20)), Array(after.prefix(20)), at: 0)
    #expect(first?.verdict == .notEnoughData)
    // The defect: it was told that as many pairs as it had would decide it.
    #expect((first?.missing?.pairs ?? 0) > 20, "\(String(describing: first))")
    #expect(judge.judge(before, after, at: 5)?.verdict == .worse)
    // A change within the threshold is never found, and keeps nothing open.
    let lenient = SequentialJudge(rows: 10_000, threshold: 0.055)
    #expect(lenient.judge(Array(before.prefix(20)), Array(after.prefix(20)), at: 0)?.verdict == .same)
  }

  /// A suite of few rows under a machine that changes while it is measured: a neighbour comes and goes, the frequency
  /// falls, for all rows alike. Both launches of a pair feel it, so that neither side is blamed.
  @Test(arguments: [1, 3, 8]) func `a machine that changes under a small suite makes no verdicts`(rows: Int) {
    var noise = Noise(seed: UInt64(30 + rows))
    let judge = SequentialJudge(rows: rows)
    var blamed = 0
    for _ in 0..<(120 / rows) {
      var factor = 1.0
      var left = 0
      var sides = (0..<rows).map { _ in (before: [Double](), after: [Double]()) }
      for _ in 0..<150 {
        for row in 0..<rows {
          let newFirst = noise.generator.next() & 1 == 0
          for isNew in [newFirst, !newFirst] {
            if left == 0 {
              left = 1 + noise.generator.index(below: 40)
              factor = [1, 1, 1.6, 1.1, 0.9][noise.generator.index(below: 5)]
            }
            left -= 1
            let time = noise.launches(1, around: 1000 * factor, spread: 0.01)[0]
            if isNew { sides[row].after.append(time) } else { sides[row].before.append(time) }
          }
        }
      }
      for side in sides {
        let verdict = decide(judge, side.before, side.after).verdict
        if verdict == .worse || verdict == .better { blamed += 1 }
      }
    }
    #expect(blamed == 0)
  }
}
