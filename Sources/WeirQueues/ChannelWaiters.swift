// Threads and tasks that wait at the ends of a channel, first come, first served.

/// A thread or a task that waits, once.
@safe
@usableFromInline
package final class Waiter {
  private enum State {
    case awake
    /// Goes on when this is called, which happens once.
    case asleep(() -> Void)
    case woken
  }

  private let state = Lock(State.awake)
  fileprivate let end: ChannelWaiters.End
  /// Who is woken in its place: a waiter that stands in several lines has one such place in each.
  private let owner: Waiter?

  // SAFETY (exclusivity): the line's, which touches them under its lock only.
  @safe @exclusivity(unchecked) fileprivate var next: Waiter?
  @safe @exclusivity(unchecked) fileprivate var previous: Waiter?
  @safe @exclusivity(unchecked) fileprivate var isInLine = false

  package init(_ end: ChannelWaiters.End = .receiving, for owner: Waiter? = nil) {
    self.end = end
    self.owner = owner
  }

  /// Goes to sleep.
  ///
  /// - Parameter resume: Called once, by whoever wakes the waiter, or at once if that has happened before.
  package func sleep(_ resume: @escaping () -> Void) {
    let isWoken = state.withLock { state in
      if case .woken = state { return true }
      state = .asleep(resume)
      return false
    }
    if isWoken { resume() }
  }

  /// Wakes the waiter, or keeps it from falling asleep. Any thread may call this, any number of times.
  ///
  /// - Returns: Whether nobody had done so before.
  @discardableResult
  package func wake() -> Bool {
    if let owner { return owner.wake() }
    switch markWoken() {
    case .awake: return true
    case .asleep(let resume):
      resume()
      return true
    case .woken: return false
    }
  }

  /// Makes sure that nobody else wakes the waiter.
  ///
  /// - Returns: The former state.
  private func markWoken() -> State {
    state.withLock { state in
      defer { state = .woken }
      return state
    }
  }

  /// Has the thread sleep until the waiter is woken, or until a time.
  ///
  /// - Parameter deadline: In nanoseconds of the monotonic clock; `Int.max` for none.
  @usableFromInline
  package func park(until deadline: Int) {
    let parker = Parker()
    sleep { parker.unpark() }
    if deadline == .max {
      parker.park()
    } else {
      let left = deadline.subtractingReportingOverflow(monotonicNanoseconds())
      // A time further away than the clock can tell is as good as none: years.
      if left.overflow ? deadline > 0 : left.partialValue > 0 { parker.park(atMost: min(left.partialValue, 1 << 60)) }
    }
  }

  /// Suspends the task until the waiter is woken, or the task is cancelled.
  ///
  /// - Parameter giveUp: Called by whoever cancels the task, before that wakes the waiter: the task may not run for a
  ///   long time. It may wake others.
  @usableFromInline
  package nonisolated(nonsending) func suspend(onCancel giveUp: @Sendable () -> Void) async {
    await withTaskCancellationHandler {
      // SAFETY: `sleep` calls its closure once.
      unsafe await withUnsafeContinuation { continuation in sleep { unsafe continuation.resume() } }
    } onCancel: {
      // Before others are woken: whoever wakes a task waits for who cancels it, in the runtime. Two that cancel, and
      // wake each other's task, would wait for each other.
      let former = markWoken()
      giveUp()
      if case .asleep(let resume) = former { resume() }
    }
  }
}

// SAFETY: a lock around its state, and its line's around its place there.
extension Waiter: @unchecked Sendable {}

