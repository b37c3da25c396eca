// Loads and stores for the reference loop.

import Testing

@testable import Gauge

@Suite struct MemoryTrafficTests {
  @Test func moreTurnsTakeLonger() {
    func fastest(_ turns: Int) -> UInt64 {
      (0..<20).map { _ in
        let start = MonotonicClock.nanoseconds()
        MemoryTraffic.loadAndStore(turns: turns)
        return MonotonicClock.nanoseconds() &- start
      }.min() ?? 0
    }
    // A loop that the optimiser has taken away would take the same time for any number of turns.
    #expect(fastest(200_000) > 4 * fastest(2000))
  }
}
