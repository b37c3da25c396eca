// Threads that wait for a gate: how long they spin, when they sleep, whom a leaving holder lets in, and who need not
// wait.

import WeirQueues

/// Waiting is WebKit's `WTF::Lock` (Filip Pizlo) and parking_lot (Amanieu d'Antras): whoever comes when the gate is
/// free has it; a thread that has spun and let others run in vain sleeps in a line, in the order in which the threads
/// began to wait, and the first of the line is woken by the next holder that leaves, one at a time. A thread that has
/// waited for a millisecond is given the gate, which then is never free in between: so nobody starves.
///
/// A sleeper wakes up every millisecond and looks whether it has to wait at all. Two things say that it does not, and
/// its signal is left to the holder instead: the caller finds that nobody whom the holder is calling would take the
/// signal, which Combine lets pass; or the threads wait for each other in a circle, of gates, of subscribers that are
/// being called and of the turns of states (`WaitTable`), where Combine would be stuck. A look that errs costs a signal
/// that another thread delivers, nothing else.
extension Gate {
  /// Enters, and waits while another thread holds the gate.
  ///
  /// - Parameters:
  ///   - name: Whose gate it is, for the message after a second of waiting.
  ///   - isLetThrough: Says whether the signal is one that nobody whom the holder is calling just now would take. It is
  ///     asked again and again, on this thread, while another one holds the gate.
  /// - Returns: `.taken` if the signal is to be handed over.
  @inlinable @inline(__always)
  package borrowing func enter(as name: StaticString, unless isLetThrough: () -> Bool) -> Entry {
    enterOwned() ? .entered : enterShared(as: name, unless: isLetThrough)
  }

  /// Enters like `enter`, once `enterOwned` has not.
  @inlinable @inline(__always)
  package borrowing func enterShared(as name: StaticString, unless isLetThrough: () -> Bool) -> Entry {
    let entry = tryEnterShared()
    return entry == .taken ? wait(as: name, unless: isLetThrough) : entry
  }

  /// Enters, once the gate was found taken.
  ///
  /// - Parameter note: Counts the exception if the signal is let through.
  @inlinable @inline(never)
  borrowing func wait(
    as name: StaticString, noting note: () -> Void = WaitException.noteLetThrough, unless isLetThrough: () -> Bool
  ) -> Entry {
    let me = currentThreadIdentity()
    var clock = WaitClock()
    while true {
      var backoff = Backoff()
      repeat {
        let entry = tryEnterMarked(me)
        if entry != .taken { return entry }
      } while clock.since == 0 && backoff.snooze()
      clock.begin()
      if isLetThrough() {
        note()
        return .taken
      }
      if WaitTable.enter(me, waitingFor: holder, or: busy) {
        WaitTable.leave(me)
        WaitException.noteCircle()
        return .taken
      }
      let isHolder = sleep(me, since: clock.since)
      WaitTable.leave(me)
      if isHolder { return .entered }
      clock.complain(of: name, for: holder, or: busy)
    }
  }

  /// Sleeps until a holder that leaves says so, or for a millisecond.
  ///
  /// - Returns: Whether the caller holds the gate.
  @usableFromInline
  borrowing func sleep(_ me: Int, since: Int) -> Bool {
    let sleeper = Sleeper(thread: me, since: since)
    return withLine { line in
      guard line.sleepers.withLock({ join(sleeper, &$0) }) else { return false }
      sleeper.sleep()
      let grant = line.sleepers.withLock { sleepers -> Sleeper.Grant in
        if sleeper.grant == .none { sleepers.removeAll { $0 === sleeper } }
        return sleeper.grant
      }
      if grant == .woken { _ = word.add(-GateMark.woken) }
      return grant == .handed
    }
  }

  /// Joins the line, unless the gate is free: from then on nobody leaves it without a look at the line.
  borrowing func join(_ sleeper: Sleeper, _ sleepers: inout [Sleeper]) -> Bool {
    var current = word.relaxedLoad()
    while current & GateMark.units != 0 {
      let (exchanged, original) = word.compareExchange(expected: current, desired: current | GateMark.sleeping)
      if exchanged {
        // One that has looked and found that it still has to wait keeps its place.
        sleepers.insert(sleeper, at: sleepers.firstIndex { $0.since > sleeper.since } ?? sleepers.endIndex)
        return true
      }
      current = original
    }
    return false
  }