/// Those who wait at both ends of a channel.
///
/// Whoever waits joins the line and then looks once more whether it has to; whoever changes something for others looks
/// for them afterwards. Both looks are exchanging operations on one word: whichever comes second sees what the other
/// thread did before, so that a waiter finds the change, or is found.
@safe
@usableFromInline
package final class ChannelWaiters {
  /// Where one waits: for an element, or for room.
  @frozen
  @usableFromInline
  package enum End { case receiving, sending }

  private struct Lines {
    var receiving = Line()
    var sending = Line()

    subscript(end: End) -> Line {
      get { end == .receiving ? receiving : sending }
      set { if end == .receiving { receiving = newValue } else { sending = newValue } }
    }
  }

  private let lines = Lock(Lines())
  /// How many wait at both ends, changed under the lock and looked at without it; and `over`, added without it once
  /// nobody receives any more.
  @usableFromInline let count = AtomicWord(0)
  private static var over: Int { 1 << 62 }

  @usableFromInline
  package init() {}

  /// Whether somebody waits who may not have seen what the caller has just done, or nobody receives any more.
  @inlinable @inline(__always)
  package var areThere: Bool {
    // releases what the caller did (acquired in `join` and `endReceiving`), or finds the waiter or the end
    count.add(0) != 0
  }

  /// Says that nobody receives any more, for good: whoever adds an element later finds that, and the caller those
  /// before.
  @usableFromInline
  package func endReceiving() {
    // acquires what was done before nobody was found waiting (add in `areThere`)
    _ = count.add(Self.over)
  }

  /// Whether nobody receives any more: true for a caller whose `areThere` has found that.
  @usableFromInline
  package var isReceivingOver: Bool { count.relaxedLoad() >= Self.over }

  /// Enters a line: the caller looks once more whether it has to wait, and leaves in any case.
  ///
  /// - Parameter owner: Who is woken, if that one stands in other lines, too.
  package func join(_ end: End, for owner: Waiter? = nil) -> Waiter {
    let waiter = Waiter(end, for: owner)
    lines.withLock { lines in
      lines[end].append(waiter)
      // acquires what was done before nobody was found waiting (add in `areThere`)
      _ = count.add(1)
    }
    return waiter
  }

  /// Leaves the line.
  ///
  /// - Returns: Whether the waiter was still there: nobody has taken it out to wake it.
  package func leave(_ waiter: Waiter) -> Bool {
    lines.withLock { lines in
      guard waiter.isInLine else { return false }
      lines[waiter.end].remove(waiter)
      _ = count.add(-1)
      return true
    }
  }

  /// Wakes the first one in a line that nobody has woken: one that stands in several lines may have been, in another.
  ///
  /// - Returns: Whether there was one.
  @usableFromInline
  @discardableResult
  package func wakeOne(_ end: End) -> Bool {
    while true {
      let first: Waiter? = lines.withLock { lines in
        guard let first = lines[end].first else { return nil }
        lines[end].remove(first)
        _ = count.add(-1)
        return first
      }
      guard let first else { return false }
      if first.wake() { return true }
    }
  }

  /// Wakes all in a line, which must be such that they don't come back.
  @usableFromInline
  package func wakeAll(_ end: End) { while wakeOne(end) {} }
}

// SAFETY: a lock around the lines, and a word; both are any thread's.
extension ChannelWaiters: @unchecked Sendable {}

/// Waiters that know their neighbours, so that each can leave from where it is.
private struct Line {
  private(set) var first: Waiter?
  private var last: Waiter?

  mutating func append(_ waiter: Waiter) {
    waiter.isInLine = true
    waiter.previous = last
    if let last { last.next = waiter } else { first = waiter }
    last = waiter
  }

  mutating func remove(_ waiter: Waiter) {
    let (previous, next) = (waiter.previous, waiter.next)
    if let previous { previous.next = next } else { first = next }
    if let next { next.previous = previous } else { last = previous }
    waiter.previous = nil
    waiter.next = nil
    waiter.isInLine = false
  }
}

/// How an operation waits that is tried again and again: it spins for a moment, joins the line, and looks once more
/// before it sleeps.
@frozen
@usableFromInline
struct Wait {
  @usableFromInline let waiters: ChannelWaiters
  @usableFromInline let end: ChannelWaiters.End
  /// Whether it lets other threads run before it sleeps: not where a task waits, or until a deadline.
  @usableFromInline let isPatient: Bool
  @usableFromInline var backoff = Backoff()
  @usableFromInline var waiter: Waiter?
  /// Whether it has waited long enough: nobody has woken it, so the time is over, or its task cancelled.
  @usableFromInline var isOver = false

  @inlinable
  init(_ waiters: ChannelWaiters, _ end: ChannelWaiters.End, isPatient: Bool = false) {
    self.waiters = waiters
    self.end = end
    #if WEIR_EXPLORER
      // Letting others run first hides how they meet a thread that sleeps.
      self.isPatient = false
    #else
      self.isPatient = isPatient
    #endif
  }

  /// What to do after an attempt that came to nothing.
  ///
  /// - Returns: Whom to sleep as, before `wokeUp`, or `nil` if the next attempt is due at once.
  @usableFromInline
  mutating func next() -> Waiter? {
    if waiter != nil { return waiter }
    if !(isPatient ? backoff.snooze() : backoff.spin()) { waiter = waiters.join(end) }
    return nil
  }

  /// Leaves the line after a sleep. The next attempt is due whoever has ended it.
  @usableFromInline
  mutating func wokeUp() {
    if let waiter { isOver = waiters.leave(waiter) }
    waiter = nil
  }

  /// Leaves the line after an attempt that came to something.
  ///
  /// If it was woken meanwhile, that was for a change which others may be waiting for: the caller settles afterwards.
  @usableFromInline
  mutating func finish() {
    if let waiter { _ = waiters.leave(waiter) }
    waiter = nil
  }
}

/// When a time from now is over.
///
/// - Returns: In nanoseconds of the monotonic clock; `Int.max` if that is beyond it, which is never.
@usableFromInline
package func deadline(after duration: Duration) -> Int {
  // Not by its components, which trap where the seconds are more than 64 bits hold.
  Int(clamping: duration.attoseconds / 1_000_000_000 + Int128(monotonicNanoseconds()))
}
