// What is recorded, with a recorder that a test plays.

import Testing

@testable import Gauge

@Suite struct SampledBatchesTests {
  /// Notes how often it was started and stopped, and after how many operations.
  private final class Played: StackRecorder {
    var operations = 0
    var starts: [Int] = []
    var stops: [Int] = []

    override func start() { starts.append(operations) }
    override func stop() { stops.append(operations) }
  }

  @Test func warmUpIsNotRecorded() throws {
    let recorder = Played()
    let batches = SampledBatches(budget: 1e6, recorder)
    batches.run { recorder.operations += 1 }
    #expect(recorder.starts.count == 1 && recorder.stops == [recorder.operations])
    #expect(try #require(recorder.starts.first) > 0)
    #expect(batches.operations == recorder.operations - recorder.starts[0])
  }

  @Test func stacksBeginAtTheFunctionThatMeasures() {
    let recorder = Played()
    SampledBatches(budget: 1e5, recorder).run { recorder.operations += 1 }
    #if os(Linux)
      #expect(recorder.root.frame != 0 && recorder.root.code != 0 && recorder.root.thread != 0)
    #endif
  }

  @Test func operationsThatCountAreTraced() {
    let recorder = CallStacks(of: .allocations)
    let batches = TracedBatches(CountSampler(operations: 50), Counter([]), recorder)
    var operations = 0
    batches.run { operations += 1 }
    #expect(operations == 55)
    // Nothing is preloaded into tests.
    #expect(!recorder.isReady && recorder.absence == HeapHooks.absence)
    #expect(recorder.conclude(operations: 50, file: "/nowhere/f").outcome == .unavailable(HeapHooks.absence))
  }
}
