// What threads know of each other: after a wait of the scenario's own, and of what outlives a run.

import Testing
import WeirVerify

extension MachineTests {
  @Suite struct KnowledgeTests {
    /// What was done before the condition became so is none of what the waiter knows, in either memory.
    @Test(arguments: [MemoryModel.tso, .rc11(stale: 0), .rc11(stale: 2)])
    func waitingOrdersNothing(memory: MemoryModel) {
      func finding(orders: Bool) -> Finding {
        let scenario = Scenario("test", bound: 1) { run in
          let data = run.guarded("data"), flag = ModelWord()
          nonisolated(unsafe) var isThere = false
          run.thread("writer") {
            data.noteWrite()
            flag.store(1)
            isThere = true
          }
          run.thread("waiter") {
            guard run.wait(until: { isThere }), !orders || flag.load() == 1 else { return }
            data.noteRead()
          }
        }
        return Exploration(scenario, memory: memory).explore()
      }
      #expect(finding(orders: false).failure == "data: read while not ordered after a write by writer")
      #expect(finding(orders: true).failure == nil)
    }

    /// One who has waited for a store reads it in the end, although nothing orders that.
    @Test func whoHasWaitedReadsAnew() {
      let scenario = Scenario("test", bound: 1) { run in
        let word = ModelWord()
        nonisolated(unsafe) var isStored = false
        run.thread("writer") {
          word.store(1)
          isStored = true
        }
        run.thread("waiter") {
          guard word.load() == 0 else { return }
          _ = run.wait { isStored }
          run.expect(word.load(), 1, "read again")
        }
      }
      #expect(Exploration(scenario, memory: .rc11(stale: 3)).explore().failure == nil)
    }

    /// A global that a thread has written in a former run.
    @Test func plainMemoryThatOutlivesARunBeginsAnewWithTheNext() {
      nonisolated(unsafe) var global: Guarded?
      let finding = explored { run in
        let word = ModelWord()
        if global == nil { global = run.guarded("global") }
        for name in ["A", "B"] { run.thread(name) { if word.add(1) == 0 { global?.noteWrite() } } }
      }
      #expect(finding.failure == nil)
      #expect(finding.schedules == 2)
    }

    private func explored(_ program: @escaping @Sendable (Run) -> Void) -> Finding {
      Exploration(Scenario("test", bound: 1, program)).explore()
    }
  }
}
