// The order of experiments, and when there are enough.

import Testing

@testable import Gauge

@Suite struct ExperimentBatchesTests {
  /// Plays operations that take so many nanoseconds.
  ///
  /// - Returns: The batches: their speed-ups and operations.
  private func played(budget: Double, operation: Double) -> [(speedUp: Int?, count: Int)] {
    var schedule = ExperimentSchedule(budget: budget)
    var batches: [(speedUp: Int?, count: Int)] = []
    while schedule.advance(), batches.count < 10_000 {
      batches.append((schedule.speedUp, schedule.count))
      schedule.record(nanoseconds: Double(schedule.count) * operation)
    }
    return batches
  }

  @Test(arguments: [1e3, 1e5, 1e6, 1e8])
  func eachRoundHasEachSpeedUpOnce(operation: Double) {
    let batches = played(budget: 1e9, operation: operation)
    let experiments = batches.compactMap(\.speedUp)
    #expect(batches.first?.speedUp == nil)
    #expect(experiments.count >= 4 && experiments.count % 4 == 0)
    for first in stride(from: 0, to: experiments.count, by: 4) {
      #expect(experiments[first..<first + 4].sorted() == ExperimentSchedule.speedUps)
    }
    // As long as is wanted, or a single operation.
    let wanted = max(1, Int(ExperimentSchedule.length / operation))
    #expect(batches.filter { $0.speedUp != nil }.allSatisfy { $0.count == wanted }, "\(batches)")
  }

  @Test func theOrderChangesFromRoundToRoundButNotFromLaunchToLaunch() {
    let experiments = played(budget: 4e9, operation: 1e6).compactMap(\.speedUp)
    let rounds = stride(from: 0, to: experiments.count, by: 4).map { Array(experiments[$0..<$0 + 4]) }
    #expect(Set(rounds).count > 4)
    #expect(played(budget: 4e9, operation: 1e6).compactMap(\.speedUp) == experiments)
  }

  @Test func anOperationLongerThanTheBudgetHasOneRound() {
    let batches = played(budget: 1e6, operation: 1e9)
    #expect(batches.map(\.count) == [1, 1, 1, 1, 1])
    #expect(batches.compactMap(\.speedUp).sorted() == ExperimentSchedule.speedUps)
  }

  @Test func withoutHooksNothingBegins() {
    // Nothing is preloaded into tests.
    let recorder = CallStacks(of: .experiments)
    #expect(recorder.absence == HeapHooks.absence)
    let batches = ExperimentBatches(ExperimentSchedule(budget: 1), recorder)
    var operations = 0
    batches.run { operations += 1 }
    #expect(operations > 0 && batches.operations == 0)
    var windows = ExperimentWindows(ExperimentSchedule(budget: 1), recorder)
    let length = UInt64(ExperimentSchedule.length)
    #expect(windows.next(behind: nil) == .lasting(nanoseconds: length))
    #expect(windows.next(behind: []) == nil && windows.operations == 0)
  }
}
