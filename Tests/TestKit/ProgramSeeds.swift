// Which random programs are run beside a model.

import Foundation

#if WEIR_TSAN
  /// Whether ThreadSanitizer sees all programs, as `scripts/tsan --all` has it.
  private let seesAllPrograms = ProcessInfo.processInfo.environment["WEIR_ALL_PROGRAMS"] == "yes"
#endif

/// The seeds of a quarter of the 10,000 programs that a type is compared with its model by.
///
/// Under ThreadSanitizer, which finds nothing in a program of one thread, a tenth of them.
///
/// - Parameter quarter: The quarter, from 0 to 3.
package func programSeeds(quarter: UInt64) -> Range<UInt64> {
  #if WEIR_TSAN
    let count: UInt64 = 250
  #else
    let count: UInt64 = 2_500
  #endif
  return quarter * 2_500..<quarter * 2_500 + count
}

/// The seeds of 10,000 programs whose threads meet; a tenth of them under ThreadSanitizer, which is ten times as slow,
/// unless it is to see all.
package var programSeedsOfThreads: Range<UInt64> {
  #if WEIR_TSAN
    0..<(seesAllPrograms ? 10_000 : 1_000)
  #else
    0..<10_000
  #endif
}
