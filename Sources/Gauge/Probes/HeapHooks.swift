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
  // A function of the preloaded library, which stays loaded as long as the process lives.
  private let snapshot: @convention(c) (UnsafeMutablePointer<probe_heap_counts>?) -> Void

  /// Finds the preloaded counters; `nil` where the launch was started without them.
  init?() {
    guard let snapshot = unsafe probe_find_heap_snapshot() else { return nil }
    unsafe self.snapshot = snapshot
  }

  /// The totals up to now. Allocates nothing and makes no system call.
  func read() -> HeapCounts {
    var totals = probe_heap_counts()
    // The pointer is to a local that outlives the call, and the function only stores the three totals there.
    unsafe snapshot(&totals)
    return HeapCounts(allocations: totals.allocations, frees: totals.frees, bytes: totals.bytes)
  }

  /// What to tell where there are none.
  static let absence =
    "the heap counters are not preloaded (gauge run does it; by hand: LD_PRELOAD=libGaugeHooks.so of the build folder)"
}
