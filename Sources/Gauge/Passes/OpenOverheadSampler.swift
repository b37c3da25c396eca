// What an operation of an open loop takes that does nothing, measured in each launch.

import GaugeStatistics

/// Operations of which each is to start a while after the one before has ended. So each one really waits, and the
/// thread's being interrupted shows in one of them: on a schedule it would show in all that it delays, and what is
/// taken off every latency would be a delay that no operation has.
struct OpenOverheadSampler: Schedule {
  /// Operations; enough that a median is steady, and over in a few milliseconds.
  static let operations = 3001
  /// Nanoseconds between the end of an operation and the start of the next one:
  /// much longer than a reading of any clock.
  static let pause = 1000.0

  private let pause: UInt64
  /// Ticks of each operation from the moment when it was to start.
  private(set) var ticks: [Double] = []

  /// - Parameter nanosecondsPerTick: Length of a tick of the readings.
  init(nanosecondsPerTick: Double) {
    pause = UInt64((Self.pause / nanosecondsPerTick).rounded(.up))
    ticks.reserveCapacity(Self.operations)
  }

  func nextStart(now: UInt64) -> UInt64? { ticks.count < Self.operations ? now &+ pause : nil }

  mutating func record(from start: UInt64, to end: UInt64) { ticks.append(Double(end &- start)) }

  /// Ticks that an empty operation takes: the median, and never more than twice what the quickest of them take, so that
  /// a machine that interrupts most of them makes latencies longer and not shorter.
  var ticksOfEmptyOperation: Double {
    guard !ticks.isEmpty else { return 0 }
    let sorted = ticks.sorted()
    return min(median(ofSorted: sorted), 2 * quantile(0.05, ofSorted: sorted))
  }
}
