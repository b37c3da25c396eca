// Tests of what a standstill excuses.

import AttackJudge
import Testing

@Suite struct StandstillsTests {
  private func standstills(_ spans: Span...) -> Standstills {
    var standstills = Standstills()
    for span in spans { standstills.note(span) }
    return standstills
  }

  @Test func aValueThatWaitedThroughAStandstillIsExcused() {
    let standstills = standstills(Span(1_000_000, 3_500_000))
    #expect(standstills.excused([Span(500_000, 2_600_000)], senders: 4) == 1)
    #expect(standstills.excused([Span(1_200_000, 9_000_000)], senders: 4) == 1)
  }

  @Test func aValueThatDidNotWaitForItIsNot() {
    let standstills = standstills(Span(1_000_000, 3_500_000))
    // Shorter than the time between two looks, before it, after it, and at its edge.
    let sends = [
      Span(1_500_000, 1_510_000), Span(0, 1_000_000), Span(3_500_000, 9_000_000), Span(0, 1_800_000),
    ]
    #expect(standstills.excused(sends, senders: 4) == 0)
  }

  @Test func pausesOfLessThanThatAreNoStandstills() {
    #expect(standstills(Span(0, 800_000)).excused([Span(0, 5_000_000)], senders: 4) == 0)
  }

  @Test func eachSenderHasOneInAMillisecond() {
    let sends = Array(repeating: Span(0, 2_000_000), count: 50)
    #expect(standstills(Span(0, 2_000_000)).excused(sends, senders: 3) == 6)
    #expect(standstills(Span(0, 2_000_000), Span(5_000_000, 6_000_000)).excused(sends, senders: 3) == 6)
  }

  @Test func theStandstillIsFoundAmongMany() {
    var standstills = Standstills()
    for number in 0..<1000 { standstills.note(Span(number * 10_000_000, number * 10_000_000 + 1_000_000)) }
    #expect(standstills.excused([Span(7_770_000_000, 7_771_500_000)], senders: 1) == 1)
    #expect(standstills.excused([Span(7_772_000_000, 7_779_000_000)], senders: 1) == 0)
  }
}
