// The clocks of a launch: the system's monotonic clock for batches, the core's cycle counter for single operations.

import CMachine
import CProbes

/// CLOCK_MONOTONIC.
enum MonotonicClock {
  /// Nanoseconds since an arbitrary start.
  static func nanoseconds() -> UInt64 { probe_monotonic_nanoseconds() }
}

/// The finest clock that the machine has: the cycle counter where it advances at a constant rate, else CLOCK_MONOTONIC.
struct TickClock: Sendable {
  /// Whether ticks are those of the cycle counter.
  let countsCycles: Bool
  /// Length of a tick.
  let nanosecondsPerTick: Double

  /// The current time in ticks since an arbitrary start.
  @inline(__always)
  func ticks() -> UInt64 { countsCycles ? machine_cycles() : probe_monotonic_nanoseconds() }

  /// CLOCK_MONOTONIC, whose tick is a nanosecond.
  static let monotonic = TickClock(countsCycles: false, nanosecondsPerTick: 1)

  /// Finds the clock, and measures its rate against CLOCK_MONOTONIC for 10 ms.
  static func calibrate() -> TickClock {
    guard machine_has_cycle_counter() != 0, probe_cycle_counter_is_invariant() != 0 else { return .monotonic }
    for _ in 0..<3 {
      let start = simultaneousReading()
      var last = start.nanoseconds
      var hasSteppedBack = false
      while last &- start.nanoseconds < 10_000_000, !hasSteppedBack {
        let now = probe_monotonic_nanoseconds()
        hasSteppedBack = now < last
        last = now
      }
      let end = simultaneousReading()
      guard !hasSteppedBack, end.nanoseconds >= last, end.ticks > start.ticks else { continue }
      let nanoseconds = Double(end.nanoseconds - start.nanoseconds)
      return TickClock(countsCycles: true, nanosecondsPerTick: nanoseconds / Double(end.ticks - start.ticks))
    }
    // A clock that steps back gives the counter no rate. As the clock of the measurement it will be found out.
    return .monotonic
  }

  /// Both clocks at nearly the same moment: the tightest of several attempts, so that an interruption does not count.
  private static func simultaneousReading() -> (nanoseconds: UInt64, ticks: UInt64) {
    var best = (nanoseconds: UInt64(0), ticks: UInt64(0))
    var width = UInt64.max
    for _ in 0..<32 {
      let before = machine_cycles()
      let nanoseconds = probe_monotonic_nanoseconds()
      let after = machine_cycles()
      if after &- before < width {
        width = after &- before
        best = (nanoseconds, before &+ width / 2)
      }
    }
    return best
  }
}
