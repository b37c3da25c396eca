// The two batches of the pass that counts instructions.

import Testing

@testable import Gauge

@Suite struct InstructionBatchesTests {
  @Test(arguments: [(1, 2), (19, 2), (20, 2), (1000, 100)])
  func aWarmUpComesBeforeTheCountedOperations(operations: Int, warmUp: Int) {
    let batches = InstructionBatches(operations: operations, of: .operation)
    #expect(batches.begin() == warmUp)
    batches.end()
    #expect(batches.begin() == operations)
    batches.end()
    #expect(batches.begin() == 0)
  }

  @Test func theOperationRunsSoOften() {
    var executed = 0
    InstructionBatches(operations: 50, of: .operation).run { executed += 1 }
    #expect(executed == 55)
  }
}