  /// Leaves a gate that others want something of.
  ///
  /// - Returns: `false` if signals have been handed over: the caller goes on holding it.
  @usableFromInline @inline(never)
  borrowing func leaveMarked(_ me: Int) -> Bool {
    var backoff = Backoff()
    while true {
      // Acquired by the look at the `depth`, or by the exchange.
      let current = word.relaxedLoad()
      if current & GateMark.units > 1 {
        holder.relaxedStore(me)
        return false
      }
      if current >= GateMark.looker {
        // Some loads of a thread that may have to be let run.
        if !backoff.snooze() { nap() }
      } else if current & GateMark.sleeping != 0, current & GateMark.woken == 0 {
        if letNextIn() { return true }
      } else if word.compareExchange(expected: current, desired: (current - 1) & ~GateMark.relief).exchanged {
        return true
      }
    }
  }

  /// Leaves, and wakes the first of the line.
  ///
  /// - Returns: `false` if something else has changed meanwhile.
  borrowing func letNextIn() -> Bool {
    // The line outlives the gate, which may go as soon as it is left.
    let line = withLine { $0 }
    var next: Sleeper?
    let hasLeft = line.sleepers.withLock { sleepers -> Bool in
      let current = word.relaxedLoad()
      guard current & (GateMark.units | GateMark.woken) == 1, current < GateMark.looker else { return false }
      let first = sleepers.first
      var desired = (sleepers.count > 1 ? current : current & ~GateMark.sleeping) & ~GateMark.relief
      let isDue = first.map { isOverdue($0) } ?? false
      if !isDue { desired -= 1 }
      if first != nil, !isDue { desired |= GateMark.woken }
      guard word.compareExchange(expected: current, desired: desired).exchanged else { return false }
      guard let first else { return true }
      if isDue { holder.relaxedStore(first.thread) }
      first.grant = isDue ? .handed : .woken
      next = sleepers.removeFirst()
      return true
    }
    next?.wake()
    return hasLeft
  }

  /// Whether a thread has waited for so long that the gate is given to it.
  borrowing func isOverdue(_ sleeper: Sleeper) -> Bool {
    #if WEIR_EXPLORER
      // Every other thread is, so that both ways to let a thread in are explored.
      sleeper.thread & 16 == 0
    #else
      monotonicNanoseconds() - sleeper.since > 1_000_000
    #endif
  }

  /// Has a look at what the holder keeps for lookers, while it can't leave.
  ///
  /// - Parameter body: Reads atomic words of what the holder is calling; must not wait and runs no code of the user's.
  /// - Returns: What `body` returns; `false` if nobody holds the gate.
  @inlinable
  package borrowing func whileHeld(_ body: () -> Bool) -> Bool {
    let current = word.add(GateMark.looker)
    let result = current & GateMark.units != 0 && body()
    _ = word.add(-GateMark.looker)
    return result
  }

  /// Waits until all are through who have looked at what the holder keeps for lookers: for one that has given the gate
  /// to another thread, and frees what they may have found.
  @usableFromInline
  borrowing func outlastLookers() {
    var backoff = Backoff()
    // Acquires the looks (add in `whileHeld`).
    while word.acquireLoad() >= GateMark.looker { if !backoff.snooze() { nap() } }
  }

  /// Tells calls of subscribers apart: in two looks at the same address, the holder may be in two different calls.
  ///
  /// The first who looks at a call marks it in the word that names whom the holder is calling. The holder's next store
  /// there ends the mark, and whoever marks a later call has raised the number first. Only within `whileHeld`.
  ///
  /// - Parameters:
  ///   - call: The word as it was read.
  ///   - calling: The word, which the holder stores to.
  /// - Returns: The call's number; 0 if the call has ended meanwhile. It may grow during one call. Two calls share it
  ///   only if a thread began to mark the first when another one had, and then marked the second.
  borrowing func number(of call: Int, in calling: borrowing AtomicWord) -> Int {
    withLine { line in
      if call & CallMark.mark != 0 { return line.markedCalls.acquireLoad() }
      let number = line.markedCalls.add(1) + 1
      return calling.compareExchange(expected: call, desired: call | CallMark.mark).exchanged ? number : 0
    }
  }

