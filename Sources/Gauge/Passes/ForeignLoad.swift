// How many processors other processes keep busy during a launch: what all processors did, less what this process used.

/// The load that others put on the machine, from when this is made.
///
/// The system counts in ticks of 10 ms and a launch is short: one value is coarse, and the mean over launches is not.
struct ForeignLoad {
  /// Where the times come from, so that tests can give others.
  struct Source {
    /// The beginning of `ProcessorTime.file`, and 0 or the error number.
    var processors: () -> (text: String, error: Int32) = { System.beginning(ofFile: ProcessorTime.file) }
    /// CPU time of this process in nanoseconds, and 0 or the error number.
    var process: () -> (nanoseconds: UInt64, error: Int32) = UsageCounter.cpuTime
    /// Nanoseconds since an arbitrary start.
    var clock: () -> UInt64 = MonotonicClock.nanoseconds
    /// Ticks of a second.
    var ticksPerSecond = System.ticksPerSecond
  }

  /// All clocks at nearly the same moment, in nanoseconds.
  private struct Reading {
    var processors: Double
    var process: Double
    var clock: Double
  }

  /// Why there is no reading.
  private struct Absence: Error {
    var reason: String
  }

  /// Nanoseconds that readings may lie apart in by their ticks alone: a few on each of many processors.
  private static let coarsest = 1e8

  private let source: Source
  private let start: Result<Reading, Absence>

  /// Begins.
  init(source: Source = Source()) {
    self.source = source
    start = Self.read(source)
  }

  private static func read(_ source: Source) -> Result<Reading, Absence> {
    let (text, error) = source.processors()
    guard error == 0 else {
      return .failure(Absence(reason: "\(ProcessorTime.file): \(System.describe(errorNumber: error))"))
    }
    guard let time = ProcessorTime(text) else {
      return .failure(Absence(reason: "\(ProcessorTime.file) does not begin with the time of all processors"))
    }
    let own = source.process()
    guard own.error == 0 else {
      return .failure(Absence(reason: "getrusage: \(System.describe(errorNumber: own.error))"))
    }
    return .success(
      Reading(
        processors: time.busy * 1e9 / source.ticksPerSecond, process: Double(own.nanoseconds),
        clock: Double(source.clock())))
  }

  /// The quantity, up to now.
  func measurement() -> Measurement {
    let (first, last): (Reading, Reading)
    do throws(Absence) {
      (first, last) = (try start.get(), try Self.read(source).get())
    } catch {
      return Measurement(.foreignLoad, .unavailable(error.reason))
    }
    let elapsed = last.clock - first.clock
    guard elapsed > 0 else { return Measurement(.foreignLoad, .unavailable("the clock did not advance")) }
    let own = last.process - first.process
    let others = (last.processors - first.processors) - own
    // Ticks are coarse, but no table that keeps time lacks half of what this process itself took.
    guard others >= -max(own / 2, Self.coarsest) else {
      return Measurement(.foreignLoad, .unavailable("\(ProcessorTime.file) does not advance with this process"))
    }
    return Measurement(.foreignLoad, .value(max(0, others / elapsed)), iterations: 1, samples: 1)
  }
}
