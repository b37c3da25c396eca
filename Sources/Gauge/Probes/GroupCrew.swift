// The threads of a group measurement: they start together, work for a window of time or a number of operations, and
// wait for each other at its end.

import CProbes

/// What all threads do between two meetings.
enum GroupWindow: Hashable, Sendable {
  /// Work until the time is over, some operations at a time.
  case lasting(nanoseconds: UInt64)
  /// The same, each operation timed by itself.
  case singly(nanoseconds: UInt64)
  /// Work so many operations each.
  case counted(operations: Int)
}

/// What one thread did in a window.
struct GroupShare: Hashable, Sendable {
  /// 0-based number of its group.
  var group: Int
  /// Operations that it did.
  var operations: Int
  /// Time that it took for them.
  var nanoseconds: Double
}

/// Threads of several groups, and this thread, which leads them.
///
/// One thread at a time uses each of the fields: the leader while all others wait at the gate, and each member its own
/// seat from one meeting to the next. The gate orders the two.
@safe final class GroupCrew: @unchecked Sendable {
  /// The threads of a group.
  struct Members {
    /// How many there are.
    var count: Int
    /// Makes what one of them repeats, in that thread.
    var makeWorker: @Sendable (_ number: Int) -> GroupWorker
  }

  private final class Seat {
    let group: Int
    let number: Int
    var share: GroupShare
    var latencies = LatencyHistogram()
    /// Operations between two looks at the clock and the flag.
    var stride = 1
    /// How far the clock has ever stepped back between two readings of this thread.
    var stepBack: UInt64 = 0

    init(group: Int, number: Int) {
      self.group = group
      self.number = number
      share = GroupShare(group: group, operations: 0, nanoseconds: 0)
    }

    /// The time between two readings of a clock; none where it has stepped back.
    func elapsed(from start: UInt64, to end: UInt64) -> UInt64 {
      if end < start { stepBack = max(stepBack, start - end) }
      return max(start, end) - start
    }
  }

  /// Operations between two looks at the flag should take this long: short against a window, long against the looks.
  private static let strideLength = 10_000.0

  private let groups: [Members]
  private let seats: [Seat]
  private let clock: TickClock
  private let overhead: Double
  // Lives as long as the crew: freed when the last reference goes, which no thread survives.
  private let gate: OpaquePointer
  private var window: GroupWindow?
  private var lead: () -> GroupWindow? = { nil }

  /// - Parameters:
  ///   - groups: The groups, in the order of their numbers.
  ///   - clock: What times operations singly.
  ///   - overhead: Ticks to subtract from each of those.
  init(_ groups: [Members], clock: TickClock, overhead: Double) {
    self.groups = groups
    self.clock = clock
    self.overhead = overhead
    seats = groups.enumerated().flatMap { group, members in
      (0..<members.count).map { Seat(group: group, number: $0) }
    }
    unsafe gate = probe_gate_create(seats.count + 1)
  }

  deinit { unsafe probe_gate_destroy(gate) }

  /// Runs windows until there is no next one.
  ///
  /// - Parameter next: Chooses the next window by what the threads did in the last one, `nil` before the first. All
  ///   threads wait while it runs.
  /// - Returns: 0, or the error number where a thread can't be started.
  func run(_ next: (_ shares: [GroupShare]?) -> GroupWindow?) -> Int32 {
    withoutActuallyEscaping(next) { next in
      var isFirst = true
      lead = { [seats] in
        defer { isFirst = false }
        return next(isFirst ? nil : seats.map(\.share))
      }
      defer { lead = { nil } }
      // The crew outlives the call, which returns when all threads have ended.
      return unsafe probe_run_crew(
        seats.count, { unsafe GroupCrew.from($0).serve($1) }, { unsafe GroupCrew.from($0).command() },
        Unmanaged.passUnretained(self).toOpaque())
    }
  }

  /// How far the clock has ever stepped back for any thread. To be read while all of them wait, or have ended.
  var stepBack: UInt64 { seats.reduce(0) { max($0, $1.stepBack) } }

  /// The latencies that the threads of a group, or all of them, have recorded.
  func latencies(ofGroup group: Int? = nil) -> LatencyHistogram {
    var latencies = LatencyHistogram()
    for seat in seats where group == nil || seat.group == group { latencies.merge(seat.latencies) }
    return latencies
  }

  // The pointer is the one that `run` passed: of a crew that lives until all threads have ended.
  private static func from(_ context: UnsafeMutableRawPointer?) -> GroupCrew {
    guard let context = unsafe context else { preconditionFailure("a thread without its crew") }
    return unsafe Unmanaged<GroupCrew>.fromOpaque(context).takeUnretainedValue()
  }

  private func meet() { unsafe probe_gate_pass(gate) }

  private func command() {
    // Before the first window: every thread has made its state.
    meet()
    while true {
      window = lead()
      unsafe probe_gate_resume(gate)
      meet()
      switch window {
      case nil: return
      case .lasting(let nanoseconds), .singly(let nanoseconds):
        probe_sleep_nanoseconds(nanoseconds)
        unsafe probe_gate_stop(gate)
      case .counted: break
      }
      meet()
    }
  }

  private func serve(_ index: Int) {
    let seat = seats[index]
    let worker = groups[seat.group].makeWorker(seat.number)
    meet()
    while true {
      meet()
      guard let window else { return }
      let start = MonotonicClock.nanoseconds()
      switch window {
      case .lasting: work(worker, seat)
      case .singly: workSingly(worker, seat)
      case .counted(let operations):
        worker.run(operations)
        seat.share.operations = operations
      }
      seat.share.nanoseconds = Double(seat.elapsed(from: start, to: MonotonicClock.nanoseconds()))
      meet()
    }
  }

  private func work(_ worker: GroupWorker, _ seat: Seat) {
    var operations = 0
    var last = MonotonicClock.nanoseconds()
    repeat {
      worker.run(seat.stride)
      operations += seat.stride
      let now = MonotonicClock.nanoseconds()
      let elapsed = Double(now &- last)
      if elapsed < Self.strideLength / 2 {
        seat.stride *= 2
      } else if elapsed > Self.strideLength * 4, seat.stride > 1 {
        // An operation that found nothing to do before may take long now: a stride must end soon after its window.
        seat.stride /= 2
      }
      last = now
    } while unsafe probe_gate_is_stopped(gate) == 0
    seat.share.operations = operations
  }

  private func workSingly(_ worker: GroupWorker, _ seat: Seat) {
    var operations = 0
    repeat {
      let start = clock.ticks()
      worker.run(1)
      let end = clock.ticks()
      seat.latencies.record(
        nanoseconds: (Double(seat.elapsed(from: start, to: end)) - overhead) * clock.nanosecondsPerTick)
      operations += 1
    } while unsafe probe_gate_is_stopped(gate) == 0
    seat.share.operations = operations
  }

  /// Forgets the latencies of the warm-up. To be called while all threads wait.
  func forgetLatencies() {
    for seat in seats { seat.latencies = LatencyHistogram() }
  }
}
