// Gains from experiments that were made up: what is put in must come out.

import GaugeStatistics
import Testing

@testable import GaugeRunner

@Suite struct VirtualSpeedUpTests {
  /// Experiments of operations of a millisecond, of which a function's part delays all others.
  ///
  /// - Parameters:
  ///   - gain: The operation's gain for each speed-up.
  ///   - noise: How much the times vary, as a share.
  ///   - drift: By how much each round is slower than the one before, as a share.
  static func experiments(
    rounds: Int, noise: Double = 0, drift: Double = 0, seed: UInt64 = 1, gain: (Double) -> Double
  ) -> [ExperimentRecord.Experiment] {
    var random = Xoshiro256(seed: seed)
    return (0..<rounds).flatMap { round in
      [0.5, 0, 1, 0.2].map { speedUp in
        let before = 40e6 * (1 + noise * (random.unit() - 0.5)) * (1 + drift * Double(round))
        // What the function has saved is in the delays; what the operation has not gained lengthens the time.
        let delays = 20e6 * speedUp
        return ExperimentRecord.Experiment(
          speedUp: speedUp, operations: 40, time: before * (1 - gain(speedUp)) + delays, delays: delays, used: 40e6,
          inside: 20e6, asleep: 0, hits: 80)
      }
    }
  }

  private func speedUp(_ launches: [[ExperimentRecord.Experiment]]) -> VirtualSpeedUp {
    VirtualSpeedUp(function: "f()", share: 0.5, launches: launches)
  }

  @Test(arguments: [0.0, 0.5, 1.0])
  func `a gain that is put in comes out`(share: Double) {
    let launches = (1...4).map { Self.experiments(rounds: 10, noise: 0.05, seed: $0) { $0 * share } }
    let result = speedUp(launches)
    #expect(result.gains.map(\.speedUp) == [0.2, 0.5, 1] && result.rounds == 40)
    for gain in result.gains {
      #expect(gain.estimate.interval.contains(gain.speedUp * share), "\(gain)")
      #expect(gain.isKnown && gain.isNone == (share == 0), "\(gain)")
    }
    #expect(result.isDone)
  }

  @Test func `a machine that gets slower is no gain`() {
    let launches = (1...3).map { Self.experiments(rounds: 12, noise: 0.02, drift: 0.05, seed: $0) { _ in 0 } }
    #expect(speedUp(launches).gains.allSatisfy { $0.isNone })
  }

  @Test func `launches that differ widen the interval`() {
    let alike = (1...4).map { Self.experiments(rounds: 10, noise: 0.02, seed: $0) { $0 * 0.5 } }
    let unlike = (1...4).map { number in
      Self.experiments(rounds: 10, noise: 0.02, seed: number) { $0 * (number.isMultiple(of: 2) ? 0.9 : 0.1) }
    }
    let (narrow, wide) = (speedUp(alike).gains[1], speedUp(unlike).gains[1])
    #expect(narrow.isKnown && !wide.isKnown)
    #expect(wide.estimate.interval.contains(0.05) && wide.estimate.interval.contains(0.45))
  }

  @Test func `too little is told, with what is missing`() {
    let few = speedUp([Self.experiments(rounds: 2) { $0 * 0.5 }])
    #expect(!few.isDone && few.gains.allSatisfy { !$0.isKnown })
    #expect(few.secondsMore(for: few.gains[0]) >= 1)
    let noisy = speedUp((1...3).map { Self.experiments(rounds: 8, noise: 2, seed: $0) { $0 * 0.5 } })
    #expect(!noisy.isDone && noisy.secondsMore(for: noisy.gains[2]) > noisy.seconds / 10)
    let none = speedUp([])
    #expect(none.gains.isEmpty && !none.isDone && none.rounds == 0)
  }

  @Test func `a round that breaks off, or has no time, is left out`() {
    var experiments = Self.experiments(rounds: 3) { _ in 0 }
    experiments.removeLast()
    #expect(VirtualSpeedUp.rounds(of: experiments).count == 2)
    experiments[1].delays = experiments[1].time
    #expect(VirtualSpeedUp.rounds(of: experiments).count == 1)
    #expect(VirtualSpeedUp.rounds(of: Array(experiments.prefix(1))).isEmpty)
  }
}
