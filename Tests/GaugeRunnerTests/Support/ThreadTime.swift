// What a test's own thread needed, which other tests and processes don't add to.

import Foundation
import Testing

/// Expects work to need less than a minute of its thread's processor time: with a loop too many it needs several.
///
/// Not a time limit: beside other processes a test waits for a processor for as long as these like.
func expectUnderAMinute(sourceLocation: SourceLocation = #_sourceLocation, of work: () throws -> Void) rethrows {
  let start = threadSeconds()
  try work()
  let seconds = threadSeconds() - start
  #expect(seconds < 60, sourceLocation: sourceLocation)
}

private func threadSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