  /// Waits, outside, while the holder does something.
  ///
  /// - Parameters:
  ///   - name: Whose gate it is, for the message after a second of waiting.
  ///   - isBusy: Whether the holder is still at it.
  ///   - isGivenUp: Whether to wait no longer.
  /// - Returns: `false` if the wait was given up, or if threads wait for each other in a circle.
  @usableFromInline
  borrowing func outlast(as name: StaticString, while isBusy: () -> Bool, unless isGivenUp: () -> Bool) -> Bool {
    var wait = CallWait()
    while isBusy() { if isGivenUp() || !wait.goesOn(for: holder, or: busy, as: name) { return false } }
    return true
  }

  @inlinable
  borrowing func withLine<Result>(_ body: (WaitLine) -> Result) -> Result {
    let known = line.acquireLoad()
    // SAFETY: the address is that of a retained line, which lives as long as the gate.
    let address = unsafe UnsafeRawPointer(bitPattern: known == 0 ? install(WaitLine(), in: line) : known)
      .unsafelyUnwrapped
    return body(unsafe Unmanaged<WaitLine>.fromOpaque(address).takeUnretainedValue())
  }
}

/// What the address of a subscription that is being called carries besides.
@usableFromInline
enum CallMark {
  /// Somebody who waits has looked at the call.
  @usableFromInline static var mark: Int { 1 }
}

/// A wait for another thread's call of one subscriber.
@usableFromInline
struct CallWait {
  private var backoff = Backoff()
  private var clock = WaitClock()

  /// Waits for a moment.
  ///
  /// - Parameters:
  ///   - caller: Names the thread that calls the subscriber; its lowest four bits don't count.
  ///   - other: Names it while `caller` is 0.
  ///   - name: Whose subscriber it is, for the message after a second of waiting.
  /// - Returns: `false` if threads wait for each other in a circle, in which nobody else can go another way.
  @usableFromInline
  mutating func goesOn(
    for caller: borrowing AtomicWord, or other: borrowing AtomicWord, as name: StaticString
  ) -> Bool {
    if backoff.snooze() { return true }
    let me = currentThreadIdentity()
    let isCircle = WaitTable.enter(me, waitingFor: caller, or: other, canGiveWay: false)
    if !isCircle { nap() }
    WaitTable.leave(me)
    if isCircle {
      WaitException.noteCircle()
      return false
    }
    clock.begin()
    clock.complain(of: name, for: caller, or: other)
    return true
  }
}

/// How long a thread has waited, and whether it has said so.
@usableFromInline
struct WaitClock {
  /// When the wait began, in nanoseconds of the monotonic clock; 0 before.
  @usableFromInline private(set) var since = 0
  private var hasComplained = false

  @usableFromInline
  init() {}

  @usableFromInline
  mutating func begin() { if since == 0 { since = monotonicNanoseconds() } }

  /// Says once, after a second, whom the thread waits for.
  ///
  /// - Parameters:
  ///   - name: Whose subscriber that one is calling.
  ///   - caller: Names that thread; its lowest four bits don't count.
  ///   - other: Names it while `caller` is 0.
  @usableFromInline
  mutating func complain(of name: StaticString, for caller: borrowing AtomicWord, or other: borrowing AtomicWord) {
    guard !hasComplained, monotonicNanoseconds() - since > 1_000_000_000 else { return }
    hasComplained = true
    let thread = caller.relaxedLoad() & ~15
    complainOfWaiting(name, for: thread != 0 ? thread : other.relaxedLoad() & ~15)
  }
}

/// Says once what a thread waits for, so that a program that is stuck tells why.
@usableFromInline
func complainOfWaiting(_ name: StaticString, for thread: Int) {
  let forked =
    forkCount() == 0 ? "" : " This process has been forked: if that was meanwhile, the thread has stayed behind."
  complain(
    "Weir: \(name): thread 0x\(String(currentThreadIdentity(), radix: 16)) has waited for more than a second for thread "
      + "0x\(String(thread, radix: 16)), which is delivering to a subscriber. It goes on waiting.\(forked)")
}
