// The heap counters of the preloaded library, where a launch has it.

import CProbes

/// Running totals of heap calls, over all threads of the process.
struct HeapCounts: Hashable, Sendable {
  /// Blocks allocated.
  var allocations: UInt64 = 0
  /// Blocks freed.
  var frees: UInt64 = 0
  /// Bytes requested.
  var bytes: UInt64 = 0

  /// What happened between two readings.
  static func - (end: HeapCounts, start: HeapCounts) -> HeapCounts {
    HeapCounts(
      allocations: end.allocations &- start.allocations, frees: end.frees &- start.frees,
      bytes: end.bytes &- start.bytes)
  }
}

/// Access to the counters. Safe to use: the only thing it stores is a function whose argument it supplies itself.
@safe struct HeapHooks {
  // Functions of the preloaded library, which stays loaded as long as the process lives.
  private let snapshot: @convention(c) (UnsafeMutablePointer<probe_heap_counts>?) -> Void
  private let mark: @convention(c) () -> Void
  private let peak: @convention(c) () -> UInt64

  /// Finds the preloaded counters; `nil` where the launch was started without them.
  init?() {
    let functions = probe_find_heap_peak()
    guard let snapshot = unsafe probe_find_heap_snapshot(), let mark = functions.mark,
      let peak = functions.read
    else { return nil }
    unsafe self.snapshot = snapshot
    self.mark = mark
    self.peak = peak
  }

  /// The totals up to now. Allocates nothing and makes no system call.
  func read() -> HeapCounts {
    var totals = probe_heap_counts()
    // The pointer is to a local that outlives the call, and the function only stores the three totals there.
    unsafe snapshot(&totals)
    return HeapCounts(allocations: totals.allocations, frees: totals.frees, bytes: totals.bytes)
  }

  /// Begins to look for the most bytes in live blocks. Allocates nothing and makes no system call.
  func markPeak() { mark() }

  /// By how much the live bytes have at most exceeded those at the mark.
  func readPeak() -> UInt64 { peak() }

  /// What to tell where there are none.
  static let absence =
    "the heap counters are not preloaded (gauge run does it; by hand: LD_PRELOAD=libGaugeHooks.so of the build folder)"
}
