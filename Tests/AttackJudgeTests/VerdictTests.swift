// Tests of what an attack holds against the engine: an engine that hands values over without a reason must fail.

import AttackJudge
import Testing

@Suite struct VerdictTests {
  /// A sink of 0.2 us, four senders; the engine was changed so that whoever has slept once hands its value over.
  private func mutant(_ excuse: Excuse) -> Verdict {
    var verdict = Verdict(excuse)
    // Sends of 1.1 to 2 ms, in the course of which others went on to deliver.
    verdict.handOvers = (0..<5591).map { Span($0 * 300_000, $0 * 300_000 + 1_100_000 + $0 % 10 * 100_000) }
    verdict.handedOver = 5591
    verdict.offThread = 5591
    verdict.subscribers = 2
    return verdict
  }

  @Test(arguments: [Excuse.none, .standstill(senders: 4), .circle]) func theMutantHasNoExcuse(_ excuse: Excuse) {
    let verdict = mutant(excuse)
    #expect(verdict.excused == 0)
    #expect(verdict.failures == 2 * 5591)
  }

  /// A holder that was kept for 3 ms explains what waited meanwhile and no more.
  @Test func aStandstillExcusesNoOthers() {
    var verdict = mutant(.standstill(senders: 4))
    verdict.standstills.note(Span(600_000_000, 603_000_000))
    #expect((1...12).contains(verdict.excused))
    #expect(verdict.failures >= 5591 - 12 + 5591 - 24)
  }

  @Test func whatIsExcusedIsNoFailure() {
    var verdict = Verdict(.standstill(senders: 4))
    verdict.standstills.note(Span(0, 2_000_000))
    verdict.handOvers = [Span(100_000, 1_900_000)]
    verdict.handedOver = 1
    verdict.subscribers = 2
    verdict.offThread = 2
    #expect(verdict.failures == 0)
    verdict.offThread = 3
    #expect(verdict.failures == 1)
  }

  @Test func circlesExcuseWhatFollowsFromThem() {
    var verdict = Verdict(.circle)
    (verdict.handedOver, verdict.inCircles) = (3, 2)
    (verdict.offThread, verdict.deliveriesOfCircles) = (8, 7)
    #expect(verdict.failures == 2)
    verdict.inCircles = 3
    verdict.deliveriesOfCircles = 8
    #expect(verdict.failures == 0)
  }

  @Test func handingOverIsNoFailureWhereItIsMeant() { #expect(mutant(.handOver).failures == 0) }
}
