// Loads and stores for the reference loop.

import Testing

@testable import Gauge

@Suite struct MemoryTrafficTests {
  @Test func moreTurnsTakeLonger() {
    // A loop that the optimiser has taken away would take the same time for any number of turns.
    for loop in [MemoryTraffic.loadAndStore, MemoryTraffic.chase] {
      #expect(fastest(200_000, loop) > 4 * fastest(2000, loop))
    }
  }

  private func fastest(_ turns: Int, _ loop: (Int) -> Void) -> UInt64 {
    (0..<20).map { _ in
      let start = MonotonicClock.nanoseconds()
      loop(turns)
      return MonotonicClock.nanoseconds() &- start
    }.min() ?? 0
  }
}
