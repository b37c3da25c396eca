// What other processes keep busy, from times that a test gives.

import Testing

@testable import Gauge

@Suite struct ForeignLoadTests {
  /// What is read at one moment.
  private struct Moment {
    /// User and idle time of all processors, in ticks of a hundredth of a second.
    var user = 0
    var idle = 0
    /// CPU time of the process and the clock, in nanoseconds.
    var own: UInt64 = 0
    var clock: UInt64 = 0
    /// What else the file may be.
    var text: String?
    /// Error numbers of reading the file and the CPU time.
    var errors: (file: Int32, own: Int32) = (0, 0)
  }

  private func outcome(from start: Moment, to end: Moment) -> Measurement.Outcome {
    var moment = start
    let load = ForeignLoad(
      source: ForeignLoad.Source(
        processors: { (moment.text ?? "cpu  \(moment.user) 0 0 \(moment.idle) 0 0 0 0 0 0\n", moment.errors.file) },
        process: { (moment.own, moment.errors.own) }, clock: { moment.clock }, ticksPerSecond: 100))
    moment = end
    let measurement = load.measurement()
    #expect(measurement.metric == .foreignLoad)
    return measurement.outcome
  }

  @Test func theProcessItselfIsTakenOff() {
    // In half a second 1.5 s of processors, of which this process used 0.25 s.
    let start = Moment(user: 1000, idle: 5000, own: 70_000_000, clock: 4_000_000_000)
    let end = Moment(user: 1150, idle: 5050, own: 320_000_000, clock: 4_500_000_000)
    #expect(outcome(from: start, to: end) == .value(2.5))
  }

  @Test func itIsNeverBelowNothing() {
    // A tick that the system has not counted yet.
    let end = Moment(user: 1, idle: 3, own: 19_000_000, clock: 20_000_000)
    #expect(outcome(from: Moment(), to: end) == .value(0))
  }

  /// It was 0 where a container's table stands still, and so the same as on a quiet machine.
  @Test func aTableThatStandsStillIsUnavailable() {
    let end = Moment(own: 320_000_000, clock: 500_000_000)
    #expect(outcome(from: Moment(), to: end) == .unavailable("/proc/stat does not advance with this process"))
  }

  @Test func withoutTimesItIsUnavailable() {
    let end = Moment(user: 1, clock: 1000)
    let missing = Moment(clock: 1000, errors: (file: 2, own: 0))
    let absence = Measurement.Outcome.unavailable("/proc/stat: No such file or directory")
    #expect(outcome(from: missing, to: end) == absence)
    #expect(outcome(from: Moment(), to: missing) == absence)
    #expect(
      outcome(from: Moment(), to: Moment(clock: 1000, text: "cpu  1 2 3\n"))
        == .unavailable("/proc/stat does not begin with the time of all processors"))
    #expect(
      outcome(from: Moment(), to: Moment(clock: 1000, errors: (file: 0, own: 1)))
        == .unavailable("getrusage: Operation not permitted"))
    #expect(outcome(from: Moment(clock: 5), to: Moment(user: 1, clock: 5)) == .unavailable("the clock did not advance"))
    #expect(outcome(from: Moment(clock: 5), to: Moment(user: 1, clock: 4)) == .unavailable("the clock did not advance"))
  }

  #if os(Linux)
    @Test func theSystemsOwnTimesAreRead() {
      let load = ForeignLoad()
      let end = MonotonicClock.nanoseconds() + 20_000_000
      while MonotonicClock.nanoseconds() < end {}
      guard case .value(let processors) = load.measurement().outcome else {
        Issue.record("\(load.measurement().outcome)")
        return
      }
      #expect(processors >= 0 && processors.isFinite)
    }
  #endif
}
