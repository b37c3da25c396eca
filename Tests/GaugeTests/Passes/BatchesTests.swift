// The loop around an operation, and the readings around the loop.

import Testing

@testable import Gauge

@Suite struct BatchesTests {
  /// A sampler of given batch sizes that keeps what it was told.
  private struct ScriptedSampler: Sampler {
    var sizes: [Int]
    var readings: [(start: UInt64, end: UInt64)] = []

    mutating func nextCount() -> Int? { sizes.isEmpty ? nil : sizes.removeFirst() }
    mutating func record(from start: UInt64, to end: UInt64) { readings.append((start, end)) }
  }

  @Test func readingsEncloseTheOperations() {
    let batches = TimedBatches(ScriptedSampler(sizes: [3, 1, 20]), clock: .monotonic)
    var readings: [UInt64] = []
    batches.run { readings.append(MonotonicClock.nanoseconds()) }
    let kept = batches.sampler(as: ScriptedSampler.self).readings
    #expect(readings.count == 24)
    #expect(kept.count == 3)
    for (batch, range) in [(0, 0..<3), (1, 3..<4), (2, 4..<24)] {
      #expect(readings[range].allSatisfy { kept[batch].start <= $0 && $0 <= kept[batch].end })
    }
    #expect(kept[0].end <= kept[1].start && kept[1].end <= kept[2].start)
  }

  @Test func aBaseWithoutSamplerRunsNothing() {
    var executed = 0
    Batches().run { executed += 1 }
    #expect(executed == 0)
  }

  @Test func emptyBatchesAreCountedLikeOthers() {
    let batches = TimedBatches(ScriptedSampler(sizes: [1000, 1000]), clock: .monotonic)
    batches.runEmpty()
    #expect(batches.sampler(as: ScriptedSampler.self).readings.count == 2)
  }

  @Test func resultsAreReleasedOnce() {
    final class Counted {
      let release: () -> Void
      init(release: @escaping () -> Void) { self.release = release }
      deinit { release() }
    }
    var alive = 0
    var made = 0
    let batches = ScriptedBatches([10, 5])
    batches.run { () -> Counted in
      #expect(alive == 0)
      alive += 1
      made += 1
      return Counted { alive -= 1 }
    }
    #expect(alive == 0)
    #expect(made == 15)
  }

  @Test(arguments: [(Double.infinity, 1100), (-1, 3)])
  func ofWhatTakesTooLongASingleOperationIsCounted(longest: Double, executed: Int) {
    let batches = CountedBatches(CountSampler(operations: 1000), Counter([]), longest: longest)
    var operations = 0
    batches.run { operations += 1 }
    // The warm-up stays as long as it was, those that are tried included.
    #expect(operations == executed)
    #expect(batches.sampler.operations == (longest < 0 ? 1 : 1000))
  }

  /// One that waited for the processor had a single operation counted, 0 of what happens in one of many; and one that
  /// is short would have all of the long ones counted, for as long as that takes.
  @Test(arguments: [([1], 1100), ([2], 1100), ([1, 3], 4), ([2, 3], 4), ([1, 2], 3)])
  func oneThatIsUnlikeTheOthersDoesNotDecide(long: [Int], executed: Int) {
    var now: UInt64 = 0
    let batches = CountedBatches(CountSampler(operations: 1000), Counter([]), longest: 1e9, clock: { now })
    var operations = 0
    batches.run {
      operations += 1
      now += long.contains(operations) ? 2_000_000 : 1_000
    }
    #expect(operations == executed)
    #expect(batches.sampler.operations == (executed > 4 ? 1000 : 1))
  }

  @Test func oneThatTakesTooLongByItselfIsEnough() {
    var now: UInt64 = 0
    let batches = CountedBatches(CountSampler(operations: 1000), Counter([]), clock: { now })
    var operations = 0
    batches.run {
      operations += 1
      now += 11_000_000_000
    }
    #expect(operations == 2)
  }
}
