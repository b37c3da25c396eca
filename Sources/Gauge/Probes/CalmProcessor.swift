// Where a launch of one thread should run: on a processor that others leave alone.

import CProbes

/// Moves the calling thread to a processor on which a loop of stores runs steadily.
///
/// On a shared machine each processor has neighbours of its own: another machine's on the same core of the host, which
/// stay for seconds, or processes of this machine. A neighbour shows in the loop, as it never takes its share evenly.
/// Launches stay on the same processor as long as that is calm: one that slept is often put beside a neighbour when it
/// wakes. The thread isn't kept there: the system may move it, as it may any other.
struct CalmProcessor {
  /// How many processors are tried: on a large machine one of so many will be calm.
  static let mostTried = 8
  /// How many times what they would take at their shortest runs of the loop may take in all where nobody disturbs.
  static let steady = 1.1
  private static let runs = 100
  private static let turnsOfRun = 20_000

  /// The processors to try, always in the same order; empty where the system doesn't tell.
  var candidates: () -> [Int32] = Self.allowed
  /// Moves the thread; tells whether it could.
  var move: (Int32) -> Bool = { probe_move_to_processor($0) == 0 }
  /// Nanoseconds of runs of a loop, one behind the other, waits for a processor included: half a millisecond in all.
  var times: () -> [UInt64] = Self.timeStores

  /// Tries the processors, and leaves the thread on the first that is calm; else on the one that was fastest in all, or
  /// where it is if it can't be moved.
  func settle() {
    let candidates = candidates()
    guard candidates.count > 1 else { return }
    var best: (processor: Int32, time: UInt64)?
    var last: Int32?
    for candidate in candidates where move(candidate) {
      last = candidate
      let times = times()
      let time = times.reduce(0, +)
      if time < best?.time ?? .max { best = (candidate, time) }
      if Double(time) <= Double(times.min() ?? 0) * Double(times.count) * Self.steady { return }
    }
    guard let best, best.processor != last else { return }
    _ = move(best.processor)
  }

  private static func allowed() -> [Int32] {
    var processors = [Int32](repeating: 0, count: mostTried)
    let capacity = Int32(processors.count)
    // At most `capacity` numbers are stored, and what is pointed to outlives the call.
    let count = unsafe processors.withUnsafeMutableBufferPointer { buffer in
      unsafe probe_allowed_processors(buffer.baseAddress, capacity)
    }
    return Array(processors.prefix(Int(max(count, 0))))
  }

  private static func timeStores() -> [UInt64] {
    // A processor that slept wakes up, and the nearest cache fills.
    MemoryTraffic.loadAndStore(turns: turnsOfRun * 10)
    return (0..<runs).map { _ in
      let start = MonotonicClock.nanoseconds()
      MemoryTraffic.loadAndStore(turns: turnsOfRun)
      return MonotonicClock.nanoseconds() &- start
    }
  }
}
