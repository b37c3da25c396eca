// Waiting for an asynchronous body.

import Testing

@testable import Gauge

@Suite struct WaiterTests {
  @Test func theBodyHasRunWhenTheWaitEnds() async throws {
    let verdict = try await onOwnThread {
      let run = BenchmarkRun(point: GridPoint(), measurer: ScriptedMeasurer([3]))
      try Waiter.run({ run in await run.measure { await Task.yield() } }, run)
      return run.verdict
    }
    #expect(verdict == nil)
  }

  @Test func itsErrorComesBack() async {
    let error = await #expect(throws: Complaint.self) {
      try await onOwnThread {
        let run = BenchmarkRun(point: GridPoint(), measurer: ScriptedMeasurer())
        try Waiter.run({ _ in throw Complaint("adrift") }, run)
      }
    }
    #expect(error?.description == "adrift")
  }
}
