// The threads of a group measurement, for real.

import Testing

@testable import Gauge

@Suite struct GroupCrewTests {
  @Test func countedWindowsAreExact() async throws {
    let (counts, shares, error) = try await onOwnThread {
      let counts = Locked([0, 0])
      let crew = GroupCrew([
        ThreadGroup("a", threads: 3) { counts.withLock { $0[0] += 1 } },
        ThreadGroup("b", threads: 1) { counts.withLock { $0[1] += 1 } },
      ])
      var windows = [GroupWindow.counted(operations: 5), .counted(operations: 100)]
      var all: [[GroupShare]] = []
      let error = crew.run { shares in
        if let shares { all.append(shares) }
        return windows.popLast()
      }
      return (counts.withLock { $0 }, all, error)
    }
    #expect(error == 0)
    #expect(counts == [315, 105])
    #expect(shares.map { $0.map(\.operations) } == [[100, 100, 100, 100], [5, 5, 5, 5]])
    #expect(shares.first?.map(\.group) == [0, 0, 0, 1])
  }

  @Test func everyThreadWorksUntilTheWindowEnds() async throws {
    let (shares, latencies, forgotten) = try await onOwnThread {
      let crew = GroupCrew([ThreadGroup("a", threads: 2) {}, ThreadGroup("b") {}])
      var windows = [GroupWindow.singly(nanoseconds: 1_000_000), .lasting(nanoseconds: 1_000_000)]
      var all: [GroupShare] = []
      _ = crew.run { shares in
        if let shares { all += shares }
        return windows.popLast()
      }
      let latencies = (crew.latencies().count, crew.latencies(ofGroup: 0).count, crew.latencies(ofGroup: 1).count)
      crew.forgetLatencies()
      return (all, latencies, crew.latencies().count)
    }
    #expect(shares.count == 6)
    #expect(shares.allSatisfy { $0.operations >= 1 && $0.nanoseconds > 0 })
    #expect(latencies.0 == shares[3...].reduce(0) { $0 + $1.operations })
    #expect(latencies.0 == latencies.1 + latencies.2)
    #expect(forgotten == 0)
  }

  @Test func statesAreMadeBeforeTheFirstWindow() async throws {
    let made = try await onOwnThread {
      let made = Locked<Set<Int>>([])
      let crew = GroupCrew([
        ThreadGroup("a", threads: 4, state: { number in made.withLock { _ = $0.insert(number) } }) { _ in }
      ])
      var atFirst: Set<Int> = []
      _ = crew.run { shares in
        if shares == nil { atFirst = made.withLock { $0 } }
        return nil
      }
      return atFirst
    }
    #expect(made == [0, 1, 2, 3])
  }
}
