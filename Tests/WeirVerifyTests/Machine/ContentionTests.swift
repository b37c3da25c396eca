// What threads that meet cost each other, counted over drawn schedules.

import Testing
import WeirVerify

extension MachineTests {
  @Suite struct ContentionTests {
    private func measure(_ body: @escaping @Sendable (Run) -> Void) throws -> [ContentionCounts] {
      let exploration = Exploration(Scenario("contention/test", body))
      let (counts, failure) = exploration.measure(seeds: 1..<41)
      try #require(failure == nil)
      #expect(exploration.measure(seeds: 1..<41).counts == counts)
      try #require(counts.count == 40)
      return counts
    }

    @Test func wordsThatTwoThreadsChangePassBetweenCores() throws {
      let counts = try measure { run in
        let word = ModelWord()
        for thread in 1...2 { run.thread("\(thread)") { for _ in 1...5 { word.add(1) } } }
      }
      #expect(counts.allSatisfy { $0.modifications == 10 && $0.failedExchanges == 0 && $0.waits == 0 })
      #expect(counts.allSatisfy { (1...9).contains($0.transfers) })
      #expect(Set(counts.map(\.transfers)).count > 3)
    }

    @Test func wordsOfOneThreadStay() throws {
      let counts = try measure { run in
        for thread in 1...2 {
          let word = ModelWord()
          run.thread("\(thread)") { for _ in 1...5 { word.store(word.load() + 1) } }
        }
      }
      #expect(counts.allSatisfy { $0 == ContentionCounts() })
    }

    @Test func exchangesThatFailAreCounted() throws {
      let counts = try measure { run in
        let word = ModelWord()
        for thread in 1...2 { run.thread("\(thread)") { _ = word.compareExchange(0, thread) } }
      }
      #expect(counts.allSatisfy { $0.modifications == 2 && $0.failedExchanges == 1 })
    }

    @Test func whoFindsALockTakenWaits() throws {
      let counts = try measure { run in
        let (lock, word) = (ModelLock(), ModelWord())
        for thread in 1...2 {
          run.thread("\(thread)") { for _ in 1...3 { lock.withLock { word.store(word.load() + 1) } } }
        }
      }
      #expect(counts.allSatisfy { $0.modifications == 6 && $0.waitedSteps >= $0.waits })
      #expect(counts.allSatisfy { $0.waits <= 6 } && Set(counts.map(\.waits)).count > 2)
    }
  }
}
